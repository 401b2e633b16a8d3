import type { ChartEntry } from "#domain/chart.ts";
import type { PlatformName } from "#domain/record.ts";
import { type Captured, isOutdated, type Relation } from "#store/write/relation.ts";

export interface RankedPost extends Captured {
  post_id: string;
}

interface EntryRow extends RankedPost {
  platform: PlatformName;
  country: string;
  section: string;
  day: string;
  rank: number;
  source: string;
}

export const CHART_ROWS: Omit<Relation<ChartEntry, RankedPost, EntryRow>, "document"> = {
  kind: "chart",
  restored: ["post_id", "captured_at", "source"],
  keyOf: ({ country, section, day, rank }) => [country, section, day, rank],
  toRow: (platform, { country, section, day, rank, postId: post_id, capturedAt: captured_at, source }) => {
    return { platform, country, section, day, rank, post_id, captured_at, source };
  },
  merge: (stored, incoming) => (isOutdated(stored, incoming, stored?.post_id === incoming.post_id) ? null : incoming),
};
