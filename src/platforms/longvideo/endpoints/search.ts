import { Type } from "#api/schema.ts";
import { type Context, endpoint, latestCapture } from "#api/endpoint.ts";
import { invalidPageToken, NextPageToken, verifyPageToken } from "#api/page-token.ts";
import { CountryParameter, LanguageParameter, PageTokenParameter, textParameter } from "#api/parameters.ts";
import { searchHeaders } from "#api/response-headers.ts";
import { Text, wireObject } from "#api/wire.ts";
import { parseSearchState, formatSearchState } from "#domain/search-state.ts";
import type { LongVideoNatives } from "../native.ts";
import { PUBLISHING_WINDOWS, windowStart } from "../publishing-window.ts";
import { toVideoListing, VideoListing } from "../shapes/video-record.ts";

const PAGE_SIZE = 20;

const VideoSearch = wireObject({
  number_of_videos: Type.String({
    pattern: "^\\d+$",
    description: "Number of videos in this response, as a string.",
  }),
  query: Text,
  country: Type.String({ description: "Country code in upper case." }),
  lang: Type.String({ description: "Language of formatted texts (BCP 47)." }),
  timezone: Type.String({ description: "Time zone that `order_by=today` uses." }),
  continuation_token: NextPageToken,
  videos: Type.Array(VideoListing),
});

/** Carries what was returned, and the clock and window of the first page, so that no video is repeated or missed. */
const SearchPosition = Type.Object({
  offset: Type.Integer(),
  state: Type.String(),
  clock: Type.Integer(),
  /** The spelling that the first page searched, so that the others do too; undefined for the query as typed. */
  corrected: Type.Optional(Type.String()),
  since: Type.Optional(Type.Number()),
  until: Type.Optional(Type.Number()),
});

export const videoSearch = endpoint({
  method: "GET",
  path: "search",
  summary: "Search videos",
  description:
    "Searches videos by `query`, most relevant first, 20 per page. Supports the query language of docs/search.md, with the headers `Search-Corrected`, `Search-Matched` (`some` if no video has all words) and `Search-Ignored`. `lang` and `country` are preferences: matching videos rank higher, others are still included; `lang` is also the language of `published_time`. `order_by` restricts the search to videos published within a window that ends now, to the second: `last_hour` covers the last 3,600 seconds, `today` starts at 00:00 in `timezone`, and `this_week`, `this_month` and `this_year` cover the last 7, 30 and 365 days. For the next page, send `continuation_token` with the same parameters; it is empty on the last page.",
  cost: "search",
  input: Type.Object({
    query: textParameter("Words to search for."),
    lang: LanguageParameter,
    order_by: Type.Optional(
      Type.Enum([...PUBLISHING_WINDOWS], { description: "Only videos published within this window." }),
    ),
    country: CountryParameter,
    continuation_token: PageTokenParameter,
  }),
  output: VideoSearch,
  example: { query: "street food", country: "US" },
  pages: { items: "videos", next: { continuation_token: "continuation_token" } },

  async handle(ctx: Context<LongVideoNatives>, input) {
    const { query, order_by: window } = input;
    const { timezone } = ctx.defaults;
    const language = input.lang ?? ctx.defaults.language;
    const country = input.country ?? ctx.defaults.country;
    // A window ends at the second of the request; otherwise a minute is exact enough.
    const now = Math.floor((window === undefined ? ctx.minute() : ctx.now()) / 1000);
    const bound = [query, language, country, window ?? ""];
    const token = input.continuation_token;
    const resumed = verifyPageToken(ctx, "continuation_token", bound, token, SearchPosition);
    const state = resumed === undefined ? undefined : parseSearchState(resumed.state);
    if (state === null) throw invalidPageToken(ctx, "continuation_token");
    // Freshness needs no finer clock than a minute, and a coarse one keeps the signed token, and so the ETag, stable.
    const clock = resumed?.clock ?? now - (now % 60);
    const since = resumed?.since ?? (window === undefined ? undefined : windowStart(window, now, timezone));
    // Excludes videos that are scheduled for later.
    const until = resumed?.until ?? (window === undefined ? undefined : now + 1);
    const page = await ctx.store.searchPosts({
      text: resumed?.corrected ?? query,
      offset: resumed?.offset ?? 0,
      limit: PAGE_SIZE,
      now: clock,
      state,
      publishedSince: since,
      publishedUntil: until,
      language,
      country,
      asTyped: resumed !== undefined,
      orPartial: true,
    });
    const posts = page.items;
    const corrected = resumed?.corrected ?? page.corrected;
    const place = { state: formatSearchState(page.state), clock, since, until, corrected: corrected ?? undefined };
    return {
      lastModified: latestCapture(posts),
      headers: searchHeaders({ ...page, corrected }),
      body: {
        number_of_videos: String(posts.length),
        query,
        country,
        lang: language,
        timezone,
        continuation_token: page.next === undefined ? "" : ctx.cursors.sign(bound, { offset: page.next, ...place }),
        videos: posts.map((post) => toVideoListing(post, now, language)),
      },
    };
  },
});
