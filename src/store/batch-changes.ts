/** Whole records as changes that take the place of what is held, and the counting of what became of changes. */
import type { KindCounts, ReportKind } from "#domain/job.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import { encodeRecord } from "./row-encoder.ts";
import type { Batch, Changes, AnyRecord, Merge, WriteCounts } from "./store.ts";

export type WriteResult = keyof KindCounts;

/** The found record takes the place of the held one. */
export const replace: Merge = (_kind, _held, found) => found;

export function changesOf(platform: PlatformName, batch: Batch): Changes {
  const change = (kind: RecordKind, record: AnyRecord, postId: string | null = null) => ({
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
        postIds.map((postId, position) => ({ ...chart, rank: position + 1, postId })),
      ),
      ...(batch.chartEntries ?? []),
    ],
  };
}

export function count(outcome: WriteCounts, kind: ReportKind, verdict: WriteResult): void {
  const counts: KindCounts = (outcome[kind] ??= { new: 0, updated: 0, unchanged: 0, erased: 0 });
  counts[verdict]++;
}
