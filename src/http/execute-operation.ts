/** Executes an operation for a client: from its input to a response that can be cached. */
import { compileOperation, type Result, type Validity } from "#api/compile-operation.ts";
import { type Defaults, parameterError, parameterLocation, type Permitted } from "#api/endpoint.ts";
import { parseText, type RawInput } from "#api/input.ts";
import type { SchemaNode } from "#api/schema.ts";
import { type ComputeRanking, withRankings } from "#api/rankings.ts";
import { insufficientScope } from "#api/insufficient-scope.ts";
import { type Operation, permittedReaders, readScope } from "#api/platform.ts";
import { invalidPageToken, signedParameters } from "#api/page-token.ts";
import { isGenuine, pageTokensFor } from "#auth/page-tokens.ts";
import { LIVE_SCOPE, PERSONAL_SCOPE } from "#auth/scopes.ts";
import type { Principal } from "#auth/tokens.ts";
import { withTimeout } from "#domain/with-timeout.ts";
import { unavailable } from "#errors";
import type { Store } from "#store/store.ts";
import type { AskOutcome } from "#live/live-port.ts";
import { createEncoder, type EncodedResponse, JSON_TYPE, type RequestFields } from "./encode-response.ts";
import type { FairQueue } from "./fair-queue.ts";
import { createReadThrough, isNothing, type LiveOptions, type ReadThrough } from "./read-through.ts";

export interface LocalExecutorServices {
  store: Pick<Store, "reader" | "search">;
  cursorKey: Buffer;
  defaults: Defaults;
  /** For a whole request, which may query the store several times; null for a local store. */
  timeoutMs: number | null;
}

export interface ExecutorServices extends LocalExecutorServices {
  /** Searches wait here for their turn. */
  searchQueue: FairQueue;
  /** Null for a store whose queries do not block this thread. */
  searchThreads: OperationThreads | null;
  /** Null if no live source is on. */
  live: LiveOptions | null;
  computeRanking: ComputeRanking;
}

/** Threads that execute operations. Each function returns null if no thread is ready yet: execute it here then. */
export interface OperationThreads {
  execute(call: OperationCall): Promise<ExecutedResponse> | null;
  run(call: OperationCall): Promise<RunResult> | null;
}

/** An execution as it can be sent to another thread. */
export interface OperationCall {
  operation: string;
  scopes: readonly string[];
  request: OperationRequest;
}

export interface OperationRequest extends RequestFields {
  unknownAsNull: boolean;
  input: RawInput;
  /** Names of parameters in the query of a POST, which takes them in its body. */
  misplaced: readonly string[];
  /** Only the store answers, whatever is missing in it. */
  onlyIfCached?: boolean;
}

/** What live sources need to know of a response. */
export interface LiveFields {
  /** Nothing of what was requested is stored. */
  isNothing: boolean;
  /** What became of asking a live source; absent if none was asked. */
  outcome?: AskOutcome | undefined;
}

export interface RunResult extends Result, LiveFields {}

export interface ExecutedResponse extends EncodedResponse, LiveFields {
  headers: Record<string, string>;
  validFor: Validity;
  /** Of the newest record, Unix milliseconds. */
  capturedAt: number | null;
}

/** What a token allows its client to read. */
export interface TokenAccess {
  permitted: Permitted;
  permittedRaw: Permitted;
  personal: boolean;
  keyId: string;
  /** Those of the token that matter to the operation. */
  scopes: readonly string[];
  /** Whether live sources are asked for its client. */
  live: boolean;
  /** Part of the cache key: different for clients that may read different things. */
  key: string;
}

export interface Executor {
  /** Throws if the token has no scope of the operation. */
  accessOf: (principal: Pick<Principal, "keyId" | "scopes">) => TokenAccess;
  execute: (request: OperationRequest, access: TokenAccess) => Promise<ExecutedResponse>;
  /** The same before it is encoded. */
  run: (request: OperationRequest, access: TokenAccess) => Promise<RunResult>;
}

export interface LiveExecutor extends Executor {
  /** Null if no live source can fill the operation. */
  readThrough: ReadThrough | null;
}

/** On the store, and with what a live source fills if it has nothing. */
export function createExecutor(operation: Operation, services: ExecutorServices): LiveExecutor {
  const stored = computeMissingRankings(operation, services, createStoreExecutor(operation, services));
  const readThrough = createReadThrough(operation, services.live);
  if (readThrough === null) return { ...stored, readThrough };
  const isStoreOnly = (request: OperationRequest, access: TokenAccess) => !access.live || request.onlyIfCached === true;
  return {
    accessOf: stored.accessOf,
    execute(request, access) {
      const execute = () => stored.execute(request, access);
      return isStoreOnly(request, access) ? execute() : readThrough.run(request.input, execute);
    },
    run(request, access) {
      const run = () => stored.run(request, access);
      return isStoreOnly(request, access) ? run() : readThrough.run(request.input, run);
    },
    readThrough,
  };
}

