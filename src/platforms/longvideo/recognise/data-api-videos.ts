/** Data API videos and channels: full resources, search results, playlist items and activities. */
import type { Collector } from "#api/importer.ts";
import {
  type Fields,
  readCount,
  readCountry,
  readFilledText,
  readFilledTexts,
  readFlag,
  readLanguage,
  readObject,
  readObjectAt,
  readTimestamp,
  readText,
} from "#import/capture/field-readers.ts";
import { parseIsoDuration } from "#import/capture/table-cells.ts";
import { readHandle, readPlainId, readVideoId } from "../importers/id-forms.ts";
import { readThumbnails } from "../importers/thumbnails.ts";
import { collectChannel, collectVideo, type CapturedChannel, type CapturedVideo } from "../importers/collect-video.ts";
import { htmlToText } from "#import/capture/html-text.ts";
import type { NativeThumbnail, NativeVideo } from "../native.ts";

export function readVideoResource(resource: Fields, collect: Collector): void {
  const snippet = readObjectAt(resource, "snippet");
  const statistics = readObjectAt(resource, "statistics");
  collectVideo(
    {
      id: readVideoId(resource["id"]),
      title: readFilledText(snippet["title"]),
      description: readText(snippet["description"]),
      channel: { id: readPlainId(snippet["channelId"]), title: readFilledText(snippet["channelTitle"]) },
      publishedAt: readTimestamp(snippet["publishedAt"]),
      language: readLanguage(snippet["defaultAudioLanguage"]) ?? readLanguage(snippet["defaultLanguage"]),
      durationS: parseIsoDuration(readObjectAt(resource, "contentDetails")["duration"]),
      counters: {
        views: readCount(statistics["viewCount"]),
        likes: readCount(statistics["likeCount"]),
        comments: readCount(statistics["commentCount"]),
      },
      native: {
        categoryId: readPlainId(snippet["categoryId"]),
        keywords: readFilledTexts(snippet["tags"]),
        thumbnails: listThumbnails(snippet),
        ...readLiveStatus(snippet, readObject(resource["liveStreamingDetails"])),
      },
    },
    collect,
  );
}

export function readSearchResult(resource: Fields, collect: Collector): void {
  const target = readObjectAt(resource, "id");
  const snippet = readObjectAt(resource, "snippet");
  const videoId = readVideoId(target["videoId"]);
  if (videoId !== undefined) {
    collectVideo(
      {
        ...readSnippet(videoId, snippet),
        // Search shortens descriptions and joins their lines, and marks only some of them with an ellipsis.
        description: htmlToText(snippet["description"]),
        isExcerpt: true,
        hasFewThumbnails: true,
        publishedAt: readTimestamp(snippet["publishedAt"]),
      },
      collect,
    );
    return;
  }
  const channelId = readPlainId(target["channelId"]);
  if (target["kind"] === "youtube#playlist") collect.skip("a Data API resource of another kind (playlist)");
  else if (channelId === undefined) collect.refuse("post_without_id");
  else {
    collectChannel(
      {
        id: channelId,
        title: htmlToText(snippet["title"]),
        createdAt: readTimestamp(snippet["publishedAt"]),
        thumbnails: listThumbnails(snippet),
      },
      collect,
    );
  }
}

/** The snippet's channel and time are the playlist's; the video's have other names. */
export function readPlaylistItem(resource: Fields, collect: Collector, figures: Partial<CapturedVideo> = {}): void {
  const snippet = readObjectAt(resource, "snippet");
  const details = readObjectAt(resource, "contentDetails");
  const id = readVideoId(readObjectAt(snippet, "resourceId")["videoId"]) ?? readVideoId(details["videoId"]);
  if (id === undefined) return collect.refuse("post_without_id");
  if (/^(?:Deleted|Private) video$/.test(String(snippet["title"]))) {
    return collect.skip("a video that is deleted or private");
  }
  const owner = readPlainId(snippet["videoOwnerChannelId"]);
  collectVideo(
    {
      ...readSnippet(id, snippet),
      channel: { id: owner, title: readFilledText(snippet["videoOwnerChannelTitle"]) },
      description: readText(snippet["description"]),
      publishedAt: readTimestamp(details["videoPublishedAt"]),
      ...figures,
    },
    collect,
  );
}

export function readActivity(resource: Fields, collect: Collector): void {
  const snippet = readObjectAt(resource, "snippet");
  const id = readVideoId(readObjectAt(resource, "contentDetails", "upload")["videoId"]);
  if (snippet["type"] !== "upload" || id === undefined) return collect.skip("an activity without an uploaded video");
  collectVideo(
    {
      ...readSnippet(id, snippet),
      description: readText(snippet["description"]),
      publishedAt: readTimestamp(snippet["publishedAt"]),
    },
    collect,
  );
}

/** What the shorter snippets share. Their texts are HTML. */
function readSnippet(id: string, snippet: Fields): CapturedVideo {
  return {
    id,
    title: htmlToText(snippet["title"]),
    channel: { id: readPlainId(snippet["channelId"]), title: htmlToText(snippet["channelTitle"]) },
    native: { thumbnails: listThumbnails(snippet), ...readLiveStatus(snippet) },
  };
}

export function readChannelResource(resource: Fields): CapturedChannel {
  const snippet = readObjectAt(resource, "snippet");
  const statistics = readObjectAt(resource, "statistics");
  return {
    id: readPlainId(resource["id"]),
    handle: readHandle(snippet["customUrl"]),
    title: readFilledText(snippet["title"]),
    bio: readText(snippet["description"]),
    country: readCountry(snippet["country"]),
    language: readLanguage(snippet["defaultLanguage"]),
    createdAt: readTimestamp(snippet["publishedAt"]),
    followers:
      readFlag(statistics["hiddenSubscriberCount"]) === true ? undefined : readCount(statistics["subscriberCount"]),
    videos: readCount(statistics["videoCount"]),
    thumbnails: listThumbnails(snippet),
  };
}

/** Smallest first. */
const SIZES = ["default", "medium", "high", "standard", "maxres"];

export function listThumbnails(snippet: Fields): NativeThumbnail[] | undefined {
  const bySize = readObjectAt(snippet, "thumbnails");
  return readThumbnails(SIZES.map((size) => bySize[size]));
}

/** Whether it was streamed is known only where the response includes that part. */
export function readLiveStatus(snippet: Fields, stream?: Fields): Pick<NativeVideo, "isLive" | "wasLive"> {
  const now = snippet["liveBroadcastContent"];
  return {
    ...(now === "live" ? { isLive: true } : now === "none" || now === "upcoming" ? { isLive: false } : {}),
    ...(stream?.["actualEndTime"] === undefined ? {} : { wasLive: true }),
  };
}
