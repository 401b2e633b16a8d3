/** Reads and writes whole tables as rows, to copy one store into another. */
import type { Post } from "#domain/post.ts";
import { subtitleDocument } from "#search/documents.ts";
import {
  decodeCommentRow,
  type CopyRecord,
  decodeRecordRow,
  type Subject,
  subjectsOfRecord,
  subjectsOfRow,
  decodeTrackRow,
} from "../copy-rows.ts";
import {
  COPY_TABLES,
  copyTable,
  type CopyTableName,
  type CopyRow,
  type TableCopy,
  type CopyPage,
  type CopyProgress,
  isSameProgress,
} from "../table-copy.ts";
import { commentDocId, subtitleDocId } from "../search-doc-ids.ts";
import { StoreOpenError } from "../store-open-error.ts";
import type { Database } from "./database.ts";
import { RecordRows, type WriteTables } from "./record-rows.ts";
import { SearchIndex } from "./search-index.ts";
import type { RenderedRows } from "./rendered-rows.ts";
import type { CopyProgressRow, RecordsRow, StoreIdentityRow } from "./rows.ts";
import { markTrendsStale } from "./trend-tables.ts";

/** Tables with a rowid, which orders them by insertion, as search documents are. */
const ROWID_TABLES: ReadonlySet<CopyTableName> = new Set(["records", "comments", "subtitles"]);

const GET_NUMBER = "SELECT number FROM records WHERE platform = ? AND kind = ? AND id = ?";

const WRITE_PROGRESS = `INSERT INTO copy_progress (name, progress) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET progress = excluded.progress`;

