/**
 * Counts what the store holds. SQLite would sort all records to group them by day, so the groups are found one after the other
 * in the index by source, and each of their days is a range of it: the index is read once and nothing is sorted.
 */
import { compareText } from "#domain/compare-text.ts";
import { present } from "#domain/present.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import { dayOf, startOfDay } from "#domain/time.ts";
import { countByKind, SUMMARY_DAYS } from "#store/records/source-counts.ts";
import type { SourceSummary, StoreSummary } from "../store.ts";
import type { Database } from "./database.ts";

interface Group {
  platform: PlatformName;
  kind: RecordKind;
  source: string;
  /** Selects its rows. */
  condition: string;
  values: string[];
}

export function summarize(db: Database, now: number): Omit<StoreSummary, "bytes"> {
  const today = dayOf(now);
  const days = Array.from({ length: SUMMARY_DAYS }, (_, index) => today - SUMMARY_DAYS + 1 + index);
  const sources: SourceSummary[] = [];
  const captured = new Map<PlatformName, number[]>();
  for (const group of [...recordGroups(db), ...commentGroups(db)]) {
    const { platform, kind, source } = group;
    const perDay = days.map((day) => count(db, group, startOfDay(day), startOfDay(day + 1)));
    const before = count(db, group, Number.MIN_SAFE_INTEGER, startOfDay(present(days[0])));
    const later = count(db, group, startOfDay(today + 1), Number.MAX_SAFE_INTEGER);
    const records = perDay.reduce((sum, ofDay) => sum + ofDay, before + later);
    sources.push({ platform, kind, source, records, ...captureTimes(db, group) });
    const total = captured.get(platform) ?? days.map(() => 0);
    captured.set(
      platform,
      total.map((sum, index) => sum + (perDay[index] ?? 0)),
    );
  }
  sources.sort(
    (a, b) => compareText(a.platform, b.platform) || compareText(a.kind, b.kind) || compareText(a.source, b.source),
  );
  const captureDays = [...captured].flatMap(([platform, counts]) =>
    counts.flatMap((records, index) => (records === 0 ? [] : { platform, day: present(days[index]), records })),
  );
  captureDays.sort((a, b) => compareText(a.platform, b.platform) || a.day - b.day);
  return { records: countByKind(sources), sources, captureDays };
}

function* recordGroups(db: Database): Generator<Group> {
  const next = `SELECT platform, kind, source FROM records WHERE (platform, kind, source) > (?, ?, ?)
    ORDER BY platform, kind, source LIMIT 1`;
  let last: [string, string, string] = ["", "", ""];
  for (;;) {
    const row = db.get<Pick<Group, "platform" | "kind" | "source">>(next, ...last);
    if (row === undefined) return;
    const { platform, kind, source } = row;
    last = [platform, kind, source];
    yield { platform, kind, source, condition: "records WHERE platform = ? AND kind = ? AND source = ?", values: last };
  }
}

function* commentGroups(db: Database): Generator<Group> {
  const next = `SELECT platform, source FROM comments WHERE (platform, source) > (?, ?)
    ORDER BY platform, source LIMIT 1`;
  let last: [string, string] = ["", ""];
  for (;;) {
    const row = db.get<Pick<Group, "platform" | "source">>(next, ...last);
    if (row === undefined) return;
    const { platform, source } = row;
    last = [platform, source];
    yield { platform, kind: "comment", source, condition: "comments WHERE platform = ? AND source = ?", values: last };
  }
}

function count(db: Database, { condition, values }: Group, from: number, to: number): number {
  const text = `SELECT count(*) FROM ${condition} AND captured_at >= ? AND captured_at < ?`;
  return db.getTuple<[number]>(text, ...values, from, to)?.[0] ?? 0;
}

function captureTimes(
  db: Database,
  { condition, values }: Group,
): Pick<SourceSummary, "oldestCapture" | "newestCapture"> {
  const [oldestCapture = 0] = db.getTuple<[number]>(`SELECT min(captured_at) FROM ${condition}`, ...values) ?? [];
  const [newestCapture = 0] = db.getTuple<[number]>(`SELECT max(captured_at) FROM ${condition}`, ...values) ?? [];
  return { oldestCapture, newestCapture };
}
