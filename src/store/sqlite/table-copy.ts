/** The tables of the file as rows for another store, and rows of another store as tables of the file. */
import type { Post } from "#domain/post.ts";
import { subtitleDocument } from "#search/documents.ts";
import {
  commentOfRow,
  type CopyRecord,
  recordOfRow,
  type Subject,
  subjectsOfRecord,
  subjectsOfRow,
  trackOfRow,
} from "../copy-rows.ts";
import {
  COPY_TABLES,
  copyTable,
  type CopyTableName,
  type CopyRow,
  type TableCopy,
  type CopyPage,
  type CopyProgress,
  isLastStep,
  isSameProgress,
} from "../table-copy.ts";
import { commentDoc, subtitleDoc } from "../search-doc-ids.ts";
import { StoreOpenError } from "../store-open-error.ts";
import type { Database } from "./database.ts";
import { removeFromLists } from "./record-removal.ts";
import { RecordRows } from "./record-rows.ts";
import { SearchIndex } from "./search-index.ts";
import type { RenderedRows } from "./rendered-rows.ts";
import type { TrendUpkeep } from "./trend-upkeep.ts";

/** Numbered as their rows were made, which is how search documents are numbered too. */
const NUMBERED: ReadonlySet<CopyTableName> = new Set(["records", "comments", "subtitles"]);

const NUMBER = "SELECT number FROM records WHERE platform = ? AND kind = ? AND id = ?";

const PUT_PROGRESS = `INSERT INTO copy_progress (name, progress) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET progress = excluded.progress`;

