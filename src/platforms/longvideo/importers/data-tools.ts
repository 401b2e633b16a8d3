/** YouTube Data Tools tables: lists of videos, and the comments of one video, which the file name or `--of` names. */
import type { Importer } from "#api/importer.ts";
import { baseName } from "#import/capture/document-records.ts";
import {
  type Fields,
  readCount,
  readFilledText,
  readFlag,
  readLanguage,
  readMeasure,
  readObject,
  readTimestamp,
} from "#import/capture/field-readers.ts";
import { htmlToText } from "#import/capture/html-text.ts";
import { parseIsoDuration } from "#import/capture/table-cells.ts";
import { channelIdInUrl, readPlainId, readSubjectVideo, readVideoId } from "./id-forms.ts";
import { readSingleThumbnail } from "./thumbnails.ts";
import { collectComment } from "./collect-comment.ts";
import { collectVideo } from "./collect-video.ts";

export const dataToolsVideos: Importer = {
  name: "youtube-data-tools videos",

  detects(document) {
    const row = document.kind === "row" ? readObject(document.value) : undefined;
    return hasColumns(row, "videoId", "videoTitle", "publishedAt", "channelId");
  },

  read(document, _file, collect) {
    const row = readObject(document.value) ?? {};
    const id = readVideoId(row["videoId"]);
    if (id === undefined) return collect.refuse("post_without_id");
    collectVideo(
      {
        id,
        title: readFilledText(row["videoTitle"]),
        description: readFilledText(row["videoDescription"]),
        channel: { id: readPlainId(row["channelId"]), title: readFilledText(row["channelTitle"]) },
        publishedAt: readTimestamp(row["publishedAt"]) ?? readTimestamp(row["publishedAtSQL"]),
        // `defaultLAudioLanguage` is the tool's own spelling.
        language:
          readLanguage(row["defaultLAudioLanguage"]) ??
          readLanguage(row["defaultAudioLanguage"]) ??
          readLanguage(row["defaultLanguage"]),
        category: readFilledText(row["videoCategoryLabel"]),
        // Versions before 2024 leave the hours out of `durationSec`.
        durationS: parseIsoDuration(row["duration"]) ?? readMeasure(row["durationSec"]),
        counters: {
          views: readCount(row["viewCount"]),
          likes: readCount(row["likeCount"]),
          comments: readCount(row["commentCount"]),
        },
        native: {
          categoryId: readPlainId(row["videoCategoryId"]),
          keywords: readFilledText(row["tags"])
            ?.split(",")
            .flatMap((tag) => readFilledText(tag.trim()) ?? []),
          thumbnails: readSingleThumbnail(row["thumbnail_maxres"]),
        },
      },
      collect,
    );
  },
};

export const dataToolsComments: Importer = {
  name: "youtube-data-tools comments",

  detects(document) {
    const row = document.kind === "row" ? readObject(document.value) : undefined;
    return hasColumns(row, "id", "replyCount", "likeCount", "authorName", "text", "isReplyTo");
  },

  read(document, file, collect) {
    const row = readObject(document.value) ?? {};
    const id = readPlainId(row["id"]);
    const videoId = readVideoId(row["videoId"]) ?? readSubjectVideo(file) ?? videoIdInName(baseName(file));
    if (id === undefined) return collect.refuse("comment_without_id");
    if (videoId === undefined) return collect.refuse("comments_without_post: as in videoinfo_<id>_…_comments.csv");
    collect.post({ id: videoId });
    collectComment(
      {
        id,
        videoId,
        parentId: readFlag(row["isReply"]) === false ? undefined : readParentId(row),
        text: readCommentText(row["text"]),
        publishedAt: readTimestamp(row["publishedAt"]),
        likes: readCount(row["likeCount"]),
        replies: readCount(row["replyCount"]),
        authorName: readFilledText(row["authorName"]),
        authorChannelId: readPlainId(row["authorChannelId"]) ?? channelIdInUrl(row["authorChannelUrl"]),
      },
      collect,
    );
  },
};

function hasColumns(row: Fields | undefined, ...columns: string[]): boolean {
  return row !== undefined && columns.every((column) => typeof row[column] === "string");
}

/** Early versions write HTML, later ones plain text. */
function readCommentText(cell: unknown): string | undefined {
  const text = readFilledText(cell);
  return /&(?:#39|quot|amp|lt|gt);|<br ?\/?>|<a href=/.test(text ?? "") ? htmlToText(text) : text;
}

function readParentId(row: Fields): string | undefined {
  const parent = readPlainId(row["isReplyTo"]);
  return parent === "0" ? undefined : parent;
}

/** `videoinfo_<id>_<date>_comments.csv`; the id may contain underscores itself. */
function videoIdInName(name: string): string | undefined {
  const match =
    /^videoinfo_([\w-]{11})(?:_|\.|$)/.exec(name) ?? /\[([\w-]{11})\]/.exec(name) ?? /^([\w-]{11})[_.]/.exec(name);
  return match?.[1];
}
