import { trendHeaders } from "#api/response-headers.ts";
import { toTrendBasis, TrendBasis } from "#api/rankings.ts";
import { Type } from "#api/schema.ts";
import { type Context, endpoint, latestCapture } from "#api/endpoint.ts";
import { Flag, Integer, nullable, Text, Url, wireObject } from "#api/wire.ts";
import { countryName } from "../../country-name.ts";
import { getTopPosts } from "../../top-posts.ts";
import type { Post } from "#domain/post.ts";
import type { NativePost, ShortVideoNatives } from "../../native.ts";
import {
  RankDiffType,
  toMeasured,
  toRankDiff,
  toTrendPagination,
  toTrendRequest,
  toTrendSeries,
  trendEnvelope,
  TrendPagination,
  trendPages,
  TrendParameters,
  TrendSeries,
} from "../../shapes/trending.ts";

const TrendingHashtag = wireObject({
  rank: Integer,
  rank_diff: nullable(Integer),
  rank_diff_type: RankDiffType,
  hashtag_id: Text,
  hashtag_name: Text,
  country_info: wireObject({ id: Text, value: Text, label: Text }),
  publish_cnt: Type.Integer({ description: "Posts with the hashtag that gained views in the period." }),
  video_views: Type.Integer({ description: "Views that those posts gained in the period." }),
  is_promoted: Flag,
  trend: TrendSeries,
  creators: Type.Array(wireObject({ nick_name: Text, avatar_url: Url }), {
    description: "Authors of the posts that gained most, each once, best first; at most 5.",
  }),
  ...TrendBasis,
});

export const trendingHashtag = endpoint({
  method: "GET",
  path: "trending/hashtag",
  summary: "Trending hashtags",
  description:
    "Ranks hashtags by the views that their posts gained within the period, computed from the stored captures; see docs/trends.md for the formula. Gains that were measured between captures come first, then estimates from one capture; `basis` marks each. Without `country`, all countries are combined. A ranking has at most 1,000 entries; the header `Trends-As-Of` tells when it was computed, `Trends-Day` the last day of the period, and `Newest-Capture` how old the newest capture is.",
  cost: "search",
  readsTrends: true,
  input: Type.Object(TrendParameters),
  output: trendEnvelope(wireObject({ list: Type.Array(TrendingHashtag), pagination: TrendPagination })),
  example: { period: "30", limit: "5" },
  pages: trendPages("list"),

  async handle(ctx: Context<ShortVideoNatives>, input) {
    const page = await ctx.store.listTrends("hashtag", toTrendRequest(ctx, input));
    const { items, total } = page;
    const country = { id: input.country ?? "", value: countryName(input.country), label: input.country ?? "" };
    const topPosts = await getTopPosts(ctx, items);
    return {
      lastModified: latestCapture(topPosts.flat()),
      headers: trendHeaders(page),
      body: {
        code: 0,
        msg: "OK",
        request_id: ctx.requestId,
        data: {
          list: items.map((trend, index) => ({
            rank: trend.rank,
            ...toRankDiff(trend),
            hashtag_id: trend.item.platformId,
            hashtag_name: trend.item.name,
            country_info: { ...country },
            publish_cnt: toMeasured(trend, trend.posts),
            video_views: toMeasured(trend, trend.views),
            is_promoted: trend.item.native.isCommerce ?? null,
            trend: toTrendSeries(trend),
            creators: toCreators(topPosts[index] ?? []),
            ...toTrendBasis(trend),
          })),
          pagination: toTrendPagination(input, total),
        },
      },
    };
  },
});

/** The authors of posts, each once, best post first. */
function toCreators(posts: readonly Post<NativePost>[]) {
  const byAuthor = Map.groupBy(
    posts,
    ({ authorId, native: { author } }) => authorId ?? author?.uniqueId ?? author?.nickname,
  );
  return [...byAuthor].flatMap(([author, [best]]) =>
    author === undefined || best === undefined
      ? []
      : [{ nick_name: best.native.author?.nickname ?? null, avatar_url: best.native.author?.avatarLarger ?? null }],
  );
}
