/** The methods of a thread that executes searches. */
import { Type } from "#api/schema.ts";
import type { Defaults } from "#api/endpoint.ts";
import type { TemplateBody } from "#http/encode-response.ts";
import type { ExecutedResponse, OperationCall, RunResult } from "#http/execute-operation.ts";
import { type MethodTable, opaque } from "./rpc/rpc-channel.ts";

/** Copied to another thread, a buffer is a byte array, and an object loses its class. */
interface CopiedResponse extends Omit<ExecutedResponse, "body"> {
  body: Uint8Array | Pick<TemplateBody, "chunks" | "fields">;
}

export const SEARCH_THREAD_METHODS = {
  start: { params: opaque<{ dataDir: string; defaults: Defaults; cursorKey: Uint8Array }>(), result: Type.Null() },
  execute: { params: opaque<OperationCall>(), result: opaque<CopiedResponse>() },
  /** The result before it is encoded. */
  run: { params: opaque<OperationCall>(), result: opaque<RunResult>() },
} satisfies MethodTable;
