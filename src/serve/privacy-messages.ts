/** What the thread of a privacy task is given and returns. Both ends are started from the same code. */
import type { RetentionRule } from "#domain/retention.ts";
import type { Erasure, ErasureRequest } from "#privacy/erase.ts";
import type { SweepCounts } from "#privacy/retention.ts";
import type { Config } from "#config";

export type PrivacyTask =
  | { name: "erase"; request: ErasureRequest }
  | { name: "sweep"; now: number }
  | { name: "preview"; rules: readonly RetentionRule[] };

export interface PrivacyResults {
  erase: Erasure;
  sweep: SweepCounts;
  preview: SweepCounts;
}

export interface PrivacyThreadData {
  config: Config;
  task: PrivacyTask;
}
