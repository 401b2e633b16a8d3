/** Executes an operation for a client: from its input to a response that may be cached. */
import { pageTokensFor } from "#auth/page-tokens.ts";
import { PERSONAL_SCOPE } from "#auth/scopes.ts";
import type { Principal } from "#auth/tokens.ts";
import type { Defaults, Permitted } from "#api/endpoint.ts";
import { insufficientScope } from "#api/insufficient-scope.ts";
import type { RawInput } from "#api/input.ts";
import { compileOperation, type Result, type Validity } from "#api/compile-operation.ts";
import { type Operation, permittedReaders, readScope } from "#api/platform.ts";
import { unavailable } from "#errors";
import type { Store } from "#store/store.ts";
import { createEncoder, type EncodedResponse, JSON_TYPE, type RequestFields } from "./encode-response.ts";

export interface ExecutorServices {
  store: Pick<Store, "reader">;
  cursorKey: Buffer;
  defaults: Defaults;
  /** After which the client is told to retry; null where nothing is waited for. */
  timeoutMs: number | null;
}

export interface OperationRequest extends RequestFields {
  unknownAsNull: boolean;
  input: RawInput;
}

export interface ExecutedResponse extends EncodedResponse {
  headers: Record<string, string>;
  validFor: Validity;
}

/** What a token lets its client read. */
export interface TokenAccess {
  permitted: Permitted;
  permittedRaw: Permitted;
  personal: boolean;
  /** Tells apart clients that may read different things. */
  key: string;
}

export interface Executor {
  /** Refuses a token without any scope of the operation. */
  accessOf: (bearer: Principal) => TokenAccess;
  execute: (request: OperationRequest, access: TokenAccess) => Promise<ExecutedResponse>;
}

export function createExecutor(operation: Operation, services: ExecutorServices): Executor {
  const { timeoutMs, defaults, cursorKey } = services;
  const invoke = compileOperation(operation);
  const encode = createEncoder(operation);
  const isGet = operation.endpoint.method === "GET";

  async function execute(request: OperationRequest, access: TokenAccess): Promise<ExecutedResponse> {
    const { now, requestId, unknownAsNull, input } = request;
    const cursors = pageTokensFor(cursorKey, operation.name, now);
    const { permitted, permittedRaw, personal } = access;
    const invoked = invoke(
      { permitted, permittedRaw, personal, now, requestId, defaults, cursors, unknownAsNull },
      input,
    );
    const result = timeoutMs === null ? await invoked : await withTimeout(timeoutMs, invoked);
    const encoded = encode(result.body, request);
    const headers = responseHeaders(result, isGet ? encoded.etag : null, unknownAsNull);
    return { ...encoded, headers, validFor: result.validFor };
  }

  return { execute, accessOf: permissions(operation, services.store) };
}

/** What a token may read does not change while it is known. */
function permissions(operation: Operation, store: Pick<Store, "reader">): (bearer: Principal) => TokenAccess {
  const drawn = permittedReaders(operation, store, "object");
  const written = permittedReaders(operation, store, "json");
  const known = new WeakMap<Principal, TokenAccess>();
  return (bearer) => {
    let access = known.get(bearer);
    if (access === undefined) {
      const hasScope = (scope: string) => bearer.scopes.has(scope);
      const permitted = drawn(hasScope);
      const personal = hasScope(PERSONAL_SCOPE);
      const platforms = permitted.readers.map(({ platform }) => platform);
      const key = [...platforms, ...(personal ? [PERSONAL_SCOPE] : [])].join(" ");
      known.set(bearer, (access = { permitted, permittedRaw: written(hasScope), personal, key }));
    }
    if (access.permitted.readers.length === 0) throw insufficientScope(operation.reads.map(readScope));
    return access;
  };
}

const HEADER_VALUE = /^[\t -~]*$/;

function responseHeaders(
  { asOf, headers }: Result,
  etag: string | null,
  unknownAsNull: boolean,
): Record<string, string> {
  for (const [name, value] of Object.entries(headers)) {
    // They may hold captured text.
    if (!HEADER_VALUE.test(value)) throw new Error(`${name} cannot be a header: ${JSON.stringify(value)}`);
  }
  return {
    ...headers,
    "content-type": JSON_TYPE,
    ...(unknownAsNull && { "preference-applied": "unknown=null" }),
    ...(asOf !== null && asOf > 0 && { "last-modified": new Date(asOf).toUTCString() }),
    ...(etag === null ? { "cache-control": "no-store" } : { etag, "cache-control": "private, max-age=30" }),
  };
}

/** A store that is slow at every step of a request must not keep its client for the sum of them. */
async function withTimeout<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unavailable("the store is slow just now; try again in 1 s", null)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    // Nobody waits for a result that comes after its time.
    work.catch(() => undefined);
  }
}
