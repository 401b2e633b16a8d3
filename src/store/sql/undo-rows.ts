/** Deletes and restores the rows of one kind that an undone job touched. Rows that are gone for another reason stay gone. */
import type { Account } from "#domain/account.ts";
import { type AccountReferences, listReferences, replaceReferences } from "#domain/account-references.ts";
import { foldName } from "#domain/folding.ts";
import type { ReportKind } from "#domain/job.ts";
import { isProvisional } from "#domain/provisional-id.ts";
import type { PlatformName } from "#domain/record.ts";
import type { SubtitleLine } from "#domain/subtitle.ts";
import { subtitleDocument } from "#search/documents.ts";
import { replace } from "../batch-changes.ts";
import type { AnyRecord } from "../encoded-record.ts";
import { type Image, NOBODY } from "../job-touches.ts";
import { decodeRecord, encodeRecord } from "../row-encoder.ts";
import { subtitleDocId } from "../search-doc-ids.ts";
import type { RecordChange } from "../writer.ts";
import { type DependentKind, DEPENDENTS, type RemovedRecord, removeRecords, removeRows } from "./record-removal.ts";
import type { RecordSteps } from "./record-steps.ts";
import { isMarkedErased } from "./erased-ids.ts";
import { type SqlSteps, step, type Steps, type Value } from "./sql.ts";

type RelationKind = Exclude<DependentKind, "comment">;

/** Returns how many of the rows are stored, and deletes them. */
export function* removeTouched(
  unit: RecordSteps,
  platform: PlatformName,
  kind: ReportKind,
  keys: readonly string[],
  dryRun: boolean,
): Steps<number> {
  const { sql } = unit;
  if (keys.length === 0) return 0;
  if (kind === "follow" || kind === "chart" || kind === "subtitles") {
    return yield* eachRow(unit, platform, kind, keys, dryRun, function* (condition, values) {
      yield* removeRows(unit, kind, condition, ...values);
    });
  }
  if (kind === "comment") {
    const stored = yield* getComments(sql, platform, keys);
    if (!dryRun) {
      for (const { post_id, id } of stored.values()) {
        yield* removeRows(unit, "comment", "post_id = $1 AND platform = $2 AND id = $3", post_id, platform, id);
      }
    }
    return stored.size;
  }
  const stored = yield* getRecords(sql, platform, kind, keys);
  if (!dryRun) yield* removeRecords(unit, stored);
  return stored.length;
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
  if (kind === "follow" || kind === "chart" || kind === "subtitles") {
    return yield* eachRow(unit, platform, kind, keys, dryRun, function* (condition, values, key) {
      const columns = JSON.parse(images.get(key) as string) as Record<string, string | number | null>;
      if (kind === "chart" && (yield* isMarkedErased(sql, platform, "post", columns["post_id"] as string))) {
        return void (yield* removeRows(unit, "chart", condition, ...values));
      }
      const updates = Object.keys(columns).map((column, index) => `${column} = $${values.length + index + 1}`);
      const text = `UPDATE ${DEPENDENTS[kind].table} SET ${updates.join(", ")} WHERE ${condition}`;
      yield* sql.run(text, ...values, ...Object.values(columns));
      if (kind === "subtitles") indexTrack(unit, platform, key, columns["lines"] as string);
    });
  }
  const records: RecordChange[] = [];
  const named: RecordChange[] = [];
  const nameless: RecordChange[] = [];
  const change = (id: string, postId: string | null, image: string): void => {
    const incoming = encodeRecord(kind, parseImage(id, image));
    records.push({ kind, postId, incoming, point: null });
  };
  if (kind === "comment") {
    for (const [key, { post_id, id }] of yield* getComments(sql, platform, keys))
      change(id, post_id, images.get(key) as string);
  } else {
    for (const { id, header } of yield* getRecords(sql, platform, kind, keys)) {
      change(id, null, images.get(id) as string);
      if (kind !== "account" || dryRun) continue;
      const restored = records.at(-1) as RecordChange;
      const mayTakeName = yield* releaseName(sql, platform, id, header, restored.incoming.name);
      (mayTakeName ? named : nameless).push(restored);
    }
  }
  if (dryRun || records.length === 0) return records.length;
  const resolved = yield* resolveAccounts(sql, platform, records);
  const owners = yield* getNames(
    sql,
    platform,
    nameless.map(({ incoming }) => incoming.name ?? ""),
  );
  yield* step(unit.apply({ platform, records: resolved, subtitles: [], follows: [], chartEntries: [] }, replace));
  for (const { incoming } of nameless) yield* deleteName(sql, platform, incoming.name ?? "", incoming.id);
  for (const owner of owners) yield* addName(sql, platform, owner);
  // A record that the job changed back is not written, and its name neither.
  for (const { incoming } of named) {
    yield* addName(sql, platform, { name: incoming.name ?? "", id: incoming.id, captured_at: incoming.capturedAt });
  }
  return records.length;
}

