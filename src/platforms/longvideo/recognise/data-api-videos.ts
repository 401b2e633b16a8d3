/** Videos and channels of the Data API: full resources, search results, playlist items and activities. */
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
} from "#import/capture/field-readers.ts";
import { readHandle, readPlainId, readVideoId } from "../importers/id-forms.ts";
import { readThumbnail } from "../importers/thumbnails.ts";
import { collectChannel, collectVideo, type SeenChannel, type SeenVideo } from "../importers/collect-video.ts";
import { plainTextOf } from "#import/capture/html-text.ts";
import { isoLengthOf } from "../importers/timestamps.ts";
import type { NativeThumbnail, NativeVideo } from "../native.ts";

export function readVideoResource(resource: Fields, collect: Collector): void {
  const id = readVideoId(resource["id"]);
  if (id === undefined) {
    collect.refuse("post_without_id");
    return;
  }
  const snippet = readObjectAt(resource, "snippet");
  const statistics = readObjectAt(resource, "statistics");
  collectVideo(
    {
      id,
      title: readFilledText(snippet["title"]),
      description: readFilledText(snippet["description"]),
      channel: { id: readPlainId(snippet["channelId"]), title: readFilledText(snippet["channelTitle"]) },
      publishedAt: readTimestamp(snippet["publishedAt"]),
      language: readLanguage(snippet["defaultAudioLanguage"]) ?? readLanguage(snippet["defaultLanguage"]),
      durationS: isoLengthOf(readObjectAt(resource, "contentDetails")["duration"]),
      counters: {
        views: readCount(statistics["viewCount"]),
        likes: readCount(statistics["likeCount"]),
        comments: readCount(statistics["commentCount"]),
      },
      native: {
        categoryId: readPlainId(snippet["categoryId"]),
        keywords: readFilledTexts(snippet["tags"]),
        thumbnails: thumbnailsOf(snippet),
        ...liveness(snippet, readObject(resource["liveStreamingDetails"])),
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
    const description = plainTextOf(snippet["description"]);
    collectVideo(
      {
        ...snippetOf(videoId, snippet),
        // Search cuts descriptions and says so with dots.
        description: description?.endsWith("...") === true ? undefined : description,
        publishedAt: readTimestamp(snippet["publishedAt"]),
      },
      collect,
    );
    return;
  }
  const channelId = readPlainId(target["channelId"]);
  if (target["kind"] === "youtube#playlist") collect.skip("a resource of the Data API that is not kept (playlist)");
  else if (channelId === undefined) collect.refuse("post_without_id");
  else {
    collectChannel(
      {
        id: channelId,
        title: plainTextOf(snippet["title"]),
        createdAt: readTimestamp(snippet["publishedAt"]),
        thumbnails: thumbnailsOf(snippet),
      },
      collect,
    );
  }
}

/** The snippet's own channel and time are those of the playlist; the video's have names of their own. */
export function readPlaylistItem(resource: Fields, collect: Collector): void {
  const snippet = readObjectAt(resource, "snippet");
  const details = readObjectAt(resource, "contentDetails");
  const id = readVideoId(readObjectAt(snippet, "resourceId")["videoId"]) ?? readVideoId(details["videoId"]);
  if (id === undefined) {
    collect.refuse("post_without_id");
    return;
  }
  if (/^(?:Deleted|Private) video$/.test(String(snippet["title"]))) {
    collect.skip("the platform's answer says that the video is deleted or private");
    return;
  }
  const owner = readPlainId(snippet["videoOwnerChannelId"]);
  collectVideo(
    {
      ...snippetOf(id, snippet),
      channel: { id: owner, title: readFilledText(snippet["videoOwnerChannelTitle"]) },
      description: readFilledText(snippet["description"]),
      publishedAt: readTimestamp(details["videoPublishedAt"]),
    },
    collect,
  );
}

export function readActivity(resource: Fields, collect: Collector): void {
  const snippet = readObjectAt(resource, "snippet");
  const id = readVideoId(readObjectAt(resource, "contentDetails", "upload")["videoId"]);
  if (snippet["type"] !== "upload" || id === undefined) {
    collect.skip("an activity that names no uploaded video");
    return;
  }
  collectVideo(
    {
      ...snippetOf(id, snippet),
      description: readFilledText(snippet["description"]),
      publishedAt: readTimestamp(snippet["publishedAt"]),
    },
    collect,
  );
}

/** What the shorter snippets have in common. Their texts are HTML. */
function snippetOf(id: string, snippet: Fields): SeenVideo {
  return {
    id,
    title: plainTextOf(snippet["title"]),
    channel: { id: readPlainId(snippet["channelId"]), title: plainTextOf(snippet["channelTitle"]) },
    native: { thumbnails: thumbnailsOf(snippet), ...liveness(snippet, undefined) },
  };
}

export function channelOf(resource: Fields): SeenChannel {
  const snippet = readObjectAt(resource, "snippet");
  const statistics = readObjectAt(resource, "statistics");
  return {
    id: readPlainId(resource["id"]),
    handle: readHandle(snippet["customUrl"]),
    title: readFilledText(snippet["title"]),
    bio: readFilledText(snippet["description"]),
    country: readCountry(snippet["country"]),
    language: readLanguage(snippet["defaultLanguage"]),
    createdAt: readTimestamp(snippet["publishedAt"]),
    followers:
      readFlag(statistics["hiddenSubscriberCount"]) === true ? undefined : readCount(statistics["subscriberCount"]),
    videos: readCount(statistics["videoCount"]),
    thumbnails: thumbnailsOf(snippet),
  };
}

/** Pictures by the name of their size, the smallest first. */
const SIZES = ["default", "medium", "high", "standard", "maxres"];

function thumbnailsOf(snippet: Fields): NativeThumbnail[] | undefined {
  const bySize = readObjectAt(snippet, "thumbnails");
  const thumbnails = SIZES.flatMap((size) => readThumbnail(bySize[size]) ?? []);
  return thumbnails.length === 0 ? undefined : thumbnails;
}

/** Whether it was streamed can be told only where the answer has that part. */
function liveness(snippet: Fields, stream: Fields | undefined): Pick<NativeVideo, "isLive" | "wasLive"> {
  const now = snippet["liveBroadcastContent"];
  return {
    ...(now === "live" ? { isLive: true } : now === "none" || now === "upcoming" ? { isLive: false } : {}),
    ...(stream?.["actualEndTime"] === undefined ? {} : { wasLive: true }),
  };
}
