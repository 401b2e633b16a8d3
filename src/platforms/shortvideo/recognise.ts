/**
 * Finds TikTok's own objects anywhere in a document: web API responses, the state embedded in pages, HAR bodies, bare
 * lists. Objects are matched from the outside in; unknown envelopes are searched.
 */
import type { Collector, Recogniser, DocumentContext } from "#api/importer.ts";
import { type Fields, isFields, readCaptureTime, readId, readObjectAt } from "#import/capture/field-readers.ts";
import { EVIDENCE } from "./evidence.ts";
import { keepOwnSite } from "#import/capture/own-site.ts";
import { withCaptureTime } from "#import/capture/with-capture-time.ts";
import { collectComment, collectCommentList, isComment, isCommentList } from "./recognise/comment.ts";
import { isOfDouyin } from "./recognise/douyin.ts";
import { collectEmbedItem, collectEmbedProfile, isEmbedItem, isEmbedProfile } from "./recognise/embed-item.ts";
import { collectFollows } from "./recognise/follow-list.ts";
import { collectChallengeDetail, isChallengeDetail } from "./recognise/hashtag.ts";
import { collectItem, isItem } from "./recognise/item.ts";
import { withListOwners } from "./recognise/list-owner.ts";
import {
  collectMobileChallenge,
  collectMobileMusic,
  isMobileChallenge,
  isMobileMusic,
} from "./recognise/mobile-details.ts";
import { collectMobileItem, isMobileItem } from "./recognise/mobile-item.ts";
import { isEmptyPage, skipErrorResponse } from "./recognise/error-documents.ts";
import { readSubjectName, readSubjectPost } from "./recognise/subject.ts";
import { collectBareSound, collectMusicDetail, isMusic, isMusicDetail } from "./recognise/sound.ts";
import {
  collectBareUser,
  collectMobileProfile,
  collectProfile,
  collectUserModule,
  isMobileProfile,
  isProfile,
  isUser,
  isUserModule,
} from "./recognise/user.ts";

/** The first match wins, so an object that contains others precedes them. */
const SHAPES: readonly {
  matches: (object: Fields) => boolean;
  collect: (object: Fields, collect: Collector, context: DocumentContext) => void;
  /** Members that may contain further objects. */
  parts?: readonly string[];
}[] = [
  { matches: isItem, collect: (object, collect, { file }) => collectItem(object, collect, readSubjectName(file)) },
  { matches: isMobileItem, collect: collectMobileItem },
  { matches: isEmbedItem, collect: collectEmbedItem },
  { matches: isEmbedProfile, collect: collectEmbedProfile },
  {
    matches: isCommentList,
    collect: (object, collect, context) => collectCommentList(object, collect, findCommentedPost(context)),
  },
  {
    matches: isComment,
    collect: (object, collect, context) => collectComment(object, collect, { postId: findCommentedPost(context) }),
  },
  { matches: isUserModule, collect: collectUserModule },
  { matches: isProfile, collect: collectProfile, parts: ["itemList"] },
  { matches: isMobileProfile, collect: collectMobileProfile, parts: ["aweme_list"] },
  { matches: isMusicDetail, collect: collectMusicDetail },
  { matches: isChallengeDetail, collect: collectChallengeDetail },
  { matches: isUser, collect: collectBareUser },
  { matches: isMusic, collect: (object, collect) => collectBareSound(object, collect) },
  { matches: isMobileMusic, collect: collectMobileMusic },
  { matches: isMobileChallenge, collect: collectMobileChallenge },
];

/** Parts of a page's state that describe the person who viewed it. */
const VIEWER_STATE = /^(?:webapp\.)?(?:app|biz)-?context$/i;

function isPageState(object: Fields): boolean {
  return isFields(object["ItemModule"]) || isFields(object["UserModule"]) || "webapp.app-context" in object;
}

export const recognise: Recogniser = keepOwnSite(
  EVIDENCE,
  (_walk, context) => context,
  (object, collect, walk, context) => {
    if (isPageState(object)) {
      for (const [name, part] of Object.entries(object)) if (!VIEWER_STATE.test(name)) walk(part);
      return true;
    }
    if (skipErrorResponse(object, collect)) return true;
    if (readTimedResponse(object, collect, context)) return true;
    const shape = SHAPES.find(({ matches }) => matches(object));
    if (shape === undefined) {
      collectFollows(object, collect, context);
      if (context.isSplit === true || !isEmptyPage(object)) return false;
      // Beside its list may be a sound or a hashtag.
      if (!recogniseAll(Object.values(object), context, collect)) collect.skip("an empty response");
      return true;
    }
    if (isOfDouyin(object, context)) {
      collect.skip("a record of Douyin, which is not supported");
      return true;
    }
    shape.collect(object, withListOwners(collect, context), context);
    for (const part of shape.parts ?? []) walk(object[part]);
    return true;
  },
);

/** Timed responses with nothing inside: searched again for each response around them, they would take exponential time. */
const SEARCHED = new WeakSet<Fields>();

/** Responses carry the server's time in `extra.now`: the capture time of everything inside. */
function readTimedResponse(object: Fields, collect: Collector, context: DocumentContext): boolean {
  const now = readCaptureTime(readObjectAt(object["extra"])["now"]);
  if (now === undefined || !("statusCode" in object || "status_code" in object) || SEARCHED.has(object)) return false;
  const { extra: _extra, ...response } = object;
  const isFound = recogniseAll(response, context, withCaptureTime(collect, now));
  if (!isFound) SEARCHED.add(object);
  return isFound;
}

/** The URL of a comment response names the post, or else `--of` does. */
function findCommentedPost({ url, file }: DocumentContext): string | undefined {
  const query = url === null ? undefined : URL.parse(url)?.searchParams;
  return readId(query?.get("aweme_id") ?? query?.get("item_id")) ?? readSubjectPost(file);
}

const MAX_DEPTH = 200;

/** Collects every native object below a value; false if there was none. */
export function recogniseAll(value: unknown, context: DocumentContext, collect: Collector, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) {
    let found = false;
    for (const element of value) found = recogniseAll(element, context, collect, depth + 1) || found;
    return found;
  }
  if (!isFields(value)) return false;
  if (recognise(value, collect, (part) => recogniseAll(part, context, collect, depth + 1), context)) return true;
  if (SEARCHED.has(value)) return false;
  return recogniseAll(Object.values(value), context, collect, depth + 1);
}
