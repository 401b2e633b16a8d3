/** Videos and channels of the Data API: full resources, search results, playlist items and activities. */
import type { Collector } from "#contract/importer.ts";
import { collectChannel, collectVideo, type SeenChannel, type SeenVideo } from "../importers/collect-video.ts";
import {
  countOf,
  countryOf,
  type Fields,
  fieldsOf,
  flagOf,
  handleOf,
  idOf,
  languageOf,
  textOf,
  textsOf,
  thumbnailOf,
  videoIdOf,
  within,
} from "../importers/field-readers.ts";
import { plainTextOf } from "../importers/html-text.ts";
import { isoLengthOf, momentOf } from "../importers/moments.ts";
import type { NativeThumbnail, NativeVideo } from "../native.ts";

export function readVideoResource(resource: Fields, collect: Collector): void {
  const id = videoIdOf(resource["id"]);
  if (id === undefined) {
    collect.refuse("video has no id");
    return;
  }
  const snippet = within(resource, "snippet");
  const statistics = within(resource, "statistics");
  collectVideo(
    {
      id,
      title: textOf(snippet["title"]),
      description: textOf(snippet["description"]),
      channel: { id: idOf(snippet["channelId"]), title: textOf(snippet["channelTitle"]) },
      publishedAt: momentOf(snippet["publishedAt"]),
      language: languageOf(snippet["defaultAudioLanguage"]) ?? languageOf(snippet["defaultLanguage"]),
      durationS: isoLengthOf(within(resource, "contentDetails")["duration"]),
      counters: {
        views: countOf(statistics["viewCount"]),
        likes: countOf(statistics["likeCount"]),
        comments: countOf(statistics["commentCount"]),
      },
      native: {
        categoryId: idOf(snippet["categoryId"]),
        keywords: textsOf(snippet["tags"]),
        thumbnails: thumbnailsOf(snippet),
        ...liveness(snippet, fieldsOf(resource["liveStreamingDetails"])),
      },
    },
    collect,
  );
}

export function readSearchResult(resource: Fields, collect: Collector): void {
  const target = within(resource, "id");
  const snippet = within(resource, "snippet");
  const videoId = videoIdOf(target["videoId"]);
  if (videoId !== undefined) {
    const description = plainTextOf(snippet["description"]);
    collectVideo(
      {
        ...snippetOf(videoId, snippet),
        // Search cuts descriptions and says so with dots.
        description: description?.endsWith("...") === true ? undefined : description,
        publishedAt: momentOf(snippet["publishedAt"]),
      },
      collect,
    );
    return;
  }
  const channelId = idOf(target["channelId"]);
  if (target["kind"] === "youtube#playlist") collect.skip("a resource of the Data API that is not kept (playlist)");
  else if (channelId === undefined) collect.refuse("search result has no id");
  else {
    collectChannel(
      {
        id: channelId,
        title: plainTextOf(snippet["title"]),
        createdAt: momentOf(snippet["publishedAt"]),
        thumbnails: thumbnailsOf(snippet),
      },
      collect,
    );
  }
}

/** The snippet's own channel and time are those of the playlist; the video's have names of their own. */
export function readPlaylistItem(resource: Fields, collect: Collector): void {
  const snippet = within(resource, "snippet");
  const details = within(resource, "contentDetails");
  const id = videoIdOf(within(snippet, "resourceId")["videoId"]) ?? videoIdOf(details["videoId"]);
  if (id === undefined) {
    collect.refuse("playlist item has no video id");
    return;
  }
  if (/^(?:Deleted|Private) video$/.test(String(snippet["title"]))) {
    collect.skip("the platform's answer says that the video is deleted or private");
    return;
  }
  const owner = idOf(snippet["videoOwnerChannelId"]);
  collectVideo(
    {
      ...snippetOf(id, snippet),
      channel: { id: owner, title: textOf(snippet["videoOwnerChannelTitle"]) },
      description: textOf(snippet["description"]),
      publishedAt: momentOf(details["videoPublishedAt"]),
    },
    collect,
  );
}

export function readActivity(resource: Fields, collect: Collector): void {
  const snippet = within(resource, "snippet");
  const id = videoIdOf(within(resource, "contentDetails", "upload")["videoId"]);
  if (snippet["type"] !== "upload" || id === undefined) {
    collect.skip("an activity that names no uploaded video");
    return;
  }
  collectVideo(
    {
      ...snippetOf(id, snippet),
      description: textOf(snippet["description"]),
      publishedAt: momentOf(snippet["publishedAt"]),
    },
    collect,
  );
}

/** What the shorter snippets have in common. Their texts are HTML. */
function snippetOf(id: string, snippet: Fields): SeenVideo {
  return {
    id,
    title: plainTextOf(snippet["title"]),
    channel: { id: idOf(snippet["channelId"]), title: plainTextOf(snippet["channelTitle"]) },
    native: { thumbnails: thumbnailsOf(snippet), ...liveness(snippet, undefined) },
  };
}

export function channelOf(resource: Fields): SeenChannel {
  const snippet = within(resource, "snippet");
  const statistics = within(resource, "statistics");
  return {
    id: idOf(resource["id"]),
    handle: handleOf(snippet["customUrl"]),
    title: textOf(snippet["title"]),
    bio: textOf(snippet["description"]),
    country: countryOf(snippet["country"]),
    language: languageOf(snippet["defaultLanguage"]),
    createdAt: momentOf(snippet["publishedAt"]),
    followers:
      flagOf(statistics["hiddenSubscriberCount"]) === true ? undefined : countOf(statistics["subscriberCount"]),
    videos: countOf(statistics["videoCount"]),
    thumbnails: thumbnailsOf(snippet),
  };
}

/** Pictures by the name of their size, the smallest first. */
const SIZES = ["default", "medium", "high", "standard", "maxres"];

function thumbnailsOf(snippet: Fields): NativeThumbnail[] | undefined {
  const bySize = within(snippet, "thumbnails");
  const thumbnails = SIZES.flatMap((size) => thumbnailOf(bySize[size]) ?? []);
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
