/**
 * Sets of Instagram profiles, posts, reels and comments that vendors such as Bright Data sell, as JSON or as tables with
 * lists as JSON in cells. A profile has its name in `account` and its posts in `posts`, a post its author's in
 * `user_posted`. Without this reader only the places in them would be recognised.
 */
import type { Collector } from "#api/importer.ts";
import type { Counters } from "#domain/record.ts";
import { Estimates } from "#import/capture/estimates.ts";
import {
  type Fields,
  omitUnknown,
  readCommentText,
  readCount,
  readFilledText,
  readFilledTexts,
  readFirstCount,
  readId,
  readItems,
  readObjects,
  readPositiveCount,
  readText,
  readTimestamp,
  readUrl,
  readUrls,
  type WithUnknown,
} from "#import/capture/field-readers.ts";
import { defineProfileSet } from "#import/capture/profile-set.ts";
import { readTime } from "#import/capture/table-cells.ts";
import { hasEvidence } from "#import/capture/own-site.ts";
import { EVIDENCE } from "../evidence.ts";
import type { NativePost } from "../native.ts";
import { readPlace } from "../recognise/captured-place.ts";
import { type CapturedPost, collectPost } from "../recognise/captured-post.ts";
import { collectUser, readUser, readUsers, toEmbeddedUser } from "../recognise/captured-user.ts";
import { codeInUrl, parseInstagramUrl, postIdFromCode } from "../recognise/enclosing-context.ts";
import { readHashtagName } from "../recognise/hashtags.ts";
import { preferPlays, readDuration } from "../recognise/item-post.ts";
import { toSingleMedia } from "../recognise/media-parts.ts";

const KEYS = ["profile_image_link", "posts_count", "profile_name", "avg_engagement", "highlights_count"];

export const brightData = defineProfileSet(
  "bright-data",
  (record) => isProfile(record) || isPost(record) || isComment(record),
  (record, collect) => {
    if (isPost(record)) readPost(record, collect);
    else if (isComment(record)) readSetComment(record, collect);
    else readProfile(record, collect);
  },
);

function isProfile(record: Fields): boolean {
  const isNamed = typeof record["account"] === "string" && ("followers" in record || "fbid" in record);
  return isNamed && KEYS.filter((key) => key in record).length >= 2 && hasEvidence(record, EVIDENCE);
}

/** Sets of other platforms name the author in the same way. */
function isPost(record: Fields): boolean {
  return typeof record["user_posted"] === "string" && readCode(record["url"]) !== undefined;
}

function isComment(record: Fields): boolean {
  return typeof record["comment_user"] === "string" && readCode(record["post_url"]) !== undefined;
}

function readCode(url: unknown): string | undefined {
  return codeInUrl(parseInstagramUrl(readText(url))?.pathname);
}

function readProfile(profile: Fields, collect: Collector): void {
  const author = readUser({
    pk: profile["id"],
    username: profile["account"],
    full_name: readFilledText(profile["full_name"]) ?? profile["profile_name"],
    biography: profile["biography"],
    is_verified: profile["is_verified"],
    is_private: profile["is_private"],
    follower_count: profile["followers"],
    following_count: profile["following"],
    media_count: profile["posts_count"],
    profile_pic_url: profile["profile_image_link"],
    external_url: firstText(profile["external_url"]),
    is_business: profile["is_business_account"],
    is_professional_account: profile["is_professional_account"],
    category: readFilledText(profile["business_category_name"]) ?? profile["category_name"],
    fbid: profile["fbid"],
  });
  if (author === undefined) return collect.refuse("account_without_id");
  collectUser(author, collect);
  for (const post of readObjects(profile["posts"])) collectPost(toCapturedPost(post), collect, { author });
}

function readPost(post: Fields, collect: Collector): void {
  const author = readUser({
    pk: post["user_posted_id"],
    username: post["user_posted"],
    is_verified: post["is_verified"],
    follower_count: post["followers"],
    following_count: post["following"],
    media_count: post["posts_count"],
    profile_pic_url: post["profile_image_link"],
  });
  const postId = collectPost({ ...toCapturedPost(post), author }, collect);
  if (postId === undefined) return;
  for (const list of ["latest_comments", "top_comments"])
    for (const comment of readObjects(post[list])) readComment(comment, postId, collect);
}

