/**
 * Finds the platform's own objects wherever they stand: answers of its web interface, the state that its pages embed,
 * HAR bodies, bare lists. Only the objects are looked at, from the outside in; envelopes are walked through.
 */
import type { Collector, Recogniser, DocumentContext } from "#api/importer.ts";
import { type Fields, isFields, readCaptureTime, readId, readObjectAt } from "#import/capture/field-readers.ts";
import { withCaptureTime } from "#import/capture/with-capture-time.ts";
import { collectComment, collectCommentList, isComment, isCommentList } from "./recognise/comment.ts";
import { collectChallengeDetail, isChallengeDetail } from "./recognise/hashtag.ts";
import { collectItem, isItem } from "./recognise/item.ts";
import { skipMissingAnswer } from "./recognise/error-documents.ts";
import { collectLoneSound, collectMusicDetail, isMusic, isMusicDetail } from "./recognise/sound.ts";
import {
  collectLoneUser,
  collectProfile,
  collectUserModule,
  isProfile,
  isUser,
  isUserModule,
} from "./recognise/user.ts";

/** The first that fits is the one, so an object that holds others stands before what it holds. */
const SHAPES: readonly {
  fits: (object: Fields) => boolean;
  collect: (object: Fields, collect: Collector, scene: DocumentContext) => void;
  /** Parts that may hold more of the platform's objects. */
  parts?: readonly string[];
}[] = [
  { fits: isItem, collect: collectItem },
  { fits: isCommentList, collect: (object, collect, { url }) => collectCommentList(object, collect, postIdIn(url)) },
  {
    fits: isComment,
    collect: (object, collect, { url }) => collectComment(object, collect, { postId: postIdIn(url) }),
  },
  { fits: isUserModule, collect: collectUserModule },
  { fits: isProfile, collect: collectProfile, parts: ["itemList"] },
  { fits: isMusicDetail, collect: collectMusicDetail },
  { fits: isChallengeDetail, collect: collectChallengeDetail },
  { fits: isUser, collect: collectLoneUser },
  { fits: isMusic, collect: collectLoneSound },
];

/** Who looked at the page stands in these parts of its state. */
const OF_THE_VIEWER = /^(?:webapp\.)?(?:app|biz)-?context$/i;

function isPageState(object: Fields): boolean {
  return isFields(object["ItemModule"]) || isFields(object["UserModule"]) || "webapp.app-context" in object;
}

export const recognise: Recogniser = (object, collect, walk, scene) => {
  if (isPageState(object)) {
    for (const [name, part] of Object.entries(object)) if (!OF_THE_VIEWER.test(name)) walk(part);
    return true;
  }
  if (skipMissingAnswer(object, collect)) return true;
  if (readStampedAnswer(object, collect, scene)) return true;
  const shape = SHAPES.find(({ fits }) => fits(object));
  if (shape === undefined) return false;
  shape.collect(object, collect, scene);
  for (const part of shape.parts ?? []) walk(object[part]);
  return true;
};

/** Answers say when they were given (`extra.now`), which is when all they hold was so. */
function readStampedAnswer(object: Fields, collect: Collector, scene: DocumentContext): boolean {
  const now = readCaptureTime(readObjectAt(object["extra"])["now"]);
  if (now === undefined || !("statusCode" in object || "status_code" in object)) return false;
  const { extra: _extra, ...answer } = object;
  return walkNatives(answer, withCaptureTime(collect, now), scene);
}

/** The address of an answer with comments names their post. */
function postIdIn(url: string | null): string | undefined {
  const query = url === null ? undefined : URL.parse(url)?.searchParams;
  return readId(query?.get("aweme_id") ?? query?.get("item_id"));
}

const MAX_DEPTH = 200;

/** Collects every native object below a value; false if there was none. */
export function walkNatives(value: unknown, collect: Collector, scene: DocumentContext, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) {
    let found = false;
    for (const element of value) found = walkNatives(element, collect, scene, depth + 1) || found;
    return found;
  }
  if (!isFields(value)) return false;
  if (recognise(value, collect, (part) => walkNatives(part, collect, scene, depth + 1), scene)) return true;
  return walkNatives(Object.values(value), collect, scene, depth + 1);
}
