/** One whole answer of the platform's pages. What stands in it is read with what only the answer knows: which video. */
import type { Collector } from "#api/importer.ts";
import { type Fields, readObject, readObjectAt } from "#import/capture/field-readers.ts";
import { readVideoId } from "../importers/id-forms.ts";
import type { AnswerContext } from "./response-context.ts";
import { recognisePageObject } from "./page-objects.ts";
import { isPlayerAnswer, readPlayerAnswer } from "./player-response.ts";

const PARTS = [
  "contents",
  "continuationContents",
  "currentVideoEndpoint",
  "frameworkUpdates",
  "metadata",
  "onResponseReceivedActions",
  "onResponseReceivedCommands",
  "onResponseReceivedEndpoints",
  "playabilityStatus",
  "videoDetails",
];

export function isAnswer(object: Fields): boolean {
  return readObject(object["responseContext"]) !== undefined && PARTS.some((part) => part in object);
}

/** `capturedAt` in Unix milliseconds, where it is known. */
export function readAnswer(answer: Fields, capturedAt: number | null, collect: Collector): void {
  const context: AnswerContext = { capturedAt, videoId: videoIdIn(answer), channel: channelIn(answer) };
  if (isPlayerAnswer(answer)) readPlayerAnswer(answer, collect);
  for (const [key, part] of Object.entries(answer)) {
    // The player's own parts are read above, and what it says of itself holds nothing more.
    if (!PLAYER_PARTS.has(key)) visit(part, (object) => recognisePageObject(object, context, collect));
  }
}

const PLAYER_PARTS = new Set([
  "responseContext",
  "videoDetails",
  "microformat",
  "captions",
  "streamingData",
  "storyboards",
]);

/** Every object from the outside in; not into those for which `taken` says true. Without recursion: junk may be deep. */
function visit(root: unknown, taken: (object: Fields) => boolean): void {
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (Array.isArray(value)) pushAll(waiting, value);
    else {
      const object = readObject(value);
      if (object !== undefined && !taken(object)) pushAll(waiting, Object.values(object));
    }
  }
}

/** Last first, so that the first is taken first. */
function pushAll(waiting: unknown[], values: readonly unknown[]): void {
  for (let index = values.length - 1; index >= 0; index--) waiting.push(values[index]);
}

/** The video that an answer is about: named outright, by a link to one of its comments, or inside a paging token. */
function videoIdIn(answer: Fields): string | undefined {
  const named = readVideoId(readObjectAt(answer, "currentVideoEndpoint", "watchEndpoint")["videoId"]);
  if (named !== undefined) return named;
  let linked: string | undefined;
  let paged: string | undefined;
  visit(answer, (object) => {
    linked ??= videoIdInCommentLink(String(object["url"]));
    paged ??= videoIdInToken(object["token"]) ?? videoIdInToken(object["continuation"]);
    return linked !== undefined;
  });
  return linked ?? paged;
}

export function videoIdInCommentLink(url: string): string | undefined {
  const [link, videoId] = /^\/(?:watch\?(?:[^&]*&)*?v=|shorts\/)([\w-]{11})\b/.exec(url) ?? [];
  return link !== undefined && /[?&]lc=/.test(url.slice(link.length)) ? videoId : undefined;
}

/** Tokens of comment pages are base 64 of a message that begins with the video's id: 12 0d 12 0b, then eleven letters. */
function videoIdInToken(token: unknown): string | undefined {
  if (typeof token !== "string" || !token.startsWith("Eg0SC")) return undefined;
  const bytes = fromBase64(token.slice(0, 20));
  const id = bytes.slice(4, 15);
  return bytes.startsWith("\x12\x0d\x12\x0b") && /^[\w-]{11}$/.test(id) ? id : undefined;
}

function fromBase64(text: string): string {
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return "";
  }
}

/** On a channel's own page its videos do not repeat its name. */
function channelIn(answer: Fields): AnswerContext["channel"] {
  const { externalId, title } = readObjectAt(answer, "metadata", "channelMetadataRenderer");
  return typeof externalId === "string" && typeof title === "string" ? { id: externalId, title } : undefined;
}
