/**
 * Calls between two processes over Node's IPC channel, in the manner of JSON-RPC. Each side has a table of its methods;
 * parameters and results are checked against it. When the channel closes, pending calls fail.
 */
import { type Static, type TSchema, Type } from "#api/schema.ts";
import { matchesSchema } from "#api/matches-schema.ts";

/** A method without a result is a notification: it gets no response. */
export type MethodTable = Record<string, { params: TSchema; result?: TSchema }>;

type CallName<Methods extends MethodTable> = {
  [Name in keyof Methods]: Methods[Name] extends { result: TSchema } ? Name : never;
}[keyof Methods] &
  string;
type NotificationName<Methods extends MethodTable> = Exclude<keyof Methods & string, CallName<Methods>>;

type Params<Methods extends MethodTable, Name extends keyof Methods> = Static<Methods[Name]["params"]>;
type Result<Methods extends MethodTable, Name extends keyof Methods> = Methods[Name] extends {
  result: infer Schema extends TSchema;
}
  ? Static<Schema>
  : void;

export type Handlers<Methods extends MethodTable> = {
  [Name in keyof Methods]: (params: Params<Methods, Name>) => Result<Methods, Name> | Promise<Result<Methods, Name>>;
};

/** `process` in a child, or the ChildProcess in its parent. */
export interface IpcChannel {
  send?(message: object, handle: undefined, options: undefined, callback: (error: Error | null) => void): boolean;
  on(event: "message", listener: (message: unknown) => void): unknown;
  once(event: "disconnect", listener: () => void): unknown;
}

export interface RpcOptions<Remote extends MethodTable, Local extends MethodTable> {
  /** Methods of the other process. */
  remote: Remote;
  /** Methods of this process. */
  local: Local;
  handlers: Handlers<Local>;
  /** A message that breaks the protocol, or a notification whose handler failed. */
  onError(error: Error): void;
}

const Request = Type.Object({ id: Type.Optional(Type.Integer()), method: Type.String(), params: Type.Unknown() });
const Success = Type.Object({ id: Type.Integer(), result: Type.Unknown() });
/** Error properties such as `code` travel along. */
const Failure = Type.Object({ id: Type.Integer(), error: Type.Object({ message: Type.String() }) });

interface PendingCall {
  method: string;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

export class RpcChannel<Remote extends MethodTable, Local extends MethodTable> {
  readonly #channel: IpcChannel;
  readonly #options: RpcOptions<Remote, Local>;
  readonly #pending = new Map<number, PendingCall>();
  #lastId = 0;
  #closed = false;

  constructor(channel: IpcChannel, options: RpcOptions<Remote, Local>) {
    this.#channel = channel;
    this.#options = options;
    channel.on("message", (message) => this.#onMessage(message));
    channel.once("disconnect", () => {
      this.#closed = true;
      for (const { reject } of this.#pending.values()) reject(closedError());
      this.#pending.clear();
    });
  }

  call<Name extends CallName<Remote>>(method: Name, params: Params<Remote, Name>): Promise<Result<Remote, Name>> {
    if (this.#closed) return Promise.reject(closedError());
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      // The result is checked against the table before this is called.
      const resolveChecked = resolve as (result: unknown) => void;
      this.#pending.set(id, { method, resolve: resolveChecked, reject });
      this.#send({ id, method, params }, (error) => {
        if (this.#pending.delete(id)) reject(error);
      });
    });
  }

  /** Sent and forgotten: a process that has exited does not need it. */
  notify<Name extends NotificationName<Remote>>(method: Name, params: Params<Remote, Name>): void {
    if (!this.#closed) this.#send({ method, params }, () => undefined);
  }

  #onMessage(message: unknown): void {
    if (matchesSchema(Request, message)) void this.#handle(message);
    else if (matchesSchema(Failure, message)) {
      this.#takePending(message.id)?.reject(Object.assign(new Error(message.error.message), message.error));
    } else if (matchesSchema(Success, message)) this.#settle(message);
    else this.#options.onError(new Error(`malformed IPC message: ${JSON.stringify(message)}`));
  }

  #settle({ id, result }: Static<typeof Success>): void {
    const call = this.#takePending(id);
    if (call === undefined) return;
    const schema = this.#options.remote[call.method]?.result;
    if (schema !== undefined && matchesSchema(schema, result)) call.resolve(result);
    else call.reject(new Error(`IPC method ${call.method} returned a malformed result`));
  }

  #takePending(id: number): PendingCall | undefined {
    const call = this.#pending.get(id);
    this.#pending.delete(id);
    if (call === undefined) this.#options.onError(new Error(`IPC response ${id} matches no pending call`));
    return call;
  }

  async #handle({ id, method, params }: Static<typeof Request>): Promise<void> {
    try {
      const result = await this.#run(method, params);
      if (id !== undefined) this.#send({ id, result }, () => undefined);
    } catch (error) {
      const { message, stack } = error as Error;
      if (id === undefined || error instanceof ProtocolError) this.#options.onError(error as Error);
      if (id !== undefined) this.#send({ id, error: Object.assign({ message, stack }, error) }, () => undefined);
    }
  }

  async #run(method: string, params: unknown): Promise<unknown> {
    const definition = Object.hasOwn(this.#options.local, method) ? this.#options.local[method] : undefined;
    if (definition === undefined) throw new ProtocolError(`unknown IPC method ${JSON.stringify(method)}`);
    if (!matchesSchema(definition.params, params))
      throw new ProtocolError(`malformed parameters of IPC method ${method}`);
    const handler: (params: never) => unknown = this.#options.handlers[method as keyof Local];
    const result = await handler(params as never);
    if (definition.result !== undefined && !matchesSchema(definition.result, result))
      throw new ProtocolError(`IPC method ${method} has no valid result`);
    return result;
  }

  #send(message: object, onFailure: (error: Error) => void): void {
    this.#channel.send?.(message, undefined, undefined, (error) => error !== null && onFailure(error));
  }
}

class ProtocolError extends Error {
  override name = "ProtocolError";
}

function closedError(): Error {
  return new Error("the other process has exited");
}
