/**
 * Apify actors for Instagram: posts, profiles, hashtags, places and comments, as JSON or as a table of flattened columns.
 * The overview of posts that the site exports by default has no ids: the code is in `url`. Hidden likes are written as -1.
 * Items for pages that could not be opened have an `error` and no record.
 */
import type { Collector, Importer, SourceDocument } from "#api/importer.ts";
import { hasRecord, listRecords } from "#import/capture/document-records.ts";
import {
  type Fields,
  omitUnknown,
  readCount,
  readFilledText,
  readId,
  readObjects,
  readText,
} from "#import/capture/field-readers.ts";
import { nestRow } from "#import/capture/nested-row.ts";
import { parseProfileName } from "../profile-url.ts";
import { collectPlace, readPlace } from "../recognise/captured-place.ts";
import { collectPost } from "../recognise/captured-post.ts";
import { readAccountName, type CapturedUser, collectUser } from "../recognise/captured-user.ts";
import { codeInUrl, type EnclosingContext, parseInstagramUrl } from "../recognise/enclosing-context.ts";
import { readHashtagName } from "../recognise/hashtags.ts";
import { collectApifyComment } from "./apify-comments.ts";
import { readApifyPost } from "./apify-posts.ts";
import { readApifyProfile } from "./apify-profiles.ts";

type Kind = "post" | "profile" | "hashtag" | "place" | "comment" | "error";

export const apify: Importer = {
  name: "apify",

  detects: (document) =>
    document.kind !== "text" && hasRecord(listItems(document), (item) => detectKind(item) !== undefined),

  read(document, _file, collect) {
    for (const item of listItems(document)) readItem(item, detectKind(item), collect);
  },
};

function listItems(document: SourceDocument): Fields[] {
  const items = readObjects(listRecords(document.value));
  return document.kind === "row" ? items.map((row) => nestRow(row)) : items;
}

/** A post has a `shortCode`, which no other tool writes; the others are known only by an instagram.com URL. */
function detectKind(item: Fields): Kind | undefined {
  if (readFilledText(item["shortCode"]) !== undefined || isOverview(item)) return "post";
  if (isComment(item) && isInstagramUrl(item["postUrl"])) return "comment";
  if (!["url", "inputUrl", "searchUrl"].some((name) => isInstagramUrl(item[name]))) return undefined;
  if (readAccountName(item["username"]) !== undefined && PROFILE_KEYS.some((key) => key in item)) return "profile";
  if (readFilledText(item["name"]) !== undefined && "postsCount" in item) return isPlace(item) ? "place" : "hashtag";
  return (item["error"] ?? null) === null ? undefined : "error";
}

/** A sticker or a picture has no text. */
function isComment(item: Fields): boolean {
  return readFilledText(item["text"]) !== undefined || (readId(item["id"]) !== undefined && "ownerUsername" in item);
}

/** A post of the overview. A table drops empty cells, so few of its columns are certain. */
function isOverview(item: Fields): boolean {
  if (!isInstagramUrl(item["url"]) || codeInUrl(item["url"]) === undefined) return false;
  return ["ownerUsername", "ownerFullName", "likesCount", "commentsCount"].filter((key) => key in item).length >= 2;
}

const PROFILE_KEYS = ["followersCount", "postsCount", "latestPosts", "biography", "profilePicUrl"];

/** Hashtags may have the columns of places, without a value. */
function isPlace(item: Fields): boolean {
  return ["lat", "addressCityName", "hasPublicPage"].some((key) => (item[key] ?? null) !== null);
}

function isInstagramUrl(value: unknown): boolean {
  return /^https?:\/\/(?:[a-z]+\.)?instagram\.com\//i.test(readText(value) ?? "");
}

function readItem(item: Fields, kind: Kind | undefined, collect: Collector): void {
  if (kind === "post") readPost(item, collect);
  else if (kind === "comment") collectApifyComment(item, undefined, collect);
  else if (kind === "profile") readProfile(item, collect);
  else if (kind === "hashtag") readHashtag(item, collect);
  else if (kind === "place") readPlaceOfPosts(item, collect);
  else if (kind === "error") collect.skip("the scraper could not open the page");
  else collect.refuse("unknown_record");
}

function readProfile(item: Fields, collect: Collector): void {
  const author = readApifyProfile(item);
  if (author === undefined) return collect.refuse("account_without_id");
  collectUser(author, collect);
  for (const list of ["latestPosts", "latestIgtvVideos", "topPosts"]) {
    for (const post of readObjects(item[list])) collectPostWithComments(post, { author }, collect);
  }
}

function readPost(item: Fields, collect: Collector): void {
  if (item["isAdvertisement"] === true || item["productType"] === "ad") return collect.skip("advertisement");
  // The hashtag under which the actor found the post.
  const hashtag = readHashtagName(item["queryTag"]);
  collectPostWithComments(item, { hashtag, author: ownerOfInput(item["inputUrl"]) }, collect);
}

function collectPostWithComments(item: Fields, enclosing: EnclosingContext, collect: Collector): void {
  const postId = collectPost(readApifyPost(item), collect, enclosing);
  if (postId === undefined) return;
  for (const comment of readObjects(item["latestComments"])) collectApifyComment(comment, postId, collect);
}

/** Reels may name nobody but in the page that the actor was given; what is on the page of tags is by others. */
function ownerOfInput(url: unknown): CapturedUser | undefined {
  if (!isInstagramUrl(url) || /\/tagged\/?$/.test(parseInstagramUrl(readText(url))?.pathname ?? "")) return undefined;
  const profile = parseProfileName(readText(url) ?? "");
  return "name" in profile ? { name: profile.name } : undefined;
}

function readHashtag(item: Fields, collect: Collector): void {
  const hashtag = readHashtagName(item["name"]);
  if (hashtag === undefined) return collect.refuse("hashtag_without_name");
  collect.hashtag({
    name: hashtag,
    id: readId(item["id"]) ?? null,
    counters: omitUnknown({ posts: readCount(item["postsCount"]) }),
  });
  for (const list of ["topPosts", "latestPosts"]) {
    for (const post of readObjects(item[list])) collectPostWithComments(post, { hashtag }, collect);
  }
}

function readPlaceOfPosts(item: Fields, collect: Collector): void {
  const { id, name, lat, lng, addressStreetAddress: address, addressCityName: city, postsCount: media_count } = item;
  const place = readPlace({ id, name, lat, lng, address, city, media_count });
  if (place === undefined) return collect.refuse("place_without_id");
  const placeId = collectPlace(place, collect);
  for (const list of ["topPosts", "latestPosts"]) {
    for (const post of readObjects(item[list])) collectPostWithComments(post, { placeId }, collect);
  }
}
