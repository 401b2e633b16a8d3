/** All tables of a store, besides those of an engine itself. A table comes after those that its rows refer to. */
import { AUDIT, AUDIT_HEAD } from "#store/audit/tables.ts";
import { CHART_ENTRIES } from "#store/charts/tables.ts";
import { COMMENTS } from "#store/comments/tables.ts";
import { COUNTER_POINTS } from "#store/counters/tables.ts";
import { ERASED, PURGE_STATE } from "#store/erasure/tables.ts";
import { FOLLOWS } from "#store/follows/tables.ts";
import { JOB_CLAIMS, JOB_FILES, JOB_REJECTS, JOBS } from "#store/jobs/tables.ts";
import { POST_LISTS } from "#store/lists/tables.ts";
import { ACCOUNT_NAMES, RECORDS } from "#store/records/tables.ts";
import { RENDERED_PROJECTIONS, RENDERED_RECORDS } from "#store/rendered/tables.ts";
import { RETENTION } from "#store/retention/tables.ts";
import { SEARCH_DOCS, SEARCH_PARTITIONS, SEARCH_PENDING, SEARCH_STATE, SEARCH_WORDS } from "#store/search/tables.ts";
import { SOURCE_CALLS, SOURCE_FETCHES, SOURCE_QUOTA } from "#store/sources/tables.ts";
import { SUBTITLES } from "#store/subtitles/tables.ts";
import { ENDED_SESSIONS, RATE_BALANCES, SESSION_EPOCHS, TOKEN_USAGE, TOKENS } from "#store/tokens/tables.ts";
import {
  TREND_CHANGES,
  TREND_CHUNKS,
  TREND_DAYS,
  TREND_LISTS,
  TREND_PLATFORMS,
  TREND_STATE,
} from "#store/trends/tables.ts";
import { JOB_RECORDS } from "#store/undo/tables.ts";
import { WATCH_LEASES, WATCHES } from "#store/watches/tables.ts";

export const STORE_TABLES = [
  RECORDS,
  RENDERED_RECORDS,
  RENDERED_PROJECTIONS,
  ACCOUNT_NAMES,
  POST_LISTS,
  COMMENTS,
  FOLLOWS,
  SUBTITLES,
  CHART_ENTRIES,
  COUNTER_POINTS,
  ERASED,
  PURGE_STATE,
  SEARCH_PARTITIONS,
  SEARCH_DOCS,
  SEARCH_WORDS,
  SEARCH_PENDING,
  SEARCH_STATE,
  TREND_CHUNKS,
  TREND_LISTS,
  TREND_STATE,
  TREND_CHANGES,
  TREND_DAYS,
  TREND_PLATFORMS,
  JOBS,
  JOB_FILES,
  JOB_REJECTS,
  JOB_CLAIMS,
  JOB_RECORDS,
  TOKENS,
  ENDED_SESSIONS,
  SESSION_EPOCHS,
  TOKEN_USAGE,
  RATE_BALANCES,
  AUDIT,
  AUDIT_HEAD,
  RETENTION,
  SOURCE_QUOTA,
  SOURCE_CALLS,
  SOURCE_FETCHES,
  WATCHES,
  WATCH_LEASES,
] as const;
