/** Every word that is written, and in how many documents: for words that begin alike and for typing mistakes. */
import type { PlatformName, SearchKind } from "#domain/record.ts";
import type { Sql } from "./database.ts";
import { type Table, upsert } from "./upsert.ts";

interface Fields {
  title: string;
  tags: string;
  text: string;
}

/** Every word of a document, each once. */
export function wordsOf({ title, tags, text }: Fields): Set<string> {
  const words = new Set(`${title} ${tags} ${text}`.split(" "));
  words.delete("");
  // Stands between titles.
  words.delete("|");
  return words;
}

interface WordRow {
  word: string;
  platform: PlatformName;
  kind: SearchKind;
  docs: number;
}

const TABLE: Table<WordRow> = {
  name: "search_words",
  key: ["word", "platform", "kind"],
  columns: [
    { name: "word", type: "text", of: (row) => row.word },
    { name: "platform", type: "text", of: (row) => row.platform },
    { name: "kind", type: "text", of: (row) => row.kind },
    { name: "docs", type: "bigint", of: (row) => row.docs },
  ],
  replaced: { docs: "search_words.docs + excluded.docs" },
};

export class WordCounts {
  readonly #scopes = new Map<string, { platform: PlatformName; kind: SearchKind; counts: Map<string, number> }>();

  add(platform: PlatformName, kind: SearchKind, words: ReadonlySet<string>, by: 1 | -1): void {
    const key = `${platform}/${kind}`;
    let scope = this.#scopes.get(key);
    if (scope === undefined) this.#scopes.set(key, (scope = { platform, kind, counts: new Map() }));
    for (const word of words) scope.counts.set(word, (scope.counts.get(word) ?? 0) + by);
  }

  async flush(sql: Sql): Promise<void> {
    for (const { platform, kind, counts } of this.#scopes.values()) {
      const rows = [...counts].filter(([, docs]) => docs !== 0).map(([word, docs]) => ({ word, platform, kind, docs }));
      // In one order in all transactions, and neighbours of the index together.
      await upsert(
        sql,
        TABLE,
        rows.toSorted((a, b) => (a.word < b.word ? -1 : 1)),
      );
      const fewer = rows.filter(({ docs }) => docs < 0).map(({ word }) => word);
      if (fewer.length === 0) continue;
      await sql.run(
        "DELETE FROM search_words WHERE word = ANY($1) AND platform = $2 AND kind = $3 AND docs <= 0",
        fewer,
        platform,
        kind,
      );
    }
    this.#scopes.clear();
  }
}
