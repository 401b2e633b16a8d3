import { trendHeaders } from "#api/response-headers.ts";
import { toTrendBasis, TrendBasis } from "#api/rankings.ts";
import { Type } from "#api/schema.ts";
import { type Context, endpoint, latestCapture } from "#api/endpoint.ts";
import { Flag, Integer, nullable, Text, Url, wireObject } from "#api/wire.ts";
import { getTopPosts } from "../../top-posts.ts";
import type { ShortVideoNatives } from "../../native.ts";
import {
  RankDiffType,
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
import { soundUrl } from "../../web-url.ts";

const TrendingSong = wireObject({
  rank: Integer,
  rank_diff: nullable(Integer),
  rank_diff_type: RankDiffType,
  song_id: Text,
  clip_id: Text,
  title: Text,
  author: Text,
  cover: Url,
  duration: Integer,
  link: Url,
  country_code: Text,
  promoted: Flag,
  trend: TrendSeries,
  related_items: Type.Array(wireObject({ item_id: Text, cover_uri: Url })),
  ...TrendBasis,
});

export const trendingSongs = endpoint({
  method: "GET",
  path: "trending/songs",
  summary: "Trending sounds",
  description:
    "Ranks sounds by the views that their posts gained within the period, computed from the stored captures; see docs/trends.md for the formula. Gains that were measured between captures come first, then estimates from one capture; `basis` marks each. Without `country`, all countries are combined. A ranking has at most 1,000 entries; the header `Trends-As-Of` tells when it was computed, `Trends-Day` the last day of the period, and `Newest-Capture` how old the newest capture is.",
  cost: "search",
  readsTrends: true,
  input: Type.Object(TrendParameters),
  output: trendEnvelope(wireObject({ sound_list: Type.Array(TrendingSong), pagination: TrendPagination })),
  example: { period: "30", limit: "5" },
  pages: trendPages("sound_list"),

  async handle(ctx: Context<ShortVideoNatives>, input) {
    const page = await ctx.store.listTrends("sound", toTrendRequest(ctx, input));
    const { items, total } = page;
    const topPosts = await getTopPosts(ctx, items);
    return {
      lastModified: latestCapture(topPosts.flat()),
      headers: trendHeaders(page),
      body: {
        code: 0,
        msg: "OK",
        request_id: ctx.requestId,
        data: {
          sound_list: items.map((trend, index) => ({
            rank: trend.rank,
            ...toRankDiff(trend),
            song_id: trend.item.id,
            clip_id: trend.item.id,
            title: trend.item.title,
            author: trend.item.artistName,
            cover: trend.item.native.coverLarge ?? null,
            duration: trend.item.durationS,
            link: soundUrl(trend.item),
            country_code: input.country ?? "",
            promoted: null,
            trend: toTrendSeries(trend),
            related_items: (topPosts[index] ?? []).map(({ id, native }) => ({
              item_id: id,
              cover_uri: native.video?.cover ?? null,
            })),
            ...toTrendBasis(trend),
          })),
          pagination: toTrendPagination(input, total),
        },
      },
    };
  },
});
