import { Type } from "#api/schema.ts";
import { endpoint, type CrossPlatformContext } from "#api/endpoint.ts";
import { CountryParameter, textParameter } from "#api/parameters.ts";
import { AsOfParameter, resolveChartDay } from "#api/rankings.ts";
import { Text, wireObject } from "#api/wire.ts";
import { PlatformParameter, resolvePlatform } from "../platform-parameter.ts";

const Charts = wireObject({
  charts: Type.Array(
    wireObject({
      platform: Text,
      country: Type.String({ description: "Country code in upper case." }),
      section: Type.String({ description: "The platform's name for it in lower case, such as `now`." }),
      days: Type.Array(Text, { description: "Days with a stored chart, such as `2026-11-15`; oldest first." }),
    }),
  ),
});

export const SectionFilter = Type.Optional(
  textParameter("Only this section, such as `Music`; case-insensitive.", { maxLength: 40 }),
);

export const charts = endpoint({
  method: "GET",
  path: "charts",
  summary: "Stored charts",
  description:
    "Lists the platforms' own charts that are stored: countries, sections and days. `longvideo/trending` returns the chart of a day with `date`; `charts/history` returns a video's ranks over time. With `as_of`, days after it are left out.",
  cost: "list",
  input: Type.Object({
    platform: Type.Optional(PlatformParameter),
    country: CountryParameter,
    section: SectionFilter,
    as_of: AsOfParameter,
  }),
  output: Charts,
  example: { country: "US" },

  async handle(ctx: CrossPlatformContext, { platform, country, section, as_of }) {
    const until = resolveChartDay(ctx, as_of);
    const stores = platform === undefined ? ctx.readers : [resolvePlatform(ctx, platform)];
    const lists = await Promise.all(
      stores.map(async (one) => {
        const stored = await one.store.listCharts({ country, section: section?.toLowerCase(), until });
        return stored.map((chart) => ({ platform: one.platform, ...chart }));
      }),
    );
    return { lastModified: null, body: { charts: lists.flat() } };
  },
});
