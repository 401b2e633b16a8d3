/** Comments as yt-dlp writes them, inside a video's file or split off a large one. */
import type { Collector } from "#api/importer.ts";
import type { Measured } from "#import/capture/estimates.ts";
import { type Fields, readFilledText, readFlag, readObject, readTimestamp } from "#import/capture/field-readers.ts";
import { readPlainId } from "./id-forms.ts";
import { readShownCount } from "./shown-count.ts";
import { readSingleThumbnail } from "./thumbnails.ts";
import { collectComment } from "./collect-comment.ts";
import { parseRelativeTime } from "./timestamps.ts";

export function isYtDlpComment(value: unknown): boolean {
  const comment = readObject(value);
  return comment !== undefined && "text" in comment && ("parent" in comment || "author_id" in comment);
}

/** The tool does not tell how many replies there are, and may have stopped before the last: `replies` are those in the file. */
export function readYtDlpComment(
  comment: Fields,
  videoId: string,
  capturedAt: number | undefined,
  collect: Collector,
  replies?: number,
): void {
  const parent = readPlainId(comment["parent"]);
  collectComment(
    {
      id: readPlainId(comment["id"]),
      videoId,
      parentId: parent === "root" ? undefined : parent,
      text: readFilledText(comment["text"]),
      publishedAt: readEstimatedTime(comment),
      likes: readShownCount(comment["like_count"], 2),
      replies: replies === undefined ? undefined : { value: replies, margin: replies },
      authorName: readFilledText(comment["author"]),
      authorChannelId: readPlainId(comment["author_id"]),
      authorThumbnails: readSingleThumbnail(comment["author_thumbnail"]),
      authorVerified: readFlag(comment["author_is_verified"]),
      capturedAt,
    },
    collect,
  );
}

/** The tool estimates the time from "3 days ago"; the file has nothing better. */
function readEstimatedTime(comment: Fields): Measured | undefined {
  const value = readTimestamp(comment["timestamp"]);
  const margin = parseRelativeTime(readFilledText(comment["_time_text"]))?.margin;
  return value === undefined || margin === undefined ? value : { value, margin };
}
