/**
 * Responses of services that offer TikTok videos for download (tikwm and its like): `{code, msg, data}` around posts,
 * lists of posts or comments, sounds, and lists of followers, under names between those of TikTok's web and mobile APIs.
 */
import type { Collector, Importer, SourceDocument, SourceFile } from "#api/importer.ts";
import { hasRecord, listRecords } from "#import/capture/document-records.ts";
import {
  type Fields,
  isFields,
  readCount,
  readId,
  readItems,
  readList,
  readObject,
  readObjectAt,
  readObjects,
  readUrl,
} from "#import/capture/field-readers.ts";
import { collectComment } from "../recognise/comment.ts";
import { collectItem } from "../recognise/item.ts";
import { toStats } from "../recognise/mobile-item.ts";
import { collectBareSound } from "../recognise/sound.ts";
import { readSubjectName, readSubjectPost } from "../recognise/subject.ts";
import { collectUser, toMobileStats } from "../recognise/user.ts";

/** `play` is the file without a watermark, `wmplay` the one with it. */
function isPost(record: Fields): boolean {
  return (
    ("wmplay" in record || "play" in record) && "play_count" in record && "digg_count" in record && "title" in record
  );
}

/** Those of 2021 and 2022 do not name the post. */
function isComment(record: Fields): boolean {
  return ["id", "text", "digg_count", "user"].every((name) => name in record);
}

function isSound(record: Fields): boolean {
  const isNamed = ["id", "title", "author", "duration"].every((name) => name in record);
  return isNamed && readUrl(record["play"]) !== undefined && !("play_count" in record);
}

function isUser(record: Fields): boolean {
  return ["id", "unique_id", "sec_uid", "avatar"].every((name) => name in record);
}

const isRecord = (record: Fields) => isPost(record) || isComment(record) || isSound(record) || isUser(record);

/** The records of a response; undefined if it is another's. */
function recordsIn(value: unknown): readonly unknown[] | undefined {
  const inside = readObject(value)?.["data"];
  const data = readObject(inside);
  const records = data === undefined ? listRecords(inside ?? value) : isRecord(data) ? [data] : listIn(data);
  return hasRecord(records, isRecord) ? records : undefined;
}

const LISTS = ["videos", "aweme_list", "comments", "followers", "followings"];

function listIn(data: Fields): readonly unknown[] {
  return LISTS.flatMap((name) => [...readItems(data[name])]);
}

/** Undefined for what has records, or is another's. `{code: -1, msg: "…", processed_time}`: nothing was found. */
function describeWithoutRecords({ value, splitPaths }: SourceDocument): string | undefined {
  if (!isFields(value) || !("processed_time" in value) || typeof value["msg"] !== "string") return undefined;
  const { code, data } = value;
  if (code !== 0) return typeof code === "number" ? "an error response" : undefined;
  if (recordsIn(value) !== undefined) return undefined;
  const list = readObject(data);
  const isEmpty = list === undefined ? readList(data)?.length === 0 : hasEmptyList(list);
  return isEmpty && splitPaths === undefined ? "an empty response" : undefined;
}

/** An object beside the list may be a record. */
function hasEmptyList(data: Fields): boolean {
  return LISTS.some((name) => name in data) && listIn(data).length === 0 && !Object.values(data).some(isFields);
}

export const downloadServices: Importer = {
  name: "download service",
  detects(document) {
    if (document.kind !== "json") return false;
    return describeWithoutRecords(document) !== undefined || recordsIn(document.value) !== undefined;
  },
  read(document, file, collect) {
    const { value } = document;
    const reason = describeWithoutRecords(document);
    if (reason !== undefined) return collect.skip(reason);
    for (const record of recordsIn(value) ?? []) collectRecord(readObjectAt(record), file, collect);
    const data = readObjectAt(value, "data");
    collectTotal(data, file, collect);
    collectFollows(data, file, collect);
  },
};

/** The number of all comments, beside a page of them; of all replies to a comment, beside replies. */
function collectTotal(data: Fields, file: SourceFile, collect: Collector): void {
  const listed = readObjects(data["comments"]);
  if (listed.some((comment) => readId(comment["reply_id"]) !== undefined)) return;
  const [first, ...others] = listed.map((comment) => readId(comment["video_id"]) ?? readSubjectPost(file));
  const comments = readCount(data["total"]);
  if (first === undefined || comments === undefined || others.some((id) => id !== first)) return;
  collect.post({ id: first, counters: { comments } });
}

/** Neither list says whose it is. */
function collectFollows(data: Fields, file: SourceFile, collect: Collector): void {
  const name = readSubjectName(file);
  const [followers, followed] = [readObjects(data["followers"]), readObjects(data["followings"])];
  if (followers.length + followed.length === 0) return;
  if (name === undefined) return collect.refuse("followers_without_owner");
  const ids = (users: readonly Fields[]) => users.flatMap((user) => readId(user["id"]) ?? []);
  for (const id of ids(followers)) collect.follow({ account: { name }, follower: { id } });
  for (const id of ids(followed)) collect.follow({ account: { id }, follower: { name } });
}

function collectRecord(record: Fields, file: SourceFile, collect: Collector): void {
  if (isPost(record)) collectItem(toItem(record), collect);
  else if (isComment(record)) collectComment(toComment(record), collect, { postId: readSubjectPost(file) });
  else if (isSound(record)) collectBareSound(toMusic(record), collect, readCount(record["video_count"]));
  else if (isUser(record)) {
    if (collectUser(toUser(record), [toMobileStats(record)], collect) === undefined)
      collect.refuse("account_without_id");
  } else collect.refuse("unknown_record");
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
    stats: toStats(record),
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
    music: toMusic({ ...music, play: music["play"] ?? record["music"] }),
  };
}

function toMusic(music: Fields): Fields {
  const { id, title, author: authorName, album, duration, original, play: playUrl, cover: coverLarge } = music;
  return { id, title, authorName, album, duration, original, playUrl, coverLarge };
}

function toComment(record: Fields): Fields {
  const user = readObjectAt(record["user"]);
  return {
    ...record,
    cid: record["id"],
    aweme_id: record["video_id"],
    reply_comment_total: record["reply_total"],
    user: { ...toUser(user), avatar_thumb: { url_list: [user["avatar"]] } },
    reply_comment: readObjects(record["reply_comments"]),
  };
}

function toUser(user: Fields): Fields {
  const { id, unique_id: uniqueId, nickname, avatar: avatarLarger, sec_uid: secUid, signature, region } = user;
  return { id, uniqueId, nickname, avatarLarger, secUid, signature, region };
}