/** A comment with its post's URL. Its replies have no id and are left out. */
function readSetComment(record: Fields, collect: Collector): void {
  const { comment_id, comment_user: user_commenting, comment: comments, comment_date: date_of_comment } = record;
  const postId = postIdFromCode(readCode(record["post_url"]));
  if (postId === undefined) return collect.refuse("comment_without_post");
  if (readId(comment_id) === undefined) return collect.refuse("comment_without_id");
  const counters = { likes: readCount(record["likes_number"]), replies: readCount(record["replies_number"]) };
  readComment({ comment_id, user_commenting, comments, date_of_comment }, postId, collect, counters);
}

/** Those within posts of many sets have no id and are left out. */
function readComment(comment: Fields, postId: string, collect: Collector, counters?: WithUnknown<Counters>): void {
  const id = readId(comment["comment_id"]);
  if (id === undefined) return;
  const author = readUser({ username: comment["user_commenting"], profile_pic_url: comment["profile_picture"] });
  const estimates = new Estimates();
  collect.comment({
    id,
    postId,
    authorId: author === undefined ? undefined : collectUser(author, collect),
    text: readCommentText(comment["comments"]),
    publishedAt: estimates.value("publishedAt", readTime(comment["date_of_comment"])),
    // Sets write 0 for every comment within a post.
    counters: omitUnknown(counters ?? { likes: readPositiveCount(comment["likes"]) }),
    native: omitUnknown({ user: toEmbeddedUser(author) }),
    approximate: estimates.margins,
  });
}

/** One address, or a list of them. */
function firstText(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

const MEDIA_TYPES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    GraphImage: 1,
    Image: 1,
    GraphVideo: 2,
    Video: 2,
    Reel: 2,
    GraphSidecar: 8,
    Carousel: 8,
  }),
);

/** Sets of posts have other names for most of it than the posts of profiles. */
function toCapturedPost(post: Fields): CapturedPost {
  const code = codeInUrl(post["url"]);
  const parts = readObjects(post["post_content"]);
  const type = MEDIA_TYPES.get(readText(post["content_type"]) ?? "");
  const [picture] = [post["image_url"], ...readItems(post["photos"]), post["thumbnail"], post["thumbnail_url"]].flatMap(
    (url) => readUrl(url) ?? [],
  );
  // Those of an album are of its parts.
  const isAlbum = type === 8 && parts.length > 0;
  const video = isAlbum ? undefined : (readUrl(post["video_url"]) ?? readUrls(post["videos"])?.[0]);
  const media = toSingleMedia(picture, video);
  const played = preferPlays(readFirstCount([post], "views", "video_view_count"), readCount(post["video_play_count"]));
  return {
    // Sets made by spreadsheets have rounded the ids, never the codes.
    id: postIdFromCode(code) ?? readId(post["id"]),
    coauthors: readUsers(post["coauthor_producers"]),
    publishedAt: readTimestamp(post["datetime"]) ?? readTimestamp(post["date_posted"]),
    text: readText(post["caption"]) ?? readText(post["description"]),
    hashtags: readFilledTexts(post["hashtags"])?.flatMap((name) => readHashtagName(name) ?? []),
    tagged: readUsers(post["tagged_users"]),
    place: readPlace(firstText(post["location"])),
    durationS: readDuration(post["length"]) ?? readDuration(post["duration"]),
    counters: omitUnknown({
      likes: readCount(post["likes"]),
      ...played.counters,
      comments: readFirstCount([post], "comments", "num_comments"),
    }),
    native: omitUnknown<NativePost>({
      ...media,
      ...played.native,
      media_type: type ?? (media.video_versions ? 2 : undefined),
      code,
      product_type: readFilledText(post["product_type"]),
      accessibility_caption: readFilledText(post["alt_text"]),
      carousel_media: isAlbum ? parts.map(toAlbumPart) : undefined,
    }),
  };
}

function toAlbumPart(part: Fields): NativePost {
  const url = readUrl(part["url"]);
  const isVideo = part["type"] === "Video";
  const media = isVideo ? toSingleMedia(undefined, url) : toSingleMedia(url);
  return omitUnknown<NativePost>({ ...media, pk: readId(part["id"]), media_type: isVideo ? 2 : 1 }) ?? {};
}
