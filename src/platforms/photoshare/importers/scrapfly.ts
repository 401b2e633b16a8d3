/**
 * Posts and profiles by Scrapfly's open scrapers: `captions`, `src`, `likes`, `followers`. A list of an account's posts
 * does not name the account; `--of` does. Newer lists keep Instagram's own names and are recognised by shape instead.
 */
import type { Collector, Importer, SourceFile } from "#api/importer.ts";
import { hasRecord, listRecords } from "#import/capture/document-records.ts";
import {
  type Fields,
  omitUnknown,
  readCommentText,
  readCount,
  readFilledText,
  readFlag,
  readId,
  readList,
  readMeasure,
  readObject,
  readObjects,
  readText,
  readTimestamp,
  readUrl,
  readUrls,
} from "#import/capture/field-readers.ts";
import { hasEvidence } from "#import/capture/own-site.ts";
import { EVIDENCE } from "../evidence.ts";
import type { NativePost } from "../native.ts";
import { type CapturedPost, collectPost } from "../recognise/captured-post.ts";
import { collectUser, readAccountName, readUser } from "../recognise/captured-user.ts";
import { preferPlays, readDuration } from "../recognise/item-post.ts";
import { toPictureAlbum, toSingleMedia } from "../recognise/media-parts.ts";
import { postIdFromCode, readSubjectName } from "../recognise/enclosing-context.ts";
import { readCategory } from "./apify-profiles.ts";

export const scrapfly: Importer = {
  name: "scrapfly",

  detects: ({ kind, value }) =>
    kind === "json" && hasRecord(listRecords(value), (record) => isPost(record) || isProfile(record)),

  read(document, file, collect) {
    for (const record of readObjects(listRecords(document.value))) {
      if (isProfile(record)) readProfile(record, collect);
      else if (isPost(record)) readPost(record, file, collect);
      else collect.refuse("unknown_record");
    }
  },
};

function isPost(record: Fields): boolean {
  return (
    typeof record["shortcode"] === "string" &&
    Array.isArray(record["captions"]) &&
    ["src", "thumb", "url"].some((name) => name in record) &&
    "taken_at" in record
  );
}

function isProfile(record: Fields): boolean {
  return (
    typeof record["username"] === "string" &&
    ["followers", "follows", "profile_image", "image_count"].every((name) => name in record) &&
    hasEvidence(record, EVIDENCE)
  );
}

function readProfile(record: Fields, collect: Collector): void {
  const author = readUser({
    pk: record["id"],
    username: record["username"],
    full_name: record["name"],
    biography: record["bio"],
    is_verified: record["is_verified"],
    is_private: record["is_private"],
    follower_count: record["followers"],
    following_count: record["follows"],
    media_count: record["image_count"],
    profile_pic_url: record["profile_image"],
    fbid: record["facebook_id"],
    category: readFilledText(record["category"]) ?? readCategory(record["business_category"]),
    bio_links: readList(record["bio_links"])?.flatMap((link) => {
      const url = readUrl(link);
      return url === undefined ? [] : [{ link_type: "external", url }];
    }),
    external_url: record["homepage"],
  });
  if (author === undefined) return collect.refuse("account_without_id");
  collectUser(author, collect);
  for (const post of [...readObjects(record["images"]), ...readObjects(record["videos"])]) {
    collectPost(toCapturedPost(post), collect, { author });
  }
}

function readPost(record: Fields, file: SourceFile, collect: Collector): void {
  const name = readSubjectName(file);
  const postId = collectPost(toCapturedPost(record), collect, { author: name === undefined ? undefined : { name } });
  if (postId === undefined) return;
  for (const comment of readObjects(record["comments"])) readComment(comment, postId, collect);
}

function toCapturedPost(record: Fields): CapturedPost {
  const code = readFilledText(record["shortcode"]);
  const dimensions = readObject(record["dimensions"]) ?? {};
  const captions = readList(record["captions"]);
  const played = preferPlays(readCount(record["views"]), readCount(record["plays"]));
  return {
    id: readId(record["id"]) ?? postIdFromCode(code),
    publishedAt: readTimestamp(record["taken_at"]),
    title: readFilledText(record["title"]),
    text: readText(captions?.[0]) ?? (captions?.length === 0 ? "" : undefined),
    tagged: readList(record["tagged_users"] ?? record["tagged"])?.flatMap((value) => {
      const name = readAccountName(value);
      return name === undefined ? [] : [{ name }];
    }),
    durationS: readDuration(record["video_duration"]) ?? readDuration(record["duration"]),
    counters: omitUnknown({
      likes: readCount(record["likes"]),
      ...played.counters,
      comments: readCount(record["comments_count"]),
    }),
    native: omitUnknown<NativePost>({
      ...readMedia(record, readMeasure(dimensions["width"]), readMeasure(dimensions["height"])),
      ...played.native,
      code,
      comments_disabled: readFlag(record["comments_disabled"]),
      accessibility_caption:
        readFilledText(record["accessibility_caption"]) ?? readFilledText(record["accesibility_caption"]),
    }),
  };
}

function readMedia(record: Fields, width: number | undefined, height: number | undefined): NativePost | undefined {
  const picture = readUrl(record["src"]) ?? readUrl(record["thumb"]);
  const video = readUrl(record["video_url"]) ?? readUrl(record["url"]);
  const attached = readUrls(record["src_attached"]);
  const isVideo = video !== undefined || record["is_video"] === true;
  // Without the list of further pictures, a post that is no video may be an album.
  const isPhoto = record["is_video"] === false && record["src_attached"] === null;
  const single = isVideo ? 2 : isPhoto ? 1 : undefined;
  return omitUnknown<NativePost>({
    ...toSingleMedia(picture, video, width, height),
    media_type: attached === undefined ? single : 8,
    carousel_media_count: attached?.length,
    carousel_media: toPictureAlbum(attached),
  });
}

function readComment(comment: Fields, postId: string, collect: Collector): void {
  const id = readId(comment["id"]);
  if (id === undefined) return collect.refuse("comment_without_id");
  const author = omitUnknown({ id: readId(comment["owner_id"]), name: readAccountName(comment["owner"]) });
  collect.comment({
    id,
    postId,
    authorId:
      author === undefined
        ? undefined
        : collectUser({ ...author, verified: readFlag(comment["owner_verified"]) }, collect),
    text: readCommentText(comment["text"]),
    publishedAt: readTimestamp(comment["created_at"]),
    counters: omitUnknown({ likes: readCount(comment["likes"]) }),
  });
}
