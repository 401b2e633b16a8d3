/** Tables of YouTube Data Tools: lists of videos, and the comments of one video whose id stands in the file's name. */
import type { Importer, SourceFile } from "#contract/importer.ts";
import { collectComment } from "./collect-comment.ts";
import { collectVideo } from "./collect-video.ts";
import {
  countOf,
  type Fields,
  fieldsOf,
  flagOf,
  idOf,
  languageOf,
  textOf,
  thumbnailOf,
  videoIdOf,
} from "./field-readers.ts";
import { isoLengthOf, lengthOf, momentOf, unixSeconds } from "./moments.ts";
import { fileNameOf } from "./subtitles.ts";

export const dataToolsVideos: Importer = {
  name: "youtube-data-tools videos",

  detects(document) {
    const row = document.kind === "row" ? fieldsOf(document.value) : undefined;
    return hasColumns(row, "videoId", "videoTitle", "publishedAt", "channelId");
  },

  read(document, _file, collect) {
    const row = fieldsOf(document.value) ?? {};
    const id = videoIdOf(row["videoId"]);
    if (id === undefined) {
      collect.refuse("video row has no id");
      return;
    }
    const thumbnail = thumbnailOf({ url: row["thumbnail_maxres"] });
    collectVideo(
      {
        id,
        title: textOf(row["videoTitle"]),
        description: textOf(row["videoDescription"]),
        channel: { id: idOf(row["channelId"]), title: textOf(row["channelTitle"]) },
        publishedAt: momentOf(row["publishedAt"]) ?? unixSeconds(row["publishedAt"]) ?? momentOf(row["publishedAtSQL"]),
        // The tool's own spelling of the second column.
        language:
          languageOf(row["defaultLAudioLanguage"]) ??
          languageOf(row["defaultAudioLanguage"]) ??
          languageOf(row["defaultLanguage"]),
        category: textOf(row["videoCategoryLabel"]),
        durationS: lengthOf(row["durationSec"]) ?? isoLengthOf(row["duration"]),
        counters: {
          views: countOf(row["viewCount"]),
          likes: countOf(row["likeCount"]),
          comments: countOf(row["commentCount"]),
        },
        native: {
          categoryId: idOf(row["videoCategoryId"]),
          keywords: textOf(row["tags"])
            ?.split(",")
            .flatMap((tag) => textOf(tag.trim()) ?? []),
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
    const row = document.kind === "row" ? fieldsOf(document.value) : undefined;
    return hasColumns(row, "id", "replyCount", "likeCount", "authorName", "text", "isReplyTo");
  },

  read(document, file, collect) {
    const row = fieldsOf(document.value) ?? {};
    const id = idOf(row["id"]);
    const videoId = videoIdOf(row["videoId"]) ?? videoIdInName(file);
    if (id === undefined) collect.refuse("comment row has no id");
    else if (videoId === null) {
      collect.refuse("comments whose file's name holds no video id, as in videoinfo_<id>_…_comments.csv");
    } else {
      collect.post({ id: videoId });
      collectComment(
        {
          id,
          videoId,
          parentId: flagOf(row["isReply"]) === false ? undefined : parentOf(row),
          text: textOf(row["text"]),
          publishedAt: momentOf(row["publishedAt"]) ?? unixSeconds(row["publishedAt"]),
          likes: countOf(row["likeCount"]),
          replies: countOf(row["replyCount"]),
          authorName: textOf(row["authorName"]),
          authorChannelId: idOf(row["authorChannelId"]) ?? channelIdIn(row["authorChannelUrl"]),
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
  const parent = idOf(row["isReplyTo"]);
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
