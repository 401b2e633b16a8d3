/**
 * Tables of posts by any tool, such as one of search results: a column has the post's address, which names the post and its
 * author; the others have common names. Comments that name their post are not taken.
 */
import type { Importer } from "#api/importer.ts";
import { foldName } from "#domain/folding.ts";
import { hasRecord, listRecords } from "#import/capture/document-records.ts";
import { type Fields, readFilledText, readObjectAt } from "#import/capture/field-readers.ts";
import { readAccountName } from "../recognise/account-name.ts";
import { collectItem } from "../recognise/item.ts";
import { videoIdInUrl } from "../video-url.ts";

const ADDRESSES = ["video_url", "videoUrl", "video_link", "post_url", "postUrl", "tiktok_url", "url", "link"];
const NAMES = ["username", "author_username", "author_unique_id", "user_name", "unique_id", "author", "account"];
const TEXTS = ["video_caption", "caption", "video_description", "description", "desc", "text", "title"];
/** Columns of native objects, which recognisers read, of comments, and of posts elsewhere that link to a video. */
const OTHER =
  /^(?:aweme_id|cid|stats|statistics|itemInfos|subreddit|selftext|permalink|comment_?(?:id|text)|comment|reply.*)$/i;

interface Addressed {
  id: string;
  name: string | undefined;
}

export const addressedPosts: Importer = {
  name: "tiktok post table",
  detects: ({ kind, value }) =>
    kind !== "text" && hasRecord(listRecords(value), (record) => readAddress(record) !== undefined),
  read({ value }, _file, collect) {
    for (const record of listRecords(value)) {
      const row = readObjectAt(record);
      const address = readAddress(row);
      if (address === undefined) collect.refuse("unknown_record");
      else collectItem(toItem(row, address), collect);
    }
  },
};

/** Undefined for what is not a post, such as a comment by somebody else than the post's author. */
function readAddress(row: Fields): Addressed | undefined {
  const url = first(row, ADDRESSES, (cell) => (videoIdInUrl(cell) === undefined ? undefined : String(cell)));
  if (url === undefined || !TEXTS.some((column) => column in row)) return undefined;
  if (Object.keys(row).some((column) => OTHER.test(column))) return undefined;
  const inUrl = readAccountName(/\/@([\w.]+)\//.exec(url)?.[1]);
  const name = first(row, NAMES, (cell) => readAccountName(typeof cell === "string" ? cell.replace(/^@/, "") : cell));
  if (inUrl !== undefined && name !== undefined && foldName(inUrl) !== foldName(name)) return undefined;
  return { id: videoIdInUrl(url) ?? "", name: inUrl ?? name };
}

function toItem(row: Fields, { id, name }: Addressed): Fields {
  const read = (...columns: string[]) => first(row, columns, (cell) => (cell === "" ? undefined : cell));
  return {
    id,
    desc: first(row, TEXTS, readFilledText),
    createTime: read(
      "create_time",
      "createTime",
      "created_at",
      "published_at",
      "video_create_time",
      "upload_date",
      "date",
    ),
    author: {
      id: read("author_id", "user_id"),
      uniqueId: name,
      nickname: read("nickname", "author_nickname", "author_name", "display_name", "full_name"),
      signature: read("signature", "biography", "bio"),
      verified: read("verified", "is_verified", "author_verified"),
      avatarLarger: read("avatar", "avatar_url", "profile_pic_url", "author_avatar"),
    },
    authorStats: {
      followerCount: read("follower_count", "followers", "followers_count", "followerCount"),
      followingCount: read("following_count", "following", "followingCount"),
      heartCount: read("heart_count", "total_likes"),
      videoCount: read("video_count", "videos_count"),
    },
    stats: {
      playCount: read("play_count", "playCount", "view_count", "views", "video_views", "plays"),
      diggCount: read("digg_count", "diggCount", "like_count", "likes", "video_likes"),
      commentCount: read("comment_count", "commentCount", "comments", "video_comments"),
      shareCount: read("share_count", "shareCount", "shares", "video_shares"),
      collectCount: read("collect_count", "collectCount", "save_count", "saves"),
    },
    video: {
      duration: read("duration", "video_duration"),
      cover: read("cover", "cover_url", "thumbnail", "video_cover"),
    },
    music: { id: read("music_id"), title: read("music_title"), authorName: read("music_author") },
  };
}

function first<Value>(
  row: Fields,
  columns: readonly string[],
  read: (cell: unknown) => Value | undefined,
): Value | undefined {
  for (const column of columns) {
    const value = column in row ? read(row[column]) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}
