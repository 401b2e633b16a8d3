/**
 * Responses of Instagram's Graph API: media with a `permalink`, alone, in a list or below an account, and lists of comments.
 * Their ids are the API's own, so the post's id is taken from the code in the permalink; a list of comments needs `--of`.
 * Insights belong to the account's owner and are not read.
 */
import type { Collector, Importer, SourceFile } from "#api/importer.ts";
import { hasRecord, listRecords } from "#import/capture/document-records.ts";
import {
  type Fields,
  omitUnknown,
  readCommentText,
  readCount,
  readFilledText,
  readId,
  readObject,
  readObjectAt,
  readObjects,
  readText,
  readTimestamp,
  readUrl,
} from "#import/capture/field-readers.ts";
import { hasEvidence } from "#import/capture/own-site.ts";
import { EVIDENCE } from "../evidence.ts";
import type { NativePost } from "../native.ts";
import { type CapturedPost, collectPost } from "../recognise/captured-post.ts";
import {
  type CapturedUser,
  collectUser,
  readAccountName,
  readFacebookId,
  readUser,
} from "../recognise/captured-user.ts";
import { codeInUrl, type EnclosingContext, postIdFromCode, postIdFromUrl } from "../recognise/enclosing-context.ts";
import { toSingleMedia } from "../recognise/media-parts.ts";

const MEDIA_TYPES: ReadonlyMap<string, number> = new Map(Object.entries({ IMAGE: 1, VIDEO: 2, CAROUSEL_ALBUM: 8 }));
const PRODUCT_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ FEED: "feed", REELS: "clips", IGTV: "igtv" }),
);

export const graphApi: Importer = {
  name: "graph-api",

  detects: ({ kind, value }) =>
    kind === "json" &&
    hasRecord(
      listRecords(value, "data"),
      (record) => isMedia(record) || findAccount(record) !== undefined || isComment(record),
    ),

  read({ value, origin }, file, collect) {
    const document = { url: origin.url ?? null, file };
    for (const record of readObjects(listRecords(value, "data"))) {
      const account = findAccount(record);
      if (isMedia(record)) readMedia(record, { document }, collect);
      else if (account !== undefined) readAccount(account, collect);
      else if (isComment(record)) readListedComment(record, file, collect);
      else collect.refuse("unknown_record");
    }
  },
};

function isMedia(record: Fields): boolean {
  return (
    MEDIA_TYPES.get(readText(record["media_type"]) ?? "") !== undefined && codeInUrl(record["permalink"]) !== undefined
  );
}

/** Threads' API has posts with a type beside the same fields. */
function isComment(record: Fields): boolean {
  return (
    readId(record["id"]) !== undefined &&
    (typeof record["text"] === "string" || ("text" in record && record["text"] === null)) &&
    /T\d\d:\d\d:\d\d\+0000$/.test(readText(record["timestamp"]) ?? "") &&
    ["username", "from"].some((key) => key in record) &&
    !("media_type" in record || "permalink" in record)
  );
}

/** An account, or the one that another account looked up. Users of other sites have the same counts. */
function findAccount(record: Fields): Fields | undefined {
  const account = readObject(record["business_discovery"]) ?? record;
  const hasMedia = readObjects(readObjectAt(account, "media")["data"]).some(isMedia);
  const isCounted = "followers_count" in account && "media_count" in account && "username" in account;
  return hasMedia || (isCounted && (account !== record || hasEvidence(record, EVIDENCE))) ? account : undefined;
}

function readAccount(account: Fields, collect: Collector): void {
  const user = readUser({
    username: account["username"],
    full_name: account["name"],
    biography: account["biography"],
    follower_count: account["followers_count"],
    following_count: account["follows_count"],
    media_count: account["media_count"],
    profile_pic_url: account["profile_picture_url"],
    external_url: account["website"],
    // With Instagram Login, `id` is one that only the app uses.
    fbid_v2: readFacebookId(account["user_id"]) ?? readFacebookId(account["id"]),
  });
  if (user === undefined) collect.refuse("account_without_id");
  else collectUser(user, collect);
  for (const media of readObjects(readObjectAt(account, "media")["data"])) readMedia(media, { author: user }, collect);
}

function readMedia(media: Fields, enclosing: EnclosingContext, collect: Collector): void {
  if (media["media_product_type"] === "STORY") return collect.skip("story");
  if (media["media_product_type"] === "AD") return collect.skip("advertisement");
  const postId = collectPost(toCapturedPost(media), collect, enclosing);
  if (postId === undefined) return;
  for (const comment of readObjects(readObjectAt(media, "comments")["data"])) readComment(comment, { postId }, collect);
}

function toCapturedPost(media: Fields): CapturedPost {
  const code = codeInUrl(media["permalink"]);
  const parts = readObjects(readObjectAt(media, "children")["data"]);
  return {
    id: postIdFromCode(code),
    author: readAuthor(media),
    publishedAt: readTimestamp(media["timestamp"]),
    text: readText(media["caption"]),
    counters: omitUnknown({
      likes: readCount(media["like_count"]),
      views: readCount(media["view_count"]),
      comments: readCount(media["comments_count"]),
    }),
    native: omitUnknown<NativePost>({
      ...readPart(media),
      code,
      product_type: PRODUCT_TYPES.get(readText(media["media_product_type"]) ?? ""),
      accessibility_caption: readFilledText(media["alt_text"]),
      carousel_media_count: parts.length || undefined,
      carousel_media: parts.length === 0 ? undefined : parts.map(readPart),
    }),
  };
}

function readAuthor(media: Fields): CapturedUser | undefined {
  const name = readAccountName(media["username"]) ?? readAccountName(readObjectAt(media, "owner")["username"]);
  return name === undefined ? undefined : { name };
}

/** For a video, `media_url` is the video and `thumbnail_url` its picture. */
function readPart(media: Fields): NativePost {
  const type = MEDIA_TYPES.get(readText(media["media_type"]) ?? "");
  const [file, thumbnail] = [readUrl(media["media_url"]), readUrl(media["thumbnail_url"])];
  const known = type === 2 ? toSingleMedia(thumbnail, file) : toSingleMedia(file);
  return omitUnknown<NativePost>({ ...known, media_type: type }) ?? {};
}

function readListedComment(comment: Fields, file: SourceFile, collect: Collector): void {
  const code = codeInUrl(readObjectAt(comment, "media")["permalink"]);
  const postId = postIdFromCode(code) ?? postIdFromUrl(file.subject);
  if (postId === undefined) collect.refuse("comments_without_post");
  else readComment(comment, { postId, parentId: readId(comment["parent_id"]) }, collect);
}

function readComment(
  comment: Fields,
  context: { postId: string; parentId?: string | undefined },
  collect: Collector,
): void {
  const id = readId(comment["id"]);
  if (id === undefined) return collect.refuse("comment_without_id");
  const name = readAccountName(comment["username"]) ?? readAccountName(readObjectAt(comment, "from")["username"]);
  collect.comment({
    id,
    ...context,
    authorId: name === undefined ? undefined : collectUser({ name }, collect),
    text: readCommentText(comment["text"]),
    publishedAt: readTimestamp(comment["timestamp"]),
    counters: omitUnknown({ likes: readCount(comment["like_count"]) }),
    native: omitUnknown({ user: omitUnknown({ username: name }) }),
  });
  for (const reply of readObjects(readObjectAt(comment, "replies")["data"])) {
    readComment(reply, { postId: context.postId, parentId: id }, collect);
  }
}
