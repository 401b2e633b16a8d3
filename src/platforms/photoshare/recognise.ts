/**
 * The platform's own objects, by shape, wherever they stand. What an object does not say about itself (whose followers,
 * which post) is taken from the objects around it, from the answer's address, or from the person's `--of`.
 */
import type { Collector, Recogniser } from "#api/importer.ts";
import { type Fields, readId, readObject, readObjects } from "#import/capture/field-readers.ts";
import { readNodes } from "./recognise/connection-nodes.ts";
import { readPlace, readTitledPlace, collectPlace } from "./recognise/captured-place.ts";
import { ADVERTISEMENT, collectPost } from "./recognise/captured-post.ts";
import { collectUser, readUser } from "./recognise/captured-user.ts";
import { collectComment, collectCommentsIn, isGraphComment, isItemComment } from "./recognise/comments.ts";
import { isGraphPost, readGraphPost } from "./recognise/graph-post.ts";
import { collectHashtag, isHashtag } from "./recognise/hashtags.ts";
import { isAdvertisement, isItem, isStory, readItem } from "./recognise/item-post.ts";
import { missingAnswer } from "./recognise/error-documents.ts";
import { collectBareUserList, collectOwnedLists, holdsOwnedList, isBareUserList } from "./recognise/owner-lists.ts";
import {
  commentedPost,
  isFriendshipList,
  isTaggedFeed,
  listOwner,
  type Surroundings,
} from "./recognise/enclosing-context.ts";

/** Pages nest their state about a hundred levels deep. */
const MAX_DEPTH = 1_200;

export const recognise: Recogniser = (object, collect, _walk, scene) => recogniseWithin(object, { scene }, collect);

/** Looks for native objects in all of a value; true if there was one. */
export function recogniseAll(value: unknown, around: Surroundings, collect: Collector, depth = 0): boolean {
  if (value === null || typeof value !== "object" || depth > MAX_DEPTH) return false;
  if (!Array.isArray(value) && recogniseWithin(value as Fields, around, collect)) return true;
  let any = false;
  for (const part of Object.values(value)) any = recogniseAll(part, around, collect, depth + 1) || any;
  return any;
}

export function recogniseWithin(object: Fields, around: Surroundings, collect: Collector): boolean {
  const missing = missingAnswer(object);
  if (missing !== undefined) {
    collect.skip(missing);
    return true;
  }
  return RECOGNISERS.some((recogniser) => recogniser(object, around, collect));
}

type Within = (object: Fields, around: Surroundings, collect: Collector) => boolean;

const RECOGNISERS: Within[] = [post, commentAnswer, comment, ownSettings, userList, profile, story, hashtag, place];

function post(object: Fields, around: Surroundings, collect: Collector): boolean {
  const graph = isGraphPost(object);
  if (!graph && !isItem(object)) return false;
  if (isAdvertisement(object)) {
    collect.skip(ADVERTISEMENT);
    return true;
  }
  if (isStory(object)) {
    collect.skip("story");
    return true;
  }
  if (readObject(object["text_post_app_info"]) !== undefined) {
    collect.skip("post of the platform's text service");
    return true;
  }
  // Of a list of comments the platform answers with the post's frame alone: no id, no code, nothing but the list.
  const frame = graph && object["shortcode"] === undefined && object["id"] === undefined;
  if (frame && holdsGraphComments(object)) return commentAnswer(object, around, collect);
  const taggedIn = isTaggedFeed(around) ? listOwner(around) : undefined;
  const within = taggedIn === undefined ? around : { ...around, taggedId: collect.account(taggedIn) };
  const id = collectPost(graph ? readGraphPost(object) : readItem(object), collect, within);
  if (id !== undefined) collectCommentsIn(object, id, collect);
  return true;
}

function commentAnswer(object: Fields, around: Surroundings, collect: Collector): boolean {
  const comments = readObjects(object["comments"]).filter(isItemComment);
  const ofGraph = holdsGraphComments(object);
  if (comments.length === 0 && !ofGraph) return false;
  const stated = readId(readObject(object["caption"])?.["media_id"]) ?? readId(object["id"]);
  const postId = stated ?? readId(comments[0]?.["media_id"]) ?? commentedPost(around);
  if (postId === undefined) collect.refuse("comments_without_post");
  else collectCommentsIn(object, postId, collect);
  return true;
}

