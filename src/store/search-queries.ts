/** The searches of a `Reader`, the same for every store: what src/search finds, as records. */
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Place } from "#domain/place.ts";
import type { Post } from "#domain/post.ts";
import type { StoredRecord, PlatformName, RecordKind, SearchKind } from "#domain/record.ts";
import type { Sound } from "#domain/sound.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import { withReturned } from "#domain/search-state.ts";
import type { SearchEngine } from "#search/engine.ts";
import { monthOf } from "#search/filter-terms.ts";
import type { Ranked } from "#search/ranking.ts";
import { type SearchResponse, Searcher } from "#search/searcher.ts";
import { spokenLine } from "#search/spoken-line.ts";
import { suggestions } from "#search/suggestions.ts";
import { commentAt, subtitlesAt } from "./search-doc-ids.ts";
import type { Facets, SearchResults, Hit, NameMatches, Natives, PostSearch, Reader, Search } from "./store.ts";

/** How the records behind documents are read; in the order asked for, null where one has gone meanwhile. */
export interface Loading {
  records(kind: Exclude<RecordKind, "comment">, ids: readonly string[]): Promise<(StoredRecord<object> | null)[]>;
  comments(keys: readonly { postId: string; id: string }[]): Promise<(Comment | null)[]>;
  subtitles(
    keys: readonly { postId: string; language: string; automatic: boolean }[],
  ): Promise<(SubtitleTrack | null)[]>;
}

type Searches<N extends Natives> = Pick<
  Reader<N>,
  "searchPosts" | "searchAccounts" | "searchHashtags" | "searchPlaces" | "searchSounds" | "suggestKeywords" | "search"
>;

export function createSearchQueries<N extends Natives>(
  engine: SearchEngine,
  platform: PlatformName,
  loading: Loading,
): Searches<N> {
  const searcher = new Searcher(engine);

  async function named<Item>(
    kind: Exclude<RecordKind, "comment">,
    text: string,
    limit: number,
  ): Promise<NameMatches<Item>> {
    const answer = await searcher.search({ platform, kind }, { text, offset: 0, limit, now: 0 });
    const records = await loading.records(kind, idsOf(answer.page));
    const items = answer.page.flatMap(({ score }, index) => {
      const item = records[index] as Item | null | undefined;
      return item == null ? [] : [{ item, score }];
    });
    return { items, corrected: answer.corrected };
  }

  return {
    async searchPosts({ publishedSince, publishedUntil, ...request }: PostSearch) {
      const bounds = { since: publishedSince, until: publishedUntil };
      const answer = await searcher.search({ platform, kind: "post" }, { ...request, bounds });
      const records = await loading.records("post", idsOf(answer.page));
      const items = records.filter((record) => record !== null) as Post<N["post"]>[];
      const page = { items, state: answer.state, corrected: answer.corrected };
      return answer.more ? { ...page, next: request.offset + answer.page.length } : page;
    },
    searchAccounts: (text, limit) => named<Account<N["account"]>>("account", text, limit),
    searchHashtags: (text, limit) => named<Hashtag<N["hashtag"]>>("hashtag", text, limit),
    searchPlaces: (text, limit) => named<Place<N["place"]>>("place", text, limit),
    searchSounds: (text, limit) => named<Sound<N["sound"]>>("sound", text, limit),
    async suggestKeywords(text, limit) {
      const { ranked } = await searcher.search(
        { platform, kind: "post" },
        { text, offset: 0, limit, now: 0, texts: true },
      );
      return suggestions(text, ranked, limit);
    },
    async search(kind: SearchKind, request: Search): Promise<SearchResults> {
      const answer = await searcher.search({ platform, kind }, request);
      const hits = await hitsOf(kind, request.text, answer);
      const shown = new Set(hits.map(({ doc }) => doc));
      // What has gone meanwhile is not looked for again.
      const gone = answer.page.map(({ document }) => document.doc).filter((doc) => !shown.has(doc));
      return {
        hits,
        more: answer.more,
        state: withReturned(answer.began, gone),
        corrected: answer.corrected,
        facets: facetsOf(answer),
      };
    },
  };

  async function hitsOf(kind: SearchKind, text: string, { page, corrected }: SearchResponse): Promise<Hit[]> {
    const ids = idsOf(page);
    if (kind === "subtitle") {
      const tracks = await loading.subtitles(ids.map(subtitlesAt));
      return page.flatMap(({ document, score }, index) => {
        const track = tracks[index] ?? null;
        const line = track === null ? null : spokenLine(track.lines, corrected ?? text);
        if (track === null || line === null) return [];
        return [{ kind, doc: document.doc, score, record: { ...track, lines: [line] }, line }];
      });
    }
    const records = kind === "comment" ? await loading.comments(ids.map(commentAt)) : await loading.records(kind, ids);
    return page.flatMap(({ document, score }, index) => {
      const record = records[index] ?? null;
      return record === null ? [] : [{ kind, doc: document.doc, score, record } as Hit];
    });
  }
}

function idsOf(page: readonly Ranked[]): string[] {
  return page.map(({ document }) => document.id);
}

function facetsOf({ ranked, complete }: SearchResponse): Facets {
  const facets = { author: new Map(), hashtag: new Map(), language: new Map(), month: new Map() } as Omit<
    Facets,
    "counted" | "complete"
  >;
  const count = (facet: Map<string, number>, value: string) => facet.set(value, (facet.get(value) ?? 0) + 1);
  for (const { document } of ranked) {
    if (document.author !== null) count(facets.author, document.author);
    if (document.language !== null) count(facets.language, document.language);
    const month = monthOf(document.at);
    if (month !== null) count(facets.month, month);
    for (const tag of document.tags.split(" ")) if (tag.startsWith("#")) count(facets.hashtag, tag.slice(1));
  }
  return { counted: ranked.length, complete, ...facets };
}
