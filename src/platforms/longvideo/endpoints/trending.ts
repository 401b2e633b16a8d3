import { Type } from "typebox";
import { type Context, endpoint, latestCapture } from "#api/endpoint.ts";
import { CountryParameter, LanguageParameter } from "#api/parameters.ts";
import { wireObject } from "#api/wire.ts";
import type { LongVideoNatives } from "../native.ts";
import { categoriesOf, type Section, SECTIONS } from "../sections.ts";
import { toVideoListing, VideoListing } from "../shapes/video-record.ts";

/** The longest chart that the platform itself publishes for a day. */
const CHART_SIZE = 200;
const COMPUTED_SIZE = 50;
const COMPUTED_DAYS = 7;

export const TrendingVideos = wireObject({
  number_of_videos: Type.String({
    pattern: "^\\d+$",
    description: "Videos in this answer; a string.",
  }),
  country: Type.String({ description: "Country code in upper case." }),
  lang: Type.String({ description: "Language of the texts, as a canonical code." }),
  timezone: Type.String({ description: "The service's time zone." }),
  videos: Type.Array(VideoListing),
});

export const trendingVideos = endpoint({
  method: "GET",
  path: "trending",
  summary: "Trending videos of a country",
  description:
    "Where the platform's own chart of the country and section is held, its newest day in its own order. Elsewhere the fifty videos of the country that gained most within the last seven days; the sections Music, Movies and Gaming take those of their categories among the 2,000 that gained most. One answer holds all; there is no next page. `published_time` is a text in `lang`.",
  cost: "list",
  input: Type.Object({
    lang: LanguageParameter,
    country: CountryParameter,
    section: Type.Enum([...SECTIONS], {
      default: "Now",
      description: "Section of the trending page.",
    }),
  }),
  output: TrendingVideos,
  example: { country: "US" },

  async handle(ctx: Context<LongVideoNatives>, { lang, country: asked, section }) {
    const language = lang ?? ctx.defaults.language;
    const country = asked ?? ctx.defaults.country;
    const now = Math.floor(ctx.minute() / 1000);
    const { posts, asOf } = (await charted(ctx, country, section)) ?? (await computed(ctx, country, section));
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

async function charted(ctx: Context<LongVideoNatives>, country: string, section: Section) {
  const chart = await ctx.store.getChart(country, section.toLowerCase());
  if (chart === null) return null;
  const posts = await ctx.store.getPosts(chart.postIds.slice(0, CHART_SIZE));
  return { posts, asOf: latestCapture([chart, ...posts]) };
}

async function computed(ctx: Context<LongVideoNatives>, country: string, section: Section) {
  const trends = await ctx.store.listTrends("post", {
    country,
    days: COMPUTED_DAYS,
    offset: 0,
    limit: COMPUTED_SIZE,
    topic: categoriesOf(section),
  });
  const posts = trends.items.map(({ item }) => item);
  return { posts, asOf: latestCapture(posts) };
}
