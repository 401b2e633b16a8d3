/** Retention rules, and the deletion of what they make due, a small batch at a time. */
import type { Expiry } from "#domain/retention.ts";
import { select } from "#store/sql/select.ts";
import type { RetentionTable } from "./port.ts";
import { RETENTION } from "./tables.ts";
import { markDeleted } from "#store/erasure/purge-state.ts";
import {
  DEPENDENTS,
  isDependent,
  keyColumns,
  type RemovedRecord,
  removeRecords,
  removeRows,
} from "#store/records/removal.ts";
import type { RecordSteps } from "#store/write/unit.ts";
import { type Sql, step, type Steps, type Value } from "#store/sql/sql.ts";

/** The indexes by source begin with the platform. */
const ANY_PLATFORM = "platform IN (SELECT DISTINCT platform FROM search_partitions)";

export function createRetentionTable(sql: Sql): RetentionTable {
  return {
    async list() {
      const rules = await sql.all(select(RETENTION, ["source", "kind", "days"], "ORDER BY source, kind"));
      return rules.map((rule) => ({ ...rule }));
    },
    async write({ source, kind, days }) {
      await sql.run(
        `INSERT INTO retention (source, kind, days) VALUES ($1, $2, $3)
         ON CONFLICT (source, kind) DO UPDATE SET days = excluded.days`,
        source,
        kind,
        days,
      );
    },
    async hasSource(source) {
      const isOfSource = "kind IN ('account', 'post', 'sound', 'hashtag', 'place') AND source = $1";
      const record = await sql.get(`SELECT 1 FROM records WHERE ${ANY_PLATFORM} AND ${isOfSource} LIMIT 1`, source);
      if (record !== undefined) return true;
      const comment = await sql.get(`SELECT 1 FROM comments WHERE ${ANY_PLATFORM} AND source = $1 LIMIT 1`, source);
      return comment !== undefined;
    },
    async delete(source, kind) {
      return (await sql.run("DELETE FROM retention WHERE source = $1 AND kind = $2", source, kind)) > 0;
    },
  };
}

/** Deletes at most `limit` rows that are due. Nothing is marked as erased: a new capture brings a record back. */
export function* deleteExpired(unit: RecordSteps, expiry: Expiry, limit: number): Steps<number> {
  const deleted = yield* deleteDue(unit, expiry, limit);
  if (deleted > 0) yield* markDeleted(unit.sql);
  return deleted;
}

function* deleteDue(unit: RecordSteps, expiry: Expiry, limit: number): Steps<number> {
  const { kind } = expiry;
  const due = dueCondition(expiry);
  const chosen = (table: string, key: string) =>
    `(${key}) IN (SELECT ${key} FROM ${table} WHERE ${due.text} LIMIT ${limit})`;
  if (isDependent(kind)) {
    return yield* removeRows(unit, kind, chosen(DEPENDENTS[kind].table, keyColumns(unit, kind)), ...due.values);
  }
  if (kind === "history") {
    const deleted = yield* unit.sql.run(
      `DELETE FROM counter_points WHERE ${chosen("counter_points", "platform, kind, id, captured_at")}`,
      ...due.values,
    );
    if (deleted > 0) yield* step(unit.markTrendsStale());
    return deleted;
  }
  const records = yield* unit.sql.all<RemovedRecord>(
    `SELECT platform, kind, id, header FROM records WHERE ${due.text} AND kind = $${due.values.length + 1} LIMIT ${limit}`,
    ...due.values,
    kind,
  );
  yield* removeRecords(unit, records);
  return records.length;
}

/** Counts what is due. */
export function* countExpired(unit: RecordSteps, expiry: Expiry): Steps<number> {
  const { kind } = expiry;
  const due = dueCondition(expiry);
  const table = isDependent(kind) ? DEPENDENTS[kind].table : kind === "history" ? "counter_points" : "records";
  const ofKind = table === "records" ? ` AND kind = $${due.values.length + 1}` : "";
  const values = [...due.values, ...(table === "records" ? [kind] : [])];
  return yield* unit.sql.count(`${table} WHERE ${due.text}${ofKind}`, ...values);
}

function dueCondition({ kind, source, except, before }: Expiry): { text: string; values: Value[] } {
  const text = `captured_at < $1 AND ${ANY_PLATFORM}`;
  if (kind === "history") return { text, values: [before] };
  if (source !== null) return { text: `${text} AND source = $2`, values: [before, source] };
  if (except.length === 0) return { text, values: [before] };
  return { text: `${text} AND NOT (source = ANY($2))`, values: [before, except] };
}
