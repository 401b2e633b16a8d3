/**
 * Instagram's Graph API: professional accounts by their name (business discovery) and posts by hashtag. Its documents are
 * those that importers/graph-api.ts reads.
 */
import type { CreatePlan, Failure, Plan, Source, SourceRequest } from "#api/source.ts";
import { normalizeHashtag } from "#domain/folding.ts";
import { isFields, readFilledText, readId, readObjectAt, readObjects } from "#import/capture/field-readers.ts";
import { parseProfileName } from "../profile-url.ts";

const HOST = "graph.facebook.com";
const VERSION = "/v24.0";
const CALL = { budget: "calls", units: 1 };
const MAX_MEDIA = 50;

const MEDIA_FIELDS =
  "id,caption,media_type,media_product_type,media_url,thumbnail_url,permalink,timestamp,username,like_count,comments_count,children{media_type,media_url}";
/** Hashtags return neither names nor pictures of others' products. */
const HASHTAG_FIELDS =
  "id,caption,media_type,media_url,permalink,timestamp,like_count,comments_count,children{media_type,media_url}";
const ACCOUNT_FIELDS =
  "id,username,name,biography,website,followers_count,follows_count,media_count,profile_picture_url";

function graphRequest(
  path: string,
  query: Record<string, string>,
  more: Partial<SourceRequest> & Pick<SourceRequest, "check">,
): SourceRequest {
  return { host: HOST, path: `${VERSION}/${path}`, query, charges: [CALL], ...more };
}

function planAccount(name: string, userId: string): Plan {
  return {
    key: `account ${name.toLowerCase()}`,
    *steps() {
      const fields = `business_discovery.username(${name}){${ACCOUNT_FIELDS},media.limit(${MAX_MEDIA}){${MEDIA_FIELDS}}}`;
      const isAccount = (document: unknown) => {
        const found = readFilledText(readObjectAt(document, "business_discovery")["username"]);
        return found?.toLowerCase() === name.toLowerCase() ? null : "not this account";
      };
      return (yield graphRequest(userId, { fields }, { check: isAccount })) !== null;
    },
  };
}

const planProfile: CreatePlan = ({ username_or_url }, { credentials }) => {
  const parsed = parseProfileName(username_or_url ?? "");
  const userId = readId(credentials["INSTAGRAM_USER_ID"]);
  return "reason" in parsed || userId === undefined ? null : planAccount(parsed.name, userId);
};

const planPosts: CreatePlan = ({ platform, account }, context) =>
  platform?.toLowerCase() === "photoshare"
    ? planProfile({ ...(account !== undefined && { username_or_url: account }) }, context)
    : null;

const planHashtag: CreatePlan = ({ hashtag }, { credentials }) => {
  const name = normalizeHashtag(hashtag ?? "");
  const userId = readId(credentials["INSTAGRAM_USER_ID"]);
  if (userId === undefined || !/^[\p{L}\p{M}\p{N}_]{1,100}$/u.test(name)) return null;
  return {
    key: `hashtag ${name}`,
    *steps() {
      const found = yield graphRequest(
        "ig_hashtag_search",
        { user_id: userId, q: name },
        {
          charges: [CALL, { budget: "hashtags", units: 1, item: name }],
          isNotImported: true,
          check: (answer) => (isDataList(answer) ? null : "no list of hashtags"),
        },
      );
      const id = readId(readObjects(readObjectAt(found)["data"])[0]?.["id"]);
      if (id === undefined) return false;
      const media = yield graphRequest(
        `${id}/recent_media`,
        { user_id: userId, fields: HASHTAG_FIELDS, limit: String(MAX_MEDIA) },
        { check: (answer) => (isDataList(answer) ? null : "no list of media") },
      );
      return readObjects(readObjectAt(media)["data"]).length > 0;
    },
  };
};

function isDataList(answer: unknown): boolean {
  const { data } = readObjectAt(answer);
  return Array.isArray(data) && data.every(isFields);
}

/** https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/error-codes */
function readFailure(status: number, body: unknown): Failure | null {
  const { code, error_subcode: subcode } = readObjectAt(body, "error");
  if (typeof code !== "number") return null;
  const detail = `code ${code}`;
  if (subcode === 2_207_034) return { kind: "quota", budget: "hashtags" };
  if ([4, 17, 32, 613, 80_002].includes(code)) return { kind: "busy" };
  if ([10, 102, 190, 200].includes(code)) return { kind: "credentials", detail };
  // No professional account or no hashtag of this name.
  if (subcode === 2_207_013 || subcode === 2_207_024 || code === 110) return { kind: "missing" };
  return status >= 400 && status < 500 ? { kind: "refused", detail } : null;
}

export const instagramGraph: Source = {
  name: "instagram-graph",
  title: "Instagram Graph API",
  platform: "photoshare",
  terms: "https://developers.facebook.com/terms/",
  credentials: ["INSTAGRAM_ACCESS_TOKEN", "INSTAGRAM_USER_ID"],
  hosts: [HOST],
  budgets: [
    { name: "calls", title: "calls a day", limit: 4_800, timezone: "UTC" },
    { name: "hashtags", title: "hashtags in 7 days", limit: 30, timezone: null, windowDays: 7 },
  ],
  retentionDays: null,
  refreshAfterDays: null,
  fills: {
    "photoshare/get-profile": planProfile,
    "photoshare/get-profile-v2": planProfile,
    "photoshare/get-posts": planProfile,
    "photoshare/search-hashtag": planHashtag,
    posts: planPosts,
  },
  authorize: ({ INSTAGRAM_ACCESS_TOKEN: token = "" }) => ({ query: { access_token: token } }),
  readFailure,
};
