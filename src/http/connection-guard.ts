/**
 * Closes connections of clients that are too slow, on any route: those that stop reading a response, stall an upload,
 * continue to send after the response, or keep an idle connection open with bytes that start no request. node:http
 * itself only limits the time for headers and for a whole request. All times are of `performance.now()`, which no change
 * of the system clock moves.
 */
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { networkOf } from "#rate-limit/client-network.ts";

export interface ConnectionLimits {
  /** Per process; further connections are closed immediately. */
  maxConnections: number;
  /** Of a /64 network in IPv6. */
  maxPerAddress: number;
  /** Proxies, whose connections are those of many clients: `maxPerAddress` does not apply. */
  isTrustedProxy: (address: string) => boolean;
  /** Without progress in writing a response or reading an upload. */
  slowClientMs: number;
  /** Between a response and the complete headers of the next request. */
  idleMs: number;
}

export type CloseReason = "full" | "address_full" | "slow_reader" | "slow_sender" | "idle";

interface Connection {
  /** The last request that node:http parsed; null before the first. */
  request: IncomingMessage | null;
  /** Unfinished responses. */
  pending: number;
  respondedAt: number;
  afterResponses: (() => void) | null;
  /** As of the last check, and when it last changed. */
  unsentBytes: number;
  writtenAt: number;
  receivedBytes: number;
  receivedAt: number;
}

const CHECK_EVERY_MS = 1_000;
/** How long a body is read, and dropped, after the response to its request: closing immediately could lose the response. */
const AFTER_RESPONSE_MS = 2_000;

export class ConnectionGuard {
  readonly #limits: ConnectionLimits;
  readonly #onClose: (reason: CloseReason) => void;
  readonly #connections = new Map<Socket, Connection>();
  readonly #perNetwork = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(server: Server, limits: ConnectionLimits, onClose: (reason: CloseReason) => void) {
    this.#limits = limits;
    this.#onClose = onClose;
    server.maxConnections = limits.maxConnections;
    server.on("drop", () => onClose("full"));
    server.on("connection", (socket: Socket) => this.#add(socket));
    this.#timer = setInterval(() => this.#check(performance.now()), CHECK_EVERY_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** node:http considers a connection that has sent nothing busy, so a stopping server would wait for it. */
  closeUnused(): void {
    for (const socket of this.#connections.keys()) if (socket.bytesRead === 0) socket.destroy();
  }

  requestStarted(request: IncomingMessage, now: number): void {
    const connection = this.#connections.get(request.socket);
    if (connection === undefined) return;
    connection.request = request;
    connection.pending++;
    connection.receivedAt = now;
  }

  responseFinished(request: IncomingMessage, now: number): void {
    const connection = this.#connections.get(request.socket);
    if (connection === undefined) return;
    connection.pending--;
    connection.respondedAt = now;
    if (hasRespondedToComplete(connection)) connection.afterResponses?.();
  }

  /**
   * For bytes that are no request: calls back when all earlier responses are written, so that a response written to the
   * socket does not overtake them. A request whose body is broken off by these bytes gets no other response.
   */
  afterResponses(socket: Socket, callback: () => void): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined || hasRespondedToComplete(connection)) callback();
    else connection.afterResponses = callback;
  }

  #add(socket: Socket): void {
    const now = performance.now();
    if (!this.#countAddress(socket)) {
      socket.destroy();
      this.#onClose("address_full");
      return;
    }
    this.#connections.set(socket, {
      request: null,
      pending: 0,
      respondedAt: now,
      afterResponses: null,
      unsentBytes: 0,
      writtenAt: now,
      receivedBytes: 0,
      receivedAt: now,
    });
    socket.once("close", () => this.#connections.delete(socket));
  }

  /** Returns false if the address has too many connections. */
  #countAddress(socket: Socket): boolean {
    const { remoteAddress: address } = socket;
    if (address === undefined || this.#limits.isTrustedProxy(address)) return true;
    const network = networkOf(address);
    const count = (this.#perNetwork.get(network) ?? 0) + 1;
    if (count > this.#limits.maxPerAddress) return false;
    this.#perNetwork.set(network, count);
    socket.once("close", () => {
      const rest = (this.#perNetwork.get(network) ?? 1) - 1;
      if (rest === 0) this.#perNetwork.delete(network);
      else this.#perNetwork.set(network, rest);
    });
    return true;
  }

  #check(now: number): void {
    for (const [socket, connection] of this.#connections) {
      const reason = this.#reasonToClose(socket, connection, now);
      if (reason === null) continue;
      socket.destroy();
      this.#onClose(reason);
    }
  }

  #reasonToClose(socket: Socket, connection: Connection, now: number): CloseReason | null {
    const { slowClientMs, idleMs } = this.#limits;
    const unsent = unsentBytes(socket);
    if (unsent !== connection.unsentBytes) {
      connection.unsentBytes = unsent;
      connection.writtenAt = now;
    }
    if (unsent > 0 && now - connection.writtenAt >= slowClientMs) return "slow_reader";
    if (socket.bytesRead !== connection.receivedBytes) {
      connection.receivedBytes = socket.bytesRead;
      connection.receivedAt = now;
    }
    const { request, pending, respondedAt, receivedAt } = connection;
    if (request === null) return null;
    if (!request.complete) {
      const waitedMs = pending > 0 ? now - receivedAt : now - respondedAt;
      return waitedMs >= (pending > 0 ? slowClientMs : AFTER_RESPONSE_MS) ? "slow_sender" : null;
    }
    return pending === 0 && now - respondedAt >= idleMs ? "idle" : null;
  }
}

function hasRespondedToComplete({ request, pending }: Connection): boolean {
  return pending === 0 || (pending === 1 && request?.complete === false);
}

/** Includes libuv's queue: a large buffer is one write, and `writableLength` shows no progress until it ends. */
function unsentBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return socket.writableLength + (handle?.writeQueueSize ?? 0);
}
