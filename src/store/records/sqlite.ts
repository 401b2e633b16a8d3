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
const ADD_RECORD = `INSERT INTO records (platform, kind, id, header, native, captured_at, source, version)
  VALUES (?, ?, ?, ?, ?, ?, ?, 1)`;
const UPDATE_RECORD = `UPDATE records SET header = ?, native = ?, captured_at = ?, source = ?, version = version + 1
  WHERE platform = ? AND kind = ? AND id = ?`;
const WRITE_NAME = `INSERT INTO account_names (platform, name, id, captured_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (platform, name, id) DO UPDATE SET captured_at = excluded.captured_at`;
const DELETE_NAME = "DELETE FROM account_names WHERE platform = ? AND name = ? AND id = ?";

type StoredRow = RecordRow & { number: number };

export class RecordRows {
  readonly #state: WriteState;
  readonly #rendered: RenderedWriter;
  readonly #lists: ListWriter;

  constructor(state: WriteState, rendered: RenderedWriter, lists: ListWriter) {
    this.#state = state;
    this.#rendered = rendered;
    this.#lists = lists;
  }

  /** Undefined if the record is not stored. */
  getHeader(platform: PlatformName, kind: NonCommentKind, id: string): string | undefined {
    return this.#get(platform, kind, id)?.header;
  }

  #get(platform: PlatformName, kind: NonCommentKind, id: string): StoredRow | undefined {
    return this.#state.db.get<StoredRow>(GET_RECORD, platform, kind, id);
  }

  write(platform: PlatformName, { kind, incoming }: RecordCapture): void {
    const { id } = incoming;
    const stored = this.#get(platform, kind, id);
    const merged = mergeCapture(this.#state, [platform, kind, id], stored, incoming);
    if (merged === null) return;
    const { before, encoded } = merged;
    const number = stored === undefined ? this.#insert(platform, kind, encoded) : stored.number;
    if (stored !== undefined) this.#update(platform, kind, encoded);
    this.#rendered.write(platform, kind, number, encoded);
    if (stored?.header !== encoded.header)
      this.#state.index.put(platform, kind, id, encoded.document, stored === undefined ? "new" : "stored");
    if (kind === "account") writeName(this.#state.db, platform, before as Account | null, encoded);
    if (kind !== "post") return;
    this.#state.hasChangedPosts = true;
    this.#lists.write({ platform, before: before as Post | null, now: encoded }, number);
  }

  #insert(platform: PlatformName, kind: NonCommentKind, record: EncodedRecord): number {
    const { id, header, native, capturedAt, source } = record;
    return this.#state.db.run(ADD_RECORD, platform, kind, id, header, native, capturedAt, source).lastInsertRowid;
  }

  #update(platform: PlatformName, kind: NonCommentKind, record: EncodedRecord): void {
    const { id, header, native, capturedAt, source } = record;
    this.#state.db.run(UPDATE_RECORD, header, native, capturedAt, source, platform, kind, id);
  }
}

function writeName(db: Database, platform: PlatformName, stored: Account | null, encoded: EncodedRecord): void {
  const { id, before, now, namedAt } = toNamedAccount(platform, stored, encoded);
  if (before !== null && before !== now) db.run(DELETE_NAME, platform, before, id);
  if (now !== null) db.run(WRITE_NAME, platform, now, id, namedAt);
}
