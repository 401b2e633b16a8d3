/** Deletes and restores the rows of one kind that an undone job touched. Rows that are gone for another reason stay gone. */
import { type AccountReferences, listReferences, replaceReferences } from "#domain/account-references.ts";
import type { ReportKind } from "#domain/job.ts";
import { type JsonText, parseJsonText } from "#domain/json-text.ts";
import { present } from "#domain/present.ts";
import { zip } from "#domain/zip.ts";
import { isProvisional } from "#domain/provisional-id.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import { type Expiry, isExpired } from "#domain/retention.ts";
import type { SubtitleLine } from "#domain/subtitle.ts";
import { subtitleDocument } from "#search/documents.ts";
import { replace } from "#store/write/batch-changes.ts";
import type { AnyRecord } from "#store/write/encoded-record.ts";
import { parseImage } from "#store/write/record-row.ts";
import type { RelationKind } from "#store/write/relation.ts";
import { decodeRecord, encodeRecord } from "#store/write/row-encoder.ts";
import { subtitleDocId } from "#store/search/port.ts";
import type { RecordChange } from "#store/write/port.ts";
import type { DependentKind } from "#store/write/concern.ts";
import { isDependent, keyedRowsOf } from "#store/write/concerns.ts";
import { type Where, whereKey } from "#store/write/keyed-rows.ts";
import type { RowKey } from "./port.ts";
import { removeRows } from "#store/write/removal.ts";
import { type RecordSteps, withoutWriting } from "#store/write/unit.ts";
import { isMarkedErased } from "#store/erasure/port.ts";
import { type SqlSteps, step, type Steps } from "#store/sql/sql.ts";

type Captured = { captured_at: number; source: string };

/** Deletes rows. Returns how many of them were stored. */
export function* removeTouched(
  unit: RecordSteps,
  platform: PlatformName,
  kind: ReportKind,
  keys: readonly string[],
  dryRun: boolean,
): Steps<number> {
  if (keys.length === 0) return 0;
  const removals = yield* removeRows(dryRun ? withoutWriting(unit) : unit, { platform, kind, keys });
  return removals.reduce((sum, { count }) => sum + count, 0);
}

/** The same for rows that get back what was stored before. */
export function* restoreTouched(
  unit: RecordSteps,
  platform: PlatformName,
  kind: ReportKind,
  images: ReadonlyMap<string, string>,
  dryRun: boolean,
): Steps<number> {
  const { sql } = unit;
  const keys = [...images.keys()];
  if (keys.length === 0) return 0;
  if (isDependent(kind) && kind !== "comment") {
    const stored = yield* findStored(unit, platform, kind, keys);
    if (!dryRun)
      for (const row of stored) yield* restoreRelation(unit, platform, kind, row, present(images.get(row.key)));
    return stored.length;
  }
  const records: RecordChange[] = [];
  const change = (id: string, postId: string | null, image: string): void => {
    const incoming = encodeRecord(kind, parseImage(id, image));
    records.push({ kind, postId, incoming, point: null });
  };
  if (kind === "comment") {
    for (const { key } of yield* findStored(unit, platform, kind, keys)) {
      const [postId, id] = JSON.parse(key) as [string, string];
      change(id, postId, present(images.get(key)));
    }
  } else {
    for (const { id } of yield* getRecords(sql, platform, kind, keys)) change(id, null, present(images.get(id)));
  }
  if (dryRun || records.length === 0) return records.length;
  const resolved = yield* resolveAccounts(sql, platform, records);
  yield* step(unit.apply({ platform, records: resolved, subtitles: [], follows: [], chartEntries: [] }, replace));
  return records.length;
}

