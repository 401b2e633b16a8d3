/** YouTube Data API v3. Its documents are those that recognise/data-api.ts reads. */
import type { CreatePlan, CreateRefresh, Failure, Plan, Source, SourceRequest } from "#api/source.ts";
import { DAY_MS } from "#domain/time.ts";
import {
  type Fields,
  isFields,
  readFilledText,
  readItems,
  readObjectAt,
  readText,
} from "#import/capture/field-readers.ts";
import { isChannelId, readPlainId, readVideoId } from "../importers/id-forms.ts";
import { SECTION_CATEGORY_IDS, SECTIONS } from "../sections.ts";
import { parseSiteUrl } from "../site-url.ts";
import { readVideoParameter } from "./video-parameter.ts";

const HOST = "www.googleapis.com";
const ROOT = "/youtube/v3";
/** The API's maximum. */
const MAX_IDS = 50;
const MAX_COMMENTS = 100;

const UNIT = [{ budget: "units", units: 1 }];
const SEARCH = [{ budget: "searches", units: 1 }];

function listRequest(
  resource: string,
  query: Record<string, string>,
  more: Partial<SourceRequest> & Pick<SourceRequest, "check">,
): SourceRequest {
  return { host: HOST, path: `${ROOT}/${resource}`, query, charges: UNIT, ...more };
}

/** The items of a list response of this kind; null for anything else. */
function readListItems(answer: unknown, kind: string): Fields[] | null {
  // Results of a search are in a `searchListResponse`.
  if (!isFields(answer) || answer["kind"] !== `youtube#${kind.replace("Result", "")}ListResponse`) return null;
  const items = answer["items"] ?? [];
  const isItem = (item: unknown): item is Fields => isFields(item) && item["kind"] === `youtube#${kind}`;
  return Array.isArray(items) && items.every(isItem) ? items : null;
}

function checkItems(kind: string, isRequested: (item: Fields) => boolean = () => true) {
  return (answer: unknown): string | null => {
    const items = readListItems(answer, kind);
    if (items === null) return `no list of ${kind} resources`;
    return items.every(isRequested) ? null : `a ${kind} resource that was not requested`;
  };
}

const VIDEO_PARTS = "snippet,contentDetails,statistics,liveStreamingDetails";

/** One video; look-ups that wait together become one request for up to 50. */
function videoRequest(id: string): SourceRequest {
  return { ...videosRequest([id]), batch: { key: "videos", value: id, max: MAX_IDS, join: videosRequest } };
}

function videosRequest(ids: readonly string[]): SourceRequest {
  return listRequest(
    "videos",
    { part: VIDEO_PARTS, id: ids.join(",") },
    { check: checkItems("video", (item) => ids.includes(String(item["id"]))) },
  );
}

function hasItem(answer: unknown, kind: string, id: string): boolean {
  return readListItems(answer, kind)?.some((item) => item["id"] === id) === true;
}

function hasVideo(answer: unknown, id: string): boolean {
  return hasItem(answer, "video", id);
}

const planVideo: CreatePlan = ({ video_id }) => {
  const id = readVideoParameter(video_id);
  if (id === undefined) return null;
  return {
    key: `video ${id}`,
    *steps() {
      return hasVideo(yield videoRequest(id), id);
    },
  };
};

/** The video too: a comment alone would leave a video without a title. */
function planThread(id: string, order: "time" | "relevance"): Plan {
  return {
    key: `comments ${order} ${id}`,
    *steps() {
      if (!hasVideo(yield videoRequest(id), id)) return false;
      const isOfVideo = (item: Fields) => readObjectAt(item, "snippet")["videoId"] === id;
      yield listRequest(
        "commentThreads",
        {
          part: "snippet,replies",
          videoId: id,
          order,
          maxResults: String(MAX_COMMENTS),
          textFormat: "plainText",
        },
        { check: checkItems("commentThread", isOfVideo) },
      );
      return true;
    },
  };
}

const planComments: CreatePlan = ({ video_id, sort }) => {
  const id = readVideoParameter(video_id);
  return id === undefined ? null : planThread(id, sort === "top" ? "relevance" : "time");
};

