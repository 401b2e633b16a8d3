/**
 * Search for every store: query -> a bounded number of candidates -> ranking. Common words cost no more than rare ones:
 * the index is read by descending static rank, no further than needed. Matches of lower rank that fit better, such as
 * titles among captions, have queries of their own. All partitions of a search take each step together.
 */
import { type PlatformName, SEARCH_KINDS } from "#domain/record.ts";
import type { SearchState } from "#domain/search-state.ts";
import { withReturned } from "#domain/search-state.ts";
import { perfCounters } from "#domain/perf-counters.ts";
import { present } from "#domain/present.ts";
import { zip } from "#domain/zip.ts";
import { TITLE_SEPARATOR } from "./documents.ts";
import type { FoundDocument, LongerWords, Lookup, SearchPartition, SearchEngine } from "./engine.ts";
import * as filterTerms from "./filter-terms.ts";
import { allOf, type Bounds, countTerms, isImpossible, type Match } from "./match.ts";
import {
  boundsMatch,
  byAuthors,
  byForms,
  byName,
  byNgrams,
  byTitle,
  byWholeTitle,
  byWords,
  bySome,
  hasPhrases,
  listUnits,
  listUnorderedPhrases,
  type NamedAuthor,
  NO_FORMS,
  onlyExclusions,
  prefixOf,
  type ResolvedQuery,
  type Unit,
  type WordForms,
  wordsWithEndings,
} from "./strategies.ts";
import { type Filter, type IgnoredTerm, parseConditions, parseQuery, type Query, respell } from "./query.ts";
import { type Candidate, type Preferences, rank, type Ranked, rankPartial } from "./ranking.ts";
import { nearestWords, splitWords } from "./spelling.ts";
import { foldWhole, listPrefixes, tokenize } from "./tokens.ts";

/** Nobody pages further; better words find more. */
const MAX_RESULTS = 1_000;
const CANDIDATES = 200;
const TITLE_CANDIDATES = 100;
const WHOLE_TITLE_CANDIDATES = 20;
/** The most used words that are searched instead of the last one, which they complete, and of any that they end with. */
const MAX_COMPLETIONS = 12;
const MAX_ENDINGS = 12;
/** Accounts with the most followers whose current names contain a word of the query; their posts are found. */
const MAX_AUTHORS = 20;
/** Most accounts have fewer in a store. */
const POSTS_OF_AUTHOR = 200;
/** Accounts or sounds that one `from:` or `sound:` may name, by handle or whole title and again by any name. */
const MAX_NAMED = 20;
/** Records with some of the words, for each way of combining them. */
const PARTIAL_CANDIDATES = 50;
/** Partial matches count if they have this share of what the best one has. */
const SHARE_OF_BEST = 0.5;
/** The same where every match is wanted. */
const MAX_NAMED_OF_ALL_MATCHES = 1_000;

/** A part of a search: one partition, and the page that is wanted of it. */
export interface SourceRequest extends SearchPartition {
  /** Number of results on the pages before this one. */
  offset: number;
  limit: number;
  /** From the previous page; absent on the first. */
  state?: SearchState | undefined;
  /** Whether to read the text of every match. */
  texts?: boolean;
}

export interface SearchRequest extends Preferences {
  text: string;
  bounds?: Bounds;
  /** Disables spelling correction. */
  asTyped?: boolean;
  /** If no record has all words, finds those with some of them. */
  orPartial?: boolean;
}

export interface SearchResponse {
  /** The corrected query that was searched because nothing matched the text as typed; else null. */
  corrected: string | null;
  /** No record has all words; the results have some of them. */
  isPartial: boolean;
  ignored: IgnoredTerm[];
  /** In the order of the sources. */
  results: SourceResults[];
}

export interface SourceResults {
  page: Ranked[];
  /** All ranked candidates, best first; the page is a part of it. */
  ranked: Ranked[];
  /** Whether `ranked` contains every match. */
  isComplete: boolean;
  hasMore: boolean;
  /** The state before this page and after it. */
  stateBefore: SearchState;
  state: SearchState;
}

/** What a document must match, its names looked up. */
export interface ResolvedMatch {
  match: Match;
  /** Also matches, if the document has the phrases. */
  ngrams: { match: Match; phrases: readonly string[][] };
  /** Instead of both: every document but these. */
  allBut: Match | null;
  bounds: Bounds;
}

/** What is searched of one source. */
type SearchScope = Pick<Lookup, "platform" | "kind" | "newest" | "limit" | "texts">;

