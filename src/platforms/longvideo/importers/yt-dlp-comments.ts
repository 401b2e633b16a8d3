/** Comments as yt-dlp writes them, inside a video's file or taken out of it. */
import type { Collector } from "#contract/importer.ts";
import { collectComment } from "./collect-comment.ts";
import { addressOf, countOf, type Fields, fieldsOf, flagOf, idOf, textOf } from "./field-readers.ts";
import { unixSeconds } from "./moments.ts";

export function isYtDlpComment(value: unknown): boolean {
  const comment = fieldsOf(value);
  return comment !== undefined && "text" in comment && ("parent" in comment || "author_id" in comment);
}

export function readYtDlpComment(
  comment: Fields,
  videoId: string,
  capturedAt: number | undefined,
  collect: Collector,
): void {
  const id = idOf(comment["id"]);
  if (id === undefined) {
    collect.refuse("comment has no id");
    return;
  }
  const parent = idOf(comment["parent"]);
  const avatar = addressOf(comment["author_thumbnail"]);
  collectComment(
    {
      id,
      videoId,
      parentId: parent === "root" ? undefined : parent,
      text: textOf(comment["text"]),
      // The tool makes it from "3 days ago"; nothing better is in the file.
      publishedAt: unixSeconds(comment["timestamp"]),
      likes: countOf(comment["like_count"]),
      authorName: textOf(comment["author"]),
      authorChannelId: idOf(comment["author_id"]),
      authorThumbnails: avatar === undefined ? undefined : [{ url: avatar }],
      authorVerified: flagOf(comment["author_is_verified"]),
      capturedAt,
    },
    collect,
  );
}
