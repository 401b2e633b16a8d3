import { Type } from "#api/schema.ts";
import { AsOfParameter, resolveAsOf, resolveChartDay, toTrendBasis, TrendBasis } from "#api/rankings.ts";
import { chartDayHeader, trendHeaders } from "#api/response-headers.ts";
import { type Context, endpoint, latestCapture, parameterError } from "#api/endpoint.ts";
import { CountryParameter, dayParameter, LanguageParameter } from "#api/parameters.ts";
import { wireObject } from "#api/wire.ts";
import { ApiError } from "#errors";
import type { LongVideoNatives } from "../native.ts";
import { sectionCategories, type Section, SECTIONS } from "../sections.ts";
import { toVideoListing, VideoListing } from "../shapes/video-record.ts";

/** YouTube's own charts are never longer. */
const CHART_SIZE = 200;
const COMPUTED_SIZE = 50;
const COMPUTED_DAYS = 7;
/** An error names at most this many. */
const MAX_NAMED_DAYS = 31;

/** Gains are those of a computed ranking; a chart is the platform's own and has none. */
const TrendingListing = wireObject({
  ...VideoListing.properties,
  basis: Type.Optional(TrendBasis.basis),
  basis_posts: Type.Optional(TrendBasis.basis_posts),
  views_gained: Type.Optional(TrendBasis.views_gained),
});

export const TrendingVideos = wireObject({
  number_of_videos: Type.String({ pattern: "^\\d+$", description: "Number of videos in this response, as a string." }),
  country: Type.String({ description: "Country code in upper case." }),
  lang: Type.String({ description: "Language of formatted texts (BCP 47)." }),
  timezone: Type.String({ description: "Time zone of the service." }),
  videos: Type.Array(TrendingListing),
});

export const trendingVideos = endpoint({
  method: "GET",
  path: "trending",
  summary: "Trending videos in a country",
  description:
    "If the platform's own chart for the country and section is stored, returns its latest day in its own order, or the day in `date`; the header `Chart-Day` tells which. Without a stored chart it returns the country's 50 videos that gained the most views within the last seven days, or the 50 of all countries if none is known to be of this one; the sections Music, Movies and Gaming take the videos of their categories among the top 2,000; the header `Trends-As-Of` tells when that was computed, and `basis` whether the gain of a video was measured between captures or estimated from one; measured gains come first. `as_of` takes the newest chart up to that day, or computes the ranking as of it. The response is complete; there are no further pages. `published_time` is formatted in `lang`.",
  cost: "list",
  readsTrends: true,
  input: Type.Object({
    lang: LanguageParameter,
    country: CountryParameter,
    section: Type.Enum([...SECTIONS], { default: "Now", description: "Section of the trending page." }),
    as_of: AsOfParameter,
    date: dayParameter("Day of a stored chart, such as `2026-11-15`; `/api/charts` lists them."),
  }),
  output: TrendingVideos,
  example: { country: "US" },

  async handle(ctx: Context<LongVideoNatives>, input) {
    const language = input.lang ?? ctx.defaults.language;
    const country = input.country ?? ctx.defaults.country;
    const now = Math.floor(ctx.minute() / 1000);
    if (input.date !== undefined && input.as_of !== undefined)
      throw parameterError(ctx, "invalid_parameter", "as_of", "must not be sent with date");
    const { posts, basis, asOf, headers, capturedAt } =
      (await getChart(ctx, country, input.section, input)) ??
      (await computeTrends(ctx, country, input.section, input.as_of));
    return {
      lastModified: asOf,
      capturedAt,
      headers,
      body: {
        number_of_videos: String(posts.length),
        country,
        lang: language,
        timezone: ctx.defaults.timezone,
        videos: posts.map((post, index) => ({ ...toVideoListing(post, now, language), ...basis[index] })),
      },
    };
  },
});

interface ChartInput {
  date?: string;
  as_of?: string;
}

async function getChart(ctx: Context<LongVideoNatives>, country: string, section: Section, input: ChartInput) {
  const { date: day } = input;
  const until = resolveChartDay(ctx, input.as_of);
  const name = section.toLowerCase();
  const newest =
    until === undefined ? day : (await ctx.store.listCharts({ country, section: name, until }))[0]?.days.at(-1);
  const chart = until !== undefined && newest === undefined ? null : await ctx.store.getChart(country, name, newest);
  if (chart === null) {
    if (day !== undefined) throw await chartNotFound(ctx, country, section, day);
    return null;
  }
  const posts = await ctx.store.getPosts(chart.postIds.slice(0, CHART_SIZE));
  const asOf = latestCapture([chart, ...posts]);
  return { posts, basis: [], asOf, headers: chartDayHeader(chart.day), capturedAt: asOf };
}

async function chartNotFound(
  ctx: Context<LongVideoNatives>,
  country: string,
  section: Section,
  day: string,
): Promise<ApiError> {
  const [chart] = await ctx.store.listCharts({ country, section: section.toLowerCase() });
  const days = chart?.days ?? [];
  const stored =
    days.length <= MAX_NAMED_DAYS
      ? days.join(", ")
      : `${days.length} days from ${days[0]} to ${days.at(-1)}, see /api/charts`;
  return new ApiError(
    "chart_not_found",
    `no chart of ${country}, ${section} for ${day}; ${days.length === 0 ? "no day of it is stored" : `stored: ${stored}`}`,
  );
}

async function computeTrends(
  ctx: Context<LongVideoNatives>,
  country: string,
  section: Section,
  asOf: string | undefined,
) {
  const list = (within: string | null) =>
    ctx.store.listTrends("post", {
      country: within,
      days: COMPUTED_DAYS,
      asOf: resolveAsOf(ctx, asOf),
      offset: 0,
      limit: COMPUTED_SIZE,
      topic: sectionCategories(section),
    });
  const ofCountry = await list(country);
  // YouTube says of no video which country it is from.
  const page = ofCountry.items.length > 0 ? ofCountry : await list(null);
  const { items } = page;
  return {
    posts: items.map(({ item }) => item),
    basis: items.map(toTrendBasis),
    asOf: latestCapture(items.map(({ item }) => item)),
    headers: trendHeaders(page),
    capturedAt: latestCapture(ofCountry.items.map(({ item }) => item)),
  };
}
