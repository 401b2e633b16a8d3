/** Tables of YouTube Data Tools: lists of videos, and the comments of one video whose id stands in the file's name. */
import type { Importer, SourceFile } from "#api/importer.ts";
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
import { readPlainId, readVideoId } from "./id-forms.ts";
import { readThumbnail } from "./thumbnails.ts";
import { collectComment } from "./collect-comment.ts";
import { collectVideo } from "./collect-video.ts";
import { isoLengthOf } from "./timestamps.ts";
import { fileNameOf } from "./subtitle-files.ts";

export const dataToolsVideos: Importer = {
  name: "youtube-data-tools videos",

  detects(document) {
    const row = document.kind === "row" ? readObject(document.value) : undefined;
    return hasColumns(row, "videoId", "videoTitle", "publishedAt", "channelId");
  },

  read(document, _file, collect) {
    const row = readObject(document.value) ?? {};
    const id = readVideoId(row["videoId"]);
    if (id === undefined) {
      collect.refuse("post_without_id");
      return;
    }
    const thumbnail = readThumbnail({ url: row["thumbnail_maxres"] });
    collectVideo(
      {
        id,
        title: readFilledText(row["videoTitle"]),
        description: readFilledText(row["videoDescription"]),
        channel: { id: readPlainId(row["channelId"]), title: readFilledText(row["channelTitle"]) },
        publishedAt: readTimestamp(row["publishedAt"]) ?? readTimestamp(row["publishedAtSQL"]),
        // The tool's own spelling of the second column.
        language:
          readLanguage(row["defaultLAudioLanguage"]) ??
          readLanguage(row["defaultAudioLanguage"]) ??
          readLanguage(row["defaultLanguage"]),
        category: readFilledText(row["videoCategoryLabel"]),
        durationS: readMeasure(row["durationSec"]) ?? isoLengthOf(row["duration"]),
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
          thumbnails: thumbnail === undefined ? undefined : [thumbnail],
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
    const videoId = readVideoId(row["videoId"]) ?? videoIdInName(file);
    if (id === undefined) collect.refuse("comment_without_id");
    else if (videoId === null) {
      collect.refuse("comments_without_post: as in videoinfo_<id>_…_comments.csv");
    } else {
      collect.post({ id: videoId });
      collectComment(
        {
          id,
          videoId,
          parentId: readFlag(row["isReply"]) === false ? undefined : parentOf(row),
          text: readFilledText(row["text"]),
          publishedAt: readTimestamp(row["publishedAt"]),
          likes: readCount(row["likeCount"]),
          replies: readCount(row["replyCount"]),
          authorName: readFilledText(row["authorName"]),
          authorChannelId: readPlainId(row["authorChannelId"]) ?? channelIdIn(row["authorChannelUrl"]),
        },
        collect,
      );
    }
  },
};

function hasColumns(row: Fields | undefined, ...columns: string[]): boolean {
  return row !== undefined && columns.every((column) => typeof row[column] === "string");
}

function parentOf(row: Fields): string | undefined {
  const parent = readPlainId(row["isReplyTo"]);
  return parent === "0" ? undefined : parent;
}

function channelIdIn(value: unknown): string | undefined {
  return /\/channel\/([\w-]{24})(?:$|[/?#])/.exec(String(value))?.[1];
}

/** `videoinfo_<id>_<date>_comments.csv`: the id may hold underscores of its own. */
function videoIdInName(file: SourceFile): string | null {
  const name = fileNameOf(file);
  const found =
    /^videoinfo_([\w-]{11})(?:_|\.|$)/.exec(name) ?? /\[([\w-]{11})\]/.exec(name) ?? /^([\w-]{11})[_.]/.exec(name);
  return found?.[1] ?? null;
}
