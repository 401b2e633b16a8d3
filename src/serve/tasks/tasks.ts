/** Work that uses the store for long. Each runs in a thread of its own: see run-task.ts. */
import { Type } from "#api/schema.ts";
import type { RetentionRule } from "#domain/retention.ts";
import type { BackupSeal } from "#export/backup-file.ts";
import type { DemoClaim } from "#import/demo-data.ts";
import type { Erasure, ErasureRequest } from "#privacy/erase.ts";
import type { SweepCounts } from "#privacy/retention.ts";
import type { StoreSummary } from "#store/store.ts";
import type { Config } from "#config";
import { type MethodTable, opaque } from "../rpc/rpc-channel.ts";

export interface WrittenBackup {
  rows: number;
  seal: BackupSeal;
}

export const TASKS = {
  addDemoData: { params: opaque<{ config: Config; claimed: DemoClaim }>(), result: Type.Null() },
  /** `asOf` is an earlier day, in days since 1970; null for today. */
  refreshTrends: { params: opaque<{ config: Config; now: number; asOf: number | null }>(), result: Type.Null() },
  backUp: { params: opaque<{ config: Config; file: string }>(), result: opaque<WrittenBackup>() },
  erase: { params: opaque<{ config: Config; request: ErasureRequest }>(), result: opaque<Erasure>() },
  sweep: { params: opaque<{ config: Config; now: number }>(), result: opaque<SweepCounts>() },
  previewSweep: {
    params: opaque<{ config: Config; rules: readonly RetentionRule[] }>(),
    result: opaque<SweepCounts>(),
  },
  /** Whether nothing deleted is left on disk. */
  purge: { params: opaque<{ config: Config }>(), result: Type.Boolean() },
  summarize: { params: opaque<{ config: Config; now: number }>(), result: opaque<StoreSummary>() },
} satisfies MethodTable;

export type TaskName = keyof typeof TASKS;
