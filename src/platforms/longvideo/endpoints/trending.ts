import { Type } from "#api/schema.ts";
import { type Context, endpoint, latestCapture } from "#api/endpoint.ts";
import { CountryParameter, LanguageParameter } from "#api/parameters.ts";
import { wireObject } from "#api/wire.ts";
import type { LongVideoNatives } from "../native.ts";
import { sectionCategories, type Section, SECTIONS } from "../sections.ts";
import { toVideoListing, VideoListing } from "../shapes/video-record.ts";

/** YouTube's own charts are never longer. */
const CHART_SIZE = 200;
const COMPUTED_SIZE = 50;
const COMPUTED_DAYS = 7;

export const TrendingVideos = wireObject({
  number_of_videos: Type.String({ pattern: "^\\d+$", description: "Number of videos in this response, as a string." }),
  country: Type.String({ description: "Country code in upper case." }),
  lang: Type.String({ description: "Language of formatted texts (BCP 47)." }),
  timezone: Type.String({ description: "Time zone of the service." }),
  videos: Type.Array(VideoListing),
});

export const trendingVideos = endpoint({
  method: "GET",
  path: "trending",
  summary: "Trending videos in a country",
  description:
    "If the platform's own chart for the country and section is stored, returns its latest day in its own order. Otherwise returns the country's 50 videos that gained the most views within the last seven days; the sections Music, Movies and Gaming take the videos of their categories among the top 2,000. The response is complete; there are no further pages. `published_time` is formatted in `lang`.",
  cost: "list",
  readsTrends: true,
  input: Type.Object({
    lang: LanguageParameter,
    country: CountryParameter,
    section: Type.Enum([...SECTIONS], { default: "Now", description: "Section of the trending page." }),
  }),
  output: TrendingVideos,
  example: { country: "US" },

  async handle(ctx: Context<LongVideoNatives>, input) {
    const language = input.lang ?? ctx.defaults.language;
    const country = input.country ?? ctx.defaults.country;
    const now = Math.floor(ctx.minute() / 1000);
    const { posts, asOf } =
      (await getChart(ctx, country, input.section)) ?? (await computeTrends(ctx, country, input.section));
    return {
      lastModified: asOf,
      body: {
        number_of_videos: String(posts.length),
        country,
        lang: language,
        timezone: ctx.defaults.timezone,
        videos: posts.map((post) => toVideoListing(post, now, language)),
      },
    };
  },
});

async function getChart(ctx: Context<LongVideoNatives>, country: string, section: Section) {
  const chart = await ctx.store.getChart(country, section.toLowerCase());
  if (chart === null) return null;
  const posts = await ctx.store.getPosts(chart.postIds.slice(0, CHART_SIZE));
  return { posts, asOf: latestCapture([chart, ...posts]) };
}

async function computeTrends(ctx: Context<LongVideoNatives>, country: string, section: Section) {
  const trends = await ctx.store.listTrends("post", {
    country,
    days: COMPUTED_DAYS,
    offset: 0,
    limit: COMPUTED_SIZE,
    topic: sectionCategories(section),
  });
  const posts = trends.items.map(({ item }) => item);
  return { posts, asOf: latestCapture(posts) };
}
