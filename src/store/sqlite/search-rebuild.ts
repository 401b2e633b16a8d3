/** Fills the text index from the records, for a store that was written when documents were made otherwise. */
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { SubtitleLine } from "#domain/subtitle.ts";
import { documentOf, subtitleDocument } from "#search/documents.ts";
import { commentDoc, subtitleDoc } from "../search-doc-ids.ts";
import type { Database } from "./database.ts";
import { SearchIndex } from "./search-index.ts";

const ROWS_AT_ONCE = 2_000;

/** Raised whenever the tokens of a document change. */
const DOCUMENTS_VERSION = 3;

interface Row {
  rowid: number;
  platform: PlatformName;
  /** The record as JSON; of subtitles, its lines. */
  content: string;
}

export function rebuildSearchIndex(db: Database): void {
  if (db.get<{ filled: number }>("SELECT filled FROM search_state")?.filled === DOCUMENTS_VERSION) return;
  const index = new SearchIndex(db);
  db.transaction(() => {
    index.begin();
    eachRow<Row & { kind: RecordKind; id: string }>(db, "records", "kind, id, header AS content", (row) =>
      index.put(row.platform, row.kind, row.id, documentOf(row.kind, JSON.parse(row.content) as object)),
    );
    eachRow<Row & { post_id: string; id: string }>(db, "comments", "post_id, id, header AS content", (row) => {
      const document = documentOf("comment", JSON.parse(row.content) as object);
      index.put(row.platform, "comment", commentDoc(row.post_id, row.id), document);
    });
    eachRow<Row & { post_id: string; language: string; automatic: number }>(
      db,
      "subtitles",
      "post_id, language, automatic, lines AS content",
      ({ platform, post_id: postId, language, automatic: made, content }) => {
        const automatic = made === 1;
        const lines = JSON.parse(content) as SubtitleLine[];
        const document = subtitleDocument({ postId, language, automatic, lines, capturedAt: 0, source: "" });
        index.put(platform, "subtitle", subtitleDoc(postId, language, automatic), document);
      },
    );
    db.run("UPDATE search_state SET filled = ?", DOCUMENTS_VERSION);
  });

  function eachRow<Kept extends Row>(from: Database, table: string, columns: string, take: (row: Kept) => void): void {
    for (let last = 0; ;) {
      const rows = from.all<Kept>(
        `SELECT rowid AS rowid, platform, ${columns} FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`,
        last,
      );
      for (const row of rows) take(row);
      index.finish();
      if (rows.length < ROWS_AT_ONCE) return;
      last = (rows.at(-1) as Kept).rowid;
    }
  }
}