/** A source, where its paging is, and what is searched of it. */
interface Part {
  source: SourceRequest;
  state: SearchState;
  scope: SearchScope;
}

/** One query of the index: a scope, its match, and whether the match contains every word as typed. */
interface Task extends SearchScope {
  match: Match;
  hasAllWords: boolean;
  /** Instead of the query's. */
  bounds?: Bounds;
  /** If it matches what the words do and some more. */
  expected?: number;
  /** From `listUnorderedPhrases`: to be checked in what the index finds. */
  phrases?: readonly string[][];
}

/** After the exact matches. */
const TASKS_PER_SCOPE = 3;

interface Candidates {
  candidates: Candidate[];
  isComplete: boolean;
  authors: NamedAuthor[];
}

export class Searcher {
  readonly #engine: SearchEngine;

  constructor(engine: SearchEngine) {
    this.#engine = engine;
  }

  async search(sources: readonly SourceRequest[], request: SearchRequest): Promise<SearchResponse> {
    const isFirst = sources.some(({ state }) => state === undefined);
    const newest = isFirst ? await this.#engine.getNewestDoc() : 0;
    let query = withBounds(parseQuery(request.text), request.bounds);
    const { ignored } = query;
    // A single word needs no text: if it is in neither title nor tags, it is in the text.
    const manyWords = query.terms.flat().length > 1;
    const parts = sources.map((source): Part => {
      const { platform, kind, offset, limit, texts = false, state = { newest, returned: [] } } = source;
      const wanted = Math.min(MAX_RESULTS, Math.max(CANDIDATES, offset + limit + 1));
      const scope = { platform, kind, newest: state.newest, limit: wanted, texts: texts || manyWords };
      return { source, state, scope };
    });
    const scopes = parts.map(({ scope }) => scope);
    const isPartial = parts.some(({ state }) => state.isPartial === true);
    if (isPartial) {
      const results = await this.#findPartial(parts, query, request);
      return { corrected: null, isPartial, ignored, results };
    }
    let found = await this.#findCandidates(scopes, query);
    let corrected: string | null = null;
    const hasNone = () => found.every(({ candidates }) => candidates.length === 0);
    if (request.asTyped !== true && hasNone()) {
      const unknown = await this.#listUnknown(sources, query);
      for (const correct of unknown.length === 0 ? [] : [splitWords, nearestWords]) {
        const spellings = await correct(this.#engine, sources, unknown);
        if (spellings === null) continue;
        corrected = respell(request.text, spellings);
        query = withBounds(parseQuery(corrected), request.bounds);
        found = await this.#findCandidates(scopes, query);
        if (!hasNone()) break;
        corrected = null;
      }
    }
    if (request.orPartial === true && isFirst && hasNone()) {
      const typed = withBounds(parseQuery(request.text), request.bounds);
      const ofSome = parts.map((part) => ({ ...part, state: { ...part.state, isPartial: true } }));
      const results = await this.#findPartial(ofSome, typed, request);
      if (results.some(({ ranked }) => ranked.length > 0)) return { corrected, isPartial: true, ignored, results };
    }
    const results = zip(parts, found).map(([{ source, state }, { candidates, isComplete, authors }]) => {
      const ranked = rank(source.kind, candidates, query, request, authors);
      return toResults(source, ranked, state, isComplete);
    });
    return { corrected, isPartial, ignored, results };
  }

  /** Records with some of the words; a rare word counts for more than a common one. */
  async #findPartial(parts: readonly Part[], query: Query, preferences: Preferences): Promise<SourceResults[]> {
    const units = listUnits(query);
    const scopes = parts.map(({ scope }) => scope);
    const ranked = units.length < 2 ? scopes.map(() => []) : await this.#rankPartial(scopes, units, query, preferences);
    const best = Math.max(0, ...ranked.flat().map(({ share }) => share));
    return zip(parts, ranked).map(([{ source, state }, ofPart]) => {
      const near = ofPart.filter(({ share }) => share > 0 && share >= SHARE_OF_BEST * best);
      return toResults(source, near, state, false);
    });
  }

