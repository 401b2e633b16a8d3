/**
 * The three operations that SPEC.md announces without a shape. What they take and give was decided later, with names
 * and without types, so each field has its natural type here.
 */
import { type Fields, type OperationSpec, query, under } from "./notation.ts";

const TRENDING_PARAMETERS: OperationSpec["parameters"] = {
  country: query("string", { more: true }),
  period: query("number", { default: 7, oneOf: [7, 30, 120], more: true }),
  as_of: query("string", { more: true }),
  basis: query("string", { oneOf: ["measured"], more: true }),
  page: query("number", { default: 1, minimum: 1, more: true }),
  limit: query("number", { default: 20, minimum: 1, maximum: 50, more: true }),
};

const ENVELOPE: Fields = { code: "zero", msg: "the text OK", request_id: "string" };

/** A newcomer has no former rank to differ from. */
const RANK: Fields = { rank: "integer", rank_diff: "nullable integer", rank_diff_type: "integer" };

const SERIES: Fields = { "trend[].time": "integer", "trend[].value": "number" };

/** Posts and captures behind the gain. */
const BASIS: Fields = { basis: "string", basis_posts: "integer", views_gained: "integer" };

const PAGINATION: Fields = {
  page: "integer",
  size: "integer",
  total: "integer",
  has_more: "boolean",
};

const NUMBERED = { next: { page: "data.pagination.page" }, more: "data.pagination.has_more", increment: true } as const;

const trendingHashtag: OperationSpec = {
  method: "GET",
  path: "/api/shortvideo/trending/hashtag",
  encoding: "query",
  parameters: TRENDING_PARAMETERS,
  pages: { ids: "data.list[].hashtag_name", ...NUMBERED },
  response: {
    ...ENVELOPE,
    ...under("data.list[]", {
      ...RANK,
      hashtag_id: "string",
      hashtag_name: "string",
      "country_info.id": "string",
      "country_info.value": "string",
      "country_info.label": "string",
      publish_cnt: "integer",
      video_views: "integer",
      is_promoted: "boolean",
      ...SERIES,
      "creators[].nick_name": "string",
      "creators[].avatar_url": "url",
      ...BASIS,
    }),
    ...under("data.pagination", PAGINATION),
  },
};

const trendingSongs: OperationSpec = {
  method: "GET",
  path: "/api/shortvideo/trending/songs",
  encoding: "query",
  parameters: TRENDING_PARAMETERS,
  pages: { ids: "data.sound_list[].song_id", ...NUMBERED },
  response: {
    ...ENVELOPE,
    ...under("data.sound_list[]", {
      ...RANK,
      song_id: "string",
      clip_id: "string",
      title: "string",
      author: "string",
      cover: "url",
      duration: "integer",
      link: "url",
      country_code: "string",
      promoted: "boolean",
      ...SERIES,
      "related_items[].item_id": "string",
      "related_items[].cover_uri": "string",
      ...BASIS,
    }),
    ...under("data.pagination", PAGINATION),
  },
};

const trendingVideos: OperationSpec = {
  method: "GET",
  path: "/api/shortvideo/trending/videos",
  encoding: "query",
  parameters: TRENDING_PARAMETERS,
  pages: { ids: "data.videos[].item_id", ...NUMBERED },
  response: {
    ...ENVELOPE,
    ...under("data.videos[]", {
      id: "string",
      item_id: "string",
      item_url: "url",
      title: "string",
      cover: "url",
      duration: "integer",
      country_code: "string",
      region: "string",
      author: "string",
      play_count: "integer",
      ...BASIS,
    }),
    "data.pagination.page": "integer",
    "data.pagination.limit": "integer",
    "data.pagination.total_count": "integer",
    "data.pagination.has_more": "boolean",
  },
};

export const SHORTVIDEO_TRENDING = {
  "shortvideo/trending/hashtag": trendingHashtag,
  "shortvideo/trending/songs": trendingSongs,
  "shortvideo/trending/videos": trendingVideos,
};
