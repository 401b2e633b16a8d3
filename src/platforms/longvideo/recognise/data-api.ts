/** Resources of YouTube Data API v3. `kind` names them, wherever they stand; lists are only their envelope. */
import type { Collector } from "#api/importer.ts";
import { type Fields, readItems, readObject, readObjectAt } from "#import/capture/field-readers.ts";
import { collectChannel } from "../importers/collect-video.ts";
import { readCommentResource, readThread } from "./data-api-comments.ts";
import { channelOf, readActivity, readPlaylistItem, readSearchResult, readVideoResource } from "./data-api-videos.ts";

type Read = (resource: Fields, collect: Collector) => void;

const READERS: Record<string, Read> = {
  video: readVideoResource,
  searchResult: readSearchResult,
  playlistItem: readPlaylistItem,
  activity: readActivity,
  channel(resource, collect) {
    const channel = channelOf(resource);
    if (channel.id === undefined) collect.refuse("account_without_id");
    else collectChannel(channel, collect);
  },
  commentThread: readThread,
  comment: (resource, collect) => readCommentResource(resource, {}, collect),
};

export function recogniseResource(object: Fields, collect: Collector, walk: (part: unknown) => void): boolean {
  const kind = object["kind"];
  if (typeof kind !== "string" || !kind.startsWith("youtube#")) return false;
  const name = kind.slice("youtube#".length);
  if (Object.hasOwn(READERS, name)) {
    // `{kind, videoId}` is how one resource points at another.
    if (!isReference(object)) READERS[name]?.(object, collect);
  } else if (name.endsWith("ListResponse") && !/category/i.test(name)) {
    if (readItems(object["items"]).length === 0) collect.skip("the platform's answer says that there is nothing");
    else walk(object["items"]);
  } else {
    // Categories among them: their names are the same everywhere and known without a file.
    const known = /^[A-Za-z0-9]{1,40}$/.test(name) ? ` (${name})` : "";
    collect.skip(`a resource of the Data API that is not kept${known}`);
  }
  return true;
}

function isReference(object: Fields): boolean {
  return object["id"] === undefined && ["videoId", "channelId", "playlistId"].some((key) => key in object);
}

/** Google's error document: a code, and errors that each have a domain and a reason. */
export function recogniseErrorDocument(object: Fields, collect: Collector): boolean {
  const error = readObject(object["error"]);
  const first = readObjectAt(readItems(error?.["errors"])[0]);
  if (error === undefined || typeof error["code"] !== "number") return false;
  if (typeof first["domain"] !== "string" || typeof first["reason"] !== "string") return false;
  collect.skip("the platform's answer says that it was refused");
  return true;
}
