/**
 * Maintains the search index: one document per record, in the partition of its platform and kind. The sort key orders
 * documents by static rank, then by number, so that a scan from the start meets the best first.
 */
import { present } from "#domain/present.ts";
import type { PlatformName, SearchKind } from "#domain/record.ts";
import { MAX_STATIC_RANK, type SearchDocument, TAGS_GAP, TITLE_SEPARATOR } from "#search/documents.ts";
import { endingKey } from "#search/word-endings.ts";
import type { DocumentIndex } from "./port.ts";
import type { Database } from "#store/sqlite/database.ts";
import type { DocumentTable } from "./port.ts";

/** Document numbers stay below this, so that a static rank and a number make one sort key. */
export const DOCS_PER_RANK = 2 ** 40;

interface IndexEntry extends Pick<SearchDocument, "title" | "tags" | "text"> {
  sort_key: number;
  partition: number;
  filter_terms: string;
}

const INDEX_ENTRY = "sort_key, partition, title, tags, text, filter_terms";
const GET_DOC = `SELECT ${INDEX_ENTRY} FROM search_docs WHERE partition = ? AND id = ?`;
const ADD_DOC = `INSERT INTO search_docs
    (sort_key, partition, id, at, engagement, views, likes, author, language, country, title, tags, text, filter_terms)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const UPDATE_DOC = `UPDATE search_docs SET sort_key = ?, at = ?, engagement = ?, views = ?, likes = ?, author = ?,
    language = ?, country = ?, title = ?, tags = ?, text = ?, filter_terms = ? WHERE sort_key = ?`;
const ADD_TOKENS = "INSERT INTO search_index (rowid, title, tags, text, filter_terms) VALUES (?, ?, ?, ?, ?)";
/** A contentless index stores no text: to delete a document, FTS5 needs the exact tokens that were added. */
const DELETE_TOKENS =
  "INSERT INTO search_index (search_index, rowid, title, tags, text, filter_terms) VALUES ('delete', ?, ?, ?, ?, ?)";
const COUNT_WORD = `INSERT INTO search_words (partition, word, docs, reversed) VALUES (?, ?, ?, ?)
  ON CONFLICT (partition, word) DO UPDATE SET docs = docs + excluded.docs`;
const DELETE_WORD = "DELETE FROM search_words WHERE partition = ? AND word = ? AND docs <= 0";

export class SearchIndex implements DocumentIndex {
  readonly #db: Database;
  readonly #partitions = new Map<string, number>();
  #newest: number | undefined;
  /** Written to FTS5 in order of the sort key when the transaction ends; out of order, each would make a segment. */
  #pending: { sql: string; entry: IndexEntry }[] = [];
  #wordCounts = new Map<number, Map<string, number>>();

  constructor(db: Database) {
    this.#db = db;
  }

  begin(): void {
    this.#partitions.clear();
    this.#newest = undefined;
    this.#pending = [];
    this.#wordCounts.clear();
  }

  /** Call before the commit. */
  finish(): void {
    for (const { sql, entry } of this.#pending.toSorted((a, b) => a.entry.sort_key - b.entry.sort_key)) {
      const { sort_key, partition, title, tags, text, filter_terms } = entry;
      const fields = [title.replaceAll(TITLE_SEPARATOR, " "), tags.replaceAll(TAGS_GAP, ""), text, filter_terms];
      this.#db.run(sql, sort_key, ...fields.map((tokens) => withPartition(tokens, partition)));
    }
    for (const [partition, counts] of this.#wordCounts) {
      // In key order, which walks through the table once instead of seeking each word.
      for (const [word, docs] of [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        if (docs !== 0) this.#db.run(COUNT_WORD, partition, word, docs, endingKey(word));
        if (docs < 0) this.#db.run(DELETE_WORD, partition, word);
      }
    }
    if (this.#newest !== undefined) this.#db.run("UPDATE search_state SET newest = ?", this.#newest);
    this.begin();
  }

  #add(platform: PlatformName, kind: SearchKind, id: string, document: SearchDocument): void {
    const entry = toEntry(document, this.#nextDoc(), this.#getPartition(platform, kind));
    this.#db.run(ADD_DOC, entry.sort_key, entry.partition, id, ...valuesOf(document));
    this.#addTokens(entry);
  }

  put(platform: PlatformName, kind: SearchKind, id: string, document: SearchDocument, state: "new" | "stored"): void {
    if (state === "new") return this.#add(platform, kind, id, document);
    const stored = this.#db.get<IndexEntry>(GET_DOC, this.#getPartition(platform, kind), id);
    if (stored === undefined) return this.#add(platform, kind, id, document);
    const entry = toEntry(document, stored.sort_key % DOCS_PER_RANK, stored.partition);
    this.#db.run(UPDATE_DOC, entry.sort_key, ...valuesOf(document), stored.sort_key);
    if (isSameEntry(stored, entry)) return;
    this.#deleteTokens(stored);
    this.#addTokens(entry);
  }

  delete(platform: PlatformName, kind: SearchKind, id: string): void {
    const stored = this.#db.get<IndexEntry>(GET_DOC, this.#getPartition(platform, kind), id);
    if (stored === undefined) return;
    this.#deleteTokens(stored);
    this.#db.run("DELETE FROM search_docs WHERE sort_key = ?", stored.sort_key);
  }

  #addTokens(entry: IndexEntry): void {
    this.#pending.push({ sql: ADD_TOKENS, entry });
    this.#countWords(entry, 1);
  }

  #deleteTokens(entry: IndexEntry): void {
    this.#pending.push({ sql: DELETE_TOKENS, entry });
    this.#countWords(entry, -1);
  }

  #countWords({ partition, title, tags, text }: IndexEntry, change: 1 | -1): void {
    let counts = this.#wordCounts.get(partition);
    if (counts === undefined) this.#wordCounts.set(partition, (counts = new Map()));
    for (const word of new Set(`${title} ${tags} ${text}`.split(" "))) {
      if (word !== "" && word !== "|") counts.set(word, (counts.get(word) ?? 0) + change);
    }
  }

  #nextDoc(): number {
    this.#newest ??= this.#db.get<{ newest: number }>("SELECT newest FROM search_state")?.newest ?? 0;
    return ++this.#newest;
  }

  #getPartition(platform: PlatformName, kind: SearchKind): number {
    const key = `${platform}/${kind}`;
    const known = this.#partitions.get(key);
    if (known !== undefined) return known;
    this.#db.run("INSERT OR IGNORE INTO search_partitions (platform, kind) VALUES (?, ?)", platform, kind);
    const { partition } = present(
      this.#db.get<{ partition: number }>(
        "SELECT partition FROM search_partitions WHERE platform = ? AND kind = ?",
        platform,
        kind,
      ),
    );
    this.#partitions.set(key, partition);
    return partition;
  }
}

function toEntry(document: SearchDocument, doc: number, partition: number): IndexEntry {
  const { title, tags, text, filterTerms: filter_terms, staticRank } = document;
  const sort_key = (MAX_STATIC_RANK - staticRank) * DOCS_PER_RANK + doc;
  return { sort_key, partition, title, tags, text, filter_terms };
}

function isSameEntry(one: IndexEntry, other: IndexEntry): boolean {
  return (
    one.sort_key === other.sort_key &&
    one.title === other.title &&
    one.tags === other.tags &&
    one.text === other.text &&
    one.filter_terms === other.filter_terms
  );
}

/** In the order of the columns of ADD_DOC and UPDATE_DOC. */
function valuesOf(document: SearchDocument) {
  const { at, engagement, views, likes, author, language, country, title, tags, text, filterTerms } = document;
  return [at, engagement, views, likes, author, language, country, title, tags, text, filterTerms] as const;
}

/** Prefixes every token with the partition's number, so that a search never reads the postings of another partition. */
export function withPartition(tokens: string, partition: number): string {
  return tokens === "" ? "" : `${partition}:${tokens.replaceAll(" ", ` ${partition}:`)}`;
}

export function createDocumentTable(index: SearchIndex): DocumentTable {
  return {
    put: (platform, kind, id, document) => index.put(platform, kind, id, document, "stored"),
    remove(platform, kind, ids) {
      for (const id of ids) index.delete(platform, kind, id);
    },
  };
}
