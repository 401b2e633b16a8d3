/** 4CAT, the capture and analysis toolkit: NDJSON of TikTok's own objects, and tables with column names of its own. */
import type { Importer } from "#api/importer.ts";
import { type Fields, isFields, readFilledText } from "#import/capture/field-readers.ts";
import { withCaptureTime } from "#import/capture/with-capture-time.ts";
import { read4cat } from "#import/capture/zeeschuimer.ts";
import { recogniseAll } from "../recognise.ts";
import { collectComment, isComment } from "../recognise/comment.ts";
import { collectItem, isItem } from "../recognise/item.ts";
import { nestRow } from "#import/capture/nested-row.ts";
import { videoIdInUrl } from "../video-url.ts";
import { isTikTok } from "./zeeschuimer.ts";

/** Older exports do not name the platform. */
function isTikTokLine(value: unknown): boolean {
  const envelope = read4cat(value);
  if (envelope === undefined || !isFields(envelope.data)) return false;
  const { platform, data } = envelope;
  return platform === undefined ? isItem(data) || isComment(data) : isTikTok(platform);
}

export const fourCat: Importer = {
  name: "4cat",
  detects({ kind, value }) {
    if (kind !== "row") return isTikTokLine(value);
    return isFields(value) && (isPostRow(value) || isCommentRow(value));
  },
  read({ kind, value }, file, collect) {
    if (kind === "row" && isFields(value)) {
      // Columns are not nested here; this only drops the empty cells.
      const row = nestRow(value);
      if (isCommentRow(value)) collectComment(toComment(row), collect);
      else collectItem(toItem(row), collect);
      return;
    }
    const envelope = read4cat(value);
    if (envelope === undefined) return;
    const timed = withCaptureTime(collect, envelope.capturedAt);
    if (!recogniseAll(envelope.data, { url: null, file }, timed)) collect.refuse("unknown_record");
  },
};

function isPostRow(row: Fields): boolean {
  return "tiktok_url" in row && "id" in row && "body" in row;
}

function isCommentRow(row: Fields): boolean {
  return "comment_url" in row && "post_id" in row && "is_comment_on_comment" in row && "body" in row;
}

function toItem(row: Fields): Fields {
  return {
    // Spreadsheets round long ids.
    id: videoIdInUrl(row["tiktok_url"]) ?? row["id"],
    desc: row["body"],
    createTime: row["unix_timestamp"] ?? row["timestamp"],
    isAd: row["is_ad"],
    author: {
      id: row["author_id"],
      uniqueId: row["author"],
      nickname: row["author_full"],
      avatarThumb: row["author_avatar"],
    },
    // In this table `author_likes` counts the likes that the author gave.
    authorStats: {
      followerCount: row["author_followers"],
      diggCount: row["author_likes"],
      videoCount: row["author_videos"],
    },
    // Tables of before 2022 have other names.
    stats: {
      diggCount: row["likes"] ?? row["amount_likes"],
      commentCount: row["comments"] ?? row["amount_comments"],
      shareCount: row["shares"] ?? row["amount_shares"],
      playCount: row["plays"] ?? row["amount_plays"],
    },
    video: { downloadAddr: row["video_url"], cover: row["thumbnail_url"] },
    music: {
      id: row["music_id"],
      title: row["music_name"],
      authorName: row["music_author"],
      playUrl: row["music_url"],
      coverLarge: row["music_thumbnail"],
    },
    textExtra: splitCommas(row["hashtags"]).map((hashtagName) => ({ hashtagName })),
    challenges: splitCommas(row["challenges"]).map((title) => ({ title })),
    diversificationLabels: splitCommas(row["diversification_labels"]),
    locationCreated: row["location_created"],
  };
}

function toComment(row: Fields): Fields {
  const author = readFilledText(row["author"]) ?? "";
  // `@` and the id stand for a commenter whose name was not captured.
  const isId = /^@\d+$/.test(author);
  return {
    cid: row["id"],
    aweme_id: row["post_id"],
    text: row["body"],
    create_time: row["unix_timestamp"] ?? row["timestamp"],
    digg_count: row["likes"],
    reply_comment_total: row["replies"],
    reply_id: row["is_comment_on_comment"] === "yes" ? row["thread_id"] : "0",
    user: {
      ...(isId ? { uid: author.slice(1) } : { unique_id: author }),
      nickname: row["author_full"],
      avatar_thumb: { url_list: [row["author_avatar_url"]] },
    },
  };
}

function splitCommas(cell: unknown): string[] {
  return typeof cell === "string" ? cell.split(",").map((item) => item.trim()) : [];
}
