/** YouTube Data Tools tables: lists of videos, and the comments of one video, which the file name or `--of` names. */
import type { Importer, SourceFile } from "#api/importer.ts";
import { toIsoDate } from "#domain/time.ts";
import { baseName } from "#import/capture/document-records.ts";
import {
  type Fields,
  readCount,
  readCountry,
  readFilledText,
  readFlag,
  readLanguage,
  readMeasure,
  readObject,
  readPositiveCount,
  readText,
  readTimestamp,
} from "#import/capture/field-readers.ts";
import { htmlToText } from "#import/capture/html-text.ts";
import { parseIsoDuration } from "#import/capture/table-cells.ts";
import { readLiveStatus } from "../recognise/data-api-videos.ts";
import { channelIdInUrl, readPlainId, readSubjectVideo, readVideoId } from "./id-forms.ts";
import { readSingleThumbnail } from "./thumbnails.ts";
import { collectComment } from "./collect-comment.ts";
import { collectVideo } from "./collect-video.ts";
import { toMilliseconds } from "./timestamps.ts";

export const dataToolsVideos: Importer = {
  name: "youtube-data-tools videos",

  detects(document) {
    const row = document.kind === "row" ? readObject(document.value) : undefined;
    return hasColumns(row, "videoId", "videoTitle", "publishedAt", "channelId");
  },

  read(document, file, collect) {
    const row = readObject(document.value) ?? {};
    const id = readVideoId(row["videoId"]);
    if (id === undefined) return collect.refuse("post_without_id");
    const isShort = readFlag(row["isShort"]);
    const time = timeInName(file);
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
        // The first version of the tool leaves the hours out of `durationSec`.
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
          ...readLiveStatus(row),
          type: isShort === undefined ? undefined : isShort ? "SHORT" : "NORMAL",
        },
        capturedAt: time,
      },
      collect,
    );
    const [country, rank] = [readCountry(row["region"]), readPositiveCount(row["rank"])];
    if (country === undefined || rank === undefined) return;
    if (time === undefined)
      return collect.skip("a chart entry without a day: keep the file name, trending_…_<time>.csv");
    const day = toIsoDate(time);
    collect.chartEntry({ country, section: "now", day, rank, postId: id, capturedAt: time });
  },
};

/** `trending_US_videos50_2026_03_01-10_00_00.csv`, as the tool names it; in milliseconds. */
function timeInName(file: SourceFile): number | undefined {
  const [, day, time] = /_(\d{4}_\d\d_\d\d)-(\d\d_\d\d_\d\d)/.exec(baseName(file)) ?? [];
  return toMilliseconds(readTimestamp(`${day?.replaceAll("_", "-")}T${time?.replaceAll("_", ":")}Z`));
}

export const dataToolsComments: Importer = {
  name: "youtube-data-tools comments",

  detects(document) {
    const row = document.kind === "row" ? readObject(document.value) : undefined;
    return (
      hasColumns(row, "id", "replyCount", "likeCount", "authorName", "text", "isReplyTo") ||
      hasColumns(row, "id", "totalReplyCount", "likeCount", "authorName", "text", "threadId")
    );
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
        replies: readCount(row["replyCount"]) ?? readCount(row["totalReplyCount"]),
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
  const text = readText(cell);
  return /&(?:#39|quot|amp|lt|gt);|<br ?\/?>|<a href=/.test(text ?? "") ? htmlToText(text) : text;
}

/** What `isReplyToId` names may be a reply itself. */
function readParentId(row: Fields): string | undefined {
  const parent = readPlainId(row["threadId"]) ?? readPlainId(row["isReplyTo"]);
  return parent === "0" || parent === row["id"] ? undefined : parent;
}

/** `videoinfo_<id>_<date>_comments.csv`, `videocomments_<id>_comments_<date>.csv`; the id may contain underscores itself. */
function videoIdInName(name: string): string | undefined {
  const match =
    /^video(?:info|comments)_([\w-]{11})(?:_|\.|$)/.exec(name) ??
    /\[([\w-]{11})\]/.exec(name) ??
    /^([\w-]{11})[_.]/.exec(name);
  return match?.[1];
}
