import type { ChartEntry } from "#domain/chart.ts";
import type { PlatformName } from "#domain/record.ts";
import { isOutdated, type Relation } from "#store/write/relation.ts";

type EntryRow = ReturnType<typeof toRow>;
export type RankedPost = Pick<EntryRow, "post_id" | "captured_at">;

function toRow(platform: PlatformName, { postId: post_id, capturedAt: captured_at, ...entry }: ChartEntry) {
  return { ...entry, platform, post_id, captured_at };
}

export const CHART_ROWS: Omit<Relation<ChartEntry, RankedPost, EntryRow>, "document"> = {
  kind: "chart",
  restored: ["post_id", "captured_at", "source"],
  keyOf: ({ country, section, day, rank }) => [country, section, day, rank],
  toRow,
  merge: (stored, incoming) => (isOutdated(stored, incoming, stored?.post_id === incoming.post_id) ? null : incoming),
};