/** Calls `work` for each row that is stored, unless this is a dry run, and returns their number. */
function* eachRow(
  unit: RecordSteps,
  platform: PlatformName,
  kind: RelationKind,
  keys: readonly string[],
  dryRun: boolean,
  work: (condition: string, values: Value[], key: string) => Steps<void>,
): Steps<number> {
  let count = 0;
  const { table, key: keyNames } = DEPENDENTS[kind];
  for (const key of keys) {
    const parts = JSON.parse(key) as (string | number | boolean)[];
    const columns: Record<string, string | number | boolean> = { platform };
    for (const [index, column] of keyNames.entries()) columns[column] = parts[index] as string;
    const named = kind === "chart" ? unit.charts.toKey(columns) : columns;
    const condition = Object.keys(named)
      .map((column, index) => `${column} = $${index + 1}`)
      .join(" AND ");
    const values = Object.values(named);
    if ((yield* unit.sql.get(`SELECT 1 FROM ${table} WHERE ${condition}`, ...values)) === undefined) continue;
    count++;
    if (!dryRun) yield* work(condition, values, key);
  }
  return count;
}

function indexTrack(unit: RecordSteps, platform: PlatformName, key: string, lines: string): void {
  const [postId, language, automatic] = JSON.parse(key) as [string, string, boolean];
  const document = subtitleDocument({ lines: JSON.parse(lines) as SubtitleLine[], language });
  unit.putDocument(platform, "subtitle", subtitleDocId(postId, language, automatic), document);
}

function getRecords(
  sql: SqlSteps,
  platform: PlatformName,
  kind: RemovedRecord["kind"],
  ids: readonly string[],
): Steps<(RemovedRecord & { header: string })[]> {
  return sql.all(
    "SELECT platform, kind, id, header FROM records WHERE id = ANY($1) AND platform = $2 AND kind = $3",
    ids,
    platform,
    kind,
  );
}

/** Those that are stored, by their key. */
function* getComments(
  sql: SqlSteps,
  platform: PlatformName,
  keys: readonly string[],
): Steps<Map<string, { post_id: string; id: string }>> {
  const stored = new Map<string, { post_id: string; id: string }>();
  for (const key of keys) {
    const [post_id, id] = JSON.parse(key) as [string, string];
    const row = yield* sql.get(
      "SELECT 1 FROM comments WHERE post_id = $1 AND platform = $2 AND id = $3",
      post_id,
      platform,
      id,
    );
    if (row !== undefined) stored.set(key, { post_id, id });
  }
  return stored;
}

function parseImage(id: string, image: string): AnyRecord {
  const { header, native, captured_at, source } = JSON.parse(image) as {
    header: AnyRecord;
    native: object;
    captured_at: number;
    source: string;
  };
  return { ...header, id, native, capturedAt: captured_at, source };
}

/**
 * Deletes the name of an account that is about to be written as it was. Returns whether that write may take it again, with
 * the capture time of then; otherwise the touches of names decide who gets it.
 */
function* releaseName(
  sql: SqlSteps,
  platform: PlatformName,
  id: string,
  header: string,
  restored: string | null,
): Steps<boolean> {
  const name = foldName((JSON.parse(header) as Account).name ?? "");
  const hadIt = yield* deleteName(sql, platform, name, id);
  return hadIt && name === restored;
}

