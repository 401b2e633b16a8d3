/** The methods of the thread of the live sources, and of its owner. */
import { Type } from "#api/schema.ts";
import type { AskOutcome, AskRequest, SourceStatus } from "#live/live-port.ts";
import type { Config } from "#config";
import { type MethodTable, opaque } from "../rpc/rpc-channel.ts";
import type { RpcError } from "../rpc/rpc-error.ts";

export const LIVE_THREAD_METHODS = {
  start: { params: opaque<Config>(), result: Type.Null() },
  ask: { params: opaque<AskRequest>(), result: opaque<AskOutcome>() },
} satisfies MethodTable;

export const LIVE_OWNER_METHODS = {
  status: { params: Type.Array(opaque<SourceStatus>()) },
  failed: { params: opaque<RpcError>() },
} satisfies MethodTable;