export function createTableCopy(reading: Database, writing: Database, rendered: RenderedRows): TableCopy {
  const index = new SearchIndex(writing);
  const recordRows = new RecordRows(writing, index, rendered);
  const target: WriteTables = { db: writing, index, rendered, rows: recordRows };

  return {
    tables: COPY_TABLES,
    async storeId() {
      return (reading.get<StoreIdentityRow>("SELECT id FROM store_identity") as StoreIdentityRow).id;
    },
    async count(table) {
      return (reading.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`) as { n: number }).n;
    },
    async read(table, _order, after, limit) {
      return ROWID_TABLES.has(table)
        ? readByRowid(reading, table, after, limit)
        : readByKey(reading, table, after, limit);
    },
    async write(rows, progress, before) {
      writing.transaction(() => {
        if (!isSameProgress(getProgress(writing, progress.table), before)) {
          throw new StoreOpenError("another copy is writing to the same target; wait until it is done");
        }
        recordRows.begin();
        writeRows(target, progress.table, rows);
        index.finish();
        if (progress.table === "records" || progress.table === "counter_points") markTrendsStale(writing);
        writing.run(WRITE_PROGRESS, progress.table, JSON.stringify(progress));
      });
    },
    async progress() {
      return writing
        .all<Pick<CopyProgressRow, "progress">>("SELECT progress FROM copy_progress ORDER BY name")
        .map(({ progress }) => JSON.parse(progress) as CopyProgress);
    },
    async finish() {
      writing.run("DELETE FROM copy_progress");
    },
  };
}

function getProgress(db: Database, table: CopyTableName): CopyProgress | null {
  const row = db.get<Pick<CopyProgressRow, "progress">>("SELECT progress FROM copy_progress WHERE name = ?", table);
  return row === undefined ? null : (JSON.parse(row.progress) as CopyProgress);
}

function readByRowid(db: Database, table: CopyTableName, after: string | null, limit: number): CopyPage {
  const columns = copyTable(table).columns.map(({ name }) => name);
  const rows = db.allTuples<[number, ...CopyRow]>(
    `SELECT rowid, ${columns.join(", ")} FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ?`,
    Number(after ?? 0),
    limit,
  );
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { rows: rows.map(([, ...row]) => row), nextPageToken: last === undefined ? null : String(last[0]) };
}

function readByKey(db: Database, table: CopyTableName, after: string | null, limit: number): CopyPage {
  const { columns, keyColumns } = copyTable(table);
  const names = columns.map(({ name }) => name);
  const key = names.slice(0, keyColumns);
  const values = after === null ? [] : (JSON.parse(after) as string[]);
  const later = after === null ? "" : `WHERE (${key.join(", ")}) > (${key.map(() => "?").join(", ")})`;
  const rows = db.allTuples<CopyRow>(
    `SELECT ${names.join(", ")} FROM ${table} ${later} ORDER BY ${key.join(", ")} LIMIT ?`,
    ...values,
    limit,
  );
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { rows, nextPageToken: last === undefined ? null : JSON.stringify(last.slice(0, keyColumns)) };
}

type NumberRow = Pick<RecordsRow, "number">;

function writeRows(target: WriteTables, table: CopyTableName, rows: readonly CopyRow[]): void {
  if (table === "records") {
    for (const row of rows) writeRecord(target, decodeRecordRow(row), row);
    return;
  }
  if (table === "comments") {
    for (const row of rows) writeComment(target, decodeCommentRow(row));
    return;
  }
  // A token may refer to its replacement, which may come later.
  if (table === "tokens") target.db.exec("PRAGMA defer_foreign_keys = ON");
  for (const row of rows) {
    if (hasErased(target, subjectsOfRow(table, row))) continue;
    upsert(target.db, table, row);
    if (table === "subtitles") indexTrack(target, row);
  }
}

function hasErased({ rows }: WriteTables, subjects: readonly Subject[]): boolean {
  return subjects.some(({ platform, kind, id }) => rows.isErased(platform, kind, id));
}

const statements = new Map<CopyTableName, string>();

function upsert(db: Database, table: CopyTableName, row: CopyRow): void {
  let sql = statements.get(table);
  if (sql === undefined) {
    const { columns, keyColumns } = copyTable(table);
    const names = columns.map(({ name }) => name);
    const updates = names.slice(keyColumns).map((name) => `${name} = excluded.${name}`);
    sql = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})
      ON CONFLICT (${names.slice(0, keyColumns).join(", ")}) DO UPDATE SET ${updates.join(", ")}`;
    statements.set(table, sql);
  }
  db.run(sql, ...row);
}

function writeRecord(target: WriteTables, record: CopyRecord, row: CopyRow): void {
  if (hasErased(target, subjectsOfRecord(record))) return;
  const { db, index, rendered, rows } = target;
  const { platform, kind, encoded } = record;
  const stored = db.get<Pick<RecordsRow, "header">>(
    "SELECT header FROM records WHERE platform = ? AND kind = ? AND id = ?",
    platform,
    kind,
    encoded.id,
  );
  upsert(db, "records", row);
  const { number } = db.get<NumberRow>(GET_NUMBER, platform, kind, encoded.id) as NumberRow;
  rendered.write(platform, kind, number, encoded);
  index.put(platform, kind, encoded.id, encoded.document);
  if (stored !== undefined && kind === "post") {
    rows.deleteFromLists(platform, encoded.id, JSON.parse(stored.header) as Post);
  }
  if (kind === "post") rows.addToLists(platform, number, encoded);
}

function writeComment(target: WriteTables, comment: CopyRecord & { postId: string }): void {
  if (hasErased(target, subjectsOfRecord(comment))) return;
  const { platform, postId, encoded } = comment;
  target.rows.upsertComment(platform, postId, encoded);
  target.index.put(platform, "comment", commentDocId(postId, encoded.id), encoded.document);
}

function indexTrack({ index }: WriteTables, row: CopyRow): void {
  const { platform, ...track } = decodeTrackRow(row);
  const { postId, language, automatic } = track;
  index.put(platform, "subtitle", subtitleDocId(postId, language, automatic), subtitleDocument(track));
}
