/**
 * Rankings by growth, computed in batches: see refresh.ts. A list is a platform, a kind and a country (empty for all), and
 * perhaps a day; a ranking is a list and a period in days.
 */
import type { TrendChunk } from "./chunks.ts";
import type { JsonText } from "#domain/json-text.ts";
import type { Growth, TrendPeriod } from "./growth.ts";
import { bigint, defineTable, json, nullable, oneOf, opaque, type RowOf, text, withDefault } from "#store/sql/table.ts";

/** The entries are JSON: see chunks.ts. */
export const TREND_CHUNKS = defineTable("trend_chunks", {
  columns: {
    list: text,
    period: oneOf<TrendPeriod>(bigint),
    chunk: bigint,
    count: bigint,
    entries: oneOf<TrendChunk["entries"]>(json),
    measured: withDefault(bigint, "0"),
  },
  key: ["list", "period", "chunk"],
  sqlite: { hasRowid: true },
});
export type TrendChunkRow = RowOf<typeof TREND_CHUNKS>;

/** The day that each list was computed for, and when, in Unix milliseconds. */
export const TREND_LISTS = defineTable("trend_lists", {
  columns: { name: text, day: bigint, computed_at: nullable(bigint) },
  key: ["name"],
  sqlite: { columns: { version: bigint } },
});

/** `version` counts the transactions that changed posts; the rankings are those of `computed_version` and `day`. */
export const TREND_STATE = defineTable("trend_state", {
  columns: {
    version: bigint,
    computed_version: nullable(bigint),
    day: nullable(bigint),
    computed_at: nullable(bigint),
  },
  firstRow: { version: 0 },
});

/** Changes of posts that are not in `trend_state.version` yet: a row per transaction, so that no writer waits for another. */
export const TREND_CHANGES = defineTable("trend_changes", { only: "postgres", columns: { changes: bigint } });

/** The days that rankings are kept as of; a list of such a day ends with it: see growth.ts. */
export const TREND_DAYS = defineTable("trend_days", {
  columns: { day: bigint, computed_version: bigint, computed_at: bigint },
  key: ["day"],
});

/** When a post of each platform was last captured. */
export const TREND_PLATFORMS = defineTable("trend_platforms", {
  columns: { platform: text, newest_capture: bigint },
  key: ["platform"],
});

/** Temporary, for one refresh: the growth of each post, until the rankings of hashtags and sounds have read it. */
export const TREND_GROWTH = defineTable("trend_growth", {
  columns: { country: nullable(opaque), growth: oneOf<JsonText<Growth>>(json) },
  sqlite: { columns: { record: bigint }, key: ["record"] },
  postgres: { columns: { id: text, platform: text }, key: ["id", "platform"] },
});
export type TrendGrowthRow = RowOf<typeof TREND_GROWTH.postgres>;
