/**
 * Comments by youtubesearchpython (`Comments.get`), as the page shows them. They do not name their video: the file's name or
 * `--of` does. Of a text with links or emoji the tool keeps the beginning.
 */
import type { Importer } from "#api/importer.ts";
import { hasRecord, listRecords } from "#import/capture/document-records.ts";
import { type Fields, readFilledText, readObjectAt, readObjects } from "#import/capture/field-readers.ts";
import { readDisplayedCount } from "../recognise/page-text.ts";
import { collectComment } from "./collect-comment.ts";
import { findCommentedVideo, isChannelId, readPlainId } from "./id-forms.ts";
import { readShownCount } from "./shown-count.ts";
import { readThumbnails } from "./thumbnails.ts";
import { estimateTime } from "./timestamps.ts";

export const searchComments: Importer = {
  name: "youtubesearchpython comments",

  detects: ({ kind, value }) => kind === "json" && hasRecord(listRecords(value, "result"), isComment),

  read({ value, capturedAt }, file, collect) {
    const videoId = findCommentedVideo(file);
    if (videoId === undefined) return collect.refuse("comments_without_post: as in <id>.json, or --of <id>");
    collect.post({ id: videoId });
    for (const comment of readObjects(listRecords(value, "result"))) {
      const author = readObjectAt(comment, "author");
      collectComment(
        {
          id: readPlainId(comment["id"]),
          videoId,
          text: readFilledText(comment["content"]),
          isExcerpt: true,
          publishedAt: estimateTime(readFilledText(comment["published"]), capturedAt),
          likes: readDisplayedCount(readObjectAt(comment, "votes")["simpleText"]),
          replies: readShownCount(comment["replyCount"], 2),
          authorName: readFilledText(author["name"]),
          authorChannelId: readPlainId(author["id"]),
          authorThumbnails: readThumbnails(author["thumbnails"]),
        },
        collect,
      );
    }
  },
};

function isComment(record: Fields): boolean {
  const isVoted = "simpleText" in readObjectAt(record, "votes");
  return isVoted && "content" in record && isChannelId(readObjectAt(record, "author")["id"]);
}