  async #rankPartial(
    scopes: readonly SearchScope[],
    units: readonly Unit[],
    query: Query,
    preferences: Preferences,
  ): Promise<ReturnType<typeof rankPartial>[]> {
    const words = [...new Set(units.flatMap(({ forms }) => forms.flat(2)))];
    perfCounters.searchTermsLookedUp += words.length * scopes.length;
    const known = (await this.#engine.filterKnownWords(scopes, words)).map(
      (found) => new Map(found.map(({ word, docs }) => [word, docs])),
    );
    const weighted = units
      .map((unit) => ({ unit, docs: known.map((docsOf) => countDocs(unit, docsOf)) }))
      .map((counted) => ({ ...counted, total: counted.docs.reduce((sum, docs) => sum + docs, 0) }))
      .filter(({ total }) => total > 0)
      .map((counted) => ({ ...counted, weight: 1 / (1 + Math.round(2 * Math.log10(1 + counted.total)) / 2) }))
      .toSorted((a, b) => a.total - b.total);
    const resolvedFor = await this.#resolve(scopes, query, MAX_NAMED);
    const tasks = scopes.flatMap((scope, index) => {
      const docsOf = new Map(weighted.map(({ unit, docs }) => [unit, docs[index] ?? 0]));
      const ofScope = weighted.flatMap(({ unit }) => (docsOf.get(unit) === 0 ? [] : unit));
      return bySome(resolvedFor(scope), ofScope).map(({ match, needed }) => ({
        ...scope,
        index,
        match,
        hasAllWords: false,
        limit: PARTIAL_CANDIDATES,
        texts: true,
        expected: needed.reduce((sum, unit) => sum + (docsOf.get(unit) ?? 0), 0),
      }));
    });
    const found = await this.#find(query.bounds, tasks);
    return scopes.map((_, index) => {
      const candidates = distinct(found.filter((__, at) => tasks[at]?.index === index).flat());
      return rankPartial(candidates, query, weighted, preferences);
    });
  }

  /** For a set of all matches instead of the best: every word as typed, without completions and corrections. */
  async resolve(platform: PlatformName, text: string): Promise<ResolvedMatch> {
    const query = parseConditions(text);
    const newest = await this.#engine.getNewestDoc();
    const scope = { platform, kind: "post", newest, limit: 0, texts: false } as const;
    const resolvedFor = await this.#resolve([scope], query, MAX_NAMED_OF_ALL_MATCHES);
    const own = resolvedFor(scope);
    return {
      match: byWords(own),
      ngrams: { match: byNgrams(own, NO_FORMS), phrases: listUnorderedPhrases(query) },
      allBut: onlyExclusions(own),
      bounds: query.bounds,
    };
  }

  /** Finds at least the best matches of each scope; `isComplete` if they are all matches. */
  async #findCandidates(scopes: readonly SearchScope[], query: Query): Promise<Candidates[]> {
    const resolvedFor = await this.#resolve(scopes, query, MAX_NAMED);
    const withPosts = scopes.filter(({ kind }) => kind === "post");
    const found = await this.#find(query.bounds, [
      ...scopes.map((scope) => ({ ...scope, match: byWords(resolvedFor(scope)), hasAllWords: true })),
      ...withPosts.map((scope) => ({
        ...scope,
        ...({ kind: "account", match: byName(query), limit: MAX_AUTHORS, texts: false } as const),
        bounds: {},
        hasAllWords: false,
      })),
    ]);
    const authorsOf = new Map(zip(withPosts, found.slice(scopes.length).map(toAuthors)));
    const steps = zip(scopes, found.slice(0, scopes.length)).map(([scope, exact]) => ({
      scope,
      exact,
      isFull: exact.length === scope.limit,
      authors: authorsOf.get(scope) ?? [],
    }));
    const forms = await this.#listForms(steps, query);
    const phrases = listUnorderedPhrases(query);
    const tasks = zip(steps, forms).map(([{ scope, exact, isFull, authors }, words]): [Task, Task, Task] => {
      const own = resolvedFor(scope);
      const byAuthor = { ...scope, match: byAuthors(own, authors), hasAllWords: false };
      if (isFull)
        return [
          { ...scope, match: byWholeTitle(own), limit: WHOLE_TITLE_CANDIDATES, hasAllWords: true },
          { ...scope, match: byTitle(own), limit: TITLE_CANDIDATES, hasAllWords: true },
          { ...byAuthor, limit: TITLE_CANDIDATES },
        ];
      return [
        { ...scope, match: byForms(own, words), hasAllWords: false, expected: exact.length + words.docs },
        {
          ...scope,
          match: byNgrams(own, words),
          hasAllWords: false,
          phrases,
          texts: scope.texts || phrases.length > 0,
        },
        { ...byAuthor, expected: exact.length + POSTS_OF_AUTHOR * authors.length },
      ];
    });
    const more = zip(tasks.flat(), await this.#find(query.bounds, tasks.flat()));
    return zip(steps, forms).map(([{ scope, exact, isFull, authors }, words], index) => {
      const further = more.slice(TASKS_PER_SCOPE * index, TASKS_PER_SCOPE * (index + 1));
      return {
        candidates: distinct([...exact, ...further.flatMap(([task, candidates]) => withPhrases(candidates, task))]),
        isComplete:
          !isFull &&
          words.isComplete &&
          resolvedFor(scope).hasAllNames &&
          further.every(([, { length }]) => length < scope.limit),
        authors,
      };
    });
  }

  /** In the order of the tasks; none for a task that cannot match. */
  async #find(bounds: Bounds, tasks: readonly Task[]): Promise<Candidate[][]> {
    const possible = tasks.filter(({ match }) => !isImpossible(match));
    for (const { match } of possible) perfCounters.searchTermsLookedUp += countTerms(match);
    const found = possible.length === 0 ? [] : await this.#engine.find(possible.map((task) => ({ bounds, ...task })));
    const documents = new Map<Task, FoundDocument[]>(possible.map((task, index) => [task, found[index] ?? []]));
    return tasks.map((task) =>
      (documents.get(task) ?? []).map((document) => ({ document, hasAllWords: task.hasAllWords })),
    );
  }

  /** For the scopes that have too few exact matches. */
  async #listForms(steps: readonly { scope: SearchScope; isFull: boolean }[], query: Query): Promise<WordForms[]> {
    const prefix = prefixOf(query);
    const prefixes = prefix === null ? [] : listPrefixes(prefix);
    const wanted = steps.flatMap(({ scope: { platform, kind }, isFull }): LongerWords[] => {
      if (isFull) return [];
      const endings = wordsWithEndings(query).map((part) => ({
        platform,
        kind,
        part,
        at: "end" as const,
        limit: MAX_ENDINGS,
      }));
      return [
        ...endings,
        ...prefixes.map((part) => ({ platform, kind, part, at: "start" as const, limit: MAX_COMPLETIONS })),
      ];
    });
    const found = wanted.length === 0 ? [] : await this.#engine.listLongerWords(wanted);
    return steps.map(({ scope: { platform, kind } }) => {
      const completions: string[] = [];
      const forms = { completions, endings: new Map<string, string[]>(), isComplete: true, docs: 0 };
      for (const [index, { part, at, limit, ...partition }] of wanted.entries()) {
        const known = found[index] ?? [];
        const words = known.map(({ word }) => word);
        if (partition.platform !== platform || partition.kind !== kind || words.length === 0) continue;
        if (words.length === limit) forms.isComplete = false;
        for (const { docs } of known) forms.docs += docs;
        if (at === "start") completions.push(...words);
        else forms.endings.set(part, words);
      }
      return forms;
    });
  }

  /** Looks up what `from:` and `sound:` name on each platform. */
  async #resolve(
    scopes: readonly SearchScope[],
    query: Query,
    maxNamed: number,
  ): Promise<(scope: SearchScope) => ResolvedQuery> {
    const platforms = new Map(scopes.map((scope) => [scope.platform, scope]));
    const tasks = [...platforms.values()].flatMap((scope) =>
      query.filters.flatMap((filter) =>
        listNameLookups(filter).map((lookup) => ({
          ...scope,
          ...lookup,
          filter,
          limit: maxNamed,
          texts: false,
          hasAllWords: true,
        })),
      ),
    );
    const found = await this.#find({}, tasks);
    const chooseNamed = (platform: PlatformName, filter: Filter) =>
      chooseByHandle(
        filter,
        found.filter((_, index) => tasks[index]?.platform === platform && tasks[index].filter === filter),
      );
    const resolve = (platform: PlatformName): ResolvedQuery => {
      const required = boundsMatch(query.bounds);
      const excluded: Match[] = [];
      let hasAllNames = true;
      for (const filter of query.filters) {
        const named = chooseNamed(platform, filter);
        if (named.some(({ length }) => length === maxNamed)) hasAllNames = false;
        (filter.negated ? excluded : required).push(filterMatch(filter, named.flat()));
      }
      return { query, required, excluded: excluded.filter((match) => !isImpossible(match)), hasAllNames };
    };
    const resolved = new Map(Array.from(platforms.keys(), (platform) => [platform, resolve(platform)]));
    return ({ platform }) => present(resolved.get(platform));
  }

  /** The words that nothing on these platforms contains, whichever kinds are searched: a name is not misspelt. */
  async #listUnknown(sources: readonly SourceRequest[], query: Query): Promise<string[]> {
    const tokens = [...new Set(query.terms.flat().flatMap((term) => term.tokens))];
    const platforms = new Set(sources.map(({ platform }) => platform));
    const partitions = [...platforms].flatMap((platform) => SEARCH_KINDS.map((kind) => ({ platform, kind })));
    perfCounters.searchTermsLookedUp += tokens.length * partitions.length;
    const known = new Set((await this.#engine.filterKnownWords(partitions, tokens)).flat().map(({ word }) => word));
    return tokens.filter((token) => !known.has(token));
  }
}

