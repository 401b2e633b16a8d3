/** Recognises YouTube Data API v3 resources by their `kind` or their parts; list responses are only envelopes. */
import type { Collector } from "#api/importer.ts";
import { type Fields, isFields, readItems, readObject, readObjectAt } from "#import/capture/field-readers.ts";
import { collectChannel } from "../importers/collect-video.ts";
import { isChannelId, readIssuedId, readPlainId } from "../importers/id-forms.ts";
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
  playlistItem: (resource, collect) => readPlaylistItem(resource, collect),
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

/** Such as `video`. Responses to requests with `fields=` may lack it: then the parts tell. */
export function findResourceKind(object: Fields): string | undefined {
  const { kind, id } = object;
  if (typeof kind === "string") return kind.startsWith("youtube#") ? kind.slice("youtube#".length) : undefined;
  const snippet = readObjectAt(object, "snippet");
  if (isFields(snippet["topLevelComment"])) return "commentThread";
  if (readIssuedId(readObjectAt(snippet, "resourceId")["videoId"]) !== undefined) return "playlistItem";
  if (readPlainId(id) !== undefined && "authorDisplayName" in snippet) return "comment";
  const [statistics, details] = [readObjectAt(object, "statistics"), readObjectAt(object, "contentDetails")];
  if (isChannelId(id) && ("title" in snippet || "subscriberCount" in statistics)) return "channel";
  if (!("title" in snippet || "viewCount" in statistics || "duration" in details)) return undefined;
  if (readIssuedId(id) !== undefined) return "video";
  return readIssuedId(readObjectAt(object, "id")["videoId"]) === undefined ? undefined : "searchResult";
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
