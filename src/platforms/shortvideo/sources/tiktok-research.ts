/** TikTok's Research API, for approved researchers. Its documents are those that importers/research-api.ts reads. */
import type { CreatePlan, Failure, Source, SourceRequest } from "#api/source.ts";
import { DAY_MS, toIsoDate } from "#domain/time.ts";
import {
  type Fields,
  isFields,
  readFilledText,
  readId,
  readObjectAt,
  readObjects,
} from "#import/capture/field-readers.ts";
import { readAccountName } from "../recognise/account-name.ts";
import { parseSiteUrl } from "../site-url.ts";
import { readVideoParameter } from "./video-parameter.ts";

const HOST = "open.tiktokapis.com";
const REQUEST = [{ budget: "requests", units: 1 }];
/** The API's maxima. */
const MAX_RESULTS = 100;
const MAX_DAYS = 30;
const PERIOD_MS = 28 * DAY_MS;

const VIDEO_FIELDS =
  "id,video_description,create_time,region_code,share_count,view_count,like_count,comment_count,favorites_count,music_id,hashtag_names,username,video_duration";
const COMMENT_FIELDS = "id,video_id,text,like_count,reply_count,parent_comment_id,create_time";
const USER_FIELDS =
  "display_name,bio_description,avatar_url,is_verified,follower_count,following_count,likes_count,video_count";

/** `20261116` */
function toDate(ms: number): string {
  return toIsoDate(ms).replaceAll("-", "");
}

type Condition = [field: string, ...values: string[]];

function videoQuery(
  conditions: readonly Condition[],
  [startMs, endMs]: readonly [number, number],
  check: SourceRequest["check"],
): SourceRequest {
  return {
    host: HOST,
    path: "/v2/research/video/query/",
    query: { fields: VIDEO_FIELDS },
    body: {
      query: {
        and: conditions.map(([field_name, ...field_values]) => ({
          operation: field_values.length > 1 ? "IN" : "EQ",
          field_name,
          field_values,
        })),
      },
      start_date: toDate(startMs),
      end_date: toDate(endMs),
      max_count: MAX_RESULTS,
    },
    charges: REQUEST,
    check,
  };
}

/** A list of objects in `data`, each as requested. */
function checkList(name: string, isRequested: (record: Fields) => boolean = () => true): SourceRequest["check"] {
  return (answer) => {
    const list = readObjectAt(answer, "data")[name] ?? [];
    if (!isFields(answer) || !Array.isArray(list) || !list.every(isFields)) return `no list of ${name}`;
    return list.every(isRequested) ? null : `one of the ${name} was not requested`;
  };
}

function hasVideos(answer: unknown, isRequested: (video: Fields) => boolean = () => true): boolean {
  return readObjects(readObjectAt(answer, "data")["videos"]).some(isRequested);
}

function hasVideo(answer: unknown, id: string): boolean {
  return hasVideos(answer, (video) => readId(video["id"]) === id);
}

/**
 * A query must name days, and an id has the second of its creation in its upper half. Four weeks instead of that day, so
 * that look-ups can share a query.
 */
function periodOf(id: string, now: number): [number, number] {
  const createdMs = Number(BigInt(id) >> 32n) * 1_000;
  const startMs = createdMs - (createdMs % PERIOD_MS);
  return [startMs - DAY_MS, Math.min(startMs + PERIOD_MS, Math.max(now, createdMs))];
}

/** One video; look-ups of the same four weeks that wait together become one query for up to 100. */
function videoById(id: string, now: number): SourceRequest {
  const period = periodOf(id, now);
  const join = (ids: readonly string[]) =>
    videoQuery(
      [["video_id", ...ids]],
      period,
      checkList("videos", (video) => ids.includes(readId(video["id"]) ?? "")),
    );
  const batch = { key: `videos ${period.map(toDate).join()}`, value: id, max: MAX_RESULTS, join };
  return { ...join([id]), batch };
}

const planVideo: CreatePlan = ({ videoId }, { now }) => {
  const id = readVideoParameter(videoId);
  if (id === undefined) return null;
  return {
    key: `video ${id}`,
    *steps() {
      return hasVideo(yield videoById(id, now), id);
    },
  };
};

