/**
 * TikTok's Research API: whole responses, single videos, comments and users, and tables made from them. It identifies
 * people by name only, and its comments have no author. The Display API, by which apps show a user's own videos, has the
 * same names and some more.
 */
import type { Collector, Importer, SourceFile } from "#api/importer.ts";
import { hasRecord, listRecords } from "#import/capture/document-records.ts";
import {
  type Fields,
  isFields,
  readFilledText,
  readId,
  readItems,
  readObjectAt,
  readObjects,
} from "#import/capture/field-readers.ts";
import { followDirectionInName, toFollow } from "#import/capture/follow-direction.ts";
import { readAccountName } from "../recognise/account-name.ts";
import { readSubjectName } from "../recognise/subject.ts";
import { collectComment } from "../recognise/comment.ts";
import { collectItem } from "../recognise/item.ts";
import { collectAccount, collectUser } from "../recognise/user.ts";
import { nestRow } from "#import/capture/nested-row.ts";

const RECORD_LISTS = [
  "videos",
  "user_liked_videos",
  "user_pinned_videos",
  "user_reposted_videos",
  "pinned_videos",
  "reposted_videos",
  "comments",
];
const FOLLOW_LISTS = ["user_followers", "user_following"];
const PAGING = new Set(["cursor", "has_more", "search_id"]);

const VIDEO_ID = /^\d{15,}$/;

function isVideo(record: Fields): boolean {
  if (!("video_description" in record)) return false;
  const { id, video_id: videoId } = record;
  if (isIdOfAnother(videoId) || (isIdOfAnother(id) && !hasVideoId(record))) return false;
  return "region_code" in record || "username" in record || ("view_count" in record && isOfTikTok(record));
}

/** Tables of other platforms' videos have the same columns: the URL or the id tells whose it is. */
function isOfTikTok(record: Fields): boolean {
  return nameInUrl(record["share_url"]) !== undefined || hasVideoId(record);
}

/** An id with letters is no id of TikTok; `7.411E+18` is one that a spreadsheet rounded, and `NA` none at all. */
function isIdOfAnother(id: unknown): boolean {
  return typeof id === "string" && /^(?=.*[a-z_-])[\w-]{10,}$/i.test(id);
}

function hasVideoId(record: Fields): boolean {
  return VIDEO_ID.test(readVideoId(record) ?? "");
}

/** Tables may have a key of their own in `id`. */
function readVideoId(record: Fields): string | undefined {
  const ids = [record["id"], record["video_id"]].flatMap((id) => readId(id) ?? []);
  return ids.find((id) => VIDEO_ID.test(id)) ?? ids[0];
}

function isComment(record: Fields): boolean {
  return (
    "video_id" in record && "parent_comment_id" in record && "text" in record && !isIdOfAnother(record["video_id"])
  );
}

function isUser(record: Fields): boolean {
  return "bio_description" in record && "follower_count" in record;
}

const FOLLOW_COLUMNS = ["username", "display_name", "target_account"];
/** As pandas writes them; a column without a name is named by its place. */
const ROW_NUMBERS = new Set(["column 1", "Unnamed: 0", "index"]);

/** ResearchTikPy's tables of followers, and of followed accounts, name whose they are. Other sites' may have more columns. */
function isFollow(record: Fields): boolean {
  const columns = Object.keys(record).filter((column) => !ROW_NUMBERS.has(column));
  return columns.length === FOLLOW_COLUMNS.length && FOLLOW_COLUMNS.every((column) => columns.includes(column));
}

const isRecord = (record: Fields) => isVideo(record) || isComment(record) || isUser(record) || isFollow(record);

/**
 * `{data, error: {code, message, log_id}}` wraps every response, successful ones included. Scripts save `data` alone, or
 * collect the records of many responses in a list that they call `data`.
 */
function isResponse(value: unknown): value is Fields {
  if (!isFields(value)) return false;
  const { data, error } = value;
  if (isFields(error) && "log_id" in error && typeof error["code"] === "string" && "data" in value) return true;
  if (isFields(data) && (isUser(data) || isData(data))) return true;
  return hasRecord(readItems(data), isRecord) || (!isRecord(value) && isData(value));
}

function isData(data: Fields): boolean {
  const first = (names: string[]) => names.flatMap((name) => readItems(data[name]).slice(0, 5));
  if (isUser(readObjectAt(data["user"])) || hasRecord(first(RECORD_LISTS), isRecord)) return true;
  return hasRecord(first(FOLLOW_LISTS), (person) => "username" in person);
}

export const researchApi: Importer = {
  name: "research-api",
  detects: ({ kind, value }) =>
    kind === "row"
      ? isFields(value) && isRecord(value)
      : kind === "json" && (isResponse(value) || hasRecord(listRecords(value), isRecord)),
  read({ kind, value }, file, collect) {
    if (kind === "row") {
      const row = readObjectAt(value);
      return isFollow(row) ? collectFollow(row, file, collect) : collectRecord(nestRow(row), file, collect);
    }
    for (const record of listRecords(value)) {
      if (isResponse(record)) collectResponse(record, file, collect);
      else collectRecord(readObjectAt(record), file, collect);
    }
  },
};

