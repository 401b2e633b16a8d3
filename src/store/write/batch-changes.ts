/** Converts whole records to changes, and counts the results of writes. */
import type { KindCounts, ReportKind } from "#domain/job.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { AnyRecord } from "./encoded-record.ts";
import { encodeRecord } from "./row-encoder.ts";
import type { Batch, Changes, Merge, RecordChange, WriteCounts, WriteUnit } from "./port.ts";

export type WriteResult = keyof KindCounts;

export const replace: Merge = (_kind, _stored, incoming) => incoming;

/** Whole records that replace the stored ones, with their counters. */
export function toUnit(platform: PlatformName, batch: Batch): WriteUnit {
  return { changes: [{ ...toChanges(platform, batch), history: batch.history ?? [] }], merge: replace };
}

/** Without history, which no import has. */
export function toChanges(platform: PlatformName, batch: Batch): Changes {
  const change = (kind: RecordKind, record: AnyRecord, postId: string | null = null): RecordChange => ({
    kind,
    postId,
    incoming: encodeRecord(kind, record),
    point: kind === "comment" ? null : { capturedAt: record.capturedAt, counters: record.counters },
  });
  return {
    platform,
    records: [
      ...(batch.accounts ?? []).map((record) => change("account", record)),
      ...(batch.sounds ?? []).map((record) => change("sound", record)),
      ...(batch.hashtags ?? []).map((record) => change("hashtag", record)),
      ...(batch.places ?? []).map((record) => change("place", record)),
      ...(batch.posts ?? []).map((record) => change("post", record)),
      ...(batch.comments ?? []).map((record) => change("comment", record, record.postId)),
    ],
    subtitles: batch.subtitles ?? [],
    follows: batch.follows ?? [],
    chartEntries: [
      ...(batch.charts ?? []).flatMap(({ postIds, ...chart }) =>
        postIds.map((postId, index) => ({ ...chart, rank: index + 1, postId })),
      ),
      ...(batch.chartEntries ?? []),
    ],
  };
}

export function countResult(counts: WriteCounts, kind: ReportKind, result: WriteResult): void {
  const kindCounts: KindCounts = (counts[kind] ??= { new: 0, updated: 0, unchanged: 0, erased: 0 });
  kindCounts[result]++;
}