export function createTableCopy(
  reading: Database,
  writing: Database,
  trends: TrendUpkeep,
  shown: RenderedRows,
): TableCopy {
  const index = new SearchIndex(writing);
  const erased = new RecordRows(writing, index, trends, shown);
  const target: Target = { db: writing, index, trends, shown, erased };

  return {
    tables: COPY_TABLES,
    async storeId() {
      return (reading.get<{ id: string }>("SELECT id FROM store_identity") as { id: string }).id;
    },
    async count(table) {
      return (reading.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`) as { n: number }).n;
    },
    async read(table, _order, after, limit) {
      return NUMBERED.has(table) ? readNumbered(reading, table, after, limit) : readByKey(reading, table, after, limit);
    },
    async write(rows, progress, before) {
      writing.transaction(() => {
        if (!isSameProgress(heldProgress(writing, progress.table), before)) {
          throw new StoreOpenError("another copy writes to the same target; wait until it is done");
        }
        target.erased.begin();
        trends.begin();
        writeRows(target, progress.table, rows);
        index.finish();
        trends.finish(!isLastStep(progress));
        writing.run(PUT_PROGRESS, progress.table, JSON.stringify(progress));
      });
    },
    async progress() {
      return writing
        .all<{ progress: string }>("SELECT progress FROM copy_progress ORDER BY name")
        .map(({ progress }) => JSON.parse(progress) as CopyProgress);
    },
    async finish() {
      writing.run("DELETE FROM copy_progress");
    },
  };
}

function heldProgress(db: Database, table: CopyTableName): CopyProgress | null {
  const row = db.get<{ progress: string }>("SELECT progress FROM copy_progress WHERE name = ?", table);
  return row === undefined ? null : (JSON.parse(row.progress) as CopyProgress);
}

function readNumbered(db: Database, table: CopyTableName, after: string | null, limit: number): CopyPage {
  const columns = copyTable(table).columns.map(({ name }) => name);
  const rows = db.lists<[number, ...CopyRow]>(
    `SELECT rowid, ${columns.join(", ")} FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ?`,
    Number(after ?? 0),
    limit,
  );
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { rows: rows.map(([, ...row]) => row), pageToken: last === undefined ? null : String(last[0]) };
}

function readByKey(db: Database, table: CopyTableName, after: string | null, limit: number): CopyPage {
  const { columns, keyColumns } = copyTable(table);
  const names = columns.map(({ name }) => name);
  const key = names.slice(0, keyColumns);
  const values = after === null ? [] : (JSON.parse(after) as string[]);
  const later = after === null ? "" : `WHERE (${key.join(", ")}) > (${key.map(() => "?").join(", ")})`;
  const rows = db.lists<CopyRow>(
    `SELECT ${names.join(", ")} FROM ${table} ${later} ORDER BY ${key.join(", ")} LIMIT ?`,
    ...values,
    limit,
  );
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { rows, pageToken: last === undefined ? null : JSON.stringify(last.slice(0, keyColumns)) };
}

interface Target {
  db: Database;
  index: SearchIndex;
  trends: TrendUpkeep;
  shown: RenderedRows;
  erased: RecordRows;
}

function writeRows(target: Target, table: CopyTableName, rows: readonly CopyRow[]): void {
  if (table === "records") {
    for (const row of rows) writeRecord(target, recordOfRow(row), row);
    return;
  }
  if (table === "comments") {
    for (const row of rows) writeComment(target, commentOfRow(row));
    return;
  }
  // Tokens name the ones that took their place, which may come later.
  if (table === "tokens") target.db.exec("PRAGMA defer_foreign_keys = ON");
  for (const row of rows) {
    if (anyErased(target, subjectsOfRow(table, row))) continue;
    if (table === "counter_points") noteCounters(target, row);
    upsert(target.db, table, row);
    if (table === "subtitles") indexTrack(target, row);
  }
}

function anyErased({ erased }: Target, subjects: readonly Subject[]): boolean {
  return subjects.some(({ platform, kind, id }) => erased.isErased(platform, kind, id));
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

function noteCounters({ trends }: Target, [platform, kind, id]: CopyRow): void {
  if (kind === "post") trends.countersChange(platform as string, id as string);
}

function writeRecord(target: Target, record: CopyRecord, row: CopyRow): void {
  if (anyErased(target, subjectsOfRecord(record))) return;
  const { db, index, trends, shown } = target;
  const { platform, kind, prepared } = record;
  const held = db.get<{ header: string }>(
    "SELECT header FROM records WHERE platform = ? AND kind = ? AND id = ?",
    platform,
    kind,
    prepared.id,
  );
  if (kind === "post") trends.postChanges(platform, prepared.id, held?.header ?? null);
  upsert(db, "records", row);
  const { number } = db.get<{ number: number }>(NUMBER, platform, kind, prepared.id) as { number: number };
  shown.put(platform, kind, number, prepared);
  index.put(platform, kind, prepared.id, prepared.document);
  if (held !== undefined && kind === "post") {
    removeFromLists(db, platform, prepared.id, JSON.parse(held.header) as Post);
  }
  for (const [list, key] of prepared.lists) {
    // A post that names an erased person keeps the name in its text; the person's list is gone.
    if (list === "tagged" && anyErased(target, [{ platform, kind: "account", id: key }])) continue;
    db.run(
      "INSERT OR IGNORE INTO post_lists (platform, list, key, at, post_id, record) VALUES (?, ?, ?, ?, ?, ?)",
      platform,
      list,
      key,
      prepared.at,
      prepared.id,
      number,
    );
  }
}

function writeComment(target: Target, comment: CopyRecord & { postId: string }): void {
  if (anyErased(target, subjectsOfRecord(comment))) return;
  const { db, index, shown } = target;
  const { platform, postId, prepared } = comment;
  const { id, parentId, authorId, at, likes, header, native, capturedAt, source } = prepared;
  db.run(
    `INSERT INTO comments (platform, post_id, id, parent_id, author_id, at, likes, header, native, captured_at, source)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (platform, post_id, id) DO UPDATE SET parent_id = excluded.parent_id, author_id = excluded.author_id,
       at = excluded.at, likes = excluded.likes, header = excluded.header, native = excluded.native,
       captured_at = excluded.captured_at, source = excluded.source`,
    platform,
    postId,
    id,
    parentId,
    authorId,
    at,
    likes,
    header,
    native,
    capturedAt,
    source,
  );
  shown.putComment(platform, postId, prepared);
  index.put(platform, "comment", commentDoc(postId, id), prepared.document);
}

function indexTrack({ index }: Target, row: CopyRow): void {
  const { platform, ...track } = trackOfRow(row);
  const { postId, language, automatic } = track;
  index.put(platform, "subtitle", subtitleDoc(postId, language, automatic), subtitleDocument(track));
}