/** Outside the queue: a search of another client need not wait for a computation. */
function computeMissingRankings(
  operation: Operation,
  { computeRanking }: ExecutorServices,
  stored: Executor,
): Executor {
  if (operation.endpoint.readsTrends !== true) return stored;
  return {
    accessOf: stored.accessOf,
    execute: (request, access) => withRankings(() => stored.execute(request, access), computeRanking),
    run: (request, access) => withRankings(() => stored.run(request, access), computeRanking),
  };
}

/** Searches, and what counts long lists, are queued and, where their queries would block this thread, executed in another. */
function createStoreExecutor(operation: Operation, services: ExecutorServices): Executor {
  const local = createLocalExecutor(operation, services);
  if (!isQueued(operation)) return local;
  const { searchQueue: queue, searchThreads: threads } = services;
  const refuseForged = createForgeryCheck(operation, services.cursorKey);
  const callOf = (request: OperationRequest, { scopes }: TokenAccess) => ({
    operation: operation.name,
    scopes,
    request,
  });
  return {
    accessOf: local.accessOf,
    async execute(request, access) {
      refuseForged(request);
      return queue.run(access.keyId, () => threads?.execute(callOf(request, access)) ?? local.execute(request, access));
    },
    async run(request, access) {
      refuseForged(request);
      return queue.run(access.keyId, () => threads?.run(callOf(request, access)) ?? local.run(request, access));
    },
  };
}

/** Throws for a page token that was never issued: it must not take the place of a search in the queue. */
function createForgeryCheck({ name: operation, endpoint }: Operation, key: Buffer) {
  const properties: Record<string, SchemaNode> = endpoint.input.properties;
  const parameters = signedParameters(endpoint).map((name) => ({
    name,
    first: properties[name]?.default,
    // The input is parsed after the queue.
    parse: parseText(properties[name] ?? {}),
  }));
  const location = { parameterLocation: parameterLocation(endpoint) };
  return ({ input, now }: OperationRequest) => {
    for (const { name, first, parse } of parameters) {
      const token = input[name];
      if (typeof token !== "string" || token === "" || token === first) continue;
      const parsed = parse(token);
      if ("reason" in parsed) throw parameterError(location, "invalid_parameter", name, parsed.reason);
      if (!isGenuine(key, operation, token, now)) throw invalidPageToken(location, name);
    }
  };
}

export function isQueued({ endpoint }: Operation): boolean {
  return endpoint.cost === "search" || endpoint.countsList === true;
}

/** In this thread, immediately. */
export function createLocalExecutor(operation: Operation, services: LocalExecutorServices): Executor {
  const { timeoutMs, defaults, cursorKey } = services;
  const invoke = compileOperation(operation);
  const encode = createEncoder(operation);
  const isGet = operation.endpoint.method === "GET";
  const items = operation.endpoint.pages?.items;

  async function run(request: OperationRequest, access: TokenAccess): Promise<RunResult> {
    const result = await runInTime(request, access);
    return { ...result, isNothing: isNothing(result, items) };
  }

  function runInTime(request: OperationRequest, access: TokenAccess): Promise<Result> {
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
      capturedAt: result.capturedAt,
      isNothing: result.isNothing,
    };
  }

  return { execute, run, accessOf: createAccessCheck(operation, services.store) };
}

/** Computed once per principal: the registry returns the same object while the token does not change. */
function createAccessCheck(operation: Operation, store: Pick<Store, "reader" | "search">): Executor["accessOf"] {
  const permittedObjects = permittedReaders(operation, store, "object");
  const permittedJson = permittedReaders(operation, store, "json");
  const accesses = new WeakMap<object, TokenAccess>();
  return (principal) => {
    let access = accesses.get(principal);
    if (access === undefined) {
      const hasScope = (scope: string) => principal.scopes.has(scope);
      const permitted = permittedObjects(hasScope);
      const personal = hasScope(PERSONAL_SCOPE);
      const scopes = [...operation.reads.map(readScope), PERSONAL_SCOPE].filter(hasScope);
      const { keyId } = principal;
      const permittedRaw = permittedJson(hasScope);
      accesses.set(
        principal,
        (access = {
          permitted,
          permittedRaw,
          personal,
          keyId,
          scopes,
          live: hasScope(LIVE_SCOPE),
          key: scopes.join(" "),
        }),
      );
    }
    if (access.permitted.readers.length === 0) throw insufficientScope(operation.reads.map(readScope));
    return access;
  };
}

function responseHeaders(
  { lastModified, headers }: Result,
  etag: string | null,
  unknownAsNull: boolean,
): Record<string, string> {
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
