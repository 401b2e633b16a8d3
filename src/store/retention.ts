import type { RetentionKind, RetentionRule } from "#domain/retention.ts";

/** The operator's retention rules. */
export interface RetentionTable {
  list(): Promise<RetentionRule[]>;
  write(rule: RetentionRule): Promise<void>;
  /** Whether any record of this source is stored; cheap. */
  hasSource(source: string): Promise<boolean>;
  /** False if there was none. */
  delete(source: string, kind: RetentionKind | ""): Promise<boolean>;
}
