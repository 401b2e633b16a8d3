/**
 * Responses of services that offer TikTok videos for download (tikwm and its like): `{code, msg, data}` around posts,
 * lists of posts or comments, under names between those of TikTok's web and mobile APIs.
 */
import type { Collector, Importer } from "#api/importer.ts";
import { hasRecord, listRecords } from "#import/capture/document-records.ts";
import {
  type Fields,
  isFields,
  readCount,
  readId,
  readItems,
  readObject,
  readObjectAt,
  readObjects,
  readUrl,
} from "#import/capture/field-readers.ts";
import { collectComment } from "../recognise/comment.ts";
import { collectItem } from "../recognise/item.ts";

/** `play` is the file without a watermark, `wmplay` the one with it. */
function isPost(record: Fields): boolean {
  return (
    ("wmplay" in record || "play" in record) && "play_count" in record && "digg_count" in record && "title" in record
  );
}

function isComment(record: Fields): boolean {
  return ["id", "video_id", "text", "digg_count", "user"].every((name) => name in record);
}

const isRecord = (record: Fields) => isPost(record) || isComment(record);

/** The posts or comments of a response; undefined if it is another's. */
function recordsIn(value: unknown): readonly unknown[] | undefined {
  const data = readObject(readObject(value)?.["data"]);
  const records = data === undefined ? listRecords(value) : isRecord(data) ? [data] : listIn(data);
  return hasRecord(records, isRecord) ? records : undefined;
}

function listIn(data: Fields): readonly unknown[] {
  return [data["videos"], data["aweme_list"], data["comments"]].flatMap((list) => [...readItems(list)]);
}

/** `{code: -1, msg: "…", processed_time}`: nothing was found. */
function isFailure(value: unknown): value is Fields {
  return (
    isFields(value) &&
    "processed_time" in value &&
    typeof value["code"] === "number" &&
    value["code"] !== 0 &&
    typeof value["msg"] === "string"
  );
}

export const downloadServices: Importer = {
  name: "download service",
  detects: ({ kind, value }) => kind === "json" && (isFailure(value) || recordsIn(value) !== undefined),
  read({ value }, _file, collect) {
    if (isFailure(value)) return collect.skip("an error response");
    for (const record of recordsIn(value) ?? []) collectRecord(readObjectAt(record), collect);
    collectTotal(readObjectAt(value, "data"), collect);
  },
};

/** The number of all comments, beside a page of them. */
function collectTotal(data: Fields, collect: Collector): void {
  const [first, ...others] = readObjects(data["comments"]).map((comment) => readId(comment["video_id"]));
  const comments = readCount(data["total"]);
  if (first === undefined || comments === undefined || others.some((id) => id !== first)) return;
  collect.post({ id: first, counters: { comments } });
}

function collectRecord(record: Fields, collect: Collector): void {
  if (isPost(record)) collectItem(toItem(record), collect);
  else if (isComment(record)) collectComment(toComment(record), collect);
  else collect.refuse("unknown_record");
}

function toItem(record: Fields): Fields {
  const music = readObjectAt(record["music_info"]);
  const images = readItems(record["images"]);
  return {
    id: record["id"] ?? record["video_id"] ?? record["aweme_id"],
    desc: record["title"],
    createTime: record["create_time"],
    locationCreated: record["region"],
    isAd: record["is_ad"],
    author: toUser(readObjectAt(record["author"])),
    stats: {
      playCount: record["play_count"],
      diggCount: record["digg_count"],
      commentCount: record["comment_count"],
      shareCount: record["share_count"],
      collectCount: record["collect_count"],
    },
    // A photo post has no video; there, `play` is its sound.
    video:
      images.length > 0
        ? { cover: record["cover"] }
        : {
            duration: record["duration"],
            cover: record["cover"],
            originCover: record["origin_cover"],
            dynamicCover: record["ai_dynamic_cover"],
            playAddr: readUrl(record["hdplay"]) ?? record["play"],
            downloadAddr: record["wmplay"],
          },
    imagePost: { images: images.map((url) => ({ imageURL: { urlList: [url] } })) },
    music: {
      id: music["id"],
      title: music["title"],
      authorName: music["author"],
      album: music["album"],
      duration: music["duration"],
      original: music["original"],
      playUrl: music["play"] ?? record["music"],
      coverLarge: music["cover"],
    },
  };
}

function toComment(record: Fields): Fields {
  const user = readObjectAt(record["user"]);
  return {
    cid: record["id"],
    aweme_id: record["video_id"],
    text: record["text"],
    create_time: record["create_time"],
    digg_count: record["digg_count"],
    reply_comment_total: record["reply_total"],
    reply_id: record["reply_id"],
    user: { ...toUser(user), avatar_thumb: { url_list: [user["avatar"]] } },
    reply_comment: readObjects(record["reply_comments"]),
  };
}

function toUser(user: Fields): Fields {
  return {
    id: user["id"],
    uniqueId: user["unique_id"],
    nickname: user["nickname"],
    avatarLarger: user["avatar"],
    secUid: user["sec_uid"],
  };
}