const WINDOW_DAYS: Readonly<Record<string, number>> = {
  last_hour: 1 / 24,
  today: 1,
  this_week: 7,
  this_month: 30,
  this_year: 365,
};

const planSearch: CreatePlan = (input, { now, defaults }) => {
  const q = (input["query"] ?? "").trim();
  const days = WINDOW_DAYS[input["order_by"] ?? ""];
  const regionCode = readFilledText(input["country"]) ?? defaults.country;
  const relevanceLanguage = readFilledText(input["lang"]) ?? defaults.language;
  if (q === "") return null;
  return {
    key: `search ${JSON.stringify([q, regionCode, relevanceLanguage, days ?? null])}`,
    *steps() {
      const found = yield listRequest(
        "search",
        {
          part: "snippet",
          type: "video",
          q,
          regionCode,
          relevanceLanguage,
          maxResults: String(MAX_IDS),
          ...(days !== undefined && { publishedAfter: new Date(now - days * DAY_MS).toISOString() }),
        },
        // Results have shortened texts and no counters: the videos themselves are requested next.
        { charges: SEARCH, isNotImported: true, check: checkSearch },
      );
      const ids = readItems(readObjectAt(found)["items"]).flatMap(
        (item) => readVideoId(readObjectAt(item, "id")["videoId"]) ?? [],
      );
      if (ids.length === 0) return false;
      yield videosRequest([...new Set(ids)]);
      return true;
    },
  };
};

const checkSearch = checkItems("searchResult");

const planTrending: CreatePlan = (input, { defaults }) => {
  // A chart of another day cannot be requested.
  if (input["date"] !== undefined) return null;
  const regionCode = readFilledText(input["country"]) ?? defaults.country;
  const section = SECTIONS.find((name) => name === input["section"]);
  const category = section && SECTION_CATEGORY_IDS[section];
  return {
    key: `chart ${regionCode} ${category ?? ""}`,
    *steps() {
      const chart = yield listRequest(
        "videos",
        {
          part: VIDEO_PARTS,
          chart: "mostPopular",
          regionCode,
          maxResults: String(MAX_IDS),
          ...(category != null && { videoCategoryId: category }),
        },
        { check: checkItems("video") },
      );
      return (readListItems(chart, "video")?.length ?? 0) > 0;
    },
  };
};

function channelsRequest(ids: readonly string[]): SourceRequest {
  return listRequest(
    "channels",
    // Five unless the request says otherwise.
    { part: "snippet,statistics", id: ids.join(","), maxResults: String(MAX_IDS) },
    { check: checkItems("channel", (item) => ids.includes(String(item["id"]))) },
  );
}

/** The channel without its uploads. */
const refreshChannel: CreateRefresh = (id) => {
  if (!isChannelId(id)) return null;
  const batch = { key: "channels", value: id, max: MAX_IDS, join: channelsRequest };
  return {
    key: `profile ${id}`,
    *steps() {
      return hasItem(yield { ...channelsRequest([id]), batch }, "channel", id);
    },
  };
};

/** The channel, its newest uploads, and their counters. */
const planPosts: CreatePlan = ({ platform, account }) => {
  if (platform?.toLowerCase() !== "longvideo") return null;
  const text = (account ?? "").trim();
  const target = parseSiteUrl(text);
  const name = target?.kind === "account" && "name" in target ? target.name : text.replace(/^@/, "");
  const id = target?.kind === "account" && "id" in target ? target.id : isChannelId(text) ? text : null;
  if (id === null && !/^[\p{L}\p{N}._·-]{3,100}$/u.test(name)) return null;
  return {
    key: `channel ${id ?? `@${name}`}`,
    *steps() {
      const channels = yield listRequest(
        "channels",
        { part: "snippet,statistics,contentDetails", ...(id === null ? { forHandle: `@${name}` } : { id }) },
        { check: checkItems("channel", (item) => id === null || item["id"] === id) },
      );
      const [channel] = readListItems(channels, "channel") ?? [];
      const uploads = readFilledText(readObjectAt(channel, "contentDetails", "relatedPlaylists")["uploads"]);
      if (channel === undefined || uploads === undefined) return channel !== undefined;
      const playlist = yield listRequest(
        "playlistItems",
        { part: "snippet,contentDetails", playlistId: uploads, maxResults: String(MAX_IDS) },
        { isNotImported: true, check: checkItems("playlistItem") },
      );
      const ids = (readListItems(playlist, "playlistItem") ?? []).flatMap(
        (item) => readVideoId(readObjectAt(item, "contentDetails")["videoId"]) ?? [],
      );
      if (ids.length > 0) yield videosRequest([...new Set(ids)]);
      return true;
    },
  };
};

