import { Type } from "#api/schema.ts";
import { endpoint, latestCapture, parameterError, type CrossPlatformContext } from "#api/endpoint.ts";
import { CountryParameter, textParameter } from "#api/parameters.ts";
import { AsOfParameter, resolveChartDay } from "#api/rankings.ts";
import { Flag, Integer, NullableText, Text, wireObject } from "#api/wire.ts";
import { ApiError } from "#errors";
import { findPostId } from "../../find-record.ts";
import { PlatformParameter, resolvePlatform } from "../../platform-parameter.ts";
import { CaptureTime, toCaptureTime } from "../../shapes/capture-time.ts";
import { SectionFilter } from "../charts.ts";

const ChartHistory = wireObject({
  video_id: Text,
  title: NullableText,
  ranks: Type.Array(
    wireObject({
      platform: Text,
      country: Text,
      section: Text,
      day: Text,
      rank: Type.Integer({ description: "1 is first." }),
      captured_at: CaptureTime,
      source: Type.String({ description: "Tool or format that it was captured with." }),
    }),
  ),
  truncated: Flag,
  best_rank: Type.Union([Integer, Type.Null()], { description: "The best of the returned ranks." }),
});

const MAX_RANKS = 1_000;

export const chartHistory = endpoint({
  method: "GET",
  path: "charts/history",
  summary: "A video's ranks over time",
  description:
    "Returns the ranks of one video in the stored charts, by day, country and section, oldest first. At most the newest 1,000 are returned; `truncated` is true if there are older ones. With `as_of`, days after it are left out.",
  cost: "list",
  input: Type.Object({
    video_id: textParameter("Id of the video, or its URL on the platform's site.", { maxLength: 2_048 }),
    platform: Type.Optional(PlatformParameter),
    country: CountryParameter,
    section: SectionFilter,
    as_of: AsOfParameter,
  }),
  output: ChartHistory,
  example: { video_id: "demoVideo01" },

  async handle(ctx: CrossPlatformContext, { video_id, platform, country, section, as_of }) {
    const until = resolveChartDay(ctx, as_of);
    const stores = platform === undefined ? ctx.readers : [resolvePlatform(ctx, platform)];
    const ids = stores.map((one) => findPostId(ctx, one.platform, video_id));
    if (ids.every((id) => id === null))
      throw parameterError(ctx, "invalid_parameter", "video_id", "must be an id or the URL of a video on its own site");
    const found = await Promise.all(
      stores.map(async (one, index) => {
        const id = ids[index] ?? null;
        if (id === null) return null;
        const [post, ranks] = await Promise.all([
          one.store.getPost(id),
          one.store.listChartRanks(id, { country, section: section?.toLowerCase(), until }, MAX_RANKS + 1),
        ]);
        const isFiltered = country !== undefined || section !== undefined || until !== undefined;
        const isRanked = ranks.length > 0 || (isFiltered && (await one.store.listChartRanks(id, {}, 1)).length > 0);
        return post === null && !isRanked ? null : { platform: one.platform, id, post, ranks, isRanked };
      }),
    );
    // The same id on another platform is another video: the one that has ranks is meant.
    const known = found.filter((one) => one !== null);
    const chosen = known.find(({ isRanked }) => isRanked) ?? known[0];
    if (chosen === undefined) throw new ApiError("post_not_found", `video ${video_id} not found`);
    const newest = chosen.ranks.slice(-MAX_RANKS);
    return {
      lastModified: latestCapture([chosen.post, ...newest]),
      body: {
        video_id: chosen.id,
        title: chosen.post?.title ?? null,
        ranks: newest.map(({ capturedAt, source, ...rank }) => ({
          platform: chosen.platform,
          ...rank,
          captured_at: toCaptureTime(capturedAt),
          source,
        })),
        truncated: newest.length < chosen.ranks.length,
        best_rank: newest.length === 0 ? null : Math.min(...newest.map(({ rank }) => rank)),
      },
    };
  },
});
