/** What the handlers of admin routes work with. */
import type { Platform } from "#api/platform.ts";
import type { Scope } from "#auth/scopes.ts";
import type { TokenRegistry } from "#auth/tokens.ts";
import type { UndoOutcome, UndoRequest } from "#import/undo.ts";
import type { AuditLog } from "#privacy/audit-log.ts";
import type { Erasure, ErasureRequest } from "#privacy/erase.ts";
import type { RetentionRule } from "#domain/retention.ts";
import type { RetentionSettings, SweepCounts } from "#privacy/retention.ts";
import type { SourceInfo, SourceStatus } from "#live/live-port.ts";
import type { Store } from "#store/store.ts";
import type { WatchList } from "#watches/watch-list.ts";
import type { CachedSummary } from "./cached-summary.ts";
import type { RecentErrors } from "./recent-errors.ts";

export interface AdminServices {
  store: Pick<Store, "jobs" | "retention" | "usage" | "getPurgePending">;
  tokens: TokenRegistry;
  audit: Pick<AuditLog, "record" | "listNewest">;
  /** What a token may be given. */
  scopes: readonly Scope[];
  summary: CachedSummary;
  platforms: readonly Pick<Platform, "name" | "parseRecordId">[];
  /** Writes what was counted so far to the store. */
  flushUsage(): Promise<void>;
  errors: Pick<RecentErrors, "list">;
  /** In a thread: it writes for long. */
  erase: (request: ErasureRequest) => Promise<Erasure>;
  undo: (request: UndoRequest) => Promise<UndoOutcome>;
  /** Resolves once the import is stored. */
  addDemo: () => Promise<{ job: string } | "not empty" | "running">;
  retention: RetentionSettings;
  /** What would be due by these rules. In a thread: it reads for long. */
  previewSweep: (rules: readonly RetentionRule[]) => Promise<SweepCounts>;
  watches: WatchList;
  sources: {
    areOn: boolean;
    list(now: number): Promise<SourceInfo[]>;
    /** Of those that are on, as this node sees them. */
    status(): readonly SourceStatus[];
  };
}