/** A thread contains up to five of its replies. */
function planReplies(id: string, parentId: string): Plan {
  return {
    key: `replies ${id} ${parentId}`,
    *steps() {
      if (!hasVideo(yield videoRequest(id), id)) return false;
      const isReply = (item: Fields) => readObjectAt(item, "snippet")["parentId"] === parentId;
      const replies = yield listRequest(
        "comments",
        { part: "snippet", parentId, maxResults: String(MAX_COMMENTS), textFormat: "plainText" },
        { check: checkItems("comment", isReply), subject: `https://www.youtube.com/watch?v=${id}` },
      );
      return (readListItems(replies, "comment")?.length ?? 0) > 0;
    },
  };
}

const planPost: CreatePlan = ({ platform, id: text, replies_to }) => {
  const id = platform?.toLowerCase() === "longvideo" ? readVideoParameter(text) : undefined;
  const parentId = readPlainId(replies_to);
  if (id === undefined || (replies_to !== undefined && parentId === undefined)) return null;
  return parentId === undefined ? planThread(id, "time") : planReplies(id, parentId);
};

/** https://developers.google.com/youtube/v3/docs/errors */
function readFailure(status: number, body: unknown): Failure | null {
  const error = readObjectAt(body, "error");
  const reason = readFilledText(readObjectAt(readItems(error["errors"])[0])["reason"]) ?? "";
  // The reason is Google's word; anything else may contain what was sent.
  const detail = /^\w{1,60}$/.test(reason) ? reason : `status ${status}`;
  if (/^(?:quotaExceeded|dailyLimitExceeded)/.test(reason)) return { kind: "quota", budget: null };
  if (/^(?:rateLimitExceeded|userRateLimitExceeded)$/.test(reason)) return { kind: "busy" };
  if (/^(?:keyInvalid|keyExpired|accessNotConfigured|ipRefererBlocked|API_KEY_)/.test(reason))
    return { kind: "credentials", detail };
  if (status === 400 && hasApiKeyError(error)) return { kind: "credentials", detail: "the key is invalid or expired" };
  if (reason === "commentsDisabled") return { kind: "missing" };
  if (status === 403 || status === 400) return { kind: "refused", detail };
  return null;
}

/** An invalid or expired key is a `badRequest` whose details name it. */
function hasApiKeyError(error: Fields): boolean {
  return readItems(error["details"]).some(
    (detail) => readText(readObjectAt(detail)["reason"])?.startsWith("API_KEY_") === true,
  );
}

export const youtubeDataApi: Source = {
  name: "youtube-data-api",
  title: "YouTube Data API v3",
  platform: "longvideo",
  terms: "https://developers.google.com/youtube/terms/developer-policies",
  credentials: ["YOUTUBE_API_KEY"],
  hosts: [HOST],
  budgets: [
    { name: "units", title: "units a day", limit: 10_000, timezone: "America/Los_Angeles" },
    { name: "searches", title: "searches a day", limit: 100, timezone: "America/Los_Angeles" },
  ],
  retentionDays: 30,
  refreshAfterDays: 25,
  refreshes: {
    post: (id, context) => planVideo({ video_id: id }, context),
    account: refreshChannel,
  },
  fills: {
    "longvideo/video/details": planVideo,
    "longvideo/video/comments": planComments,
    "longvideo/search": planSearch,
    "longvideo/trending": planTrending,
    posts: planPosts,
    post: planPost,
  },
  authorize: ({ YOUTUBE_API_KEY: key = "" }) => ({ headers: { "x-goog-api-key": key } }),
  readFailure,
};
