/** The methods of the thread that writes, and of its owner. */
import { Type } from "#api/schema.ts";
import type { AuditEvent } from "#domain/audit.ts";
import type { JobFile } from "#domain/job.ts";
import type { ImportRequest, Progress } from "#import/import-files.ts";
import type { ImportReport } from "#import/report.ts";
import type { StoreEvent } from "#store/write/events.ts";
import type { Config } from "#config";
import { type MethodTable, opaque } from "./rpc/rpc-channel.ts";
import { type WritePort, WRITES } from "./store-writes.ts";

export type ImportEvent =
  | { kind: "progress"; progress: Progress }
  | { kind: "fileDone"; file: JobFile }
  | { kind: "waiting"; files: string[] }
  | { kind: "outage" };

export const STORE_THREAD_METHODS = {
  start: { params: opaque<Config>(), result: Type.Null() },
  import: {
    params: opaque<ImportRequest>(),
    progress: Type.Unsafe<ImportEvent>(Type.Object({ kind: Type.String() })),
    result: opaque<ImportReport>(),
  },
  call: {
    params: Type.Object({
      port: Type.Enum(Object.keys(WRITES) as WritePort[]),
      method: Type.String(),
      args: Type.Array(Type.Unknown()),
    }),
    result: Type.Unknown(),
  },
  recordAudit: { params: opaque<AuditEvent>(), result: Type.Null() },
  /** Imports give up their claims and write nothing more. */
  stopImports: { params: Type.Null(), result: Type.Null() },
} satisfies MethodTable;

export const STORE_OWNER_METHODS = {
  storeEvent: { params: opaque<StoreEvent>() },
} satisfies MethodTable;
