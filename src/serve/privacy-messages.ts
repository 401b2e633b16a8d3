/** What the thread of a privacy task is given and returns. Both ends are started from the same code. */
import type { RetentionRule } from "#domain/retention.ts";
import type { Erasure, ErasureRequest } from "#privacy/erase.ts";
import type { SweepCounts } from "#privacy/retention.ts";
import type { Config } from "#config";
import { createMessageCheck, isObject } from "#domain/message-check.ts";

export type PrivacyTask =
  | { name: "erase"; request: ErasureRequest }
  | { name: "sweep"; now: number }
  | { name: "purge" }
  | { name: "preview"; rules: readonly RetentionRule[] };

export interface PrivacyResults {
  erase: Erasure;
  sweep: SweepCounts;
  /** Whether nothing deleted is left on disk. */
  purge: boolean;
  preview: SweepCounts;
}

export interface PrivacyThreadData {
  kind: "perform";
  config: Config;
  task: PrivacyTask;
}

export const checkPrivacyThreadData = createMessageCheck<PrivacyThreadData>("thread of a privacy task", {
  perform: { config: isObject, task: (value) => isObject(value) && typeof value["name"] === "string" },
});
