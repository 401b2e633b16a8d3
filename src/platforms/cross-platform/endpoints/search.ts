import { Type } from "typebox";
import { correctionHeader } from "#api/correction.ts";
import { endpoint, latestCapture, type CrossPlatformContext } from "#api/endpoint.ts";
import { choiceParameter, integerParameter, PageTokenParameter, textParameter } from "#api/parameters.ts";
import { Flag, nullable, Text, wireObject } from "#api/wire.ts";
import { chosenPlatform, PlatformParameter } from "../platform-parameter.ts";
import { type SourceResults, bestOf, sourcesAfter, withOneSpelling } from "../merge-results.ts";
import { beginSession, resumeSession, signSession, type SearchSession } from "../search-session.ts";
import { SearchFacets, toSearchFacets } from "../shapes/search-facets.ts";
import { SEARCH_KINDS, SearchResult, toSearchResult } from "../shapes/search-result.ts";

export const SearchAcross = wireObject({
  query: Text,
  corrected: nullable(
    Type.String({ description: "Nothing matched the query as typed: the spelling that was searched instead." }),
  ),
  results: Type.Array(SearchResult),
  facets: SearchFacets,
  facets_counted: Type.Integer({ description: "How many matches the facets were counted over." }),
  facets_complete: Flag,
  continuation_token: Type.String({ description: "For the next page; empty at the end." }),
});

/** As many as the searches of the platforms show. */
const MOST_RESULTS = 1_000;

export const search = endpoint({
  method: "GET",
  path: "search",
  summary: "Search everything, on all platforms at once",
  description:
    "Posts, accounts, hashtags, sounds, places, comments and lines of subtitles of all platforms that the token may read, in one order, best first. `platform` and `kind` narrow it to one. A subtitle comes with the second at which the line is spoken. `facets` count what the matches have in common; `facets_complete` is false when there are more matches than were counted. Values that are not known are null, and `counters` holds only known ones. For the next page send `continuation_token` with the same `q`, `platform` and `kind`; it is empty at the end. A search shows its best 1,000 results, as they were when it began.",
  cost: "search",
  input: Type.Object({
    q: textParameter("Words to look for; phrases, `-not`, `OR` and filters as in docs/search.md."),
    platform: Type.Optional(PlatformParameter),
    kind: Type.Optional(choiceParameter(SEARCH_KINDS, { description: "Only results of this kind." })),
    limit: integerParameter({ minimum: 1, maximum: 50, default: 20, description: "Results a page." }),
    continuation_token: PageTokenParameter,
  }),
  output: SearchAcross,
  example: { q: "street food" },

  async handle(ctx: CrossPlatformContext, { q, platform, kind, limit, continuation_token: token }) {
    const stores = platform === undefined ? ctx.readers : [chosenPlatform(ctx, platform)];
    const bound = [q, platform?.toLowerCase() ?? "", kind ?? ""];
    const begins = token === undefined || token === "";
    const walk = begins
      ? beginSession(ctx.minute(), stores, kind === undefined ? SEARCH_KINDS : [kind])
      : resumeSession(ctx, stores, bound, token);
    const given = walk.sources.reduce((sum, { state }) => sum + (state?.returned.length ?? 0), 0);
    const wanted = Math.min(limit, MOST_RESULTS - given);

    const read = begins ? await firstReading(walk, q, wanted) : await askSources(walk, q, wanted);
    const shown = bestOf(read, wanted);
    const found = read.reduce((sum, { findings }) => sum + findings.hits.length, 0);
    // A page without results ends the walk whatever the sources say: the next one would be the same.
    const more =
      shown.length > 0 &&
      given + shown.length < MOST_RESULTS &&
      (found > shown.length || read.some(({ findings }) => findings.more));
    const corrected = shown[0]?.from.findings.corrected ?? null;
    return {
      asOf: latestCapture(shown.map(({ hit }) => hit.record)),
      headers: correctionHeader(corrected),
      body: {
        query: q,
        corrected,
        results: shown.map(({ from, hit }) => toSearchResult(from.source.platform, hit)),
        facets: toSearchFacets(read.map(({ source, findings }) => ({ ...source, facets: findings.facets }))),
        facets_counted: read.reduce((sum, { findings }) => sum + findings.facets.counted, 0),
        facets_complete: read.every(({ findings }) => findings.facets.complete),
        continuation_token: more ? signSession(ctx, bound, { ...walk, sources: sourcesAfter(read, shown) }) : "",
      },
    };
  },
});

/** As it was typed, if that finds anything anywhere; other spellings cost more and are tried only then. */
async function firstReading(walk: SearchSession, text: string, limit: number): Promise<SourceResults[]> {
  const asTyped = withOneSpelling(await askSources(walk, text, limit, true));
  return asTyped.length > 0 ? asTyped : withOneSpelling(await askSources(walk, text, limit));
}

function askSources(
  { clock, sources }: SearchSession,
  text: string,
  limit: number,
  asTyped = false,
): Promise<SourceResults[]> {
  return Promise.all(
    sources.map(async (source) => ({
      source,
      findings: await source.store.search(source.kind, {
        text,
        offset: source.state?.returned.length ?? 0,
        limit,
        now: clock,
        state: source.state,
        asTyped,
      }),
    })),
  );
}
