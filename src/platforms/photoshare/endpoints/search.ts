import { Type } from "#api/schema.ts";
import { type Context, endpoint, latestCapture, parameterError } from "#api/endpoint.ts";
import { searchHeaders } from "#api/response-headers.ts";
import { textParameter } from "#api/parameters.ts";
import { VolatileText, wireObject } from "#api/wire.ts";
import type { PhotoShareNatives } from "../native.ts";
import { rankTogether } from "../search-ranking.ts";
import {
  FoundHashtag,
  FoundPlace,
  FoundUser,
  SeeMore,
  toFoundHashtag,
  toFoundPlace,
  toFoundUser,
  toSeeMore,
} from "../shapes/search-result.ts";

export const SearchResults = wireObject({
  see_more: SeeMore,
  hashtags: Type.Array(FoundHashtag),
  users: Type.Array(FoundUser),
  places: Type.Array(FoundPlace),
  rank_token: VolatileText,
});

const MAX_RESULTS = 20;
const MAX_PLACES = 10;

export const search = endpoint({
  method: "POST",
  path: "search",
  form: "urlencoded",
  summary: "Search accounts, hashtags, places and keywords",
  description:
    "Searches accounts, hashtags, places and related keywords, best match first. A leading `@` restricts the search to accounts, a leading `#` to hashtags. `position` ranks the results of all lists together; the keywords of `see_more` rank last. Keywords are hashtags and words that people use together with the query. Supports the query language of docs/search.md, with the headers `Search-Corrected`, `Search-Matched` (`some` if no record has all words) and `Search-Ignored`.",
  cost: "search",
  input: Type.Object({
    search_query: textParameter(
      "Account name, hashtag or keyword; a leading `@` restricts to accounts, `#` to hashtags.",
    ),
  }),
  output: SearchResults,
  example: { search_query: "street" },

  async handle(ctx: Context<PhotoShareNatives>, { search_query }) {
    const { text, only } = parseQuery(search_query);
    if (text === "") {
      throw parameterError(ctx, "invalid_parameter", "search_query", "must not be empty after the leading @ or #");
    }
    const found = await ctx.store.searchNames({
      text,
      accounts: only === "hashtags" ? 0 : MAX_RESULTS,
      hashtags: only === "users" ? 0 : MAX_RESULTS,
      places: only === null ? MAX_PLACES : 0,
      keywords: only === null ? MAX_RESULTS : 0,
      orPartial: true,
    });
    const [users, hashtags, places] = rankTogether(found.accounts, found.hashtags, found.places);
    return {
      headers: searchHeaders(found),
      lastModified: latestCapture([...users, ...hashtags, ...places].map(({ item }) => item)),
      body: {
        see_more: toSeeMore(found.keywords, users.length + hashtags.length + places.length),
        hashtags: hashtags.map(({ item, position }) => toFoundHashtag(item, position)),
        users: users.map(({ item, position }) => toFoundUser(item, position)),
        places: places.map(({ item, position }) => toFoundPlace(item, position)),
        rank_token: ctx.requestId,
      },
    };
  },
});

function parseQuery(query: string): { text: string; only: "users" | "hashtags" | null } {
  const text = query.trim();
  if (text.startsWith("@")) return { text: text.slice(1).trim(), only: "users" };
  if (text.startsWith("#")) return { text: text.slice(1).trim(), only: "hashtags" };
  return { text, only: null };
}
