/** Rebuilds the search index of a store that was written with another version of the documents. */
import { DOCUMENTS_VERSION } from "#search/documents.ts";
import { endingKey } from "#search/word-endings.ts";
import { searchDocumentOf } from "#store/copy/rows.ts";
import { type Rows, TABLES } from "#store/copy/port.ts";
import { assertNotNewer, type Database } from "#store/sqlite/database.ts";
import { eachRow } from "#store/sqlite/each-row.ts";
import { SearchIndex } from "./sqlite.ts";

/** `file` is what error messages call the store. */
export function rebuildSearchIndex(db: Database, file: string): void {
  const state = db.get<{ documents_version: number }>("SELECT documents_version FROM search_state");
  const version = state?.documents_version ?? 0;
  assertNotNewer("search documents", version, DOCUMENTS_VERSION, file);
  if (version === DOCUMENTS_VERSION) return;
  const index = new SearchIndex(db);
  db.transaction(() => {
    index.begin();
    reverseWords(db);
    for (const table of ["records", "comments", "subtitles"] as const) {
      const columns = TABLES[table];
      // The native object is large, and no document depends on it.
      const selected = columns.filter((column) => column !== "native").join(", ");
      eachRow<Record<string, string | number>>(
        db,
        table,
        selected,
        (row) => {
          const values = columns.map((column) => row[column] ?? null);
          index.put(...searchDocumentOf(table, values as Rows[typeof table]), "stored");
        },
        () => index.finish(),
      );
    }
    db.run("UPDATE search_state SET documents_version = ?", DOCUMENTS_VERSION);
  });
}

/** For words that were counted before they could be looked up by their end. */
function reverseWords(db: Database): void {
  type Key = { partition: number; word: string };
  for (let last: Key | undefined = { partition: 0, word: "" }; last !== undefined;) {
    const words: Key[] = db.all<Key>(
      "SELECT partition, word FROM search_words WHERE (partition, word) > (?, ?) ORDER BY partition, word LIMIT 2000",
      last.partition,
      last.word,
    );
    for (const { partition, word } of words) {
      const key = endingKey(word);
      if (key !== null)
        db.run("UPDATE search_words SET reversed = ? WHERE partition = ? AND word = ?", key, partition, word);
    }
    last = words.at(-1);
  }
}
