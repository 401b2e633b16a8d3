/** The store: one interface, implemented on SQLite and PostgreSQL and tested by `conformance/`. */
import type { RenderMode } from "#domain/projection.ts";
import type { RateLimitExchange } from "#domain/rate-bucket.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { AuditTable } from "./audit.ts";
import type { RowEncoder } from "./encoded-record.ts";
import type { StoreEvents } from "./events.ts";
import type { Jobs } from "./jobs.ts";
import type { Natives } from "./natives.ts";
import type { Reader } from "./reader.ts";
import type { RetentionTable } from "./retention.ts";
import type { SearchStore } from "./search-reader.ts";
import type { SourceLedger } from "./source-ledger.ts";
import type { Tables } from "./tables.ts";
import type { Tokens } from "./tokens.ts";
import type { Watches } from "./watches.ts";
import type { Usage } from "./usage.ts";
import type { Writer } from "./writer.ts";

export interface Store {
  /** `mode` decides whether rendered records are objects or pre-rendered JSON. */
  reader<N extends Natives>(platform: PlatformName, mode?: RenderMode): Reader<N>;
  /** One search over sources of any platform. */
  search: SearchStore;
  writer: Writer;
  tokens: Tokens;
  usage: Usage;
  jobs: Jobs;
  watches: Watches;
  audit: AuditTable;
  retention: RetentionTable;
  /** What was requested of live sources. */
  sources: SourceLedger;
  /** Rate limits shared by all processes on this store; null if only this process uses it. */
  rateLimits: RateLimitExchange | null;
  events: StoreEvents;
  encoder: RowEncoder;
  tables: Tables;
  /** Another thread of this process has written: the next reads see it, also those of this tick and from replicas. */
  noteWrite(): void;
  /** Changes with every commit visible to this process. Cheap: at most one read per event-loop tick. */
  dataVersion(): number;
  isEmpty(): Promise<boolean>;
  /** Whether anything was ever erased. */
  hasErased(): Promise<boolean>;
  /** Changes with every transaction that changed posts. */
  getPostsVersion(): Promise<number>;
  /** Whether posts or the day changed since trends were computed. */
  hasStaleTrends(): Promise<boolean>;
  /** Returns the shared value of a setting. The first process to ask writes its own value. */
  getOrSet(name: string, value: string): Promise<string>;
  /** Rejects when the store is unavailable. */
  ping(): Promise<void>;
  /** Counts what is stored, without blocking the event loop. `now` decides which days are counted. */
  summary(now?: number): Promise<StoreSummary>;
  /** A full integrity check. Returns the problems found. */
  verify(): Promise<string[]>;
  /**
   * Gives the room of deleted rows back, as far as that is possible while others read, and removes their bytes as
   * `purgeErased` does.
   */
  compact(): Promise<boolean>;
  /** When the first of the deletions was made whose bytes may still be on disk, Unix milliseconds; null if none are. */
  getPurgePending(): Promise<number | null>;
  close(): Promise<void>;
}

export interface StoreSummary {
  records: Record<PlatformName, Partial<Record<RecordKind, number>>>;
  /** By platform, kind and source. */
  sources: SourceSummary[];
  /** The last 30 days, as far as they have records. */
  captureDays: CaptureDay[];
  bytes: number;
}

/** Times are Unix milliseconds. */
export interface SourceSummary {
  platform: PlatformName;
  kind: RecordKind;
  source: string;
  records: number;
  oldestCapture: number;
  newestCapture: number;
}

/** Records whose newest capture is of one day. */
export interface CaptureDay {
  platform: PlatformName;
  /** Days since 1970. */
  day: number;
  records: number;
}
