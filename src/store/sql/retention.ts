/** Retention rules, and the deletion of what they make due, a small batch at a time. */
import type { Expiry, RetentionRule } from "#domain/retention.ts";
import type { RetentionTable } from "../retention.ts";
import {
  removeChartEntries,
  removeComments,
  type RemovedRecord,
  removeFollows,
  removeRecords,
  removeSubtitles,
} from "./record-removal.ts";
import type { RecordSteps } from "./record-steps.ts";
import { type Sql, step, type Steps, type Value } from "./sql.ts";

/** The indexes by source begin with the platform. */
const ANY_PLATFORM = "platform IN (SELECT DISTINCT platform FROM search_partitions)";

export function createRetentionTable(sql: Sql): RetentionTable {
  return {
    async list() {
      const rules = await sql.all<RetentionRule>("SELECT source, kind, days FROM retention ORDER BY source, kind");
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
      const found = await sql.get(
        `SELECT 1 WHERE EXISTS (SELECT 1 FROM records WHERE ${ANY_PLATFORM}
             AND kind IN ('account', 'post', 'sound', 'hashtag', 'place') AND source = $1)
           OR EXISTS (SELECT 1 FROM comments WHERE ${ANY_PLATFORM} AND source = $1)`,
        source,
      );
      return found !== undefined;
    },
    async delete(source, kind) {
      return (await sql.run("DELETE FROM retention WHERE source = $1 AND kind = $2", source, kind)) > 0;
    },
  };
}

/** Deletes at most `limit` rows that are due. Nothing is marked as erased: a new capture brings a record back. */
export function* deleteExpired(unit: RecordSteps, expiry: Expiry, limit: number): Steps<number> {
  const { kind } = expiry;
  const due = dueCondition(expiry);
  const chosen = (table: string, key: string) =>
    `(${key}) IN (SELECT ${key} FROM ${table} WHERE ${due.text} LIMIT ${limit})`;
  switch (kind) {
    case "comment":
      return yield* removeComments(unit, chosen("comments", "platform, post_id, id"), ...due.values);
    case "subtitles":
      return yield* removeSubtitles(unit, chosen("subtitles", "platform, post_id, language, automatic"), ...due.values);
    case "follow":
      return yield* removeFollows(unit, chosen("follows", "platform, account_id, follower_id"), ...due.values);
    case "chart":
      return yield* removeChartEntries(unit, chosen("chart_entries", unit.chartKey), ...due.values);
    case "history": {
      const deleted = yield* unit.sql.run(
        `DELETE FROM counter_points WHERE ${chosen("counter_points", "platform, kind, id, captured_at")}`,
        ...due.values,
      );
      if (deleted > 0) yield* step(unit.markTrendsStale());
      return deleted;
    }
    default: {
      const records = yield* unit.sql.all<RemovedRecord>(
        `SELECT platform, kind, id, header FROM records WHERE ${due.text} AND kind = $${due.values.length + 1}
         LIMIT ${limit}`,
        ...due.values,
        kind,
      );
      yield* removeRecords(unit, records);
      return records.length;
    }
  }
}

/** Counts what is due. */
export function* countExpired(unit: RecordSteps, expiry: Expiry): Steps<number> {
  const { kind } = expiry;
  const due = dueCondition(expiry);
  const table = TABLES[kind] ?? "records";
  const ofKind = table === "records" ? ` AND kind = $${due.values.length + 1}` : "";
  const row = yield* unit.sql.get<{ n: number }>(
    `SELECT count(*) AS n FROM ${table} WHERE ${due.text}${ofKind}`,
    ...due.values,
    ...(table === "records" ? [kind] : []),
  );
  return row?.n ?? 0;
}

const TABLES: Partial<Record<Expiry["kind"], string>> = {
  comment: "comments",
  subtitles: "subtitles",
  follow: "follows",
  chart: "chart_entries",
  history: "counter_points",
};

function dueCondition({ kind, source, except, before }: Expiry): { text: string; values: Value[] } {
  const text = `captured_at < $1 AND ${ANY_PLATFORM}`;
  if (kind === "history") return { text, values: [before] };
  if (source !== null) return { text: `${text} AND source = $2`, values: [before, source] };
  if (except.length === 0) return { text, values: [before] };
  return { text: `${text} AND NOT (source = ANY($2))`, values: [before, except] };
}