function holdsGraphComments(object: Fields): boolean {
  return ["edge_media_to_parent_comment", "edge_media_to_comment"].some((edge) =>
    (readNodes(object[edge]) ?? []).some(isGraphComment),
  );
}

function comment(object: Fields, around: Surroundings, collect: Collector): boolean {
  const ofGraph = isGraphComment(object);
  if (!ofGraph && !isItemComment(object)) return false;
  const postId = readId(object["media_id"]) ?? commentedPost(around);
  // Without a post around it, what looks like a comment of the graph family may be anything.
  if (ofGraph && postId === undefined) return false;
  if (postId === undefined) collect.refuse("comments_without_post");
  else collectComment(object, { postId }, collect);
  return true;
}

/** The capturing person's own account, with what only they see of it, stands in many pages. It is not what was captured. */
function ownSettings(object: Fields, _around: Surroundings, collect: Collector): boolean {
  if (!("username" in object) || !["phone_number", "has_phone_number"].some((key) => key in object)) return false;
  collect.skip("the capturing person's own account");
  return true;
}

function userList(object: Fields, around: Surroundings, collect: Collector): boolean {
  if (!isBareUserList(object) && !(Array.isArray(object["users"]) && isFriendshipList(around))) return false;
  collectBareUserList(object, around, collect);
  return true;
}

/** Other services have a username and a full name as well, but not these. */
const PROFILE_SIGNS = ["pk", "profile_pic_url", "biography", "follower_count", "edge_followed_by"];

function profile(object: Fields, around: Surroundings, collect: Collector): boolean {
  const lists = holdsOwnedList(object);
  const signs = PROFILE_SIGNS.filter((sign) => sign in object).length;
  const named = typeof object["username"] === "string" ? signs >= 1 : readId(object["pk"]) !== undefined && signs >= 2;
  if (!lists && !named) return false;
  const user = readUser(object);
  if (user !== undefined) collectUser(user, collect);
  else if (!lists) {
    collect.refuse("account_without_id");
    return true;
  }
  collectOwnedLists(object, user, around, collect, (part, within) => recogniseAll(part, within, collect));
  recogniseAll(readNodes(object["edge_related_profiles"]), around, collect);
  return true;
}

/** Of a story's frame only the account is kept, with the time when its story ends. */
function story(object: Fields, _around: Surroundings, collect: Collector): boolean {
  if (object["__typename"] !== "GraphReel" && !("expiring_at" in object && "latest_reel_media" in object)) return false;
  const shown = readObject(object["user"]) ?? readObject(object["owner"]);
  const user = readUser(shown === undefined ? undefined : { ...shown, reel: object });
  if (user === undefined) return false;
  collectUser(user, collect);
  return true;
}

function hashtag(object: Fields, around: Surroundings, collect: Collector): boolean {
  const wrapped = readObject(object["hashtag"]);
  const direct = isHashtag(object);
  const found = direct ? object : wrapped;
  if (found === undefined || (!direct && !("position" in object && "name" in found))) return false;
  const name = collectHashtag(found, collect);
  for (const [key, part] of Object.entries(found)) {
    if (key.startsWith("edge_hashtag_to_") || key === "top" || key === "recent") {
      recogniseAll(part, { ...around, hashtag: name }, collect);
    }
  }
  return true;
}

const PLACE_SIGNS = ["edge_location_to_media", "facebook_places_id", "external_source", "has_public_page"];

function place(object: Fields, around: Surroundings, collect: Collector): boolean {
  const titled = "position" in object ? readTitledPlace(object["place"]) : undefined;
  const info = readObject(object["location_info"]);
  const found = titled ?? readPlace(info ?? (PLACE_SIGNS.some((sign) => sign in object) ? object : undefined));
  if (found === undefined) return false;
  const placeId = collectPlace(found, collect);
  for (const [key, part] of Object.entries(object)) {
    if (/^(?:edge_location_to_\w+|ranked|recent)$/.test(key)) recogniseAll(part, { ...around, placeId }, collect);
  }
  return true;
}
