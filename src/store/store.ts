/** The store: one interface, implemented on SQLite and PostgreSQL and tested by the conformance.ts of each concern. */
import type { RenderMode } from "#domain/projection.ts";
import type { RateLimitExchange } from "#domain/rate-bucket.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { AuditTable } from "#store/audit/port.ts";
import type { RowEncoder } from "#store/write/encoded-record.ts";
import type { StoreEvents } from "#store/write/events.ts";
import type { Jobs } from "#store/jobs/port.ts";
import type { RetentionTable } from "#store/retention/port.ts";
import type { SearchReader, SearchStore } from "#store/search/port.ts";
import type { SourceLedger } from "#store/sources/port.ts";
import type { Tables } from "#store/copy/port.ts";
import type { Tokens } from "#store/tokens/port.ts";
import type { Watches } from "#store/watches/port.ts";
import type { Usage } from "#store/tokens/usage-port.ts";
import type { Writer } from "#store/write/port.ts";
import type { ChartReader } from "#store/charts/port.ts";
import type { CommentReader } from "#store/comments/port.ts";
import type { CounterReader } from "#store/counters/port.ts";
import type { FollowReader } from "#store/follows/port.ts";
import type { ListReader } from "#store/lists/port.ts";
import type { Natives, RecordReader } from "#store/records/port.ts";
import type { SubtitleReader } from "#store/subtitles/port.ts";
import type { TrendReader } from "#store/trends/port.ts";

/** Read access to one platform's records. HTTP handlers get a `Reader` and therefore cannot write. */
export type Reader<N extends Natives = Natives> = RecordReader<N> &
  ListReader<N> &
  CommentReader<N> &
  FollowReader<N> &
  SubtitleReader &
  ChartReader &
  CounterReader &
  SearchReader<N> &
  TrendReader<N>;

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
