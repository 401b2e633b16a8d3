import type { FetchResult } from "./port.ts";
import { bigint, defineTable, nullable, oneOf, opaque, type RowOf, text } from "#store/sql/table.ts";

/**
 * Units spent of the budgets of live sources, by key (`account` is its fingerprint). `period` is a day, or empty for a
 * rolling window, in which each distinct item counts once from `at` on; a budget by days has the empty item.
 */
export const SOURCE_QUOTA = defineTable("source_quota", {
  columns: { source: text, account: text, budget: text, period: text, item: text, used: bigint, at: bigint },
  key: ["source", "account", "budget", "period", "item"],
  postgres: { fillfactor: 50 },
});
export type QuotaRow = RowOf<typeof SOURCE_QUOTA>;

/** Calls in progress. */
export const SOURCE_CALLS = defineTable("source_calls", {
  columns: { source: text, id: text, lease_until: bigint },
  key: ["source", "id"],
});

/** When each request to a source was last made, and by whom it is being made. */
export const SOURCE_FETCHES = defineTable("source_fetches", {
  columns: {
    source: text,
    request: text,
    owner: opaque,
    lease_until: bigint,
    result: nullable(oneOf<FetchResult>(opaque)),
    ended_at: bigint,
  },
  key: ["source", "request"],
});
export type FetchRow = RowOf<typeof SOURCE_FETCHES>;
