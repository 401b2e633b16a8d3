/** The `SearchReader` of every store: loads the records behind the documents that src/search finds. */
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Place } from "#domain/place.ts";
import type { Post } from "#domain/post.ts";
import type { StoredRecord, PlatformName, RecordKind, SearchKind } from "#domain/record.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import { withReturned } from "#domain/search-state.ts";
import type { SearchEngine } from "#search/engine.ts";
import { monthOf } from "#search/filter-terms.ts";
import type { Ranked } from "#search/ranking.ts";
import { type SearchResponse, Searcher } from "#search/searcher.ts";
import { findSpokenLine } from "#search/spoken-line.ts";
import { suggestKeywords } from "#search/suggestions.ts";
import { parseCommentDocId, parseSubtitleDocId } from "./search-doc-ids.ts";
import type { Natives } from "./natives.ts";
import type { Facets, SearchResults, Hit, NameMatches, PostSearch, Search, SearchReader } from "./search-reader.ts";

/** Loads records in the order of the keys; null for one that was deleted meanwhile. */
interface RecordLoader {
  records(kind: Exclude<RecordKind, "comment">, ids: readonly string[]): Promise<(StoredRecord<object> | null)[]>;
  comments(keys: readonly { postId: string; id: string }[]): Promise<(Comment | null)[]>;
  subtitles(
    keys: readonly { postId: string; language: string; automatic: boolean }[],
  ): Promise<(SubtitleTrack | null)[]>;
}

export function createSearchQueries<N extends Natives>(
  engine: SearchEngine,
  platform: PlatformName,
  loader: RecordLoader,
): SearchReader<N> {
  const searcher = new Searcher(engine);

  async function searchNames<Item>(
    kind: Exclude<RecordKind, "comment">,
    text: string,
    limit: number,
  ): Promise<NameMatches<Item>> {
    const response = await searcher.search({ platform, kind }, { text, offset: 0, limit, now: 0 });
    const records = await loader.records(kind, idsOf(response.page));
    const items = response.page.flatMap(({ score }, index) => {
      const item = records[index] as Item | null | undefined;
      return item == null ? [] : [{ item, score }];
    });
    return { items, corrected: response.corrected };
  }

  return {
    async searchPosts({ publishedSince, publishedUntil, ...request }: PostSearch) {
      const bounds = { since: publishedSince, until: publishedUntil };
      const response = await searcher.search({ platform, kind: "post" }, { ...request, bounds });
      const records = await loader.records("post", idsOf(response.page));
      const items = records.filter((record) => record !== null) as Post<N["post"]>[];
      const page = { items, state: response.state, corrected: response.corrected };
      return response.hasMore ? { ...page, next: request.offset + response.page.length } : page;
    },
    searchAccounts: (text, limit) => searchNames<Account<N["account"]>>("account", text, limit),
    searchHashtags: (text, limit) => searchNames<Hashtag<N["hashtag"]>>("hashtag", text, limit),
    searchPlaces: (text, limit) => searchNames<Place<N["place"]>>("place", text, limit),
    async suggestKeywords(text, limit) {
      const { ranked } = await searcher.search(
        { platform, kind: "post" },
        { text, offset: 0, limit, now: 0, texts: true },
      );
      return suggestKeywords(text, ranked, limit);
    },
    async search(kind: SearchKind, request: Search): Promise<SearchResults> {
      const response = await searcher.search({ platform, kind }, request);
      const hits = await loadHits(kind, request.text, response);
      const returned = new Set(hits.map(({ doc }) => doc));
      // Records deleted meanwhile count as returned, so that later pages skip them.
      const deleted = response.page.map(({ document }) => document.doc).filter((doc) => !returned.has(doc));
      return {
        hits,
        more: response.hasMore,
        state: withReturned(response.stateBefore, deleted),
        corrected: response.corrected,
        facets: facetsOf(response),
      };
    },
  };

  async function loadHits(kind: SearchKind, text: string, { page, corrected }: SearchResponse): Promise<Hit[]> {
    const ids = idsOf(page);
    if (kind === "subtitle") {
      const tracks = await loader.subtitles(ids.map(parseSubtitleDocId));
      return page.flatMap(({ document, score }, index) => {
        const track = tracks[index] ?? null;
        const line = track === null ? null : findSpokenLine(track.lines, corrected ?? text);
        if (track === null || line === null) return [];
        return [{ kind, doc: document.doc, score, record: { ...track, lines: [line] }, line }];
      });
    }
    const records =
      kind === "comment" ? await loader.comments(ids.map(parseCommentDocId)) : await loader.records(kind, ids);
    return page.flatMap(({ document, score }, index) => {
      const record = records[index] ?? null;
      return record === null ? [] : [{ kind, doc: document.doc, score, record } as Hit];
    });
  }
}

function idsOf(page: readonly Ranked[]): string[] {
  return page.map(({ document }) => document.id);
}

function facetsOf({ ranked, isComplete }: SearchResponse): Facets {
  const facets: Facets = {
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
    for (const tag of document.tags.split(" ")) if (tag.startsWith("#")) count(facets.hashtag, tag.slice(1));
  }
  return facets;
}
