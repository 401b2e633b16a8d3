/** Makes what is shown anew, for a store that was written when records were drawn otherwise, or not at all. */
import type { PlatformName, RecordKind } from "#domain/record.ts";
import { RECORD_COLUMNS, type RecordRow } from "../record-row.ts";
import type { ProjectionRegistry } from "#domain/projection.ts";
import type { Database } from "./database.ts";
import { type KeptRecord, RenderedRows } from "./rendered-rows.ts";

const ROWS_AT_ONCE = 2_000;

export function rebuildRendered(db: Database, book: ProjectionRegistry): void {
  const wanted = registerOf(book);
  // Who knows no shapes leaves them to those who do.
  if (wanted.length === 0 || isRegistered(db, wanted)) return;
  const rows = new RenderedRows(db, book);
  db.transaction(() => {
    db.run("DELETE FROM shown");
    for (const { number, platform, kind, ...row } of records(db)) rows.put(platform, kind, number, keptOf(row));
    db.run("UPDATE comments SET digest = NULL, shown = NULL WHERE shown IS NOT NULL");
    for (const { platform, post_id, ...row } of comments(db)) rows.putComment(platform, post_id, keptOf(row));
    db.run("DELETE FROM shown_shapes");
    for (const entry of wanted) db.run("INSERT INTO shown_shapes VALUES (?, ?, ?, ?, ?)", ...entry);
  });
}

type Entry = [platform: string, kind: string, slot: number, name: string, version: number];

function registerOf(book: ProjectionRegistry): Entry[] {
  return Object.entries(book).flatMap(([platform, kinds]) =>
    Object.entries(kinds).flatMap(([kind, shapes]) =>
      shapes.map(({ name, version }, slot): Entry => [platform, kind, slot, name, version]),
    ),
  );
}

function isRegistered(db: Database, wanted: readonly Entry[]): boolean {
  const held = db.lists<Entry>("SELECT platform, kind, slot, name, version FROM shown_shapes");
  const sorted = (entries: readonly Entry[]) => entries.map((entry) => JSON.stringify(entry)).toSorted();
  return JSON.stringify(sorted(held)) === JSON.stringify(sorted(wanted));
}

function* records(db: Database): Generator<RecordRow & { number: number; platform: PlatformName; kind: RecordKind }> {
  for (let last = 0; ;) {
    const rows = db.all<RecordRow & { number: number; platform: PlatformName; kind: RecordKind }>(
      `SELECT number, platform, kind, ${RECORD_COLUMNS} FROM records WHERE number > ? ORDER BY number LIMIT ${ROWS_AT_ONCE}`,
      last,
    );
    yield* rows;
    if (rows.length < ROWS_AT_ONCE) return;
    last = (rows.at(-1) as (typeof rows)[number]).number;
  }
}

function* comments(db: Database): Generator<RecordRow & { rowid: number; platform: PlatformName; post_id: string }> {
  for (let last = 0; ;) {
    const rows = db.all<RecordRow & { rowid: number; platform: PlatformName; post_id: string }>(
      `SELECT rowid, platform, post_id, ${RECORD_COLUMNS} FROM comments WHERE rowid > ? ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`,
      last,
    );
    yield* rows;
    if (rows.length < ROWS_AT_ONCE) return;
    last = (rows.at(-1) as (typeof rows)[number]).rowid;
  }
}

function keptOf({ id, header, native, captured_at: capturedAt, source }: RecordRow): KeptRecord {
  return { id, header, native, capturedAt, source };
}
