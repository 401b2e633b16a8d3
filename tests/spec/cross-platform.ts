/** Operations that span platforms. SPEC.md has none of them: their own schema says what they give. */
import type { Behaviour } from "./notation.ts";

export const CROSS_PLATFORM = {
  search: { pages: { ids: "results[].id", next: { continuation_token: "continuation_token" } } },
  posts: {
    notFound: "account_not_found",
    pages: { ids: "posts[].id", next: { continuation_token: "continuation_token" } },
  },
  "posts/with": {
    request: { id: "paprika" },
    notFound: "hashtag_not_found",
    pages: { ids: "posts[].id", next: { continuation_token: "continuation_token" } },
  },
  post: {
    request: { id: "330000000000001" },
    notFound: "post_not_found",
    pages: { ids: "comments[].id", next: { continuation_token: "continuation_token" } },
  },
  subtitles: { request: { id: "world0000001" }, notFound: "post_not_found" },
  follows: {
    notFound: "account_not_found",
    pages: { ids: "accounts[].id", next: { continuation_token: "continuation_token" } },
  },
  history: { notFound: "account_not_found" },
  charts: {},
  "charts/history": { notFound: "post_not_found" },
} satisfies Record<string, Behaviour>;
