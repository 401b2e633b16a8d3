/** Answers of the YouTube Data API in their documented shapes, about invented videos: any id that begins with `tarn`. */
import type { Respond, UpstreamCall, UpstreamReply } from "./upstream.ts";

export const YOUTUBE_HOST = "www.googleapis.com";
export const CHANNEL_ID = "UCtarnSideWeavers0000001";
const UPLOADS = "UUtarnSideWeavers0000001";
/** What a search finds has the query in its id, and so in its title. */
const FOUND = "tarnQ";

export function videoResource(id: string, views = 1_200): Record<string, unknown> {
  return {
    kind: "youtube#video",
    etag: "e",
    id,
    snippet: {
      publishedAt: "2026-10-01T08:30:00Z",
      channelId: CHANNEL_ID,
      title: `Weaving by the tarn ${id.startsWith(FOUND) ? Buffer.from(id.slice(FOUND.length), "hex").toString() : id}`,
      description: "A loom, a lake and rain.",
      thumbnails: { default: { url: `https://media.example/vi/${id}/default.jpg`, width: 120, height: 90 } },
      channelTitle: "Tarn Side Weavers",
      tags: ["weaving"],
      categoryId: "26",
      liveBroadcastContent: "none",
    },
    contentDetails: { duration: "PT4M5S" },
    statistics: { viewCount: String(views), likeCount: "40", commentCount: "2" },
  };
}

function channelResource(id: string): unknown {
  return {
    kind: "youtube#channel",
    etag: "k",
    id,
    snippet: {
      title: "Tarn Side Weavers",
      ...(id === CHANNEL_ID && { customUrl: "@tarnsideweavers" }),
      publishedAt: "2020-01-01T00:00:00Z",
    },
    statistics: { subscriberCount: "900", videoCount: "2", hiddenSubscriberCount: false },
    contentDetails: { relatedPlaylists: { uploads: UPLOADS } },
  };
}

function list(kind: string, items: unknown[]): UpstreamReply {
  return {
    body: {
      kind: `youtube#${kind}ListResponse`,
      etag: "l",
      items,
      pageInfo: { totalResults: items.length, resultsPerPage: 50 },
    },
  };
}

const REPLIES = 7;

/** In lists of replies the API leaves the video out. */
function reply(parentId: string, number: number, videoId?: string): unknown {
  const snippet = {
    ...(videoId !== undefined && { videoId }),
    parentId,
    textOriginal: `Reply ${number}`,
    authorDisplayName: "@moss-gatherer",
    authorChannelId: { value: "UCmossGatherer0000000001" },
    likeCount: 0,
    publishedAt: `2026-10-03T10:00:0${number}Z`,
  };
  return { kind: "youtube#comment", etag: "r", id: `${parentId}.${number}`, snippet };
}

/** The second has seven replies, of which the thread contains five. */
function commentThread(videoId: string, number: number): unknown {
  const snippet = {
    videoId,
    textOriginal: `Comment ${number} on ${videoId}`,
    authorDisplayName: "@fell-walker",
    authorChannelId: { value: "UCfellWalker000000000001" },
    likeCount: number,
    publishedAt: "2026-10-02T10:00:00Z",
  };
  const id = `thread-${videoId}-${number}`;
  return {
    kind: "youtube#commentThread",
    etag: "t",
    id,
    snippet: {
      videoId,
      topLevelComment: { kind: "youtube#comment", etag: "c", id, snippet },
      totalReplyCount: number === 2 ? REPLIES : 0,
    },
    ...(number === 2 && { replies: { comments: [7, 6, 5, 4, 3].map((each) => reply(id, each, videoId)) } }),
  };
}

const exists = (id: string) => id.startsWith("tarn");

/** Replays; unknown ids are left out, as the API does. */
export const respondAsYoutube: Respond = ({ path, query }: UpstreamCall) => {
  const resource = path.replace("/youtube/v3/", "");
  if (resource === "videos" && query.get("chart") === "mostPopular")
    return list(
      "video",
      ["tarnChart01", "tarnChart02", "tarnChart03"].map((id) => videoResource(id)),
    );
  if (resource === "videos") {
    const ids = (query.get("id") ?? "").split(",");
    return list(
      "video",
      ids.filter(exists).map((id) => videoResource(id)),
    );
  }
  if (resource === "commentThreads") {
    const videoId = query.get("videoId") ?? "";
    return list(
      "commentThread",
      [1, 2].map((number) => commentThread(videoId, number)),
    );
  }
  if (resource === "comments") {
    const parentId = query.get("parentId") ?? "";
    const numbers = Array.from({ length: REPLIES }, (_, index) => index + 1);
    return list(
      "comment",
      numbers.map((number) => reply(parentId, number)),
    );
  }
  if (resource === "search") {
    const id = `${FOUND}${Buffer.from(query.get("q") ?? "")
      .toString("hex")
      .slice(0, 40)}`;
    return list("search", [
      { kind: "youtube#searchResult", etag: "s", id: { kind: "youtube#video", videoId: id }, snippet: { title: "…" } },
    ]);
  }
  if (resource === "channels") {
    const ids = query.get("forHandle") === "@tarnsideweavers" ? [CHANNEL_ID] : (query.get("id") ?? "").split(",");
    return list(
      "channel",
      ids
        .filter((id) => id.startsWith("UCtarn"))
        .slice(0, Number(query.get("maxResults") ?? 5))
        .map(channelResource),
    );
  }
  if (resource === "playlistItems")
    return list(
      "playlistItem",
      ["tarnUpload1", "tarnUpload2"].map((videoId) => ({
        kind: "youtube#playlistItem",
        etag: "p",
        id: `item-${videoId}`,
        snippet: { title: "…" },
        contentDetails: { videoId, videoPublishedAt: "2026-10-01T08:30:00Z" },
      })),
    );
  return { status: 404, body: googleError(404, "notFound") };
};

/** Google's error format. */
export function googleError(code: number, reason: string, details: unknown[] = []): unknown {
  return {
    error: { code, message: "…", errors: [{ message: "…", domain: "youtube.api", reason }], status: "X", details },
  };
}
