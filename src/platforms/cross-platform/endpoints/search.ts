import { Type } from "#api/schema.ts";
import { searchHeaders } from "#api/response-headers.ts";
import { endpoint, latestCapture, type CrossPlatformContext } from "#api/endpoint.ts";
import { NextPageToken } from "#api/page-token.ts";
import { choiceParameter, integerParameter, PageTokenParameter, textParameter } from "#api/parameters.ts";
import { SEARCH_KINDS } from "#domain/record.ts";
import { nullable, Text, wireObject } from "#api/wire.ts";
import { traitsOf } from "../find-record.ts";
import { resolvePlatform, PlatformParameter } from "../platform-parameter.ts";
import { beginSession, resumeSession, signSearchSession } from "../search-session.ts";
import { AccountSummary, toAccountSummary } from "../shapes/account.ts";
import { PostSummary, toPostSummary } from "../shapes/post.ts";
import { SearchFacets, toSearchFacets } from "../shapes/search-facets.ts";
import { Matched, SearchResult, toSearchResult } from "../shapes/search-result.ts";

export const SearchResponse = wireObject({
  query: Text,
  corrected: nullable(
    Type.String({ description: "The spelling that was searched instead, if nothing matched the query as typed." }),
  ),
  matched: nullable(Matched),
  ignored: Type.Array(wireObject({ term: Text, reason: Text }), {
    description: "Parts of the query that were not searched, such as unknown operators, with the reason.",
  }),
  results: Type.Array(SearchResult),
  posts: Type.Array(PostSummary, { description: "The posts among the results, whole; empty without `expand=posts`." }),
  authors: Type.Array(AccountSummary, { description: "Stored accounts of the authors of `posts`, each once." }),
  facets: SearchFacets,
  facets_counted: Type.Integer({ description: "Number of matches that the facets were counted over." }),
  facets_complete: Type.Boolean({
    description: "Whether there are no other matches. If false, `facets_counted` is a lower bound.",
  }),
  continuation_token: NextPageToken,
});

/** The same as in the platforms' own searches. */
const MAX_RESULTS = 1_000;

export const search = endpoint({
  method: "GET",
  path: "search",
  summary: "Search all platforms",
  description:
    "Searches posts, accounts, hashtags, sounds, places, comments and subtitle lines of all platforms that the token can read, best match first. `platform` and `kind` restrict the search to one of each. A subtitle result includes the second at which the line is spoken. If no record has all words, the best partial matches are returned, with `matched` `some`. `facets` lists common values among the matches; `facets_complete` is false if there may be more matches than were counted, and counts that are not exact are left out. `ignored` names operators that cannot be read. Unknown values are null, and `counters` contains only known ones. For the next page, send `continuation_token` with the same `q`, `platform` and `kind`; it is empty on the last page. A search returns at most its best 1,000 results, as of when it started.",
  cost: "search",
  input: Type.Object({
    q: textParameter("Words to search for; supports phrases, `-not`, `OR` and the filters of docs/search.md."),
    platform: Type.Optional(PlatformParameter),
    kind: Type.Optional(choiceParameter(SEARCH_KINDS, { description: "Only results of this kind." })),
    expand: Type.Optional(
      choiceParameter(["posts"], {
        description: "`posts` also returns the posts among the results, with their authors.",
      }),
    ),
    limit: integerParameter({ minimum: 1, maximum: 50, default: 20, description: "Results per page." }),
    continuation_token: PageTokenParameter,
  }),
  output: SearchResponse,
  example: { q: "street food", expand: "posts" },
  pages: { items: "results", next: { continuation_token: "continuation_token" } },

  async handle(ctx: CrossPlatformContext, { q, platform, kind, expand, limit, continuation_token: token }) {
    const stores = platform === undefined ? ctx.readers : [resolvePlatform(ctx, platform)];
    const bound = [q, platform?.toLowerCase() ?? "", kind ?? ""];
    const isFirst = token === undefined || token === "";
    const session = isFirst
      ? beginSession(ctx.minute(), stores, kind === undefined ? SEARCH_KINDS : [kind])
      : resumeSession(ctx, stores, bound, token);
    const returned = session.sources.reduce((sum, { state }) => sum + (state?.returned.length ?? 0), 0);
    const pageSize = Math.min(limit, MAX_RESULTS - returned);

    const { hits, authors, more, sources, facets, ...reading } = await ctx.search({
      text: session.corrected ?? q,
      sources: session.sources,
      limit: pageSize,
      now: session.now,
      // Later pages search what the first did.
      asTyped: !isFirst,
      orPartial: true,
      withAuthors: expand === "posts",
    });
    const searched = session.corrected ?? reading.corrected;
    const matched: Matched = reading.isPartial ? "some" : "all";
    const found = expand === "posts" ? hits.filter((hit) => hit.kind === "post") : [];
    // An empty page ends the search, whatever the sources report: the next page would be empty too.
    const hasMore = more && hits.length > 0 && returned + hits.length < MAX_RESULTS;
    return {
      lastModified: latestCapture([...hits, ...authors].map(({ record }) => record)),
      headers: searchHeaders({ ...reading, corrected: searched }),
      body: {
        query: q,
        corrected: searched,
        matched: hits.length === 0 ? null : matched,
        ignored: [...reading.ignored],
        results: hits.map((hit) => toSearchResult(hit, matched, ctx)),
        posts: found.map((hit) =>
          toPostSummary(hit.platform, hit.record, traitsOf(ctx, hit.platform).listMedia(hit.record)),
        ),
        authors: authors.map((author) => toAccountSummary(author.platform, author.record, ctx)),
        facets: toSearchFacets(facets),
        facets_counted: facets.reduce((sum, { counted }) => sum + counted, 0),
        facets_complete: facets.every(({ complete }) => complete),
        continuation_token: hasMore ? signSearchSession(ctx, bound, { ...session, corrected: searched, sources }) : "",
      },
    };
  },
});
