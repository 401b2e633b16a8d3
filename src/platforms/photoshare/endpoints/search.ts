import { Type } from "typebox";
import { type Context, endpoint, latestCapture, parameterError } from "#api/endpoint.ts";
import { correctionHeader } from "#api/correction.ts";
import { textParameter } from "#api/parameters.ts";
import { VolatileText, wireObject } from "#api/wire.ts";
import type { PhotoShareNatives } from "../native.ts";
import { rankAcross } from "../search-ranking.ts";
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

const AT_MOST = 20;
const PLACES_AT_MOST = 10;

export const search = endpoint({
  method: "POST",
  path: "search",
  form: "urlencoded",
  summary: "Search for accounts, hashtags, places and keywords",
  description:
    "Finds accounts, hashtags, places and further keywords, best first. `@` before the query looks for accounts only, `#` for hashtags only. `position` ranks accounts, hashtags, places and the keywords of `see_more` in one order across the lists, keywords after what was found. Keywords are the hashtags and the next words that people write beside the query. The query language of docs/search.md holds here too.",
  cost: "search",
  input: Type.Object({
    search_query: textParameter("Account name, hashtag or keyword. `@` asks for accounts only, `#` for hashtags only."),
  }),
  output: SearchResults,
  example: { search_query: "street" },

  async handle(ctx: Context<PhotoShareNatives>, { search_query }) {
    const { text, only } = readQuery(search_query);
    if (text === "") {
      throw parameterError(ctx, "invalid_parameter", "search_query", "must hold more than spaces and a leading @ or #");
    }
    const found = await Promise.all([
      only === "hashtags" ? NOTHING : ctx.store.searchAccounts(text, AT_MOST),
      only === "users" ? NOTHING : ctx.store.searchHashtags(text, AT_MOST),
      only === null ? ctx.store.searchPlaces(text, PLACES_AT_MOST) : NOTHING,
    ]);
    // Another spelling is worth showing only where the one that was typed found nothing at all.
    const asTyped = found.some(({ items, corrected }) => items.length > 0 && corrected === null);
    const [accounts, tags, spots] = asTyped ? (found.map(onlyAsTyped) as typeof found) : found;
    const corrected = asTyped ? null : (found.find((one) => one.corrected !== null)?.corrected ?? null);
    const keywords = only === null ? await ctx.store.suggestKeywords(corrected ?? text, AT_MOST) : [];
    const [users, hashtags, places] = rankAcross(accounts.items, tags.items, spots.items);
    return {
      headers: correctionHeader(corrected),
      lastModified: latestCapture([...users, ...hashtags, ...places].map(({ item }) => item)),
      body: {
        see_more: toSeeMore(keywords, users.length + hashtags.length + places.length),
        hashtags: hashtags.map(({ item, position }) => toFoundHashtag(item, position)),
        users: users.map(({ item, position }) => toFoundUser(item, position)),
        places: places.map(({ item, position }) => toFoundPlace(item, position)),
        rank_token: ctx.requestId,
      },
    };
  },
});

const NOTHING = { items: [], corrected: null };

function onlyAsTyped<Found extends { items: unknown[]; corrected: string | null }>(found: Found): Found {
  return found.corrected === null ? found : { ...found, items: [], corrected: null };
}

function readQuery(query: string): { text: string; only: "users" | "hashtags" | null } {
  const text = query.trim();
  if (text.startsWith("@")) return { text: text.slice(1).trim(), only: "users" };
  if (text.startsWith("#")) return { text: text.slice(1).trim(), only: "hashtags" };
  return { text, only: null };
}
