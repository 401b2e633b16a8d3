/**
 * Finds Instagram's own objects by shape, anywhere in a document. What an object does not say itself (whose followers,
 * which post) comes from the enclosing objects, from the response's URL, or from the user's `--of`.
 */
import type { Collector, Recogniser } from "#api/importer.ts";
import {
  type Fields,
  isFields,
  readId,
  readList,
  readObject,
  readObjects,
  readText,
} from "#import/capture/field-readers.ts";
import { EVIDENCE } from "./evidence.ts";
import { keepOwnSite } from "#import/capture/own-site.ts";
import { readNodes } from "./recognise/connection-nodes.ts";
import { readPlace, readTitledPlace, collectPlace } from "./recognise/captured-place.ts";
import { collectPost } from "./recognise/captured-post.ts";
import { type CapturedUser, collectUser, isUser, readUser } from "./recognise/captured-user.ts";
import {
  collectComment,
  collectCommentsIn,
  isGraphComment,
  isItemComment,
  readConnectedComments,
} from "./recognise/comments.ts";
import { isGraphPost, readGraphPost, readLargestCount } from "./recognise/graph-post.ts";
import { collectHashtag, isHashtag } from "./recognise/hashtags.ts";
import { isAdvertisement, isItem, isStory, readItem } from "./recognise/item-post.ts";
import { isInstagrapiPost, readInstagrapiPost } from "./recognise/instagrapi-post.ts";
import { withPlainNames } from "./recognise/plain-names.ts";
import { isPublicApiPost, readPublicApiPost } from "./recognise/public-api-post.ts";
import { describeErrorResponse, isEmptyPage } from "./recognise/error-documents.ts";
import { describeThreadsObject, isOnThreads } from "./recognise/threads.ts";
import {
  collectBareUserList,
  collectOwnedLists,
  hasOwnedList,
  isBareUserList,
  isNamedUserList,
  listUsers,
  takeNamedList,
} from "./recognise/owner-lists.ts";
import {
  findCommentedPost,
  isFriendshipList,
  isTaggedFeed,
  findListOwner,
  type EnclosingContext,
} from "./recognise/enclosing-context.ts";

/** Pages nest their state about a hundred levels deep. */
const MAX_DEPTH = 1_200;

export const recognise: Recogniser = (object, collect, _walk, document) => recogniseOwn(object, collect, { document });

/** Collects every native object below a value; false if there was none. */
export function recogniseAll(value: unknown, enclosing: EnclosingContext, collect: Collector, depth = 0): boolean {
  if (value === null || typeof value !== "object" || depth > MAX_DEPTH) return false;
  if (isFields(value) && recogniseOwn(value, collect, enclosing)) return true;
  let found = false;
  for (const part of Object.values(value)) found = recogniseAll(part, enclosing, collect, depth + 1) || found;
  return found;
}

const recogniseOwn = keepOwnSite(
  EVIDENCE,
  ({ document }: EnclosingContext) => document,
  (object, collect, enclosing): boolean => {
    const skipped = describeErrorResponse(object) ?? describeThreadsObject(object, enclosing);
    if (skipped !== undefined) {
      collect.skip(skipped);
      return true;
    }
    return !isOnThreads(enclosing) && RECOGNISERS.some((recogniser) => recogniser(object, enclosing, collect));
  },
);

/** True if the object was recognised, whether or not it was collected. */
type ContextRecogniser = (object: Fields, enclosing: EnclosingContext, collect: Collector) => boolean;

const RECOGNISERS: ContextRecogniser[] = [
  recognisePost,
  recogniseCommentResponse,
  recogniseComment,
  recogniseOwnSettings,
  recogniseUserList,
  recogniseScraperProfile,
  recogniseProfile,
  recogniseNamedList,
  recogniseStory,
  recogniseHashtag,
  recognisePlace,
  recogniseEmptyPage,
];

