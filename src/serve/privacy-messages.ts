/** What the thread of a privacy task is given and returns. Both ends are started from the same code. */
import type { AuditEvent } from "#domain/audit.ts";
import type { Erasure, ErasureRequest } from "#privacy/erase.ts";
import type { SweepCounts } from "#privacy/retention.ts";
import type { Config } from "#config";

export type PrivacyTask =
  | { name: "erase"; request: ErasureRequest }
  | { name: "sweep"; now: number }
  | { name: "audit"; events: AuditEvent[] };

export interface PrivacyResults {
  erase: Erasure;
  sweep: SweepCounts;
  audit: null;
}

export interface PrivacyThreadData {
  config: Config;
  task: PrivacyTask;
}