/** An estimate for phrases and alternatives. */
function countDocs({ forms }: Unit, docsOf: ReadonlyMap<string, number>): number {
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
  const ofWord = (variants: readonly string[]) => sum(variants.map((word) => docsOf.get(word) ?? 0));
  return sum(forms.map((words) => Math.min(...words.map(ofWord))));
}

function toResults(source: SourceRequest, all: readonly Ranked[], stateBefore: SearchState, isComplete: boolean) {
  const ranked = all.slice(0, MAX_RESULTS);
  return { ...slicePage(ranked, source, stateBefore), ranked, isComplete, stateBefore };
}

function toAuthors(candidates: readonly Candidate[]): NamedAuthor[] {
  return candidates.map(({ document: { id, title } }) => ({ id, title: title.replaceAll(TITLE_SEPARATOR, " ") }));
}

function withPhrases(candidates: readonly Candidate[], { phrases = [] }: Pick<Task, "phrases">): Candidate[] {
  return candidates.filter(({ document }) => phrases.length === 0 || hasPhrases(phrases, document));
}

/** Each document once; the first candidate knows most about it. */
function distinct(candidates: readonly Candidate[]): Candidate[] {
  const found = new Map<number, Candidate>();
  for (const candidate of candidates)
    if (!found.has(candidate.document.doc)) found.set(candidate.document.doc, candidate);
  return [...found.values()];
}