/** The video too: a comment alone would leave a post without a text. */
const planComments: CreatePlan = ({ videoId }, { now }) => {
  const id = readVideoParameter(videoId);
  if (id === undefined) return null;
  return {
    key: `comments ${id}`,
    *steps() {
      if (!hasVideo(yield videoById(id, now), id)) return false;
      yield {
        host: HOST,
        path: "/v2/research/video/comment/list/",
        query: { fields: COMMENT_FIELDS },
        body: { video_id: id, max_count: MAX_RESULTS },
        charges: REQUEST,
        check: checkList("comments", (comment) => readId(comment["video_id"]) === id),
      };
      return true;
    },
  };
};

const planUser: CreatePlan = ({ uniqueId }) => {
  const text = (uniqueId ?? "").trim();
  const target = parseSiteUrl(text);
  const name = readAccountName(target?.kind === "account" && "name" in target ? target.name : text.replace(/^@/, ""));
  if (name === undefined) return null;
  return {
    key: `user ${name.toLowerCase()}`,
    *steps() {
      const user = yield {
        host: HOST,
        path: "/v2/research/user/info/",
        query: { fields: USER_FIELDS },
        body: { username: name },
        charges: REQUEST,
        // The answer does not repeat the name.
        subject: name,
        check: (answer) => ("display_name" in readObjectAt(answer, "data") ? null : "no user"),
      };
      return user !== null;
    },
  };
};

const planSearch: CreatePlan = ({ keyword }, { now }) => {
  const text = readFilledText(keyword)?.trim();
  if (text === undefined) return null;
  return {
    key: `search ${text}`,
    *steps() {
      const period = [now - MAX_DAYS * DAY_MS, now] as const;
      return hasVideos(yield videoQuery([["keyword", text]], period, checkList("videos")));
    },
  };
};

const planMusic: CreatePlan = ({ musicId }, { now }) => {
  const text = (musicId ?? "").trim();
  const target = parseSiteUrl(text);
  const id = readId(target?.kind === "sound" ? target.id : text);
  if (id === undefined) return null;
  return {
    key: `music ${id}`,
    *steps() {
      const ofMusic = checkList("videos", (video) => readId(video["music_id"]) === id);
      return hasVideos(yield videoQuery([["music_id", id]], [now - MAX_DAYS * DAY_MS, now], ofMusic));
    },
  };
};

function readFailure(status: number, body: unknown): Failure | null {
  const code = readFilledText(readObjectAt(body, "error")["code"]) ?? "";
  const detail = /^\w{1,60}$/.test(code) ? code : `status ${status}`;
  if (/^daily_quota_limit_exceeded$/.test(code)) return { kind: "quota", budget: "requests" };
  if (/^rate_limit_exceeded$/.test(code)) return { kind: "busy" };
  if (/^(?:access_token_invalid|scope_not_authorized|scope_permission_missed)$/.test(code))
    return { kind: "credentials", detail };
  if (/not_found/.test(code)) return { kind: "missing" };
  return status === 400 || status === 403 ? { kind: "refused", detail } : null;
}

export const tiktokResearch: Source = {
  name: "tiktok-research",
  title: "TikTok Research API",
  platform: "shortvideo",
  terms: "https://www.tiktok.com/legal/page/global/terms-of-service-research-api/en",
  credentials: ["TIKTOK_CLIENT_KEY", "TIKTOK_CLIENT_SECRET"],
  hosts: [HOST],
  budgets: [{ name: "requests", title: "requests a day", limit: 1_000, timezone: "UTC" }],
  retentionDays: 15,
  refreshAfterDays: 12,
  refreshes: { post: (id, context) => planVideo({ videoId: id }, context) },
  fills: {
    "shortvideo/post/detail": planVideo,
    "shortvideo/post/comments": planComments,
    "shortvideo/user/info-with-region": planUser,
    "shortvideo/search/general": planSearch,
    "shortvideo/music/posts": planMusic,
  },
  login: {
    host: HOST,
    path: "/v2/oauth/token/",
    form: ({ TIKTOK_CLIENT_KEY: client_key = "", TIKTOK_CLIENT_SECRET: client_secret = "" }) => ({
      client_key,
      client_secret,
      grant_type: "client_credentials",
    }),
    read(answer) {
      const { access_token: token, expires_in: expiresInS } = readObjectAt(answer);
      return typeof token === "string" && typeof expiresInS === "number" ? { token, expiresInS } : null;
    },
  },
  authorize: (_credentials, token) => ({ headers: { authorization: `Bearer ${token ?? ""}` } }),
  readFailure,
};
