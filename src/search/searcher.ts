/**
 * Search for every store: query -> a bounded number of candidates -> ranking. Common words cost no more than rare ones:
 * the index is read by descending static rank, no further than needed. Matches of lower rank that fit better, such as
 * titles among captions, have queries of their own.
 */
import type { SearchState } from "#domain/search-state.ts";
import { withReturned } from "#domain/search-state.ts";
import { perfCounters } from "#domain/perf-counters.ts";
import type { Lookup, SearchPartition, SearchEngine } from "./engine.ts";
import * as filterTerms from "./filter-terms.ts";
import { type Bounds, countTerms, isImpossible, type Match, NO_MATCH } from "./match.ts";
import {
  boundsMatch,
  byPrefix,
  byNgrams,
  byTitle,
  byWholeTitle,
  byWords,
  prefixOf,
  type ResolvedQuery,
} from "./strategies.ts";
import { type Filter, parseQuery, type Query, respell } from "./query.ts";
import { type Candidate, type Preferences, rank, type Ranked } from "./ranking.ts";
import { nearestWords } from "./spelling.ts";

/** Nobody pages further; better words find more. */
const MAX_RESULTS = 1_000;
const CANDIDATES = 200;
const TITLE_CANDIDATES = 100;
const WHOLE_TITLE_CANDIDATES = 20;
/** The most used completions of the last word that are searched. */
const MAX_COMPLETIONS = 12;
/** Sounds that one title given to `sound:` may match. */
const MAX_SOUNDS_PER_TITLE = 20;

export interface SearchRequest extends Preferences {
  text: string;
  offset: number;
  limit: number;
  state?: SearchState | undefined;
  bounds?: Bounds;
  /** Disables spelling correction. */
  asTyped?: boolean;
  /** Whether to read the text of every match. */
  texts?: boolean;
}

export interface SearchResponse {
  page: Ranked[];
  /** All ranked candidates, best first; the page is a part of it. */
  ranked: Ranked[];
  /** Whether `ranked` contains every match. */
  isComplete: boolean;
  hasMore: boolean;
  /** The state before this page and after it. */
  stateBefore: SearchState;
  state: SearchState;
  corrected: string | null;
}

export class Searcher {
  readonly #engine: SearchEngine;

  constructor(engine: SearchEngine) {
    this.#engine = engine;
  }