function recognisePost(written: Fields, enclosing: EnclosingContext, collect: Collector): boolean {
  const found = "1ltaken_at" in written ? withPlainNames(written) : written;
  const shown = found["if_not_gated_logged_out"];
  if (shown === null) {
    collect.skip("a post that is only shown to those who are logged in");
    return true;
  }
  // Pages for those who are not logged in have the post inside of another object, beside its comments.
  const object = shown === undefined ? found : { ...found, ...readObject(shown) };
  const isPublicApi = isPublicApiPost(object);
  const isGraph = !isPublicApi && isGraphPost(object);
  if (!isPublicApi && !isGraph && !isItem(object)) return false;
  const skipped = skipReason(object);
  if (skipped !== undefined) {
    collect.skip(skipped);
    return true;
  }
  // A list of comments comes inside an empty post: no id, no code, only the list.
  const isEmpty = isGraph && object["shortcode"] === undefined && object["id"] === undefined;
  if (isEmpty && hasGraphComments(object)) return recogniseCommentResponse(object, enclosing, collect);
  const tagged = isTaggedFeed(enclosing) ? findListOwner(enclosing) : undefined;
  const context = tagged === undefined ? enclosing : { ...enclosing, taggedId: collect.account(tagged) };
  const readOther = isInstagrapiPost(object) ? readInstagrapiPost : readItem;
  const read = isPublicApi ? readPublicApiPost : isGraph ? readGraphPost : readOther;
  // Beside the author may be a list of the author's other posts.
  const user = readObject(object["user"]);
  if (user !== undefined && hasOwnedList(user)) recogniseProfile(user, { document: enclosing.document }, collect);
  const id = collectPost(read(object), collect, context);
  if (id !== undefined) collectCommentsIn(object, id, collect);
  return true;
}

function skipReason(post: Fields): string | undefined {
  if (isAdvertisement(post)) return "advertisement";
  if (isStory(post)) return "story";
  return readObject(post["text_post_app_info"]) === undefined ? undefined : "a Threads post";
}

function recogniseCommentResponse(object: Fields, enclosing: EnclosingContext, collect: Collector): boolean {
  const comments = [...readObjects(object["comments"]).filter(isItemComment), ...readConnectedComments(object)];
  if (comments.length === 0 && !hasGraphComments(object)) return false;
  const stated = readId(readObject(object["caption"])?.["media_id"]) ?? readId(object["id"]);
  const postId = stated ?? readId(comments[0]?.["media_id"]) ?? findCommentedPost(enclosing);
  if (postId === undefined) {
    collect.refuse("comments_without_post");
    return true;
  }
  const total = readLargestCount(object, ["comment_count", ...COMMENT_LISTS]);
  // In a list of replies it is the number of replies.
  const isOfPost = comments.every((comment) => readId(comment["parent_comment_id"]) === undefined);
  if (total !== undefined && isOfPost) collect.post({ id: postId, counters: { comments: total } });
  collectCommentsIn(object, postId, collect);
  return true;
}

const COMMENT_LISTS = ["edge_media_to_parent_comment", "edge_media_to_comment"];

function hasGraphComments(object: Fields): boolean {
  return COMMENT_LISTS.some((edge) => (readNodes(object[edge]) ?? []).some(isGraphComment));
}

function recogniseComment(object: Fields, enclosing: EnclosingContext, collect: Collector): boolean {
  const isGraph = isGraphComment(object);
  if (!isGraph && !isItemComment(object)) return false;
  const postId = readId(object["media_id"]) ?? findCommentedPost(enclosing);
  // The graph format is too generic to be a comment without a post enclosing it.
  if (isGraph && postId === undefined) return false;
  if (postId === undefined) collect.refuse("comments_without_post");
  else collectComment(object, { postId }, collect);
  return true;
}

/** Many pages contain the account of the person who captured them, with private data. */
function recogniseOwnSettings(object: Fields, _enclosing: EnclosingContext, collect: Collector): boolean {
  if (!isOwnSettings(object)) return false;
  collect.skip("the account of the person who captured it");
  return true;
}

function isOwnSettings(object: Fields): boolean {
  return "username" in object && ["phone_number", "has_phone_number"].some((key) => key in object);
}

function recogniseUserList(object: Fields, enclosing: EnclosingContext, collect: Collector): boolean {
  const isList = isBareUserList(object) || (readList(object["users"]) !== undefined && isFriendshipList(enclosing));
  if (!isList && !isNamedUserList(object, enclosing)) return false;
  collectBareUserList(object, collectOwnerBeside(object, collect), enclosing, collect);
  // Tools also save whole profiles as such lists.
  for (const user of readObjects(listUsers(object))) if (hasOwnedList(user)) recogniseProfile(user, enclosing, collect);
  return true;
}