function* restoreRelation(
  unit: RecordSteps,
  platform: PlatformName,
  kind: RelationKind,
  { key, condition, values }: StoredRow,
  image: string,
): Steps<void> {
  const { sql } = unit;
  const columns = JSON.parse(image) as Record<string, string | number | null>;
  if (kind === "chart" && (yield* isMarkedErased(sql, platform, "post", columns["post_id"] as string))) {
    return void (yield* removeRows(unit, { platform, kind, keys: [key] }));
  }
  const updates = Object.keys(columns).map((column, index) => `${column} = $${values.length + index + 1}`);
  const text = `UPDATE ${keyedRowsOf(kind).table} SET ${updates.join(", ")} WHERE ${condition}`;
  yield* sql.run(text, ...values, ...Object.values(columns));
  if (kind === "subtitles") indexTrack(unit, platform, key, columns["lines"] as string);
}

interface StoredRow extends Where {
  key: string;
}

/** Leaves out rows that are not stored. */
function* findStored(
  unit: RecordSteps,
  platform: PlatformName,
  kind: DependentKind,
  keys: readonly string[],
): Steps<StoredRow[]> {
  const stored: StoredRow[] = [];
  for (const key of keys) {
    const row = { key, ...whereKey(unit, keyedRowsOf(kind), platform, key) };
    const text = `SELECT 1 FROM ${keyedRowsOf(kind).table} WHERE ${row.condition}`;
    if ((yield* unit.sql.get(text, ...row.values)) !== undefined) stored.push(row);
  }
  return stored;
}

/** The keys of the rows that are due by these rules, as captured by this source. */
export function* listDueKeys(
  unit: RecordSteps,
  platform: PlatformName,
  kind: ReportKind,
  keys: readonly string[],
  { source, expiries }: { source: string; expiries: readonly Expiry[] },
): Steps<string[]> {
  const { sql } = unit;
  const isDue = (row: Captured | undefined) =>
    row?.source === source && isExpired(expiries, kind, source, row.captured_at);
  if (isDependent(kind)) {
    const due: string[] = [];
    for (const key of keys) {
      const { condition, values } = whereKey(unit, keyedRowsOf(kind), platform, key);
      const text = `SELECT captured_at, source FROM ${keyedRowsOf(kind).table} WHERE ${condition}`;
      if (isDue(yield* sql.get<Captured>(text, ...values))) due.push(key);
    }
    return due;
  }
  const rows = yield* sql.all<Captured & { id: string }>(
    "SELECT id, captured_at, source FROM records WHERE id = ANY($1) AND platform = $2 AND kind = $3",
    keys,
    platform,
    kind,
  );
  return rows.filter(isDue).map(({ id }) => id);
}

function indexTrack(
  unit: RecordSteps,
  platform: PlatformName,
  key: RowKey<"subtitles">,
  lines: JsonText<SubtitleLine[]>,
): void {
  const [postId, language, automatic] = parseJsonText(key);
  const document = subtitleDocument({ lines: parseJsonText(lines), language });
  unit.documents.put(platform, "subtitle", subtitleDocId(postId, language, automatic), document);
}

function getRecords(
  sql: SqlSteps,
  platform: PlatformName,
  kind: RecordKind,
  ids: readonly string[],
): Steps<{ id: string }[]> {
  return sql.all("SELECT id FROM records WHERE id = ANY($1) AND platform = $2 AND kind = $3", ids, platform, kind);
}

/** An account that was known by name only may have got its id since. */
function* resolveAccounts(sql: SqlSteps, platform: PlatformName, changes: RecordChange[]): Steps<RecordChange[]> {
  const records = changes.map(({ incoming }) => decodeRecord<AnyRecord & AccountReferences>(incoming));
  const provisional = [...new Set(records.flatMap(listReferences).filter(isProvisional))];
  if (provisional.length === 0) return changes;
  const rows = yield* sql.all<{ name: string; id: string }>(
    "SELECT name, id FROM account_names WHERE name = ANY($1) AND platform = $2 ORDER BY captured_at, id DESC",
    provisional.map((id) => id.slice(1)),
    platform,
  );
  const ids = new Map(rows.map(({ name, id }) => [`@${name}`, id]));
  const resolve = (id: string) => ids.get(id) ?? id;
  return zip(changes, records).map(([change, record]) => {
    return { ...change, incoming: encodeRecord(change.kind, replaceReferences(record, resolve)) };
  });
}