  async search(partition: SearchPartition, request: SearchRequest): Promise<SearchResponse> {
    const stateBefore = request.state ?? { newest: await this.#engine.getNewestDoc(), returned: [] };
    const limit = Math.min(MAX_RESULTS, Math.max(CANDIDATES, request.offset + request.limit + 1));
    let query = withBounds(parseQuery(request.text), request.bounds);
    // A single word needs no text: if it is in neither title nor tags, it is in the text.
    const texts = request.texts === true || query.terms.flat().length > 1;
    let found = await this.#findCandidates(partition, query, { newest: stateBefore.newest, limit, texts });
    let corrected: string | null = null;
    if (found.candidates.length === 0 && request.asTyped !== true) {
      corrected = await this.#correct(partition, request.text, query);
      if (corrected !== null) {
        query = withBounds(parseQuery(corrected), request.bounds);
        found = await this.#findCandidates(partition, query, { newest: stateBefore.newest, limit, texts });
        if (found.candidates.length === 0) corrected = null;
      }
    }
    const ranked = rank(found.candidates, query, request).slice(0, MAX_RESULTS);
    return { ...slicePage(ranked, request, stateBefore), ranked, isComplete: found.isComplete, stateBefore, corrected };
  }

  /** Finds at least the best matches; `isComplete` if they are all matches. */
  async #findCandidates(
    partition: SearchPartition,
    query: Query,
    { limit, ...lookup }: Pick<Lookup, "newest" | "limit" | "texts">,
  ): Promise<{ candidates: Candidate[]; isComplete: boolean }> {
    const resolved = await this.#resolve(partition, query);
    const found = new Map<number, Candidate>();
    const find = async (match: Match, maxResults: number, hasAllWords: boolean) => {
      if (isImpossible(match)) return 0;
      perfCounters.searchTermsLookedUp += countTerms(match);
      const documents = await this.#engine.find(partition, {
        match,
        bounds: query.bounds,
        limit: maxResults,
        ...lookup,
      });
      for (const document of documents)
        if (!found.has(document.doc)) found.set(document.doc, { document, hasAllWords });
      return documents.length;
    };
    if ((await find(byWords(resolved), limit, true)) === limit) {
      await find(byWholeTitle(resolved), WHOLE_TITLE_CANDIDATES, true);
      await find(byTitle(resolved), TITLE_CANDIDATES, true);
      return { candidates: [...found.values()], isComplete: false };
    }
    const prefix = prefixOf(query);
    const completions = prefix === null ? [] : await this.#engine.listCompletions(partition, prefix, MAX_COMPLETIONS);
    const byPrefixCount = await find(byPrefix(resolved, completions), limit, false);
    const byNgramsCount = await find(byNgrams(resolved, completions), limit, false);
    return { candidates: [...found.values()], isComplete: byPrefixCount < limit && byNgramsCount < limit };
  }

  async #resolve(partition: SearchPartition, query: Query): Promise<ResolvedQuery> {
    const required = boundsMatch(query.bounds);
    const excluded: Match[] = [];
    for (const filter of query.filters) {
      const match = await this.#filterMatch(partition, filter);
      (filter.negated ? excluded : required).push(match);
    }
    return { query, required, excluded: excluded.filter((match) => !isImpossible(match)) };
  }

  async #filterMatch(partition: SearchPartition, { name, value }: Filter): Promise<Match> {
    if (name === "lang") return filterTerms.language(value);
    if (name === "from") {
      const id = await this.#engine.getAccountId(partition.platform, value);
      return id === null ? NO_MATCH : filterTerms.author(id);
    }
    const sounds = await this.search(
      { platform: partition.platform, kind: "sound" },
      // Without colons, so that a filter in the title does not start another search.
      { text: value.replaceAll(":", " "), offset: 0, limit: MAX_SOUNDS_PER_TITLE, now: 0, asTyped: true },
    );
    // The value may be an id as well as a title.
    return { any: [filterTerms.sound(value), ...sounds.page.map(({ document }) => filterTerms.sound(document.id))] };
  }

  /** Replaces each unknown word by the nearest known one; null if a word has none. */
  async #correct(partition: SearchPartition, text: string, query: Query): Promise<string | null> {
    const tokens = new Set(query.terms.flat().flatMap((term) => term.tokens));
    perfCounters.searchTermsLookedUp += tokens.size;
    const known = new Set((await this.#engine.filterKnownWords(partition, [...tokens])).map(({ word }) => word));
    const unknown = [...tokens].filter((token) => !known.has(token));
    const spellings = unknown.length === 0 ? null : await nearestWords(this.#engine, partition, unknown);
    return spellings === null ? null : respell(text, spellings);
  }
}

function withBounds(query: Query, more: Bounds = {}): Query {
  const { since, until } = query.bounds;
  const latest = Math.max(since ?? -Infinity, more.since ?? -Infinity);
  const earliest = Math.min(until ?? Infinity, more.until ?? Infinity);
  return {
    ...query,
    bounds: {
      ...query.bounds,
      since: latest === -Infinity ? undefined : latest,
      until: earliest === Infinity ? undefined : earliest,
    },
  };
}

/** Skips what earlier pages returned. An offset before their end is counted in the whole ranking instead. */
function slicePage(ranked: Ranked[], { offset, limit }: SearchRequest, before: SearchState) {
  const returned = new Set(offset >= before.returned.length ? before.returned : []);
  const rest = ranked.filter(({ document }) => !returned.has(document.doc));
  const start = offset - returned.size;
  const page = rest.slice(start, start + limit);
  return {
    page,
    hasMore: rest.length > start + page.length,
    state: withReturned(
      returned.size === before.returned.length ? before : { ...before, returned: [] },
      rest.slice(0, start + page.length).map(({ document }) => document.doc),
    ),
  };
}
