/** All tables of a store, besides those of an engine itself. A table comes after those that its rows refer to. */
import { AUDIT, AUDIT_HEAD } from "./audit/tables.ts";
import { CHART_ENTRIES } from "./charts/tables.ts";
import { COMMENTS } from "./comments/tables.ts";
import { COUNTER_POINTS } from "./counters/tables.ts";
import { ERASED, PURGE_STATE } from "./erasure/tables.ts";
import { FOLLOWS } from "./follows/tables.ts";
import { JOB_CLAIMS, JOB_FILES, JOB_REJECTS, JOBS } from "./jobs/tables.ts";
import { POST_LISTS } from "./lists/tables.ts";
import { ACCOUNT_NAMES, RECORDS } from "./records/tables.ts";
import { RENDERED_PROJECTIONS, RENDERED_RECORDS } from "./rendered/tables.ts";
import { RETENTION } from "./retention/tables.ts";
import { SEARCH_DOCS, SEARCH_PARTITIONS, SEARCH_PENDING, SEARCH_STATE, SEARCH_WORDS } from "./search/tables.ts";
import { SOURCE_CALLS, SOURCE_FETCHES, SOURCE_QUOTA } from "./sources/tables.ts";
import { SUBTITLES } from "./subtitles/tables.ts";
import { ENDED_SESSIONS, RATE_BALANCES, SESSION_EPOCHS, TOKEN_USAGE, TOKENS } from "./tokens/tables.ts";
import { TREND_CHANGES, TREND_CHUNKS, TREND_DAYS, TREND_LISTS, TREND_PLATFORMS, TREND_STATE } from "./trends/tables.ts";
import { JOB_RECORDS } from "./undo/tables.ts";
import { WATCH_LEASES, WATCHES } from "./watches/tables.ts";

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