function* deleteName(sql: SqlSteps, platform: PlatformName, name: string, id: string): Steps<boolean> {
  const text = "DELETE FROM account_names WHERE name = $1 AND platform = $2 AND id = $3";
  return (yield* sql.run(text, name, platform, id)) > 0;
}

interface NameRow {
  name: string;
  id: string;
  captured_at: number;
}

function getNames(sql: SqlSteps, platform: PlatformName, names: readonly string[]): Steps<NameRow[]> {
  return sql.all<NameRow>(
    "SELECT name, id, captured_at FROM account_names WHERE name = ANY($1) AND platform = $2",
    names,
    platform,
  );
}

/** Unless the one who has it was captured later, or not earlier. */
function addName(
  sql: SqlSteps,
  platform: PlatformName,
  { name, id, captured_at }: NameRow,
  unless: "later" | "not earlier" = "later",
): Steps<number> {
  return sql.run(
    `INSERT INTO account_names (platform, name, id, captured_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (name, platform) DO UPDATE SET id = excluded.id, captured_at = excluded.captured_at
     WHERE account_names.captured_at ${unless === "later" ? "<=" : "<"} excluded.captured_at`,
    platform,
    name,
    id,
    captured_at,
  );
}

/**
 * The account that had the name before gets it back, if it still has that name and nobody was captured under it later. One
 * that belonged to nobody, since its account was renamed, belongs to nobody again, even if another account has it too.
 */
export function* restoreName(sql: SqlSteps, platform: PlatformName, name: string, image: string): Steps<void> {
  if (image === NOBODY) {
    yield* sql.run("DELETE FROM account_names WHERE name = $1 AND platform = $2", name, platform);
    return;
  }
  if (yield* giveName(sql, platform, name, image, "later")) return;
  // The job itself had given it to the one it was taken from, who has another name again: before, nobody had it.
  yield* sql.run(
    "DELETE FROM account_names WHERE name = $1 AND platform = $2 AND captured_at <= $3",
    name,
    platform,
    (JSON.parse(image) as NameOwner).captured_at,
  );
}

/**
 * The same if imports after the undone one touched the name: who took it then may have got it only since the undone one had
 * renamed the account of an older import.
 */
export function* returnName(sql: SqlSteps, platform: PlatformName, name: string, image: Image): Steps<void> {
  if (image !== null && image !== NOBODY) yield* giveName(sql, platform, name, image, "not earlier");
}

interface NameOwner {
  id: string;
  captured_at: number;
}

/** Returns whether the account still has the name. */
function* giveName(
  sql: SqlSteps,
  platform: PlatformName,
  name: string,
  image: string,
  unless: "later" | "not earlier",
): Steps<boolean> {
  const before = JSON.parse(image) as NameOwner;
  const account = yield* sql.get<{ header: string; captured_at: number }>(
    "SELECT header, captured_at FROM records WHERE id = $1 AND platform = $2 AND kind = 'account'",
    before.id,
    platform,
  );
  if (account === undefined || foldName((JSON.parse(account.header) as Account).name ?? "") !== name) return false;
  // The undone job may have captured the account again under the name before it took it away.
  const captured_at = Math.min(before.captured_at, account.captured_at);
  yield* addName(sql, platform, { name, id: before.id, captured_at }, unless);
  return true;
}

/** An account that was known by name only may have got its id since. */
function* resolveAccounts(sql: SqlSteps, platform: PlatformName, changes: RecordChange[]): Steps<RecordChange[]> {
  const records = changes.map(({ incoming }) => decodeRecord<AnyRecord & AccountReferences>(incoming));
  const provisional = [...new Set(records.flatMap(listReferences).filter(isProvisional))];
  if (provisional.length === 0) return changes;
  const rows = yield* sql.all<{ name: string; id: string }>(
    "SELECT name, id FROM account_names WHERE name = ANY($1) AND platform = $2",
    provisional.map((id) => id.slice(1)),
    platform,
  );
  const ids = new Map(rows.map(({ name, id }) => [`@${name}`, id]));
  const resolve = (id: string) => ids.get(id) ?? id;
  return changes.map((change, index) => {
    const record = replaceReferences(records[index] as AnyRecord, resolve);
    return { ...change, incoming: encodeRecord(change.kind, record) };
  });
}
