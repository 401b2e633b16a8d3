/** Comments as yt-dlp writes them, inside a video's file or taken out of it. */
import type { Collector } from "#api/importer.ts";
import {
  type Fields,
  readCount,
  readFilledText,
  readFlag,
  readObject,
  readTimestamp,
  readUrl,
} from "#import/capture/field-readers.ts";
import { readPlainId } from "./id-forms.ts";
import { collectComment } from "./collect-comment.ts";

export function isYtDlpComment(value: unknown): boolean {
  const comment = readObject(value);
  return comment !== undefined && "text" in comment && ("parent" in comment || "author_id" in comment);
}

export function readYtDlpComment(
  comment: Fields,
  videoId: string,
  capturedAt: number | undefined,
  collect: Collector,
): void {
  const id = readPlainId(comment["id"]);
  if (id === undefined) {
    collect.refuse("comment_without_id");
    return;
  }
  const parent = readPlainId(comment["parent"]);
  const avatar = readUrl(comment["author_thumbnail"]);
  collectComment(
    {
      id,
      videoId,
      parentId: parent === "root" ? undefined : parent,
      text: readFilledText(comment["text"]),
      // The tool makes it from "3 days ago"; nothing better is in the file.
      publishedAt: readTimestamp(comment["timestamp"]),
      likes: readCount(comment["like_count"]),
      authorName: readFilledText(comment["author"]),
      authorChannelId: readPlainId(comment["author_id"]),
      authorThumbnails: avatar === undefined ? undefined : [{ url: avatar }],
      authorVerified: readFlag(comment["author_is_verified"]),
      capturedAt,
    },
    collect,
  );
}
