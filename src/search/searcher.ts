/**
 * The search that every store gives: query -> candidates of bounded number -> one order. Common words cost no more than
 * rare ones, since the index is read from the best standing down and no further than needed; what would stand lower but
 * fits better, a title among captions, is asked for on its own.
 */
import type { SearchState } from "#domain/search-state.ts";
import { withReturned } from "#domain/search-state.ts";
import { perfCounters } from "#domain/perf-counters.ts";
import type { Lookup, SearchPartition, SearchEngine } from "./engine.ts";
import * as marks from "./filter-terms.ts";
import { type Bounds, countTerms, isImpossible, type Match, none } from "./match.ts";
import {
  boundsMatch,
  byPrefix,
  byNgrams,
  byTitle,
  byWholeTitle,
  byWords,
  openWord,
  type ResolvedQuery,
} from "./strategies.ts";
import { type Filter, parseQuery, type Query, respell } from "./query.ts";
import { type Candidate, type Preferences, rank, type Ranked } from "./ranking.ts";
import { nearestWords } from "./spelling.ts";

/** Nobody walks further; more is found by better words. */
const MAX_RESULTS = 1_000;
const CANDIDATES = 200;
const TITLE_CANDIDATES = 100;
const WHOLE_TITLE_CANDIDATES = 20;
/** Of the words that begin like the last one, so many of the most used are searched. */
const LONGER_WORDS = 12;
/** Sounds that a title given to `sound:` may mean. */
const MEANT_SOUNDS = 20;

export interface SearchRequest extends Preferences {
  text: string;
  offset: number;
  limit: number;
  state?: SearchState | undefined;
  bounds?: Bounds;
  asTyped?: boolean;
  /** The texts of all that was found are wanted too. */
  texts?: boolean;
}

export interface SearchResponse {
  page: Ranked[];
  /** What the page was taken from, best first. */
  ranked: Ranked[];
  /** No match was left out of `ranked`. */
  complete: boolean;
  more: boolean;
  /** The state before this page, and after it. */
  began: SearchState;
  state: SearchState;
  corrected: string | null;
}

export class Searcher {
  readonly #engine: SearchEngine;

  constructor(engine: SearchEngine) {
    this.#engine = engine;
  }

  async search(scope: SearchPartition, request: SearchRequest): Promise<SearchResponse> {
    const began = request.state ?? { newest: await this.#engine.newest(), returned: [] };
    const limit = Math.min(MAX_RESULTS, Math.max(CANDIDATES, request.offset + request.limit + 1));
    let query = bounded(parseQuery(request.text), request.bounds);
    // Of a single word the title and the tags tell where it stands: else it is in the text.
    const texts = request.texts === true || query.terms.flat().length > 1;
    let found = await this.#candidates(scope, query, { newest: began.newest, limit, texts });
    let corrected: string | null = null;
    if (found.candidates.length === 0 && request.asTyped !== true) {
      corrected = await this.#correct(scope, request.text, query);
      if (corrected !== null) {
        query = bounded(parseQuery(corrected), request.bounds);
        found = await this.#candidates(scope, query, { newest: began.newest, limit, texts });
        if (found.candidates.length === 0) corrected = null;
      }
    }
    const ranked = rank(found.candidates, query, request).slice(0, MAX_RESULTS);
    return { ...cutPage(ranked, request, began), ranked, complete: found.complete, began, corrected };
  }

  /** At least the best matches; `complete` when they are all there are. */
  async #candidates(
    scope: SearchPartition,
    query: Query,
    { limit, ...within }: Pick<Lookup, "newest" | "limit" | "texts">,
  ): Promise<{ candidates: Candidate[]; complete: boolean }> {
    const resolved = await this.#resolve(scope, query);
    const found = new Map<number, Candidate>();
    const look = async (match: Match, most: number, certain: boolean) => {
      if (isImpossible(match)) return 0;
      perfCounters.lookups += countTerms(match);
      const documents = await this.#engine.find(scope, { match, bounds: query.bounds, limit: most, ...within });
      for (const document of documents) if (!found.has(document.doc)) found.set(document.doc, { document, certain });
      return documents.length;
    };
    if ((await look(byWords(resolved), limit, true)) === limit) {
      await look(byWholeTitle(resolved), WHOLE_TITLE_CANDIDATES, true);
      await look(byTitle(resolved), TITLE_CANDIDATES, true);
      return { candidates: [...found.values()], complete: false };
    }
    const beginning = openWord(query);
    const longer = beginning === null ? [] : await this.#engine.longerWords(scope, beginning, LONGER_WORDS);
    const begun = await look(byPrefix(resolved, longer), limit, false);
    const paired = await look(byNgrams(resolved, longer), limit, false);
    return { candidates: [...found.values()], complete: begun < limit && paired < limit };
  }

  async #resolve(scope: SearchPartition, query: Query): Promise<ResolvedQuery> {
    const required = boundsMatch(query.bounds);
    const excluded: Match[] = [];
    for (const filter of query.filters) {
      const match = await this.#markOf(scope, filter);
      (filter.negated ? excluded : required).push(match);
    }
    return { query, required, excluded: excluded.filter((match) => !isImpossible(match)) };
  }

  async #markOf(scope: SearchPartition, { name, value }: Filter): Promise<Match> {
    if (name === "lang") return marks.language(value);
    if (name === "from") {
      const id = await this.#engine.accountNamed(scope.platform, value);
      return id === null ? none : marks.author(id);
    }
    const sounds = await this.search(
      { platform: scope.platform, kind: "sound" },
      // A title is nothing but words: a filter within a filter would be a search within a search.
      { text: value.replaceAll(":", " "), offset: 0, limit: MEANT_SOUNDS, now: 0, asTyped: true },
    );
    // An id may be meant as well as a title.
    return { any: [marks.sound(value), ...sounds.page.map(({ document }) => marks.sound(document.id))] };
  }

  /** The text with each unknown word replaced by the nearest known one; null when that is not possible. */
  async #correct(scope: SearchPartition, text: string, query: Query): Promise<string | null> {
    const tokens = new Set(query.terms.flat().flatMap((term) => term.tokens));
    perfCounters.lookups += tokens.size;
    const known = new Set((await this.#engine.wordsAmong(scope, [...tokens])).map(({ word }) => word));
    const unknown = [...tokens].filter((token) => !known.has(token));
    const spellings = unknown.length === 0 ? null : await nearestWords(this.#engine, scope, unknown);
    return spellings === null ? null : respell(text, spellings);
  }
}

function bounded(query: Query, more: Bounds = {}): Query {
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

/** Of those not given before, from where the page before ended. An offset of long ago is cut from the whole order. */
function cutPage(ranked: Ranked[], { offset, limit }: SearchRequest, began: SearchState) {
  const given = new Set(offset >= began.returned.length ? began.returned : []);
  const rest = ranked.filter(({ document }) => !given.has(document.doc));
  const start = offset - given.size;
  const page = rest.slice(start, start + limit);
  return {
    page,
    more: rest.length > start + page.length,
    state: withReturned(
      given.size === began.returned.length ? began : { ...began, returned: [] },
      rest.slice(0, start + page.length).map(({ document }) => document.doc),
    ),
  };
}
