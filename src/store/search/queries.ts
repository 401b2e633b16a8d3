/** The searches of every store: src/search finds and ranks documents, and the records behind one page are loaded. */
import { present } from "#domain/present.ts";
import { zip } from "#domain/zip.ts";
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Place } from "#domain/place.ts";
import type { Post } from "#domain/post.ts";
import type { StoredRecord, PlatformName, SearchKind } from "#domain/record.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import { uniqueBy } from "#domain/unique-by.ts";
import { withReturned } from "#domain/search-state.ts";
import type { SearchEngine } from "#search/engine.ts";
import { monthOf } from "#search/filter-terms.ts";
import { type MergedResult, mergeSources } from "#search/merge-sources.ts";
import { Searcher, type SourceResults } from "#search/searcher.ts";
import { findSpokenLine } from "#search/spoken-line.ts";
import { suggestKeywords } from "#search/suggestions.ts";
import { withFinalSigma } from "#search/tokens.ts";
import { parseCommentDocId, parseSubtitleDocId } from "./doc-ids.ts";
import type { Natives } from "#store/records/port.ts";
import type { RecordKey } from "#store/write/record-row.ts";
import type {
  Hit,
  NameResults,
  NameSearch,
  PostSearch,
  Scored,
  SearchReader,
  SearchResults,
  SearchSource,
  SearchStore,
  SourceFacets,
} from "./port.ts";

export interface CommentKey {
  platform: PlatformName;
  postId: string;
  id: string;
}

export interface TrackKey extends Pick<SubtitleTrack, "postId" | "language" | "automatic"> {
  platform: PlatformName;
}

/** Loads records in the order of the keys; null for one that was deleted meanwhile. */
export interface RecordLoader {
  records<Stored extends StoredRecord<object>>(keys: readonly RecordKey[]): Promise<(Stored | null)[]>;
  comments(keys: readonly CommentKey[]): Promise<(Comment | null)[]>;
  subtitles(keys: readonly TrackKey[]): Promise<(SubtitleTrack | null)[]>;
}

/** The searches of one platform. */
export function createSearchReader<N extends Natives>(
  engine: SearchEngine,
  platform: PlatformName,
  loader: RecordLoader,
): SearchReader<N> {
  const searcher = new Searcher(engine);

  return {
    async searchPosts({ publishedSince, publishedUntil, offset, limit, state, ...request }: PostSearch) {
      const bounds = { since: publishedSince, until: publishedUntil };
      const source = { platform, kind: "post", offset, limit, state } as const;
      const { results, ...reading } = await searcher.search([source], { ...request, bounds });
      const found = present(results[0]);
      const items = await loader.records<Post<N["post"]>>(
        found.page.map(({ document: { id } }) => ({ platform, kind: "post", id })),
      );
      const page = { items: items.filter((item) => item !== null), state: found.state, ...reading };
      return found.hasMore ? { ...page, next: offset + found.page.length } : page;
    },

    async searchNames({
      text,
      accounts,
      hashtags,
      places,
      keywords,
      orPartial = false,
    }: NameSearch): Promise<NameResults<N>> {
      const wanted = (
        [
          ["account", accounts],
          ["hashtag", hashtags],
          ["place", places],
          ["post", keywords],
        ] as const
      ).filter(([, limit]) => limit > 0);
      const sources = wanted.map(([kind, limit]) => ({ platform, kind, offset: 0, limit, texts: kind === "post" }));
      const { results, ...reading } = await searcher.search(sources, { text, now: 0, orPartial });
      const found = new Map(zip(wanted, results).map(([[kind], result]) => [kind, result]));
      const named = [...found].flatMap(([kind, { page }]) =>
        kind === "post" ? [] : page.map(({ document: { id }, score }) => ({ key: { platform, kind, id }, score })),
      );
      const records = await loader.records(named.map(({ key }) => key));
      const scored = <Item>(kind: SearchKind) =>
        named.flatMap(({ key, score }, index): Scored<Item>[] => {
          const item = records[index] as Item | null;
          return key.kind === kind && item !== null ? [{ item, score }] : [];
        });
      return {
        accounts: scored<Account<N["account"]>>("account"),
        hashtags: scored<Hashtag<N["hashtag"]>>("hashtag"),
        places: scored<Place<N["place"]>>("place"),
        keywords: suggestKeywords(reading.corrected ?? text, found.get("post")?.ranked ?? [], keywords),
        ...reading,
      };
    },
  };
}

