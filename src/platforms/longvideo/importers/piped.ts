/** Lists of Piped: videos and channels of `/trending`, `/search`, `/playlists/…` and `/channel/…`. It writes -1 for unknown. */
import type { Collector, Importer } from "#api/importer.ts";
import {
  type Fields,
  readCount,
  readFilledText,
  readFlag,
  readMeasure,
  readObjectAt,
  readObjects,
  readPositiveCount,
} from "#import/capture/field-readers.ts";
import { collectChannel, collectVideo } from "./collect-video.ts";
import { channelIdInUrl, isChannelId, videoIdInUrl } from "./id-forms.ts";
import { readShownCount } from "./shown-count.ts";
import { readSingleThumbnail } from "./thumbnails.ts";
import { estimateTime } from "./timestamps.ts";

export const piped: Importer = {
  name: "piped",

  detects: ({ kind, value }) => kind === "json" && listItems(value).length > 0,

  read({ value, capturedAt }, _file, collect) {
    for (const item of listItems(value)) {
      if (isVideo(item)) readVideo(item, capturedAt, collect);
      else readChannel(item, collect);
    }
  },
};

/** The answer may itself be an item of a list, or the channel that the list is of. */
function listItems(value: unknown): Fields[] {
  const answer = readObjectAt(value);
  // What is known of a watched video does not tell its id.
  if ("videoStreams" in answer) return [];
  const listed = [answer["items"], answer["relatedStreams"]].flatMap(readObjects);
  return [answer, ...listed].filter((item) => isVideo(item) || isChannel(item));
}

function isVideo(item: Fields): boolean {
  return videoIdInUrl(toUrl(item["url"])) !== undefined && "uploaderUrl" in item;
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