/**
 * How the records are looked up that the filter's value may name: by handle or whole title, which no other name may crowd
 * out, and by any name.
 */
function listNameLookups({ name, value }: Filter): Pick<Task, "kind" | "match">[] {
  const words = tokenize(value).flatMap((token) => token.words);
  if (name === "lang" || words.length === 0) return [];
  const whole = filterTerms.wholeTitle(words);
  if (name === "sound")
    return [whole, allOf(...words.map(filterTerms.inTitle))].map((match) => ({ kind: "sound", match }));
  const handle = handleIn(value);
  if (/\s/u.test(handle)) return [{ kind: "account", match: whole }];
  const wholeHandle = filterTerms.wholeTitle([handle]);
  const mention = tokenize(`@${handle}`)[0]?.tag ?? wholeHandle;
  return [allOf(mention, wholeHandle), { any: [whole, wholeHandle] }].map((match) => ({ kind: "account", match }));
}

function handleIn(value: string): string {
  return foldWhole(value.replace(/^[@\uff20]+/u, ""));
}

/** A bare value is a handle if there is one; a display name is also accepted, and in quotes as good as a handle. */
function chooseByHandle({ name, value, isQuoted }: Filter, lookups: readonly Candidate[][]): Candidate[][] {
  if (name !== "from" || isQuoted) return [...lookups];
  const handle = handleIn(value);
  const byHandle = lookups[0]?.filter(({ document }) => document.title.split(TITLE_SEPARATOR)[0] === handle) ?? [];
  return byHandle.length > 0 ? [byHandle] : [...lookups];
}

/** The value may be an id as well as a name. */
function filterMatch({ name, value }: Filter, named: readonly Candidate[]): Match {
  if (name === "lang") {
    const [primary, ...others] = filterTerms.languages(value);
    return others.at(-1) ?? primary;
  }
  const term = name === "from" ? filterTerms.author : filterTerms.sound;
  return { any: [...new Set([value, ...named.map(({ document }) => document.id)])].map(term) };
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

/**
 * Skips what earlier pages returned, which counts towards the maximum even if it is no longer among the ranked. An offset
 * before their end is counted in the whole ranking instead.
 */
function slicePage(ranked: Ranked[], { offset, limit }: SourceRequest, before: SearchState) {
  const returned = new Set(offset >= before.returned.length ? before.returned : []);
  const rest = ranked
    .filter(({ document }) => !returned.has(document.doc))
    .slice(0, Math.max(0, MAX_RESULTS - returned.size));
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
