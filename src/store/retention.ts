import type { RetentionKind, RetentionRule } from "#domain/retention.ts";

/** The operator's retention rules. */
export interface RetentionTable {
  list(): Promise<RetentionRule[]>;
  write(rule: RetentionRule): Promise<void>;
  /** False if there was none. */
  delete(source: string, kind: RetentionKind | ""): Promise<boolean>;
}
