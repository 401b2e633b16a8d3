/**
 * Upkeep of the text index for one transaction: one document per record, comment and track. A document's place is its
 * standing first, then its number, so that reading in the order of places meets the best first.
 */
import type { PlatformName, SearchKind } from "#domain/record.ts";
import type { SearchDocument } from "#search/documents.ts";
import type { Sql } from "./sql.ts";
import { RowCache } from "./row-cache.ts";
import { vectorOf } from "./lexemes.ts";
import { SearchScopes } from "./search-scopes.ts";
import { insert, type Table, upsert } from "./upsert.ts";
import { WordCounts, wordsOf } from "./word-counts.ts";

/** Room for as many documents in one standing. */
const NUMBERS = 2 ** 40;
const HIGHEST_STANDING = 1023;

interface Entry {
  platform: PlatformName;
  kind: SearchKind;
  id: string;
  document: SearchDocument;
  /** Its record was held before: the document may be too. */
  maybeHeld: boolean;
}

interface DocRow {
  entry: Entry;
  doc: number;
  tokens: string;
}

interface HeldDoc {
  id: string;
  doc: number;
  title: string;
  tags: string;
  text: string;
}

const TABLE: Table<DocRow> = {
  name: "search_docs",
  key: ["id", "platform", "kind"],
  columns: [
    { name: "id", type: "text", of: ({ entry }) => entry.id },
    { name: "platform", type: "text", of: ({ entry }) => entry.platform },
    { name: "kind", type: "text", of: ({ entry }) => entry.kind },
    { name: "doc", type: "bigint", of: ({ doc }) => doc },
    {
      name: "sort_key",
      type: "bigint",
      of: ({ entry, doc }) => (HIGHEST_STANDING - entry.document.standing) * NUMBERS + doc,
    },
    { name: "at", type: "bigint", of: ({ entry }) => entry.document.at },
    { name: "engagement", type: "double precision", of: ({ entry }) => entry.document.engagement },
    { name: "views", type: "bigint", of: ({ entry }) => entry.document.views },
    { name: "likes", type: "bigint", of: ({ entry }) => entry.document.likes },
    { name: "author", type: "text", of: ({ entry }) => entry.document.author },
    { name: "language", type: "text", of: ({ entry }) => entry.document.language },
    { name: "country", type: "text", of: ({ entry }) => entry.document.country },
    { name: "title", type: "text", of: ({ entry }) => entry.document.title },
    { name: "tags", type: "text", of: ({ entry }) => entry.document.tags },
    { name: "text", type: "text", of: ({ entry }) => entry.document.text },
    { name: "tokens", type: "tsvector", of: ({ tokens }) => tokens },
  ],
};

const HELD = "SELECT id, doc, title, tags, text FROM search_docs WHERE id = ANY($1) AND platform = $2 AND kind = $3";

export class SearchIndexWriter {
  #entries = new RowCache<Entry>();
  readonly #words = new WordCounts();

  /** Of a record that was not held before, or of one that was. */
  put(platform: PlatformName, kind: SearchKind, id: string, document: SearchDocument, was: "new" | "held"): void {
    const key = [platform, kind, id];
    const maybeHeld = this.#entries.get(key)?.maybeHeld ?? was === "held";
    this.#entries.put(key, { platform, kind, id, document, maybeHeld });
  }

  /** Takes documents out at once. */
  async remove(sql: Sql, platform: PlatformName, kind: SearchKind, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    for (const held of await sql.all<HeldDoc>(HELD, ids, platform, kind)) {
      this.#words.add(platform, kind, wordsOf(held), -1);
    }
    await sql.run("DELETE FROM search_docs WHERE id = ANY($1) AND platform = $2 AND kind = $3", ids, platform, kind);
  }

  /** At the end of a transaction. The words of what it wrote may be counted later, if there are many. */
  async finish(sql: Sql, wordsMayWait: boolean): Promise<void> {
    const write = await this.prepare(sql);
    await write();
    await this.#words.finish(sql, wordsMayWait);
  }

  /** Reads what has to be known. What it returns writes, and asks nothing more. */
  async prepare(sql: Sql): Promise<() => Promise<void>> {
    const entries = this.#entries.takeChanged();
    // What is written now is held from now on.
    this.#entries = new RowCache();
    const [scopes, held] = await Promise.all([numbersFor(sql, entries), this.#held(sql, entries)]);
    const row = (entry: Entry, doc: number) => this.#row(entry, doc, scopes.get(scopeName(entry)) as number);
    const added: Entry[] = [];
    const replaced: DocRow[] = [];
    for (const entry of entries) {
      const { platform, kind, id } = entry;
      const before = held.get([platform, kind, id]);
      if (before === undefined) added.push(entry);
      else {
        this.#words.add(platform, kind, wordsOf(before), -1);
        replaced.push(row(entry, before.doc));
      }
    }
    const last = added.length === 0 ? 0 : await reserve(sql, added.length);
    return async () => {
      const made = added.values().map((entry, index) => row(entry, last + 1 + index));
      await Promise.all([upsert(sql, TABLE, replaced), insert(sql, TABLE, made)]);
    };
  }

  #row(entry: Entry, doc: number, scope: number): DocRow {
    const { platform, kind, document } = entry;
    const words = wordsOf(document);
    this.#words.add(platform, kind, words, 1);
    for (const mark of document.marks.split(" ")) if (mark !== "") words.add(mark);
    return { entry, doc, tokens: vectorOf(words, scope) };
  }

  async #held(sql: Sql, entries: Entry[]): Promise<RowCache<HeldDoc>> {
    const held = new RowCache<HeldDoc>();
    const maybe = entries.filter(({ maybeHeld }) => maybeHeld);
    const reads = [...Map.groupBy(maybe, scopeName).values()].map(async (group) => {
      const { platform, kind } = group[0] as Entry;
      const ids = group.map(({ id }) => id);
      for (const row of await sql.all<HeldDoc>(HELD, ids, platform, kind)) held.load([platform, kind, row.id], row);
    });
    await Promise.all(reads);
    return held;
  }
}

/** The scopes' numbers, made where there is none yet. */
async function numbersFor(sql: Sql, entries: Entry[]): Promise<Map<string, number>> {
  const scopes = new SearchScopes();
  const numbers = new Map<string, number>();
  const reads = [...Map.groupBy(entries, scopeName)].map(async ([name, group]) => {
    const { platform, kind } = group[0] as Entry;
    numbers.set(name, await scopes.make(sql, platform, kind));
  });
  await Promise.all(reads);
  return numbers;
}

function scopeName({ platform, kind }: Entry): string {
  return `${platform}/${kind}`;
}

/** Numbers for so many new documents: the one before the first. Writers take turns, so they rise as documents appear. */
async function reserve(sql: Sql, documents: number): Promise<number> {
  const row = await sql.get<{ newest: number }>(
    "UPDATE search_state SET newest = newest + $1 RETURNING newest",
    documents,
  );
  return (row as { newest: number }).newest - documents;
}
