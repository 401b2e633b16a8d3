/**
 * Merges consecutive batches of one file. Where every commit waits for a disk and every statement for a server, batches
 * that were parsed during the last write go into one transaction.
 */
import type { ParsedBatch, PlatformBatch } from "./batch-builder.ts";
import type { ReadBatch, ReadStep } from "./read-files.ts";
import { addBatch, addReports, emptyReport } from "./report.ts";

/** Whether the second step continues the file that the first left unfinished. */
export function canMerge(first: ReadStep, second: ReadStep): second is ReadBatch {
  if (first.kind !== "batch" || second.kind !== "batch") return false;
  return first.state === "running" && first.claimId === second.claimId && first.file === second.file;
}

/** The position in the file is that of the second batch. */
export function mergeBatches(first: ReadBatch, second: ReadBatch): ReadBatch {
  const toReport = (batch: ParsedBatch) => addBatch(emptyReport(), batch);
  const { records: duplicates, ...counts } = addReports(toReport(first), toReport(second));
  const byPlatform = new Map(first.byPlatform);
  for (const [platform, part] of second.byPlatform) {
    const firstPart = byPlatform.get(platform);
    byPlatform.set(platform, firstPart === undefined ? part : mergeParts(firstPart, part));
  }
  return {
    ...second,
    ...counts,
    duplicates,
    byPlatform,
    rejects: [...first.rejects, ...second.rejects],
    recordCount: first.recordCount + second.recordCount,
    textLength: first.textLength + second.textLength,
  };
}

function mergeParts(first: PlatformBatch, second: PlatformBatch): PlatformBatch {
  return {
    records: [...first.records, ...second.records],
    subtitles: [...first.subtitles, ...second.subtitles],
    uncertainSubtitles: [...first.uncertainSubtitles, ...second.uncertainSubtitles],
    follows: [...first.follows, ...second.follows],
    chartEntries: [...first.chartEntries, ...second.chartEntries],
    provisionalIds: first.provisionalIds.union(second.provisionalIds),
    idsByProvisionalId: new Map([...first.idsByProvisionalId, ...second.idsByProvisionalId]),
  };
}
