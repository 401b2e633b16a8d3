/** Recognises YouTube Data API v3 resources by their `kind`; list responses are only envelopes. */
import type { Collector } from "#api/importer.ts";
import { type Fields, readItems, readObject, readObjectAt } from "#import/capture/field-readers.ts";
import { collectChannel } from "../importers/collect-video.ts";
import { readCommentResource, readThread } from "./data-api-comments.ts";
import {
  readActivity,
  readChannelResource,
  readPlaylistItem,
  readSearchResult,
  readVideoResource,
} from "./data-api-videos.ts";

/** `ofVideo`: the video of comments that do not name it. */
type Read = (resource: Fields, collect: Collector, ofVideo: string | undefined) => void;

const READERS: Record<string, Read> = {
  video: readVideoResource,
  searchResult: readSearchResult,
  playlistItem: readPlaylistItem,
  activity: readActivity,
  channel(resource, collect) {
    const channel = readChannelResource(resource);
    if (channel.id === undefined) collect.refuse("account_without_id");
    else collectChannel(channel, collect);
  },
  commentThread: readThread,
  // A list of replies names their comment, not the video.
  comment: (resource, collect, ofVideo) => readCommentResource(resource, { videoId: ofVideo }, collect),
};

/** Such as `video`. */
export function findResourceKind({ kind }: Fields): string | undefined {
  return typeof kind === "string" && kind.startsWith("youtube#") ? kind.slice("youtube#".length) : undefined;
}

export function recogniseResource(
  object: Fields,
  collect: Collector,
  walk: (part: unknown) => void,
  ofVideo: string | undefined,
): boolean {
  const name = findResourceKind(object);
  if (name === undefined) return false;
  if (Object.hasOwn(READERS, name)) {
    // `{kind, videoId}` is a reference to another resource.
    if (!isReference(object)) READERS[name]?.(object, collect, ofVideo);
  } else if (name.endsWith("ListResponse") && !/category/i.test(name)) {
    if (readItems(object["items"]).length === 0) collect.skip("an empty response");
    else walk(object["items"]);
  } else {
    // Includes categories: their names are built in, see category-names.ts.
    const safeName = /^[A-Za-z0-9]{1,40}$/.test(name) ? ` (${name})` : "";
    collect.skip(`a Data API resource of another kind${safeName}`);
  }
  return true;
}

function isReference(object: Fields): boolean {
  return object["id"] === undefined && ["videoId", "channelId", "playlistId"].some((key) => key in object);
}

/** Google's error format: a code, and errors that each have a domain and a reason. */
export function recogniseErrorDocument(object: Fields, collect: Collector): boolean {
  const error = readObject(object["error"]);
  const first = readObjectAt(readItems(error?.["errors"])[0]);
  if (error === undefined || typeof error["code"] !== "number") return false;
  if (typeof first["domain"] !== "string" || typeof first["reason"] !== "string") return false;
  collect.skip("an error response");
  return true;
}
