/** The methods of sample-thread.ts and of its owner. */
import { Type } from "#api/schema.ts";
import { type MethodTable, opaque } from "#serve/rpc/rpc-channel.ts";

export const SAMPLE_METHODS = {
  /** The number of the thread. */
  which: { params: Type.Null(), result: Type.Integer() },
  echo: { params: opaque<object>(), result: opaque<object>() },
  /** Asks its owner for each, and reports it. */
  countTo: { params: Type.Integer(), progress: Type.Integer(), result: Type.Integer() },
  wait: { params: Type.Number(), result: Type.Null() },
  fail: { params: Type.String(), result: Type.Null() },
  returnFunction: { params: Type.Null(), result: Type.Unknown() },
  /** Responds, then throws after this time where nothing catches it. */
  crashAfter: { params: Type.Number(), result: Type.Null() },
  crash: { params: Type.Null(), result: Type.Null() },
  /** Never responds. */
  spin: { params: Type.Null(), result: Type.Null() },
  /** Responds after a query that nothing can end. */
  query: { params: Type.Integer(), result: Type.Null() },
} satisfies MethodTable;

export const SAMPLE_OWNER_METHODS = {
  increment: { params: Type.Integer(), result: Type.Integer() },
  ended: { params: Type.Null() },
} satisfies MethodTable;
