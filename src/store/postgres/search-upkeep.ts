/**
 * Upkeep of the text index for one transaction: one document per record, comment and track. A document's place is its
 * standing first, then its number, so that reading in the order of places meets the best first.
 */
import type { PlatformName, SearchKind } from "#domain/record.ts";
import type { SearchDocument } from "#search/documents.ts";
import type { Sql } from "./database.ts";
import { HeldRows } from "./held-rows.ts";
import { vectorOf } from "./lexemes.ts";
import { SearchScopes } from "./search-scopes.ts";
import { type Table, upsert } from "./upsert.ts";
import { WordCounts } from "./word-counts.ts";

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

interface DocRow extends Entry {
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
    { name: "id", type: "text", of: ({ id }) => id },
    { name: "platform", type: "text", of: ({ platform }) => platform },
    { name: "kind", type: "text", of: ({ kind }) => kind },
    { name: "doc", type: "bigint", of: ({ doc }) => doc },
    {
      name: "place",
      type: "bigint",
      of: ({ document, doc }) => (HIGHEST_STANDING - document.standing) * NUMBERS + doc,
    },
    { name: "at", type: "bigint", of: ({ document }) => document.at },
    { name: "engagement", type: "double precision", of: ({ document }) => document.engagement },
    { name: "views", type: "bigint", of: ({ document }) => document.views },
    { name: "likes", type: "bigint", of: ({ document }) => document.likes },
    { name: "author", type: "text", of: ({ document }) => document.author },
    { name: "language", type: "text", of: ({ document }) => document.language },
    { name: "country", type: "text", of: ({ document }) => document.country },
    { name: "title", type: "text", of: ({ document }) => document.title },
    { name: "tags", type: "text", of: ({ document }) => document.tags },
    { name: "text", type: "text", of: ({ document }) => document.text },
    { name: "tokens", type: "tsvector", of: ({ tokens }) => tokens },
  ],
};

const HELD = "SELECT id, doc, title, tags, text FROM search_docs WHERE id = ANY($1) AND platform = $2 AND kind = $3";

export class SearchUpkeep {
  readonly #entries = new HeldRows<Entry>();
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
    for (const held of await sql.all<HeldDoc>(HELD, ids, platform, kind)) this.#words.add(platform, kind, held, -1);
    await sql.run("DELETE FROM search_docs WHERE id = ANY($1) AND platform = $2 AND kind = $3", ids, platform, kind);
  }

  async flush(sql: Sql): Promise<void> {
    const entries = this.#entries.takeChanged();
    const scopes = await numbersFor(sql, entries);
    const held = await this.#held(sql, entries);
    const added = entries.filter(({ platform, kind, id }) => held.get([platform, kind, id]) === undefined).length;
    let doc = added === 0 ? 0 : await reserve(sql, added);
    const rows: DocRow[] = [];
    for (const entry of entries) {
      const { platform, kind, id, document } = entry;
      const before = held.get([platform, kind, id]);
      if (before !== undefined) this.#words.add(platform, kind, before, -1);
      this.#words.add(platform, kind, document, 1);
      const { title, tags, text, marks } = document;
      const tokens = vectorOf([title, tags, text, marks], scopes.get(scopeName(entry)) as number);
      rows.push({ ...entry, doc: before?.doc ?? ++doc, tokens });
    }
    await upsert(sql, TABLE, rows);
    await this.#words.flush(sql);
  }

  async #held(sql: Sql, entries: Entry[]): Promise<HeldRows<HeldDoc>> {
    const held = new HeldRows<HeldDoc>();
    const maybe = entries.filter(({ maybeHeld }) => maybeHeld);
    for (const group of Map.groupBy(maybe, scopeName).values()) {
      const { platform, kind } = group[0] as Entry;
      const ids = group.map(({ id }) => id);
      for (const row of await sql.all<HeldDoc>(HELD, ids, platform, kind)) held.hold([platform, kind, row.id], row);
    }
    return held;
  }
}

/** The scopes' numbers, made where there is none yet. */
async function numbersFor(sql: Sql, entries: Entry[]): Promise<Map<string, number>> {
  const scopes = new SearchScopes();
  const numbers = new Map<string, number>();
  for (const [name, group] of Map.groupBy(entries, scopeName)) {
    const { platform, kind } = group[0] as Entry;
    numbers.set(name, await scopes.make(sql, platform, kind));
  }
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