function recogniseProfile(object: Fields, enclosing: EnclosingContext, collect: Collector): boolean {
  const hasList = hasOwnedList(object) && !isHashtag(object);
  if (!hasList && !isUser(object)) return false;
  const user = readUser(object);
  if (user !== undefined) collectUser(user, collect);
  else if (!hasList) {
    collect.refuse("account_without_id");
    return true;
  }
  collectOwnedLists(object, user, enclosing, collect, (part, within) => recogniseAll(part, within, collect));
  recogniseAll(readNodes(object["edge_related_profiles"]), enclosing, collect);
  return true;
}

function recogniseNamedList(object: Fields, enclosing: EnclosingContext, collect: Collector): boolean {
  const named = takeNamedList(object);
  if (named === undefined) return false;
  const owner = collectOwnerBeside(named.rest, collect);
  collectOwnedLists(named.list, owner, enclosing, collect, (part, within) => recogniseAll(part, within, collect));
  recogniseAll(named.rest, enclosing, collect);
  return true;
}

/** The account whose list it is, where the response has it beside the list. */
function collectOwnerBeside(response: Fields, collect: Collector): CapturedUser | undefined {
  const user = readObject(response["user"]);
  const owner = user !== undefined && isUser(user) && !isOwnSettings(user) ? readUser(user) : undefined;
  if (owner !== undefined) collectUser(owner, collect);
  return owner;
}

/** instagram-scraper separates the name from the rest of a profile, and has names of its own for the counts. */
function recogniseScraperProfile(object: Fields, _enclosing: EnclosingContext, collect: Collector): boolean {
  const info = readObject(object["info"]);
  if (info === undefined || typeof object["username"] !== "string" || !("followers_count" in info)) return false;
  const { followers_count: follower_count, following_count, posts_count: media_count } = info;
  const user = readUser({ ...info, username: object["username"], follower_count, following_count, media_count });
  if (user === undefined) collect.refuse("account_without_id");
  else collectUser(user, collect);
  return true;
}

/** Of a story, only the account is collected, with the time its story expires. */
function recogniseStory(object: Fields, enclosing: EnclosingContext, collect: Collector): boolean {
  const isHighlight = readText(object["id"])?.startsWith("highlight:") === true && isFields(object["user"]);
  // The stories of a highlight are older than those of the account.
  if (isHighlight) {
    if (!recogniseAll([object["user"], object["items"]], enclosing, collect)) collect.skip("story");
    return true;
  }
  if (object["__typename"] !== "GraphReel" && !("expiring_at" in object && "latest_reel_media" in object)) return false;
  const owner = readObject(object["user"]) ?? readObject(object["owner"]);
  const user = readUser(owner === undefined ? undefined : { ...owner, reel: object });
  if (user === undefined) return false;
  collectUser(user, collect);
  return true;
}

function recogniseHashtag(object: Fields, enclosing: EnclosingContext, collect: Collector): boolean {
  const isBare = isHashtag(object);
  const hashtag = isBare ? object : readObject(object["hashtag"]);
  if (hashtag === undefined || (!isBare && !("position" in object && "name" in hashtag))) return false;
  const name = collectHashtag(hashtag, collect);
  for (const [key, part] of Object.entries(hashtag)) {
    if (/^(?:edge_hashtag_to_\w+|top|recent|media|posts|top_posts)$/.test(key)) {
      recogniseAll(part, { ...enclosing, hashtag: name }, collect);
    }
  }
  return true;
}

const PLACE_KEYS = ["edge_location_to_media", "facebook_places_id", "external_source", "has_public_page"];

function recognisePlace(object: Fields, enclosing: EnclosingContext, collect: Collector): boolean {
  const titled = "position" in object ? readTitledPlace(object["place"]) : undefined;
  const info = readObject(object["location_info"]);
  const place = titled ?? readPlace(info ?? (PLACE_KEYS.some((key) => key in object) ? object : undefined));
  if (place === undefined) return false;
  const placeId = collectPlace(place, collect);
  for (const [key, part] of Object.entries(object)) {
    if (/^(?:edge_location_to_\w+|ranked|recent)$/.test(key)) recogniseAll(part, { ...enclosing, placeId }, collect);
  }
  return true;
}

function recogniseEmptyPage(object: Fields, enclosing: EnclosingContext, collect: Collector): boolean {
  if (enclosing.document?.isSplit === true || !isEmptyPage(object)) return false;
  // Beside the list may be the account whose posts these are.
  if (!recogniseAll(Object.values(object), enclosing, collect)) collect.skip("an empty response");
  return true;
}
