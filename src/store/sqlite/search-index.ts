/**
 * Upkeep of the text index: one document per record, under the scope of its platform and kind. A document's place in
 * the index is its standing first, then its number, so that reading the index from its beginning meets the best first.
 */
import type { PlatformName, SearchKind } from "#domain/record.ts";
import { BETWEEN_TITLES, type SearchDocument } from "#search/documents.ts";
import type { Database } from "./database.ts";

/** Room for as many documents in one standing. */
export const NUMBERS = 2 ** 40;
const HIGHEST_STANDING = 1023;

const FIELDS = ["title", "tags", "text", "marks"] as const;
type Fields = Pick<SearchDocument, (typeof FIELDS)[number]>;

interface Entry extends Fields {
  place: number;
  scope: number;
}

type Held = Fields & { place: number };

const GET_DOC = "SELECT place, title, tags, text, marks FROM search_docs WHERE scope = ? AND id = ?";
const ADD_DOC = `INSERT INTO search_docs
    (place, scope, id, at, engagement, views, likes, author, language, country, title, tags, text, marks)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const MOVE_DOC = `UPDATE search_docs SET place = ?, at = ?, engagement = ?, views = ?, likes = ?, author = ?, language = ?,
    country = ?, title = ?, tags = ?, text = ?, marks = ? WHERE place = ?`;
const INDEX = "INSERT INTO search_index (rowid, title, tags, text, marks) VALUES (?, ?, ?, ?, ?)";
/** The index keeps no text of its own: to forget a document it must be told the very tokens it was given. */
const UNINDEX =
  "INSERT INTO search_index (search_index, rowid, title, tags, text, marks) VALUES ('delete', ?, ?, ?, ?, ?)";
const COUNT_WORD = `INSERT INTO search_words (scope, word, docs) VALUES (?, ?, ?)
  ON CONFLICT (scope, word) DO UPDATE SET docs = docs + excluded.docs`;
const FORGET_WORD = "DELETE FROM search_words WHERE scope = ? AND word = ? AND docs <= 0";

export class SearchIndex {
  readonly #db: Database;
  readonly #scopes = new Map<string, number>();
  #newest: number | undefined;
  /** Given to the index in order of place when the transaction ends: out of order it would write a segment for each. */
  #pending: { sql: string; entry: Entry }[] = [];
  #words = new Map<number, Map<string, number>>();

  constructor(db: Database) {
    this.#db = db;
  }

  begin(): void {
    this.#scopes.clear();
    this.#newest = undefined;
    this.#pending = [];
    this.#words.clear();
  }

  /** Before the transaction's commit. */
  finish(): void {
    for (const { sql, entry } of this.#pending.toSorted((a, b) => a.entry.place - b.entry.place)) {
      const { place, scope, title, tags, text, marks } = entry;
      const titles = title.replaceAll(BETWEEN_TITLES, " ");
      this.#db.run(sql, place, scoped(titles, scope), scoped(tags, scope), scoped(text, scope), scoped(marks, scope));
    }
    for (const [scope, words] of this.#words) {
      // In the order of the table, which is walked through once and not searched for each word.
      for (const [word, docs] of [...words].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        if (docs !== 0) this.#db.run(COUNT_WORD, scope, word, docs);
        if (docs < 0) this.#db.run(FORGET_WORD, scope, word);
      }
    }
    if (this.#newest !== undefined) this.#db.run("UPDATE search_state SET newest = ?", this.#newest);
    this.begin();
  }

  /** Of a record that was not held before. */
  add(platform: PlatformName, kind: SearchKind, id: string, document: SearchDocument): void {
    const scope = this.#scope(platform, kind);
    const doc = this.#nextDoc();
    const place = placeOf(document.standing, doc);
    this.#db.run(ADD_DOC, place, scope, id, ...valuesOf(document));
    this.#index({ ...fieldsOf(document), place, scope });
  }

  put(platform: PlatformName, kind: SearchKind, id: string, document: SearchDocument): void {
    const scope = this.#scope(platform, kind);
    const held = this.#db.get<Held>(GET_DOC, scope, id);
    if (held === undefined) {
      this.add(platform, kind, id, document);
      return;
    }
    const fields = fieldsOf(document);
    const place = placeOf(document.standing, held.place % NUMBERS);
    this.#db.run(MOVE_DOC, place, ...valuesOf(document), held.place);
    if (held.place === place && FIELDS.every((field) => held[field] === fields[field])) return;
    this.#unindex({ ...held, scope });
    this.#index({ ...fields, place, scope });
  }

  delete(platform: PlatformName, kind: SearchKind, id: string): void {
    const scope = this.#scope(platform, kind);
    const held = this.#db.get<Held>(GET_DOC, scope, id);
    if (held === undefined) return;
    this.#unindex({ ...held, scope });
    this.#db.run("DELETE FROM search_docs WHERE place = ?", held.place);
  }

  #index(entry: Entry): void {
    this.#pending.push({ sql: INDEX, entry });
    this.#count(entry, 1);
  }

  #unindex(entry: Entry): void {
    this.#pending.push({ sql: UNINDEX, entry });
    this.#count(entry, -1);
  }

  #count({ scope, title, tags, text }: Entry, by: 1 | -1): void {
    let words = this.#words.get(scope);
    if (words === undefined) this.#words.set(scope, (words = new Map()));
    for (const word of new Set(`${title} ${tags} ${text}`.split(" "))) {
      if (word !== "" && word !== "|") words.set(word, (words.get(word) ?? 0) + by);
    }
  }

  #nextDoc(): number {
    this.#newest ??= this.#db.get<{ newest: number }>("SELECT newest FROM search_state")?.newest ?? 0;
    return ++this.#newest;
  }

  #scope(platform: PlatformName, kind: SearchKind): number {
    const key = `${platform}/${kind}`;
    const known = this.#scopes.get(key);
    if (known !== undefined) return known;
    this.#db.run("INSERT OR IGNORE INTO search_scopes (platform, kind) VALUES (?, ?)", platform, kind);
    const row = this.#db.get<{ scope: number }>(
      "SELECT scope FROM search_scopes WHERE platform = ? AND kind = ?",
      platform,
      kind,
    );
    const scope = (row as { scope: number }).scope;
    this.#scopes.set(key, scope);
    return scope;
  }
}

function fieldsOf({ title, tags, text, marks }: SearchDocument): Fields {
  return { title, tags, text, marks };
}

/** In the order of the columns. */
function valuesOf(document: SearchDocument) {
  const { at, engagement, views, likes, author, language, country, title, tags, text, marks } = document;
  return [at, engagement, views, likes, author, language, country, title, tags, text, marks] as const;
}

function placeOf(standing: number, doc: number): number {
  return (HIGHEST_STANDING - standing) * NUMBERS + doc;
}

/** No search reads another scope's postings, since every token carries its scope's number. */
export function scoped(tokens: string, scope: number): string {
  return tokens === "" ? "" : `${scope}:${tokens.replaceAll(" ", ` ${scope}:`)}`;
}
