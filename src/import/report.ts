/** The result of an import, per file and in total. */
import { emptyCounts, type FileReport, type KindCounts, type ReportKind } from "#domain/job.ts";
import type { AnyRecord } from "#store/write/encoded-record.ts";
import type { WriteCounts } from "#store/write/port.ts";
import type { ParsedBatch } from "./batch-builder.ts";

export interface NamedReport extends FileReport {
  name: string;
}

export interface ImportReport {
  job: string;
  /** Of the whole job, whatever process read them. */
  files: NamedReport[];
  total: FileReport;
  /** What this process did: the files that it read, and what it wrote. */
  own: FileReport & { files: string[] };
  /** Files that other processes were still reading when this one ended. */
  elsewhere: string[];
  /** Path of the rejects file; null if nothing was refused. */
  rejects: string | null;
  /** The first records of a mapped table, if this was a dry run. */
  sample?: AnyRecord[];
}

export function emptyReport(): FileReport {
  return { formats: {}, records: {}, refused: {}, skipped: {} };
}

/** Returns a new report, since the commit of a batch may still fail. */
export function addBatch(
  report: FileReport,
  { formats, duplicates: repeated, refused, skipped }: ParsedBatch,
): FileReport {
  return addReports(report, { formats, records: repeated, refused, skipped });
}

export function addWriteCounts(report: FileReport, counts: WriteCounts): FileReport {
  return { ...report, records: addKindCounts(report.records, counts) };
}

export function addReports(one: FileReport, other: FileReport): FileReport {
  return {
    formats: addCounts(one.formats, other.formats),
    records: addKindCounts(one.records, other.records),
    refused: addCounts(one.refused, other.refused),
    skipped: addCounts(one.skipped, other.skipped),
  };
}

export function sumReports(reports: readonly FileReport[]): FileReport {
  return reports.reduce(addReports, emptyReport());
}

export function countRecords({ records }: FileReport): number {
  return Object.values(records).reduce(
    (sum, { new: added, updated, unchanged }) => sum + added + updated + unchanged,
    0,
  );
}

function addCounts(one: Record<string, number>, other: Record<string, number>): Record<string, number> {
  const sum = { ...one };
  for (const [key, count] of Object.entries(other)) sum[key] = (sum[key] ?? 0) + count;
  return sum;
}

export function addKindCounts(one: FileReport["records"], other: FileReport["records"]): FileReport["records"] {
  const sum: Partial<Record<ReportKind, KindCounts>> = { ...one };
  for (const [kind, counts] of Object.entries(other) as [ReportKind, KindCounts][]) {
    const current = sum[kind] ?? emptyCounts();
    sum[kind] = {
      new: current.new + counts.new,
      updated: current.updated + counts.updated,
      unchanged: current.unchanged + counts.unchanged,
      erased: current.erased + counts.erased,
    };
  }
  return sum;
}
