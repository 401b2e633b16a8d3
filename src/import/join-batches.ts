/**
 * Batches of one file that are kept as one. Where every commit waits for a disk and every statement for a server, what
 * was read while the batches before were kept goes in one transaction.
 */
import type { PlatformName } from "#domain/record.ts";
import type { ParsedBatch, PlatformBatch } from "./batch-builder.ts";
import type { ReadBatch, ReadStep } from "./read-files.ts";
import { addReports, emptyReport, withBatch } from "./report.ts";

/** Whether the second goes on with the file that the first left unfinished. */
export function canMerge(first: ReadStep, second: ReadStep): boolean {
  if ("ended" in first || "ended" in second) return false;
  return first.state === "running" && first.claim === second.claim && first.file === second.file;
}

/** How far the file is read is what the second says. */
export function mergeBatches(first: ReadBatch, second: ReadBatch): ReadBatch {
  const reportOf = (batch: ParsedBatch) => withBatch(emptyReport(), batch);
  const { records: repeated, ...counts } = addReports(reportOf(first), reportOf(second));
  const harvests = new Map(first.harvests);
  for (const [platform, harvest] of second.harvests) harvests.set(platform, withHarvest(harvests, platform, harvest));
  return {
    ...second,
    ...counts,
    repeated,
    harvests,
    rejects: [...first.rejects, ...second.rejects],
    size: first.size + second.size,
  };
}

function withHarvest(harvests: ParsedBatch["harvests"], platform: PlatformName, second: PlatformBatch): PlatformBatch {
  const first = harvests.get(platform);
  if (first === undefined) return second;
  return {
    records: [...first.records, ...second.records],
    subtitles: [...first.subtitles, ...second.subtitles],
    follows: [...first.follows, ...second.follows],
    chartEntries: [...first.chartEntries, ...second.chartEntries],
    provisional: new Set([...first.provisional, ...second.provisional]),
    named: new Map([...first.named, ...second.named]),
  };
}
