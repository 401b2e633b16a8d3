/** Requests of tokens, counted by day and operation. */
import type { UsageRow } from "#domain/usage.ts";

/** What rows are added up by, beside the token; the other field is then empty. */
export type UsageGrouping = "day" | "operation" | "both";

export interface UsageQuery {
  /** The first day, YYYY-MM-DD. */
  since: string;
  keyId: string | null;
  by: UsageGrouping;
}

export interface Usage {
  /** Adds to what is stored. */
  addUsage(rows: readonly UsageRow[]): Promise<void>;
  /** By token, day and operation. */
  listUsage(query: UsageQuery): Promise<UsageRow[]>;
  deleteUsageBefore(day: string): Promise<void>;
}
