/**
 * Text search over FTS5. The engine only finds: candidates are the newest documents that hold all the words, at most
 * a fixed number, and src/search/ranking.ts puts them in order. Queries are built from tokens, never from raw text.
 */
import { hash } from "node:crypto";
import type { PlatformName } from "#domain/record.ts";
import type { SearchableKind } from "#search/documents.ts";
import { foldName } from "#domain/folding.ts";
import { parseQuery, type TextQuery } from "#search/query.ts";
import { type Candidate, rank } from "#search/ranking.ts";
import type { PostSearch, Scored } from "../store.ts";
import type { Database } from "./database.ts";

const MAX_CANDIDATES = 2_000;
/** Nobody walks further; more is found by better words. */
const MAX_RESULTS = 1_000;
const SUGGEST_FROM = 300;
/** Searches whose later pages are still cut from their first ranking. */
const REMEMBERED_RANKINGS = 500;

interface Ranking {
  snapshot: string;
  ids: string[];
}

interface DocRow {
  doc: number;
  id: string;
  at: number;
  engagement: number;
  language: string | null;
  country: string | null;
  strong: string;
}

export class TextSearch {
  readonly #db: Database;
  readonly #platform: PlatformName;
  readonly #scopes = new Map<SearchableKind, number>();
  readonly #rankings = new Map<string, Ranking>();

  constructor(db: Database, platform: PlatformName) {
    this.#db = db;
    this.#platform = platform;
  }

  posts(request: PostSearch): { ids: string[]; snapshot: string; more: boolean } {
    const { snapshot, ids: ranked } = this.#ranking(request);
    const ids = ranked.slice(request.offset, request.offset + request.limit);
    return { ids, snapshot, more: request.offset + ids.length < ranked.length };
  }

  /**
   * A later page is cut from the ranking that the first one was cut from, so that nothing that is written meanwhile
   * moves it. Where that ranking is no longer remembered it is made again from the documents that were there then.
   */
  #ranking(request: PostSearch): Ranking {
    const remembered = request.snapshot === undefined ? undefined : this.#rankings.get(request.snapshot);
    if (remembered !== undefined) return remembered;
    const newest = request.snapshot === undefined ? this.#newestDoc() : Number.parseInt(request.snapshot, 10);
    const candidates = this.#candidates("post", parseQuery(request.text), {
      newest,
      since: request.publishedSince ?? 0,
    });
    const ids = rank(candidates, request)
      .slice(0, MAX_RESULTS)
      .map(({ id }) => id);
    const ranking = { ids, snapshot: request.snapshot ?? `${newest}.${hash("sha1", ids.join(" "), "base64url")}` };
    this.#rankings.set(ranking.snapshot, ranking);
    if (this.#rankings.size > REMEMBERED_RANKINGS) this.#rankings.delete(this.#rankings.keys().next().value as string);
    return ranking;
  }

  /** Accounts, hashtags, places, sounds by name. */
  named<Item>(text: string, kind: SearchableKind, limit: number, get: (id: string) => Item | null): Scored<Item>[] {
    const wanted = foldName(text);
    const candidates = this.#candidates(kind, parseQuery(text), { newest: Number.MAX_SAFE_INTEGER, since: 0 }, wanted);
    return rank(candidates, { now: 0 })
      .slice(0, limit)
      .flatMap(({ id, score }) => {
        const item = get(id);
        return item === null ? [] : [{ item, score }];
      });
  }

  /** The hashtags that stand most often beside the query in what people wrote. */
  suggest(text: string, limit: number): string[] {
    const query = parseQuery(text);
    const asked = new Set([...query.words, query.prefix ?? ""].map((word) => word.replace(/^#/, "")));
    const uses = new Map<string, number>();
    const rows = this.#find("post", query, { newest: Number.MAX_SAFE_INTEGER, since: 0, limit: SUGGEST_FROM });
    for (const { strong } of rows) {
      for (const token of new Set(strong.split(" "))) {
        if (token.startsWith("#") && !asked.has(token.slice(1))) uses.set(token, (uses.get(token) ?? 0) + 1);
      }
    }
    return [...uses]
      .toSorted(([a, usesOfA], [b, usesOfB]) => usesOfB - usesOfA || (a < b ? -1 : 1))
      .slice(0, limit)
      .map(([token]) => token.slice(1));
  }

  #candidates(
    kind: SearchableKind,
    query: TextQuery,
    within: { newest: number; since: number },
    name?: string,
  ): Candidate[] {
    const bounds = { ...within, limit: MAX_CANDIDATES };
    return this.#find(kind, query, bounds).map((row) => {
      const strong = row.strong === "" ? [] : row.strong.split(" ");
      return {
        id: row.id,
        strong: holdsAll(strong, query),
        exact: name !== undefined && strong[0]?.replace(/^[@#]/, "") === name,
        at: row.at,
        engagement: row.engagement,
        language: row.language,
        country: row.country,
      };
    });
  }

  #find(kind: SearchableKind, query: TextQuery, bounds: { newest: number; since: number; limit: number }): DocRow[] {
    const scope = this.#scope(kind);
    const match = matchFor(query, scope);
    if (scope === undefined || match === null) return [];
    return this.#db.all<DocRow>(
      `SELECT doc, id, at, engagement, language, country, search_docs.strong FROM search_index
       JOIN search_docs ON doc = search_index.rowid
       WHERE search_index MATCH ? AND search_index.rowid <= ? AND at >= ?
       ORDER BY search_index.rowid DESC LIMIT ?`,
      match,
      bounds.newest,
      bounds.since,
      bounds.limit,
    );
  }

  #newestDoc(): number {
    return this.#db.get<{ doc: number | null }>("SELECT max(doc) AS doc FROM search_docs")?.doc ?? 0;
  }

  #scope(kind: SearchableKind): number | undefined {
    const known = this.#scopes.get(kind);
    if (known !== undefined) return known;
    const row = this.#db.get<{ scope: number }>(
      "SELECT scope FROM search_scopes WHERE platform = ? AND kind = ?",
      this.#platform,
      kind,
    );
    if (row !== undefined) this.#scopes.set(kind, row.scope);
    return row?.scope;
  }
}

function holdsAll(tokens: string[], { words, prefix }: TextQuery): boolean {
  return (
    words.every((word) => tokens.includes(word)) &&
    (prefix === null || tokens.some((token) => token.startsWith(prefix)))
  );
}

/** FTS5 strings are quoted and tokens hold no quote, so nothing a person types is read as syntax. */
function matchFor({ words, prefix }: TextQuery, scope: number | undefined): string | null {
  const terms = words.map((word) => `"${scope}:${word}"`);
  if (prefix !== null) terms.push(`"${scope}:${prefix}"*`);
  return terms.length === 0 ? null : terms.join(" AND ");
}
