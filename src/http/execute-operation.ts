/** Executes an operation for a client: from its input to a response that may be cached. */
import { cursorsFor } from "#auth/cursors.ts";
import { PERSONAL_SCOPE } from "#auth/scopes.ts";
import type { Bearer } from "#auth/tokens.ts";
import type { Defaults, Reach } from "#api/endpoint.ts";
import { insufficientScope } from "#api/insufficient-scope.ts";
import type { RawInput } from "#api/input.ts";
import { prepare, type Result, type Validity } from "#api/invoke.ts";
import { type Operation, reachOf, readScope } from "#api/platform.ts";
import { unavailable } from "#errors";
import type { Store } from "#store/store.ts";
import { createEncoder, type EncodedResponse, JSON_TYPE, type RequestFields } from "./encode-response.ts";

export interface ExecutorServices {
  store: Pick<Store, "of">;
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
export interface Permitted {
  reach: Reach;
  writtenReach: Reach;
  personal: boolean;
  /** Tells apart clients that may read different things. */
  key: string;
}

export interface Executor {
  /** Refuses a token without any scope of the operation. */
  permittedTo: (bearer: Bearer) => Permitted;
  execute: (request: OperationRequest, permitted: Permitted) => Promise<ExecutedResponse>;
}

export function createExecutor(operation: Operation, services: ExecutorServices): Executor {
  const { timeoutMs, defaults, cursorKey } = services;
  const invoke = prepare(operation);
  const encode = createEncoder(operation);
  const isGet = operation.endpoint.method === "GET";

  async function execute(request: OperationRequest, permitted: Permitted): Promise<ExecutedResponse> {
    const { now, requestId, unknownAsNull, input } = request;
    const cursors = cursorsFor(cursorKey, operation.name, now);
    const { reach, writtenReach, personal } = permitted;
    const invoked = invoke({ reach, writtenReach, personal, now, requestId, defaults, cursors, unknownAsNull }, input);
    const result = timeoutMs === null ? await invoked : await withTimeout(timeoutMs, invoked);
    const encoded = encode(result.body, request);
    const headers = responseHeaders(result, isGet ? encoded.etag : null, unknownAsNull);
    return { ...encoded, headers, validFor: result.validFor };
  }

  return { execute, permittedTo: permissions(operation, services.store) };
}

/** What a token may read does not change while it is known. */
function permissions(operation: Operation, store: Pick<Store, "of">): (bearer: Bearer) => Permitted {
  const drawn = reachOf(operation, store, "drawn");
  const written = reachOf(operation, store, "written");
  const known = new WeakMap<Bearer, Permitted>();
  return (bearer) => {
    let permitted = known.get(bearer);
    if (permitted === undefined) {
      const hasScope = (scope: string) => bearer.scopes.has(scope);
      const reach = drawn(hasScope);
      const personal = hasScope(PERSONAL_SCOPE);
      const platforms = reach.stores.map(({ platform }) => platform);
      const key = [...platforms, ...(personal ? [PERSONAL_SCOPE] : [])].join(" ");
      known.set(bearer, (permitted = { reach, writtenReach: written(hasScope), personal, key }));
    }
    if (permitted.reach.stores.length === 0) throw insufficientScope(operation.reads.map(readScope));
    return permitted;
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
