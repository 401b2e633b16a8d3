/** What an import did, per file and in all. */
import type { FileReport, KindCounts, ReportKind } from "#domain/job.ts";
import type { WriteCounts } from "#store/store.ts";
import type { ParsedBatch } from "./batch-builder.ts";

export interface NamedReport extends FileReport {
  name: string;
}

export interface ImportReport {
  job: string;
  /** Of the whole job, whichever process read them. */
  files: NamedReport[];
  total: FileReport;
  /** What this process did of it: the files that it read, and what it kept. */
  own: FileReport & { files: string[] };
  /** Files that other processes were still reading when this one ended. */
  elsewhere: string[];
  /** The file with what was refused; null when nothing was. */
  rejects: string | null;
}

export function emptyReport(): FileReport {
  return { formats: {}, records: {}, refused: {}, skipped: {} };
}

/** A new report; the one given is left as it is, since a batch may yet fail to commit. */
export function withBatch(report: FileReport, { formats, repeated, refused, skipped }: ParsedBatch): FileReport {
  return addReports(report, { formats, records: repeated, refused, skipped });
}

export function withOutcome(report: FileReport, records: WriteCounts): FileReport {
  return { ...report, records: addKinds(report.records, records) };
}

export function addReports(one: FileReport, other: FileReport): FileReport {
  return {
    formats: addCounts(one.formats, other.formats),
    records: addKinds(one.records, other.records),
    refused: addCounts(one.refused, other.refused),
    skipped: addCounts(one.skipped, other.skipped),
  };
}

export function totalOf(reports: readonly FileReport[]): FileReport {
  return reports.reduce(addReports, emptyReport());
}

export function countRecords({ records }: FileReport): number {
  return Object.values(records).reduce(
    (sum, { new: fresh, updated, unchanged }) => sum + fresh + updated + unchanged,
    0,
  );
}

function addCounts(one: Record<string, number>, other: Record<string, number>): Record<string, number> {
  const sum = { ...one };
  for (const [key, count] of Object.entries(other)) sum[key] = (sum[key] ?? 0) + count;
  return sum;
}

export function addKinds(one: FileReport["records"], other: FileReport["records"]): FileReport["records"] {
  const sum: Partial<Record<ReportKind, KindCounts>> = { ...one };
  for (const [kind, counts] of Object.entries(other) as [ReportKind, KindCounts][]) {
    const before = sum[kind] ?? { new: 0, updated: 0, unchanged: 0, erased: 0 };
    sum[kind] = {
      new: before.new + counts.new,
      updated: before.updated + counts.updated,
      unchanged: before.unchanged + counts.unchanged,
      erased: before.erased + counts.erased,
    };
  }
  return sum;
}
