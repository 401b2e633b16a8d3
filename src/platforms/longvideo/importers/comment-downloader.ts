/**
 * Comments by youtube-comment-downloader, one JSON object or row each. They do not name their video: the file's name or `--of`
 * does. Votes are as the page shows them, which is never exact.
 */
import type { Importer } from "#api/importer.ts";
import type { Measured } from "#import/capture/estimates.ts";
import { hasRecord, listRecords } from "#import/capture/document-records.ts";
import { type Fields, readFilledText, readText, readObjects, readTimestamp } from "#import/capture/field-readers.ts";
import { readDisplayedCount } from "../recognise/page-text.ts";
import { collectComment } from "./collect-comment.ts";
import { findCommentedVideo, readPlainId } from "./id-forms.ts";
import { readSingleThumbnail } from "./thumbnails.ts";
import { estimateTime, parseRelativeTime } from "./timestamps.ts";

export const commentDownloader: Importer = {
  name: "youtube-comment-downloader",

  detects: ({ kind, value }) => kind !== "text" && hasRecord(listRecords(value, "comments"), isComment),

  read({ value, capturedAt }, file, collect) {
    const videoId = findCommentedVideo(file);
    if (videoId === undefined) return collect.refuse("comments_without_post: as in <id>.json, or --of <id>");
    collect.post({ id: videoId });
    for (const comment of readObjects(listRecords(value, "comments"))) {
      collectComment(
        {
          id: readPlainId(comment["cid"]),
          videoId,
          text: readText(comment["text"]),
          publishedAt: readTime(comment, capturedAt),
          likes: readDisplayedCount(comment["votes"]),
          replies: readDisplayedCount(comment["replies"]),
          authorName: readFilledText(comment["author"]),
          authorChannelId: readPlainId(comment["channel"]),
          authorThumbnails: readSingleThumbnail(comment["photo"]),
        },
        collect,
      );
    }
  },
};

/** The tool estimates the time from "2 years ago"; the file has nothing better. */
function readTime(comment: Fields, capturedAt: number | null): Measured | undefined {
  const text = readFilledText(comment["time"]);
  const value = readTimestamp(comment["time_parsed"]);
  const margin = parseRelativeTime(text)?.margin;
  return value === undefined || margin === undefined ? (value ?? estimateTime(text, capturedAt)) : { value, margin };
}

function isComment(record: Fields): boolean {
  return ["cid", "text", "author", "channel", "votes"].every((name) => name in record) && !("aweme_id" in record);
}
