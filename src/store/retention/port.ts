import type { RetentionKind, RetentionRule } from "#domain/retention.ts";

/** The operator's retention rules. */
export interface RetentionTable {
  list(): Promise<RetentionRule[]>;
  write(rule: RetentionRule): Promise<void>;
  /** Whether any record or comment of this source is stored; cheap, since those have an index by source. */
  hasSource(source: string): Promise<boolean>;
  /** False if there was none. */
  delete(source: string, kind: RetentionKind | ""): Promise<boolean>;
}