/** The search over sources of any platform. */
export function createSearch(engine: SearchEngine, loader: RecordLoader): SearchStore {
  const searcher = new Searcher(engine);

  return async ({ text, sources, limit, now, asTyped = false, orPartial = false, withAuthors = false }) => {
    const { results, ...reading } = await searcher.search(
      sources.map((source) => ({ ...source, offset: source.state?.returned.length ?? 0, limit })),
      { text, now, asTyped, orPartial },
    );
    const found = zip(sources, results)
      .map(([{ platform, kind }, ofSource]) => ({ platform, kind, results: ofSource }))
      // Empty sources are not searched again.
      .filter((source) => source.results.ranked.length > 0);
    const page = mergeSources(found, limit);
    const hits = await loadHits(loader, page, reading.corrected ?? text);
    const docs = Map.groupBy(page, ({ source }) => source);
    const total = found.reduce((sum, source) => sum + source.results.page.length, 0);
    return {
      hits,
      authors: withAuthors ? await loadAuthors(loader, hits) : [],
      more: total > page.length || found.some((source) => source.results.hasMore),
      // Records deleted meanwhile count as returned, so that later pages skip them.
      sources: found.map((source): SearchSource => {
        const returned = (docs.get(source) ?? []).map(({ ranked }) => ranked.document.doc);
        const { platform, kind } = source;
        return { platform, kind, state: withReturned(source.results.stateBefore, returned) };
      }),
      ...reading,
      facets: found.map(facetsOf),
    };
  };
}

async function loadAuthors(loader: RecordLoader, hits: readonly Hit[]): Promise<SearchResults["authors"]> {
  const keys = hits.flatMap(({ platform, kind, record }): RecordKey[] =>
    kind === "post" && record.authorId !== null ? [{ platform, kind: "account", id: record.authorId }] : [],
  );
  const authors = uniqueBy(keys, ({ platform, id }) => `${platform}/${id}`);
  const records = await loader.records<Account>(authors);
  return zip(authors, records).flatMap(([{ platform }, record]) => (record === null ? [] : [{ platform, record }]));
}

/** The records of one page, one look-up per table. */
async function loadHits(loader: RecordLoader, page: readonly MergedResult[], text: string): Promise<Hit[]> {
  const records: RecordKey[] = [];
  const comments: CommentKey[] = [];
  const subtitles: TrackKey[] = [];
  const places = page.map(({ source: { platform, kind }, ranked: { document } }) => {
    if (kind === "comment") return comments.push({ platform, ...parseCommentDocId(document.id) }) - 1;
    if (kind === "subtitle") return subtitles.push({ platform, ...parseSubtitleDocId(document.id) }) - 1;
    return records.push({ platform, kind, id: document.id }) - 1;
  });
  const [loadedRecords, loadedComments, tracks] = await Promise.all([
    records.length === 0 ? [] : loader.records(records),
    comments.length === 0 ? [] : loader.comments(comments),
    subtitles.length === 0 ? [] : loader.subtitles(subtitles),
  ]);
  return page.flatMap(({ source: { platform, kind }, score }, index): Hit[] => {
    const place = present(places[index]);
    if (kind === "subtitle") {
      const track = tracks[place] ?? null;
      const line = track === null ? null : findSpokenLine(track.lines, text);
      return track === null || line === null
        ? []
        : [{ platform, kind, score, record: { ...track, lines: [line] }, line }];
    }
    const record = (kind === "comment" ? loadedComments : loadedRecords)[place] ?? null;
    return record === null ? [] : [{ platform, kind, score, record } as Hit];
  });
}

interface FoundSource {
  platform: PlatformName;
  kind: SearchKind;
  results: SourceResults;
}

function facetsOf({ platform, kind, results: { ranked, isComplete } }: FoundSource): SourceFacets {
  const facets: SourceFacets = {
    platform,
    kind,
    counted: ranked.length,
    complete: isComplete,
    author: new Map(),
    hashtag: new Map(),
    language: new Map(),
    month: new Map(),
  };
  const count = (facet: Map<string, number>, value: string) => facet.set(value, (facet.get(value) ?? 0) + 1);
  for (const { document } of ranked) {
    if (document.author !== null) count(facets.author, document.author);
    if (document.language !== null) count(facets.language, document.language);
    const month = monthOf(document.at);
    if (month !== null) count(facets.month, month);
    for (const tag of document.tags.split(" "))
      if (tag.startsWith("#")) count(facets.hashtag, withFinalSigma(tag.slice(1)));
  }
  return facets;
}