function collectResponse(response: Fields, file: SourceFile, collect: Collector): void {
  const data = readObjectAt("data" in response ? response["data"] : response);
  const code = readFilledText(readObjectAt(response["error"])["code"]);
  if (code !== undefined && code !== "ok") {
    return collect.skip(`an error response: ${code.replaceAll(/\W+/g, " ").slice(0, 60)}`);
  }
  const user = [data, readObjectAt(data["user"])].find(isUser);
  if (user !== undefined) collectRecord(user, file, collect);
  else if (isUnknown(data)) collect.refuse("unknown_record");
  // tiktok-research-client adds a user's videos to the response about the user.
  const lists = RECORD_LISTS.map((name) => data[name] ?? response[name]);
  for (const record of [response["data"], ...lists].flatMap(readItems)) {
    collectRecord(readObjectAt(record), file, collect);
  }
  const of = readSubjectName(file);
  const [followers, followed] = [readObjects(data["user_followers"]), readObjects(data["user_following"])];
  if (of === undefined && followers.length + followed.length > 0) collect.refuse("followers_without_owner");
  for (const { username, display_name } of followers) {
    const id = collectUser({ uniqueId: username, nickname: display_name }, [], collect);
    if (id !== undefined && of !== undefined) collect.follow({ account: { name: of }, follower: { id } });
  }
  for (const { username, display_name } of followed) {
    const id = collectUser({ uniqueId: username, nickname: display_name }, [], collect);
    if (id !== undefined && of !== undefined) collect.follow({ account: { id }, follower: { name: of } });
  }
}

/** Ads, playlists and whatever else the API returns. An empty response has its list, or nothing but the paging. */
function isUnknown(data: Fields): boolean {
  const names = Object.keys(data);
  if (names.some((name) => RECORD_LISTS.includes(name) || FOLLOW_LISTS.includes(name))) return false;
  return names.some((name) => !PAGING.has(name));
}

function collectFollow(record: Fields, file: SourceFile, collect: Collector): void {
  const owner = readAccountName(record["target_account"]);
  const direction = followDirectionInName(file);
  const id = collectUser({ uniqueId: record["username"], nickname: record["display_name"] }, [], collect);
  if (id === undefined || owner === undefined) collect.refuse("follow_without_accounts");
  else if (direction === undefined) collect.refuse("followers_or_following");
  else collect.follow(toFollow({ name: owner }, { id }, direction));
}

function collectRecord(record: Fields, file: SourceFile, collect: Collector): void {
  if (isComment(record)) collectComment(toComment(record), collect);
  else if (isFollow(record)) collectFollow(record, file, collect);
  else if (isUser(record)) {
    const user = {
      uniqueId: record["username"] ?? readSubjectName(file),
      nickname: record["display_name"],
      signature: record["bio_description"],
      verified: record["is_verified"],
      avatarLarger: record["avatar_url"],
      region: record["region_code"],
      bioLink: { link: record["bio_url"] },
    };
    const stats = {
      followerCount: record["follower_count"],
      followingCount: record["following_count"],
      heartCount: record["likes_count"],
      videoCount: record["video_count"],
    };
    collectAccount(user, [stats], collect);
  } else collectItem(toItem(record), collect);
}

/** `region_code` is where the author registered, so it applies to both post and author. */
function toItem(record: Fields): Fields {
  const named = readObjects(record["hashtag_info_list"]);
  return {
    id: readVideoId(record),
    desc: record["video_description"],
    createTime: record["create_time"],
    locationCreated: record["region_code"],
    // Tables of traktok, for R, have the name in `author_name`, where others have the name shown.
    author: {
      uniqueId: record["username"] ?? nameInUrl(record["share_url"]) ?? record["author_name"],
      region: record["region_code"],
    },
    stats: {
      playCount: record["view_count"],
      diggCount: record["like_count"],
      commentCount: record["comment_count"],
      shareCount: record["share_count"],
      collectCount: record["favorites_count"],
    },
    video: {
      duration: record["video_duration"] ?? record["duration"],
      cover: record["cover_image_url"],
      width: record["width"],
      height: record["height"],
    },
    music: { id: record["music_id"] },
    challenges: named.map(({ hashtag_id, hashtag_name, hashtag_description }) => ({
      id: hashtag_id,
      title: hashtag_name,
      desc: hashtag_description,
    })),
    textExtra: [
      ...splitNames(record["hashtag_names"]).map((hashtagName) => ({ hashtagName })),
      ...splitNames(record["video_mention_list"]).map((userUniqueId) => ({ userUniqueId })),
    ],
  };
}

/** `https://www.tiktok.com/@name/video/<id>` */
function nameInUrl(value: unknown): string | undefined {
  return /^https:\/\/(?:www\.)?tiktok\.com\/@([^/?#]+)\/video\//.exec(readFilledText(value) ?? "")?.[1];
}

/** A top-level comment names the video as its parent. */
function toComment(record: Fields): Fields {
  const postId = readId(record["video_id"]);
  const parentId = readId(record["parent_comment_id"]);
  return {
    cid: record["id"],
    aweme_id: postId,
    text: record["text"],
    create_time: record["create_time"],
    digg_count: record["like_count"],
    reply_comment_total: record["reply_count"],
    reply_id: parentId === postId ? undefined : parentId,
  };
}

/** A list, or a table's rendering of one: `a, b` or `['a', 'b']`. */
function splitNames(value: unknown): unknown[] {
  if (typeof value !== "string") return [...readItems(value)];
  return value
    .replaceAll(/[[\]'"]/g, "")
    .split(",")
    .map((item) => item.trim());
}
