import { Type } from "#api/schema.ts";
import { type Context, endpoint, latestCapture, parameterError } from "#api/endpoint.ts";
import { NextPageToken, nextPageToken, verifyPosition } from "#api/page-token.ts";
import { PageTokenParameter, textParameter } from "#api/parameters.ts";
import { AnyList, Flag, Integer, Text, Url, wireObject } from "#api/wire.ts";
import { ApiError } from "#errors";
import type { PhotoShareNatives } from "../native.ts";
import { HashtagPost, toHashtagPost } from "../shapes/hashtag-post.ts";

const Edges = Type.Array(wireObject({ node: HashtagPost }));

export const HashtagPosts = wireObject({
  id: Text,
  name: Text,
  allow_following: Flag,
  is_following: Flag,
  is_top_media_only: Flag,
  profile_pic_url: Url,
  posts: wireObject({
    count: Type.Integer({
      description: "Total posts: the platform's own count if known, otherwise the number of stored posts.",
    }),
    edges: Edges,
  }),
  top_posts: wireObject({ edges: Edges }, { description: "On the first page only." }),
  content_advisory_posts: wireObject({ count: Integer, edges: AnyList }),
  pagination_token: NextPageToken,
});

const PAGE_SIZE = 24;
const TOP_POSTS = 9;

export const searchHashtag = endpoint({
  method: "GET",
  path: "search-hashtag",
  summary: "Posts with a hashtag",
  description:
    "Lists the posts with a hashtag, newest first, 24 per page; the first page also returns in `top_posts` the nine with the most likes, comments and views among the hashtag's newest 1,000. Case, diacritics and a leading `#` are ignored. For the next page, send the returned `pagination_token`; it is empty on the last page.",
  cost: "list",
  countsList: true,
  input: Type.Object({
    hashtag: textParameter("Hashtag, with or without `#`."),
    pagination_token: PageTokenParameter,
  }),
  output: HashtagPosts,
  example: { hashtag: "streetfood" },
  pages: { items: "posts.edges", next: { pagination_token: "pagination_token" } },

  async handle(ctx: Context<PhotoShareNatives>, input) {
    const name = input.hashtag.trim().replace(/^#+\s*/, "");
    if (name === "") throw parameterError(ctx, "invalid_parameter", "hashtag", "must not be empty after the leading #");
    const key = name.normalize("NFC").toLowerCase();
    const after = verifyPosition(ctx, "pagination_token", [key], input.pagination_token);
    const isFirst = after === undefined;
    const [hashtag, page, top] = await Promise.all([
      ctx.store.getHashtag(name),
      ctx.store.listPosts("hashtag", name, { limit: PAGE_SIZE, after }),
      isFirst ? ctx.store.listTopPosts("hashtag", name, TOP_POSTS) : [],
    ]);
    if (hashtag === null && isFirst && page.items.length === 0) {
      throw new ApiError("hashtag_not_found", `hashtag ${name} not found`);
    }
    return {
      lastModified: latestCapture([hashtag, ...page.items, ...top]),
      body: {
        id: hashtag?.platformId ?? null,
        name: hashtag?.name ?? name,
        allow_following: hashtag?.native.allow_following ?? null,
        is_following: hashtag?.native.is_following ?? null,
        is_top_media_only: hashtag?.native.is_top_media_only ?? null,
        profile_pic_url: hashtag?.native.profile_pic_url ?? null,
        posts: {
          count: hashtag?.counters.posts ?? (await ctx.store.countPosts("hashtag", name)),
          edges: page.items.map((post) => ({ node: toHashtagPost(post) })),
        },
        top_posts: { edges: top.map((post) => ({ node: toHashtagPost(post) })) },
        content_advisory_posts: { count: null, edges: null },
        pagination_token: nextPageToken(ctx, [key], page),
      },
    };
  },
});
