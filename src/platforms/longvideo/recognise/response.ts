/** Reads a whole response of YouTube's pages: its objects, with what only the response knows, such as the video. */
import type { Collector } from "#api/importer.ts";
import { type Fields, readObject, readObjectAt, readText } from "#import/capture/field-readers.ts";
import { readVideoId } from "../importers/id-forms.ts";
import type { ResponseContext } from "./response-context.ts";
import { recognisePageObject } from "./page-objects.ts";
import { isPlayerResponse, readPlayerResponse } from "./player-response.ts";

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

export function isPageResponse(object: Fields): boolean {
  return readObject(object["responseContext"]) !== undefined && PARTS.some((part) => part in object);
}

/** `capturedAt` in Unix milliseconds, where it is known; `ofVideo` is the video of comments that do not name it. */
export function readPageResponse(
  response: Fields,
  capturedAt: number | null,
  collect: Collector,
  ofVideo?: string,
): void {
  const videoId = findVideoId(response) ?? ofVideo;
  const context: ResponseContext = { capturedAt, videoId, channel: findChannel(response) };
  if (isPlayerResponse(response)) readPlayerResponse(response, collect);
  for (const [key, part] of Object.entries(response)) {
    // The player's parts are read above and contain no other objects.
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

/** Visits objects from the outside in, but not inside those that `isHandled`. Iterative, since junk may nest deeply. */
function visit(root: unknown, isHandled: (object: Fields) => boolean): void {
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (Array.isArray(value)) pushReversed(stack, value);
    else {
      const object = readObject(value);
      if (object !== undefined && !isHandled(object)) pushReversed(stack, Object.values(object));
    }
  }
}

/** Reversed, so that the first value is popped first. */
function pushReversed(stack: unknown[], values: readonly unknown[]): void {
  for (let index = values.length - 1; index >= 0; index--) stack.push(values[index]);
}

/** The video that a response is about: named directly, by a link to one of its comments, or in a continuation token. */
function findVideoId(response: Fields): string | undefined {
  const named = readVideoId(readObjectAt(response, "currentVideoEndpoint", "watchEndpoint")["videoId"]);
  if (named !== undefined) return named;
  let linked: string | undefined;
  let paged: string | undefined;
  visit(response, (object) => {
    linked ??= videoIdInCommentLink(readText(object["url"]) ?? "");
    paged ??= videoIdInToken(object["token"]) ?? videoIdInToken(object["continuation"]);
    return linked !== undefined;
  });
  return linked ?? paged;
}

export function videoIdInCommentLink(url: string): string | undefined {
  const [link, videoId] = /^\/(?:watch\?(?:[^&]*&)*?v=|shorts\/)([\w-]{11})\b/.exec(url) ?? [];
  return link !== undefined && /[?&]lc=/.test(url.slice(link.length)) ? videoId : undefined;
}

/** Continuation tokens of comments are base64 of a message that starts with 12 0d 12 0b and the eleven-character video id. */
function videoIdInToken(token: unknown): string | undefined {
  if (typeof token !== "string" || !token.startsWith("Eg0SC")) return undefined;
  const bytes = decodeBase64(token.slice(0, 20));
  const id = bytes.slice(4, 15);
  return bytes.startsWith("\x12\x0d\x12\x0b") && /^[\w-]{11}$/.test(id) ? id : undefined;
}

function decodeBase64(text: string): string {
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return "";
  }
}

/** On a channel's own page, its videos do not repeat its name. */
function findChannel(response: Fields): ResponseContext["channel"] {
  const { externalId, title } = readObjectAt(response, "metadata", "channelMetadataRenderer");
  return typeof externalId === "string" && typeof title === "string" ? { id: externalId, title } : undefined;
}
