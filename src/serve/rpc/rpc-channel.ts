/**
 * Calls between two threads or two processes, in the manner of JSON-RPC. Each side has a table of its methods; parameters
 * and results are checked against it. When the channel closes, pending calls fail.
 */
import { toError } from "#domain/to-error.ts";
import { type Static, type TSchema, Type } from "#api/schema.ts";
import { matchesSchema } from "#api/matches-schema.ts";
import { fromRpcError, type RpcError, toRpcError } from "./rpc-error.ts";

/** A method without a result is a notification: it gets no response. One with progress reports it before its result. */
export type MethodTable = Record<string, { params: TSchema; progress?: TSchema; result?: TSchema }>;

export const NO_METHODS = {} satisfies MethodTable;

/** An object that only the compiler checks: both ends of a thread run one build, and a check in depth would cost time. */
export const opaque = <Value>() => Type.Unsafe<Value>(Type.Object({}));

type CallName<Methods extends MethodTable> = {
  [Name in keyof Methods]: Methods[Name] extends { result: TSchema } ? Name : never;
}[keyof Methods] &
  string;
type NotificationName<Methods extends MethodTable> = Exclude<keyof Methods & string, CallName<Methods>>;

export type Params<Methods extends MethodTable, Name extends keyof Methods> = Static<Methods[Name]["params"]>;
export type Result<Methods extends MethodTable, Name extends keyof Methods> = Methods[Name] extends {
  result: infer Schema extends TSchema;
}
  ? Static<Schema>
  : void;
type Report<Methods extends MethodTable, Name extends keyof Methods> = Methods[Name] extends {
  progress: infer Schema extends TSchema;
}
  ? (progress: Static<Schema>) => void
  : undefined;

export type Handlers<Methods extends MethodTable> = {
  [Name in keyof Methods]: (
    params: Params<Methods, Name>,
    report: Report<Methods, Name>,
  ) => Result<Methods, Name> | Promise<Result<Methods, Name>>;
};

/** Carries messages: see thread-channel.ts and process-channel.ts. */
export interface Channel {
  send(message: object, onFailure: (error: Error) => void): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called when the other end is gone. */
  onClose(listener: () => void): void;
}

export interface RpcOptions<Remote extends MethodTable, Local extends MethodTable> {
  /** Methods of the other end. */
  remote: Remote;
  /** Methods of this end. */
  local: Local;
  handlers: Handlers<Local>;
  /** Called once the other end asks this one to stop, after the calls in progress. */
  onStop?: () => unknown;
  /** A message that breaks the protocol, or a notification whose handler failed. */
  onError: (error: Error) => void;
}

/** Methods of every end. */
const BUILT_IN = {
  heartbeat: { params: Type.Null(), result: Type.Null() },
  stop: { params: Type.Null() },
} satisfies MethodTable;

const Request = Type.Object({ id: Type.Optional(Type.Integer()), method: Type.String(), params: Type.Unknown() });
const Progress = Type.Object({ id: Type.Integer(), progress: Type.Unknown() });
const Success = Type.Object({ id: Type.Integer(), result: Type.Unknown() });
const Failure = Type.Object({
  id: Type.Integer(),
  error: Type.Unsafe<RpcError>(Type.Object({ message: Type.String() })),
});

interface PendingCall {
  method: string;
  onProgress: ((progress: unknown) => void) | undefined;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

export class RpcChannel<Remote extends MethodTable, Local extends MethodTable> {
  readonly #channel: Channel;
  readonly #remote: MethodTable;
  readonly #local: MethodTable;
  readonly #handlers: Record<string, (params: never, report: never) => unknown>;
  readonly #onError: (error: Error) => void;
  readonly #pending = new Map<number, PendingCall>();
  readonly #running = new Set<Promise<void>>();
  #lastId = 0;
  #closed: Error | null = null;

