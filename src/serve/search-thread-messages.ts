/** The messages between the main thread and those that execute searches. */
import type { Defaults } from "#api/endpoint.ts";
import type { ErrorCode, ParameterError } from "#errors";
import type { TemplateBody } from "#http/encode-response.ts";
import type { ExecutedResponse, OperationCall, RunResult } from "#http/execute-operation.ts";
import { createMessageCheck, isObject } from "#domain/message-check.ts";
import type { ThreadFailure } from "./thread-failure.ts";

export interface SearchThreadData {
  kind: "open";
  dataDir: string;
  defaults: Defaults;
  cursorKey: Uint8Array;
}

export type ToSearchThread =
  | { kind: "execute"; call: OperationCall }
  /** The reply has the result before it is encoded. */
  | { kind: "run"; call: OperationCall };

/** Copied to another thread, a buffer is a byte array, and an object loses its class. */
export interface CopiedResponse extends Omit<ExecutedResponse, "body"> {
  body: Uint8Array | Pick<TemplateBody, "chunks" | "fields">;
}

export interface SearchFailure extends ThreadFailure {
  /** Present if the message is for the client. */
  api: { code: ErrorCode; errors: ParameterError[]; headers: Record<string, string> } | null;
}

export type FromSearchThread =
  | { kind: "ready" }
  | { kind: "response"; response: CopiedResponse }
  | { kind: "result"; result: RunResult }
  | { kind: "failed"; failure: SearchFailure };

export const checkSearchThreadData = createMessageCheck<SearchThreadData>("search thread", {
  open: {
    dataDir: (value) => typeof value === "string",
    defaults: isObject,
    cursorKey: (value) => value instanceof Uint8Array,
  },
});

export const checkToSearchThread = createMessageCheck<ToSearchThread>("search thread", {
  execute: { call: isObject },
  run: { call: isObject },
});

export const checkFromSearchThread = createMessageCheck<FromSearchThread>("owner of the search thread", {
  ready: {},
  response: { response: isObject },
  result: { result: isObject },
  failed: { failure: isObject },
});
