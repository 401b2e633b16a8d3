/**
 * 4CAT, the capture and analysis toolkit. Its NDJSON is the platform's own object with the Zeeschuimer envelope beside
 * it as `__import_meta`; its tables are rows with names of its own.
 */
import type { Importer } from "#api/importer.ts";
import { type Fields, isFields, readFilledText, readObjectAt } from "#import/capture/field-readers.ts";
import { withCaptureTime } from "#import/capture/with-capture-time.ts";
import { walkNatives } from "../recognise.ts";
import { collectComment, isComment } from "../recognise/comment.ts";
import { collectItem, isItem } from "../recognise/item.ts";
import { unflattened } from "#import/capture/nested-row.ts";
import { captureTimeOf, isOurs } from "./zeeschuimer.ts";

function isImported(value: unknown): value is Fields {
  if (!isFields(value) || !isFields(value["__import_meta"])) return false;
  const platform = value["__import_meta"]["source_platform"];
  return platform === undefined ? isItem(value) || isComment(value) : isOurs(platform);
}

export const fourCat: Importer = {
  name: "4cat",
  detects({ kind, value }) {
    if (kind !== "row") return isImported(value);
    return isFields(value) && (isPostRow(value) || isCommentRow(value));
  },
  read({ kind, value }, file, collect) {
    if (!isFields(value)) return;
    if (kind === "row") {
      // Column names are flat here; only the empty cells need to go.
      const row = unflattened(value);
      if (isCommentRow(value)) collectComment(toComment(row), collect);
      else collectItem(toItem(row), collect);
      return;
    }
    const { __import_meta: meta, ...item } = value;
    const stamped = withCaptureTime(collect, captureTimeOf(readObjectAt(meta)));
    const found = walkNatives(item, stamped, { url: null, file });
    if (!found) collect.refuse("unknown_record");
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
    id: row["id"],
    desc: row["body"],
    createTime: row["unix_timestamp"] ?? row["timestamp"],
    isAd: row["is_ad"],
    author: {
      id: row["author_id"],
      uniqueId: row["author"],
      nickname: row["author_full"],
      avatarThumb: row["author_avatar"],
    },
    // In this table `author_likes` are the likes that the author gave.
    authorStats: {
      followerCount: row["author_followers"],
      diggCount: row["author_likes"],
      videoCount: row["author_videos"],
    },
    stats: {
      diggCount: row["likes"],
      commentCount: row["comments"],
      shareCount: row["shares"],
      playCount: row["plays"],
    },
    video: { downloadAddr: row["video_url"], cover: row["thumbnail_url"] },
    music: {
      id: row["music_id"],
      title: row["music_name"],
      authorName: row["music_author"],
      playUrl: row["music_url"],
      coverLarge: row["music_thumbnail"],
    },
    textExtra: wordsOf(row["hashtags"]).map((hashtagName) => ({ hashtagName })),
    challenges: wordsOf(row["challenges"]).map((title) => ({ title })),
    diversificationLabels: wordsOf(row["diversification_labels"]),
    locationCreated: row["location_created"],
  };
}

function toComment(row: Fields): Fields {
  const author = readFilledText(row["author"]) ?? "";
  // A commenter whose name was not captured is written as `@` and the id.
  const nameless = /^@\d+$/.test(author);
  return {
    cid: row["id"],
    aweme_id: row["post_id"],
    text: row["body"],
    create_time: row["unix_timestamp"] ?? row["timestamp"],
    digg_count: row["likes"],
    reply_comment_total: row["replies"],
    reply_id: row["is_comment_on_comment"] === "yes" ? row["thread_id"] : "0",
    user: {
      ...(nameless ? { uid: author.slice(1) } : { unique_id: author }),
      nickname: row["author_full"],
      avatar_thumb: { url_list: [row["author_avatar_url"]] },
    },
  };
}

function wordsOf(cell: unknown): string[] {
  return typeof cell === "string" ? cell.split(",").map((word) => word.trim()) : [];
}