  constructor(channel: Channel, { remote, local, handlers, onStop, onError }: RpcOptions<Remote, Local>) {
    this.#channel = channel;
    this.#remote = { ...BUILT_IN, ...remote };
    this.#local = { ...BUILT_IN, ...local };
    this.#handlers = { heartbeat: () => null, stop: () => this.#stop(onStop), ...handlers };
    this.#onError = onError;
    channel.onMessage((message) => this.#onMessage(message));
    channel.onClose(() => this.close(endedBy(undefined)));
  }

  call<Name extends CallName<Remote>>(
    method: Name,
    params: Params<Remote, Name>,
    onProgress?: Report<Remote, Name>,
  ): Promise<Result<Remote, Name>> {
    // Progress and result are checked against the table.
    return this.#call(method, params, onProgress) as Promise<Result<Remote, Name>>;
  }

  /** Sent and forgotten: an end that is gone does not need it. */
  notify<Name extends NotificationName<Remote>>(method: Name, params: Params<Remote, Name>): void {
    this.#notify(method, params);
  }

  /** Resolves if the event loop of the other end turns. */
  heartbeat(): Promise<unknown> {
    return this.#call("heartbeat", null);
  }

  /** Asks the other end to finish its calls and to end. */
  stop(): void {
    this.#notify("stop", null);
  }

  /** Fails pending calls and later ones, and ignores later messages. */
  close(error: Error): void {
    this.#closed ??= error;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }

  #call(method: string, params: unknown, onProgress?: PendingCall["onProgress"]): Promise<unknown> {
    if (this.#closed !== null) return Promise.reject(this.#closed);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { method, onProgress, resolve, reject });
      this.#channel.send({ id, method, params }, (error) => {
        if (this.#pending.delete(id)) reject(error);
      });
    });
  }

  #notify(method: string, params: unknown): void {
    if (this.#closed === null) this.#channel.send({ method, params }, () => undefined);
  }

  #onMessage(message: unknown): void {
    if (this.#closed !== null) return;
    if (matchesSchema(Request, message)) {
      const running = this.#handle(message).finally(() => this.#running.delete(running));
      // A stop waits for the others.
      if (message.method !== "stop") this.#running.add(running);
    } else if (matchesSchema(Failure, message)) this.#takePending(message.id)?.reject(fromRpcError(message.error));
    else if (matchesSchema(Progress, message)) this.#report(message);
    else if (matchesSchema(Success, message)) this.#settle(message);
    else this.#onError(new Error(`malformed RPC message: ${JSON.stringify(message)}`));
  }

  #settle({ id, result }: Static<typeof Success>): void {
    const call = this.#takePending(id);
    if (call === undefined) return;
    const schema = this.#remote[call.method]?.result;
    if (schema !== undefined && matchesSchema(schema, result)) call.resolve(result);
    else call.reject(new Error(`RPC method ${call.method} returned a malformed result`));
  }

  #report({ id, progress }: Static<typeof Progress>): void {
    const call = this.#pending.get(id);
    const schema = this.#remote[call?.method ?? ""]?.progress;
    if (schema !== undefined && matchesSchema(schema, progress)) {
      try {
        call?.onProgress?.(progress);
      } catch (error) {
        this.#onError(toError(error));
      }
    } else this.#onError(new Error(`RPC message ${id} is malformed progress, or matches no pending call`));
  }

  #takePending(id: number): PendingCall | undefined {
    const call = this.#pending.get(id);
    this.#pending.delete(id);
    if (call === undefined) this.#onError(new Error(`RPC response ${id} matches no pending call`));
    return call;
  }

  async #handle({ id, method, params }: Static<typeof Request>): Promise<void> {
    const send = (message: object, onFailure: (error: Error) => void = () => undefined) =>
      id !== undefined && this.#channel.send({ id, ...message }, onFailure);
    const sendError = (error: unknown) => send({ error: toRpcError(error) });
    try {
      const result = await this.#run(method, params, (progress) => send({ progress }));
      // A result that cannot be copied is an error of the call.
      send({ result }, sendError);
    } catch (error) {
      if (id === undefined || error instanceof ProtocolError) this.#onError(toError(error));
      sendError(error);
    }
  }

  async #run(method: string, params: unknown, report: (progress: unknown) => void): Promise<unknown> {
    const definition = Object.hasOwn(this.#local, method) ? this.#local[method] : undefined;
    if (definition === undefined) throw new ProtocolError(`unknown RPC method ${JSON.stringify(method)}`);
    if (!matchesSchema(definition.params, params))
      throw new ProtocolError(`malformed parameters of RPC method ${method}`);
    const result = await this.#handlers[method]?.(params as never, report as never);
    if (definition.result !== undefined && !matchesSchema(definition.result, result))
      throw new ProtocolError(`RPC method ${method} has no valid result`);
    return result;
  }

  async #stop(onStop: (() => unknown) | undefined): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
    await onStop?.();
  }
}

/** The thread or process ended, by itself or because it was stuck, and its calls with it. The cause is its own error. */
export class WorkerEnded extends Error {
  override name = "WorkerEnded";
}

export function endedBy(cause: unknown, how = "the other process has exited"): WorkerEnded {
  return new WorkerEnded(cause instanceof Error ? cause.message : how, { cause });
}

class ProtocolError extends Error {
  override name = "ProtocolError";
}
