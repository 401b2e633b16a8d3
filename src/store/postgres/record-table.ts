/**
 * Accounts, posts, sounds, hashtags and places of one batch: what is held of them is read at once, each found record is
 * merged with it in turn, and what changed is written at once, with all that is derived from it.
 */
import type { Account } from "#domain/account.ts";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import { encodeRecord, decodeRecord } from "../row-encoder.ts";
import { recordOf, RECORD_COLUMNS, type RecordRow } from "../record-row.ts";
import type { AnyRecord, Merge, EncodedRecord } from "../store.ts";
import { AccountNames } from "./account-names.ts";
import type { WriteResult } from "../batch-changes.ts";
import type { Sql } from "./sql.ts";
import { RowCache } from "./row-cache.ts";
import { type MovedPost, movePosts } from "./post-list-rows.ts";
import type { SearchIndexWriter } from "./search-index-writer.ts";
import type { NotedPost } from "./trend-writer.ts";
import { insert, type Table, upsert } from "./upsert.ts";

export type StandingKind = Exclude<RecordKind, "comment">;

/** A record that the batch changed. */
interface ChangedRecord {
  platform: PlatformName;
  kind: StandingKind;
  /** As it was before the batch; null when it was not held. */
  before: RecordRow | null;
  now: EncodedRecord;
  version: number;
}

interface HeldRecord {
  row: RecordRow;
  version: number;
  /** Set once the batch has changed it. */
  change: ChangedRecord | null;
}

const TABLE: Table<ChangedRecord> = {
  name: "records",
  key: ["id", "platform", "kind"],
  columns: [
    { name: "id", type: "text", of: ({ now }) => now.id },
    { name: "platform", type: "text", of: ({ platform }) => platform },
    { name: "kind", type: "text", of: ({ kind }) => kind },
    { name: "header", type: "json", of: ({ now }) => now.header },
    { name: "native", type: "json", of: ({ now }) => now.native },
    { name: "captured_at", type: "bigint", of: ({ now }) => now.capturedAt },
    { name: "source", type: "text", of: ({ now }) => now.source },
    { name: "version", type: "bigint", of: ({ version }) => version },
  ],
};

export class RecordTable {
  readonly #rows = new RowCache<HeldRecord>();
  readonly #names = new AccountNames();
  readonly #index: SearchIndexWriter;

  constructor(index: SearchIndexWriter) {
    this.#index = index;
  }

  async load(sql: Sql, platform: PlatformName, kind: StandingKind, ids: readonly string[]): Promise<void> {
    const rows = await sql.all<RecordRow & { version: number }>(
      `SELECT ${RECORD_COLUMNS}, version FROM records WHERE id = ANY($1) AND platform = $2 AND kind = $3`,
      ids,
      platform,
      kind,
    );
    for (const { version, ...row } of rows) this.#rows.load([platform, kind, row.id], { row, version, change: null });
  }

  put(platform: PlatformName, kind: StandingKind, found: EncodedRecord, merge: Merge): WriteResult {
    const key = [platform, kind, found.id];
    const held = this.#rows.get(key);
    if (held === undefined) {
      const change = { platform, kind, before: null, now: found, version: 1 };
      this.#rows.put(key, { row: rowOf(found), version: 1, change });
      this.#index.put(platform, kind, found.id, found.document, "new");
      if (kind === "account") this.#names.put(platform, found, null);
      return "new";
    }
    if (isSame(held.row, found)) return "unchanged";
    const before = recordOf<AnyRecord>(held.row);
    const now = encodeRecord(kind, merge(kind, before, decodeRecord(found)));
    if (isSame(held.row, now)) return "unchanged";
    const version = held.version + 1;
    const change = { platform, kind, before: held.change === null ? held.row : held.change.before, now, version };
    this.#rows.put(key, { row: rowOf(now), version, change });
    if (held.row.header !== now.header) this.#index.put(platform, kind, now.id, now.document, "held");
    if (kind === "account") this.#names.put(platform, now, foldedName(before as unknown as Account));
    return "updated";
  }

  /** The posts that the batch changed so far, as they were before it. */
  changedPosts(): (NotedPost & { platform: PlatformName })[] {
    return this.#rows
      .changed()
      .flatMap(({ change }) => (change?.kind === "post" ? change : []))
      .map(({ platform, before, now }) => ({ platform, id: now.id, header: before?.header ?? null }));
  }

  /** Whether the record was held before the batch: its header then, else null. */
  headerBefore(platform: PlatformName, kind: StandingKind, id: string): string | null {
    const held = this.#rows.get([platform, kind, id]);
    return (held === undefined || held.change === null ? held?.row : held.change.before)?.header ?? null;
  }

  async flush(sql: Sql): Promise<void> {
    const changed = this.#rows.takeChanged().flatMap(({ change }) => change ?? []);
    if (changed.length === 0) return;
    await Promise.all([
      this.#names.flush(sql),
      movePosts(sql, changed.filter(({ kind }) => kind === "post").map(movedPost)),
      insert(
        sql,
        TABLE,
        changed.filter(({ before }) => before === null),
      ),
      upsert(
        sql,
        TABLE,
        changed.filter(({ before }) => before !== null),
      ),
    ]);
  }
}

function movedPost({ platform, before, now }: ChangedRecord): MovedPost {
  return { platform, before: before === null ? null : (JSON.parse(before.header) as Post), now };
}

function foldedName({ name }: Account): string | null {
  return name === null ? null : foldName(name);
}

export function isSame(held: RecordRow, { header, native, capturedAt }: EncodedRecord): boolean {
  return held.header === header && held.native === native && held.captured_at === capturedAt;
}

export function rowOf({ id, header, native, capturedAt, source }: EncodedRecord): RecordRow {
  return { id, header, native, captured_at: capturedAt, source };
}
