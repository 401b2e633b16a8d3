/**
 * What Triptych's search is measured beside: a plain FTS5 table of the same words, ranked by bm25, in a file of its own.
 * It is shown at its best: one column, nothing to filter, merged into one segment, records found by their rowid.
 */
import { DatabaseSync } from "node:sqlite";
import type { Post } from "#domain/post.ts";
import { RECORD_COLUMNS, recordOf, type RecordRow } from "#store/record-row.ts";
import { prepareRecord } from "#store/prepared-record.ts";
import { wordsIn } from "./search-corpus.ts";

/** Writes the file; `end` must be called last. */
export function writeBm25(file: string): { add: (batch: Post[]) => void; end: () => void } {
  const db = new DatabaseSync(file);
  db.exec(`
    PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;
    CREATE VIRTUAL TABLE words USING fts5 (text, content = '', tokenize = "ascii");
    CREATE TABLE records (
      number INTEGER PRIMARY KEY, id TEXT, header TEXT, native TEXT, captured_at INTEGER, source TEXT
    );
  `);
  const addWords = db.prepare("INSERT INTO words (rowid, text) VALUES (?, ?)");
  const addRecord = db.prepare(`INSERT INTO records (number, ${RECORD_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`);
  let number = 0;
  return {
    add(batch) {
      db.exec("BEGIN");
      for (const post of batch) {
        number++;
        const { id, header, native, capturedAt, source } = prepareRecord("post", post);
        addWords.run(number, wordsIn(post.text).join(" "));
        addRecord.run(number, id, header, native, capturedAt, source);
      }
      db.exec("COMMIT");
    },
    end() {
      db.exec("INSERT INTO words (words) VALUES ('optimize')");
      db.close();
    },
  };
}

export class Bm25 {
  readonly #db: DatabaseSync;

  constructor(file: string) {
    this.#db = new DatabaseSync(file, { readOnly: true });
    // As much memory as Triptych's own reading connection has.
    this.#db.exec("PRAGMA cache_size = -65536; PRAGMA mmap_size = 2147418112");
  }

  /** The first page; asked with FTS5's own syntax. */
  asking(): (match: string) => Post[] {
    const find = this.#db.prepare("SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words) LIMIT 12");
    const get = this.#db.prepare(`SELECT ${RECORD_COLUMNS} FROM records WHERE number = ?`);
    return (match) =>
      (find.all(match) as { rowid: number }[]).map(({ rowid }) => recordOf(get.get(rowid) as unknown as RecordRow));
  }

  /** In how many posts each word stands. */
  vocabulary(): Map<string, number> {
    this.#db.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab ('main', 'words', 'row')");
    const counts = new Map<string, number>();
    for (const row of this.#db.prepare("SELECT term, doc FROM vocabulary").iterate()) {
      counts.set(row["term"] as string, Number(row["doc"]));
    }
    return counts;
  }

  close(): void {
    this.#db.close();
  }
}
