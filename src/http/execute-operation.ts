/** Executes an operation for a client: from its input to a response that can be cached. */
import { compileOperation, type Result, type Validity } from "#api/compile-operation.ts";
import type { Defaults, Permitted } from "#api/endpoint.ts";
import type { RawInput } from "#api/input.ts";
import { insufficientScope } from "#api/insufficient-scope.ts";
import { type Operation, permittedReaders, readScope } from "#api/platform.ts";
import { pageTokensFor } from "#auth/page-tokens.ts";
import { PERSONAL_SCOPE } from "#auth/scopes.ts";
import type { Principal } from "#auth/tokens.ts";
import { withTimeout } from "#domain/with-timeout.ts";
import { unavailable } from "#errors";
import type { Store } from "#store/store.ts";
import { createEncoder, type EncodedResponse, JSON_TYPE, type RequestFields } from "./encode-response.ts";

export interface ExecutorServices {
  store: Pick<Store, "reader" | "search">;
  cursorKey: Buffer;
  defaults: Defaults;
  /** For a whole request, which may query the store several times; null for a local store. */
  timeoutMs: number | null;
}

export interface OperationRequest extends RequestFields {
  unknownAsNull: boolean;
  input: RawInput;
  /** Names of parameters in the query of a POST, which takes them in its body. */
  misplaced: readonly string[];
}

export interface ExecutedResponse extends EncodedResponse {
  headers: Record<string, string>;
  validFor: Validity;
}

/** What a token allows its client to read. */
export interface TokenAccess {
  permitted: Permitted;
  permittedRaw: Permitted;
  personal: boolean;
  /** Part of the cache key: different for clients that may read different things. */
  key: string;
}

export interface Executor {
  /** Throws if the token has no scope of the operation. */
  accessOf: (principal: Principal) => TokenAccess;
  execute: (request: OperationRequest, access: TokenAccess) => Promise<ExecutedResponse>;
  /** The same before it is encoded. */
  run: (request: OperationRequest, access: TokenAccess) => Promise<Result>;
}

export function createExecutor(operation: Operation, services: ExecutorServices): Executor {
  const { timeoutMs, defaults, cursorKey } = services;
  const invoke = compileOperation(operation);
  const encode = createEncoder(operation);
  const isGet = operation.endpoint.method === "GET";

  function run(request: OperationRequest, access: TokenAccess): Promise<Result> {
    const { now, requestId, unknownAsNull, input, misplaced } = request;
    const { permitted, permittedRaw, personal } = access;
    const cursors = pageTokensFor(cursorKey, operation.name, now);
    const running = invoke(
      { permitted, permittedRaw, personal, now, requestId, defaults, cursors, unknownAsNull, misplaced },
      input,
    );
    return timeoutMs === null ? running : withTimeout(timeoutMs, running, storeTimeout);
  }

  async function execute(request: OperationRequest, access: TokenAccess): Promise<ExecutedResponse> {
    const { unknownAsNull } = request;
    const result = await run(request, access);
    const { body, etag } = encode(result.body, request);
    return {
      body,
      etag,
      headers: responseHeaders(result, isGet ? etag : null, unknownAsNull),
      validFor: result.validFor,
    };
  }

  return { execute, run, accessOf: createAccessCheck(operation, services.store) };
}

/** Computed once per principal: the registry returns the same object while the token does not change. */
function createAccessCheck(operation: Operation, store: Pick<Store, "reader" | "search">): Executor["accessOf"] {
  const permittedObjects = permittedReaders(operation, store, "object");
  const permittedJson = permittedReaders(operation, store, "json");
  const accesses = new WeakMap<Principal, TokenAccess>();
  return (principal) => {
    let access = accesses.get(principal);
    if (access === undefined) {
      const hasScope = (scope: string) => principal.scopes.has(scope);
      const permitted = permittedObjects(hasScope);
      const personal = hasScope(PERSONAL_SCOPE);
      const key = [...permitted.readers.map(({ platform }) => platform), ...(personal ? [PERSONAL_SCOPE] : [])].join(
        " ",
      );
      accesses.set(principal, (access = { permitted, permittedRaw: permittedJson(hasScope), personal, key }));
    }
    if (access.permitted.readers.length === 0) throw insufficientScope(operation.reads.map(readScope));
    return access;
  };
}

const HEADER_VALUE = /^[\t -~]*$/;

function responseHeaders(
  { lastModified, headers }: Result,
  etag: string | null,
  unknownAsNull: boolean,
): Record<string, string> {
  for (const [name, value] of Object.entries(headers)) {
    // It may contain captured text.
    if (!HEADER_VALUE.test(value)) throw new Error(`invalid value of the header ${name}: ${JSON.stringify(value)}`);
  }
  return {
    ...headers,
    "content-type": JSON_TYPE,
    ...(unknownAsNull && { "preference-applied": "unknown=null" }),
    ...(lastModified !== null && lastModified > 0 && { "last-modified": new Date(lastModified).toUTCString() }),
    ...(etag === null ? { "cache-control": "no-store" } : { etag, "cache-control": "private, max-age=30" }),
  };
}

function storeTimeout(): Error {
  return unavailable("the store took too long; retry in 1 s", null);
}
