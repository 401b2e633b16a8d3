/** The methods of a parser thread, and of its owner. */
import { Type } from "#api/schema.ts";
import type { ClaimRequest, ClaimResponse, ReadRequest, ReadStep } from "#import/read-files.ts";
import { type MethodTable, opaque } from "../rpc/rpc-channel.ts";

/** The parts of a request that can be sent to another thread. */
type ParserRequest = Omit<ReadRequest, "claims" | "onBytes">;

export const PARSER_METHODS = {
  read: {
    params: Type.Object({
      request: opaque<ParserRequest>(),
      prerender: Type.Boolean(),
      activity: opaque<SharedArrayBuffer>(),
    }),
    result: Type.Null(),
  },
  /** The next step, under claims other than these lost ones; null at the end. Batches are too large to be checked. */
  next: {
    params: Type.Array(Type.Integer()),
    result: Type.Unsafe<ReadStep | null>(
      Type.Union([Type.Object({ kind: Type.Enum(["batch", "fileDone"]) }), Type.Null()]),
    ),
  },
} satisfies MethodTable;

export const PARSER_OWNER_METHODS = {
  claim: {
    params: opaque<ClaimRequest>(),
    result: Type.Unsafe<ClaimResponse>(
      Type.Union([
        Type.Enum(["busy", "done"]),
        Type.Object({ claimId: Type.Integer(), previous: Type.Array(Type.Unknown()) }),
      ]),
    ),
  },
} satisfies MethodTable;
