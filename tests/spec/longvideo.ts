/** SPEC.md, long-video platform: what each operation takes and gives. */
import { type Fields, type OperationSpec, query, required, under } from "./notation.ts";

const VIDEO_ID = required(query("string"));
const LANGUAGE = query("string", { default: "en" });
const COUNTRY = query("string", { default: "US" });

/** The contract lists no parameter that carries it; without one there would be no second page. */
const CONTINUATION = query("string", { more: true });

const THUMBNAILS: Fields = {
  "thumbnails[].url": "url",
  "thumbnails[].width": "integer",
  "thumbnails[].height": "integer",
};

const VIDEO_EVERYWHERE: Fields = {
  video_id: "string",
  title: "string",
  author: "string",
  number_of_views: "integer",
  description: "string",
  channel_id: "string",
  type: "string",
  ...THUMBNAILS,
};

const VIDEO_IN_DETAIL: Fields = {
  ...VIDEO_EVERYWHERE,
  video_length: "digits",
  is_live_content: "boolean word",
  published_time: "date",
  category: "string",
  "keywords[]": "string",
};

const VIDEO_IN_A_LIST: Fields = {
  ...VIDEO_EVERYWHERE,
  video_length: "clock",
  is_live_content: "null",
  published_time: "relative",
  category: "null",
  keywords: "empty array",
};

const videoDetails: OperationSpec = {
  method: "GET",
  path: "/api/longvideo/video/details",
  encoding: "query",
  notFound: "post_not_found",
  parameters: { video_id: VIDEO_ID },
  response: VIDEO_IN_DETAIL,
};

const videoComments: OperationSpec = {
  method: "GET",
  path: "/api/longvideo/video/comments",
  encoding: "query",
  notFound: "post_not_found",
  pages: { ids: "comments[].id", next: { continuation_token: "continuation_token" } },
  parameters: {
    video_id: VIDEO_ID,
    continuation_token: CONTINUATION,
    sort: query("string", { more: true }),
  },
  response: {
    video_id: "string",
    total_number_of_comments: "integer",
    total_number_of_likes: "integer",
    number_of_comments: "integer",
    continuation_token: "string",
    ...under("comments[]", {
      id: "string",
      author_name: "string",
      author_channel_id: "string",
      like_count: "abbreviated",
      published_time: "relative",
      text: "string",
      number_of_replies: "string",
      ...THUMBNAILS,
    }),
  },
};

const videoSubtitles: OperationSpec = {
  method: "GET",
  path: "/api/longvideo/video/subtitles",
  encoding: "query",
  notFound: "post_not_found",
  parameters: { video_id: VIDEO_ID },
  response: {
    lang: "string",
    is_available: "boolean",
    "subtitles[].id": "integer",
    "subtitles[].start": "number",
    "subtitles[].duration": "number",
    "subtitles[].text": "string",
  },
};

const search: OperationSpec = {
  method: "GET",
  path: "/api/longvideo/search",
  encoding: "query",
  pages: { ids: "videos[].video_id", next: { continuation_token: "continuation_token" } },
  parameters: {
    query: required(query("string")),
    lang: LANGUAGE,
    order_by: query("string", {
      oneOf: ["last_hour", "today", "this_week", "this_month", "this_year"],
    }),
    country: COUNTRY,
    continuation_token: CONTINUATION,
  },
  response: {
    number_of_videos: "string",
    query: "string",
    country: "upper case",
    lang: "string",
    timezone: "string",
    continuation_token: "string",
    ...under("videos[]", VIDEO_IN_A_LIST),
  },
};

/** Unlike search it carries no continuation_token: one here is a field too many. */
const trending: OperationSpec = {
  method: "GET",
  path: "/api/longvideo/trending",
  encoding: "query",
  parameters: {
    lang: LANGUAGE,
    country: COUNTRY,
    section: query("string", { oneOf: ["Now", "Music", "Movies", "Gaming"] }),
    date: query("string", { more: true }),
    as_of: query("string", { more: true }),
  },
  response: {
    number_of_videos: "string",
    country: "upper case",
    lang: "string",
    timezone: "string",
    ...under("videos[]", {
      ...VIDEO_IN_A_LIST,
      // More than the contract: of what a computed ranking's gain was made. A chart has none.
      "basis?": "string",
      "basis_posts?": "integer",
      "views_gained?": "integer",
    }),
  },
};

export const LONGVIDEO = {
  "longvideo/video/details": videoDetails,
  "longvideo/video/comments": videoComments,
  "longvideo/video/subtitles": videoSubtitles,
  "longvideo/search": search,
  "longvideo/trending": trending,
};
