import { Type } from "typebox";
import { type Context, endpoint, latestCapture } from "#api/endpoint.ts";
import { CountryParameter, LanguageParameter, PageTokenParameter, textParameter } from "#api/parameters.ts";
import { correctionHeader } from "#api/correction.ts";
import { Text, wireObject } from "#api/wire.ts";
import { parseSearchState, formatSearchState } from "#domain/search-state.ts";
import { resumeFrom } from "../continuation.ts";
import type { LongVideoNatives } from "../native.ts";
import { PUBLISHING_WINDOWS, windowStart } from "../publishing-window.ts";
import { toVideoListing, VideoListing } from "../shapes/video-record.ts";

const PAGE_SIZE = 20;

export const VideoSearch = wireObject({
  number_of_videos: Type.String({
    pattern: "^\\d+$",
    description: "Videos in this answer; a string.",
  }),
  query: Text,
  country: Type.String({ description: "Country code in upper case." }),
  lang: Type.String({ description: "Language of the texts, as a canonical code." }),
  timezone: Type.String({ description: "Time zone in which `order_by=today` begins its day." }),
  continuation_token: Type.String({ description: "For the next page; empty at the end." }),
  videos: Type.Array(VideoListing),
});

/** Later pages know what was given, and keep the clock and the window of the first: nothing comes twice or is lost. */
interface SearchPlace {
  offset: number;
  state: string;
  clock: number;
  since?: number;
  until?: number;
}

function isSearchPlace({ offset, state, clock }: Partial<Record<keyof SearchPlace, unknown>>): boolean {
  return Number.isInteger(offset) && parseSearchState(state) !== null && Number.isInteger(clock);
}

export const videoSearch = endpoint({
  method: "GET",
  path: "search",
  summary: "Videos by keyword",
  description:
    "Videos that match `query`, by relevance, twenty to a page, in the query language of docs/search.md. `lang` and `country` are preferences: videos that match them come first and others are not left out; `lang` is also the language of `published_time`. `order_by` narrows to videos published within a window that ends now, exact to the second: `last_hour` the last 3,600 seconds, `today` since 00:00 in `timezone`, `this_week`, `this_month` and `this_year` the last 7, 30 and 365 days. For the next page send `continuation_token` with the same parameters; it is empty on the last page.",
  cost: "search",
  input: Type.Object({
    query: textParameter("Words to look for."),
    lang: LanguageParameter,
    order_by: Type.Optional(
      Type.Enum([...PUBLISHING_WINDOWS], {
        description: "Only videos published within this window.",
      }),
    ),
    country: CountryParameter,
    continuation_token: PageTokenParameter,
  }),
  output: VideoSearch,
  example: { query: "street food", country: "US" },

  async handle(ctx: Context<LongVideoNatives>, input) {
    const { query, order_by: window } = input;
    const { timezone } = ctx.defaults;
    const language = input.lang ?? ctx.defaults.language;
    const country = input.country ?? ctx.defaults.country;
    // A window ends at the second of the request; nothing else needs a finer clock than a minute.
    const now = Math.floor((window === undefined ? ctx.minute() : ctx.now()) / 1000);
    const bound = [query, language, country, window ?? ""];
    const resumed = resumeFrom<SearchPlace>(ctx, isSearchPlace, bound, input.continuation_token);
    // Freshness needs no finer clock than a minute, and a coarse one keeps the sealed token, and so the ETag, steady.
    const clock = resumed?.clock ?? now - (now % 60);
    const since = resumed?.since ?? (window === undefined ? undefined : windowStart(window, now, timezone));
    // A window ends now: what is only announced for later does not belong to it.
    const until = resumed?.until ?? (window === undefined ? undefined : now + 1);
    const page = await ctx.store.searchPosts({
      text: query,
      offset: resumed?.offset ?? 0,
      limit: PAGE_SIZE,
      now: clock,
      state: parseSearchState(resumed?.state) ?? undefined,
      publishedSince: since,
      publishedUntil: until,
      language,
      country,
    });
    const posts = page.items;
    return {
      lastModified: latestCapture(posts),
      headers: correctionHeader(page.corrected),
      body: {
        number_of_videos: String(posts.length),
        query,
        country,
        lang: language,
        timezone,
        continuation_token:
          page.next === undefined
            ? ""
            : ctx.cursors.sign(bound, { offset: page.next, state: formatSearchState(page.state), clock, since, until }),
        videos: posts.map((post) => toVideoListing(post, now, language)),
      },
    };
  },
});
