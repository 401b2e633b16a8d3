import { trendHeaders } from "#api/response-headers.ts";
import { toTrendBasis, TrendBasis } from "#api/rankings.ts";
import { Type } from "#api/schema.ts";
import { type Context, endpoint, latestCapture } from "#api/endpoint.ts";
import { Flag, Integer, Text, Url, wireObject } from "#api/wire.ts";
import { countOf } from "#domain/approximate.ts";
import { countryName } from "../../country-name.ts";
import type { ShortVideoNatives } from "../../native.ts";
import { toTrendRequest, trendEnvelope, trendPages, TrendParameters } from "../../shapes/trending.ts";
import { postUrl } from "../../web-url.ts";

const TrendingVideo = wireObject({
  id: Text,
  item_id: Text,
  item_url: Url,
  title: Text,
  cover: Url,
  duration: Integer,
  country_code: Text,
  region: Text,
  author: Type.String({ description: "Name of the author's account, without `@`." }),
  play_count: Type.Integer({ description: "Views of the newest capture." }),
  ...TrendBasis,
});

export const trendingVideos = endpoint({
  method: "GET",
  path: "trending/videos",
  summary: "Trending posts",
  description:
    "Ranks posts by the views that they gained within the period, computed from the stored captures; see docs/trends.md for the formula. Gains that were measured between captures come first, then estimates from one capture; `basis` marks each. Without `country`, all countries are combined. A ranking has at most 1,000 entries; the header `Trends-As-Of` tells when it was computed, `Trends-Day` the last day of the period, and `Newest-Capture` how old the newest capture is.",
  cost: "search",
  readsTrends: true,
  input: Type.Object(TrendParameters),
  output: trendEnvelope(
    wireObject({
      videos: Type.Array(TrendingVideo),
      pagination: wireObject({ page: Integer, limit: Integer, total_count: Integer, has_more: Flag }),
    }),
  ),
  example: { period: "30", limit: "5" },
  pages: trendPages("videos"),

  async handle(ctx: Context<ShortVideoNatives>, input) {
    const page = await ctx.store.listTrends("post", toTrendRequest(ctx, input));
    const { items, total } = page;
    return {
      lastModified: latestCapture(items.map(({ item }) => item)),
      headers: trendHeaders(page),
      body: {
        code: 0,
        msg: "OK",
        request_id: ctx.requestId,
        data: {
          videos: items.map(({ item: post, ...trend }) => ({
            id: post.id,
            item_id: post.id,
            item_url: postUrl(post),
            title: post.text,
            cover: post.native.video?.cover ?? null,
            duration: post.durationS,
            country_code: post.country,
            region: post.country === null ? null : countryName(post.country),
            author: post.native.author?.uniqueId ?? null,
            play_count: countOf(post, "views"),
            ...toTrendBasis(trend),
          })),
          pagination: {
            page: input.page,
            limit: input.limit,
            total_count: total,
            has_more: input.page * input.limit < total,
          },
        },
      },
    };
  },
});
