/**
 * Writes a record with everything derived from it: rendered JSON, name, lists, search document. Called within a
 * transaction, so that readers see all of it or nothing.
 */
import type { Account } from "#domain/account.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName } from "#domain/record.ts";
import type { ListWriter } from "#store/lists/port.ts";
import type { RenderedWriter } from "#store/rendered/port.ts";
import type { Database } from "#store/sqlite/database.ts";
import type { RecordCapture } from "#store/write/captures.ts";
import type { EncodedRecord } from "#store/write/encoded-record.ts";
import { mergeCapture } from "#store/write/record-row.sqlite.ts";
import { type NonCommentKind, RECORD_COLUMNS, type RecordRow } from "#store/write/record-row.ts";
import type { WriteState } from "#store/write/state.sqlite.ts";
import { toNamedAccount } from "./account-name.ts";

const GET_RECORD = `SELECT number, ${RECORD_COLUMNS} FROM records WHERE platform = ? AND kind = ? AND id = ?`;
const ADD_RECORD = `INSERT INTO records (header, native, captured_at, source, platform, kind, id, version)
  VALUES (?, ?, ?, ?, ?, ?, ?, 1)`;
const UPDATE_RECORD = `UPDATE records SET header = ?, native = ?, captured_at = ?, source = ?, version = version + 1
  WHERE platform = ? AND kind = ? AND id = ?`;
const WRITE_NAME = `INSERT INTO account_names (platform, name, id, captured_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (platform, name, id) DO UPDATE SET captured_at = excluded.captured_at`;
const DELETE_NAME = "DELETE FROM account_names WHERE platform = ? AND name = ? AND id = ?";

type StoredRow = RecordRow & { number: number };

export function createRecordRows(state: WriteState, rendered: RenderedWriter, lists: ListWriter) {
  const { db, index } = state;
  const get = (platform: PlatformName, kind: NonCommentKind, id: string) =>
    db.get<StoredRow>(GET_RECORD, platform, kind, id);

  return {
    /** Undefined if the record is not stored. */
    getHeader: (platform: PlatformName, kind: NonCommentKind, id: string) => get(platform, kind, id)?.header,
    write(platform: PlatformName, { kind, incoming }: RecordCapture): void {
      const { id } = incoming;
      const stored = get(platform, kind, id);
      const merged = mergeCapture(state, [platform, kind, id], stored, incoming);
      if (merged === null) return;
      const { before, encoded } = merged;
      const { header, native, capturedAt, source, document } = encoded;
      const statement = stored === undefined ? ADD_RECORD : UPDATE_RECORD;
      const written = db.run(statement, header, native, capturedAt, source, platform, kind, id);
      const number = stored?.number ?? written.lastInsertRowid;
      rendered.write(platform, kind, number, encoded);
      if (stored?.header !== header) index.put(platform, kind, id, document, stored === undefined ? "new" : "stored");
      if (kind === "account") writeName(db, platform, before as Account | null, encoded);
      if (kind !== "post") return;
      state.hasChangedPosts = true;
      lists.write({ platform, before: before as Post | null, now: encoded }, number);
    },
  };
}

function writeName(db: Database, platform: PlatformName, stored: Account | null, encoded: EncodedRecord): void {
  const { id, before, now, namedAt } = toNamedAccount(platform, stored, encoded);
  if (before !== null && before !== now) db.run(DELETE_NAME, platform, before, id);
  if (now !== null) db.run(WRITE_NAME, platform, now, id, namedAt);
}
