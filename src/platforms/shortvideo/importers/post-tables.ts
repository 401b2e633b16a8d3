/**
 * Tables of posts that researchers' tools write: pyktok, traktok (of the site), minet, and scripts with TikTok-Api. Their
 * columns mean the same under other names.
 */
import type { Collector, Importer } from "#api/importer.ts";
import { DAY_S } from "#domain/time.ts";
import { type Fields, isFields, readFilledText, readFlag, readObjectAt } from "#import/capture/field-readers.ts";
import { nestRow } from "#import/capture/nested-row.ts";
import { splitList } from "#import/capture/table-cells.ts";
import { describeMissing } from "../recognise/error-documents.ts";
import { collectItem } from "../recognise/item.ts";
import { videoIdInUrl } from "../video-url.ts";

/** The columns by which each of the tools is known. */
const SIGNS = [
  ["video_id", "video_diggcount", "video_playcount"],
  ["id", "author_unique_id", "digg_count", "play_count"],
  ["video_id", "user_name", "n_likes", "n_plays"],
];

export const postTables: Importer = {
  name: "tiktok post table",
  detects: ({ kind, value }) =>
    kind === "row" && isFields(value) && SIGNS.some((columns) => columns.every((column) => column in value)),
  read({ value }, _file, collect) {
    const row = readObjectAt(value);
    const missing = describeMissing(row["video_status_code"]);
    if (missing !== undefined) return collect.skip(missing);
    const isPyktok = "author_username" in row && "author_name" in row && !("author_nickname" in row);
    collectItem(toItem(nestRow(row), isPyktok), isPyktok ? withLocalTimes(collect) : collect);
  },
};

/** pyktok and TikTok-Content-Scraper write the time of the machine's zone, without naming it. */
export function withLocalTimes(collect: Collector): Collector {
  return {
    ...collect,
    post: (post) =>
      collect.post(
        post.publishedAt == null ? post : { ...post, approximate: { ...post.approximate, publishedAt: DAY_S } },
      ),
  };
}

function toItem(row: Fields, isPyktok: boolean): Fields {
  const read = (...columns: string[]) => columns.map((column) => row[column]).find((cell) => cell !== undefined);
  return {
    // Spreadsheets round long ids.
    id: videoIdInUrl(read("video_link", "video_url")) ?? read("id", "video_id"),
    desc: read("description", "video_description", "video_title", "video_desc"),
    createTime: read("timestamp", "video_timestamp", "video_time"),
    isAd: read("is_ad", "video_is_ad"),
    locationCreated: read("video_locationcreated"),
    author: {
      id: read("author_id", "user_id"),
      // In traktok's older tables `author_name` is the name in the URL, in pyktok's the name shown.
      uniqueId: read("author_unique_id", "user_name", "author_username", "author_name"),
      nickname: isPyktok ? read("author_name") : read("author_nickname"),
      avatarLarger: read("author_avatar"),
      secUid: read("author_secuid"),
      signature: read("author_signature", "author_bio"),
      // pyktok writes False for unknown, too.
      verified: readFlag(read("author_verified")) === true ? true : undefined,
      privateAccount: read("author_secret"),
    },
    authorStats: {
      followerCount: read("author_follower_count", "author_followercount"),
      followingCount: read("author_following_count", "author_followingcount"),
      heartCount: read("author_heart_count", "author_heartcount"),
      videoCount: read("author_video_count", "author_videocount"),
      diggCount: read("author_digg_count", "author_diggcount"),
    },
    stats: {
      diggCount: read("digg_count", "video_diggcount", "n_likes"),
      shareCount: read("share_count", "video_sharecount", "n_shares"),
      commentCount: read("comment_count", "video_commentcount", "n_comments"),
      playCount: read("play_count", "video_playcount", "n_plays"),
    },
    video: {
      duration: read("video_duration", "video_length"),
      cover: read("video_cover"),
      originCover: read("video_origin_cover"),
      dynamicCover: read("video_dynamic_cover"),
      downloadAddr: read("download_url"),
      format: read("video_format"),
      ratio: read("video_ratio"),
      bitrate: read("video_bitrate"),
      width: read("video_width"),
      height: read("video_height"),
    },
    music: {
      id: read("music_id"),
      title: read("music_title"),
      authorName: read("music_author_name", "music_author"),
      album: readFilledText(read("music_album")),
      duration: read("music_duration"),
      original: read("music_original"),
      playUrl: read("music_play_url"),
    },
    challenges: (splitList(read("challenges_titles")) ?? []).map((title) => ({ title })),
  };
}
