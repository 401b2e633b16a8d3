/** How records are counted for a summary. */
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { SourceSummary, StoreSummary } from "#store/store.ts";

/** Days that are counted, today included. */
export const SUMMARY_DAYS = 30;

export function countByKind(sources: readonly SourceSummary[]): StoreSummary["records"] {
  const counts: Record<PlatformName, Partial<Record<RecordKind, number>>> = {};
  for (const { platform, kind, records } of sources) {
    const kinds = (counts[platform] ??= {});
    kinds[kind] = (kinds[kind] ?? 0) + records;
  }
  return counts;
}
