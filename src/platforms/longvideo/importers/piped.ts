/**
 * Answers of Piped: lists of videos and channels (`/trending`, `/search`, `/playlists/…`, `/channel/…`), a watched video
 * (`/streams/…`) and its comments (`/comments/…`). It writes -1 for unknown.
 */
import type { Collector, Importer, SourceDocument, SourceFile } from "#api/importer.ts";
import {
  type Fields,
  readCount,
  readFilledText,
  readFilledTexts,
  readFlag,
  readMeasure,
  readObjectAt,
  readObjects,
  readPositiveCount,
  readText,
} from "#import/capture/field-readers.ts";
import { htmlToText } from "#import/capture/html-text.ts";
import { readTime } from "#import/capture/table-cells.ts";
import { collectComment } from "./collect-comment.ts";
import { collectChannel, collectVideo } from "./collect-video.ts";
import { channelIdInUrl, findCommentedVideo, isChannelId, readPlainId, videoIdInUrl } from "./id-forms.ts";
import { readShownCount } from "./shown-count.ts";
import { readSingleThumbnail } from "./thumbnails.ts";
import { estimateTime } from "./timestamps.ts";

export const piped: Importer = {
  name: "piped",

  detects: ({ kind, value }) =>
    kind === "json" &&
    (isWatched(readObjectAt(value)) || isComments(readObjectAt(value)) || listItems(value).length > 0),

  read(document, file, collect) {
    const answer = readObjectAt(document.value);
    const { capturedAt } = document;
    if (isComments(answer)) return readComments(answer, findVideoId(document, file), capturedAt, collect);
    if (isWatched(answer)) readWatched(answer, findVideoId(document, file), collect);
    for (const item of listItems(answer)) {
      if (isVideo(item)) readVideo(item, capturedAt, collect);
      else readChannel(item, collect);
    }
  },
};

/** The answer may itself be an item of a list, or the channel that the list is of. */
function listItems(value: unknown): Fields[] {
  const answer = readObjectAt(value);
  const listed = [answer["items"], answer["relatedStreams"]].flatMap(readObjects);
  return [answer, ...listed].filter((item) => isVideo(item) || isChannel(item));
}

function isWatched(answer: Fields): boolean {
  return "videoStreams" in answer && "uploaderUrl" in answer && "title" in answer;
}

function isComments({ comments }: Fields): boolean {
  const [first] = readObjects(comments);
  return first !== undefined && "commentId" in first && "commentorUrl" in first;
}

/** Only the URL or the file's name tells it, and that of the picture, `/vi/<id>/hqdefault.jpg`. */
function findVideoId({ value, origin }: SourceDocument, file: SourceFile): string | undefined {
  const [, asked] = /\/(?:streams|comments)\/([\w-]{11})(?:\?|$)/.exec(origin.url ?? "") ?? [];
  const [, shown] = /\/vi(?:_webp)?\/([\w-]{11})\//.exec(readText(readObjectAt(value)["thumbnailUrl"]) ?? "") ?? [];
  return asked ?? shown ?? findCommentedVideo(file);
}

function isVideo(item: Fields): boolean {
  return "uploaderUrl" in item && videoIdInUrl(toUrl(item["url"])) !== undefined;
}

function isChannel(item: Fields): boolean {
  if (isChannelId(item["id"])) return "subscriberCount" in item && "avatarUrl" in item && "relatedStreams" in item;
  return item["type"] === "channel" && "subscribers" in item && channelIdInUrl(toUrl(item["url"])) !== undefined;
}

function toUrl(path: unknown): string | undefined {
  return typeof path === "string" && path.startsWith("/") ? `https://www.youtube.com${path}` : undefined;
}

function readVideo(item: Fields, capturedAt: number | null, collect: Collector): void {
  const durationS = readMeasure(item["duration"]);
  // Of a stream, it counts those who watch.
  const hasViews = durationS !== undefined || item["isShort"] === true;
  collectVideo(
    {
      id: videoIdInUrl(toUrl(item["url"])),
      title: readFilledText(item["title"]),
      channel: {
        id: channelIdInUrl(toUrl(item["uploaderUrl"])),
        title: readFilledText(item["uploaderName"]),
        verified: readFlag(item["uploaderVerified"]),
      },
      publishedAt: estimateTime(readFilledText(item["uploadedDate"]), capturedAt),
      durationS,
      counters: { views: hasViews ? readShownCount(readPositiveCount(item["views"]), 2) : undefined },
      native: {
        thumbnails: readSingleThumbnail(item["thumbnail"]),
        type: item["isShort"] === true ? "SHORT" : undefined,
      },
    },
    collect,
  );
}

function readChannel(item: Fields, collect: Collector): void {
  const id = isChannelId(item["id"]) ? item["id"] : channelIdInUrl(toUrl(item["url"]));
  collectChannel(
    {
      id,
      title: readFilledText(item["name"]),
      verified: readFlag(item["verified"]),
      followers: readShownCount(readPositiveCount(item["subscriberCount"] ?? item["subscribers"]), 3),
      videos: readCount(item["videos"]),
      thumbnails: readSingleThumbnail(item["avatarUrl"] ?? item["thumbnail"]),
    },
    collect,
  );
}

function readWatched(answer: Fields, id: string | undefined, collect: Collector): void {
  const isLive = readFlag(answer["livestream"]);
  collectVideo(
    {
      id,
      title: readFilledText(answer["title"]),
      description: htmlToText(answer["description"]),
      hasShortLinks: true,
      channel: {
        id: channelIdInUrl(toUrl(answer["uploaderUrl"])),
        title: readFilledText(answer["uploader"]),
        verified: readFlag(answer["uploaderVerified"]),
        followers: readShownCount(readPositiveCount(answer["uploaderSubscriberCount"]), 3),
        thumbnails: readSingleThumbnail(answer["uploaderAvatar"]),
      },
      // Older versions know the day only, and later ones write it as midnight.
      publishedAt: readTime(readFilledText(answer["uploadDate"])?.replace(/T00:00[:.0]*Z$/, "")),
      category: readFilledText(answer["category"]),
      durationS: isLive === true ? undefined : readMeasure(answer["duration"]),
      counters: {
        // Of a stream, it counts those who watch.
        views: isLive === true ? undefined : readCount(answer["views"]),
        likes: readCount(answer["likes"]),
      },
      native: {
        keywords: readFilledTexts(answer["tags"]),
        thumbnails: readSingleThumbnail(answer["thumbnailUrl"]),
        isLive,
      },
    },
    collect,
  );
}

function readComments(
  answer: Fields,
  videoId: string | undefined,
  capturedAt: number | null,
  collect: Collector,
): void {
  if (videoId === undefined) return collect.refuse("comments_without_post: as in <id>.json, or --of <id>");
  const comments = readShownCount(readPositiveCount(answer["commentCount"]), 2);
  collectVideo({ id: videoId, counters: { comments } }, collect);
  for (const comment of readObjects(answer["comments"])) {
    collectComment(
      {
        id: readPlainId(comment["commentId"]),
        videoId,
        text: htmlToText(comment["commentText"]),
        publishedAt: estimateTime(readFilledText(comment["commentedTime"]), capturedAt),
        likes: readShownCount(comment["likeCount"], 2),
        replies: readShownCount(comment["replyCount"], 2),
        authorName: readFilledText(comment["author"]),
        authorChannelId: channelIdInUrl(toUrl(comment["commentorUrl"])),
        authorThumbnails: readSingleThumbnail(comment["thumbnail"]),
        authorVerified: readFlag(comment["verified"]),
      },
      collect,
    );
  }
}
