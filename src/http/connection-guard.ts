/**
 * Closes connections of clients that are too slow, on any route: those that hardly read a response, stall an upload,
 * continue to send after the response, or keep an idle connection open with bytes that start no request. node:http
 * itself only limits the time for headers and for a whole request. Connections are reset, since the system would keep
 * what a client does not read, megabytes each, for minutes after an orderly close. All times are of `performance.now()`,
 * which no change of the system clock moves.
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
  /** For `LEAST_BYTES_PER_S` of a response, any progress of an upload, and the close by the client at the end. */
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
  /** Bytes that the system had taken at `writtenAt`, which moves on while the client reads fast enough. */
  takenBytes: number;
  writtenAt: number;
  receivedBytes: number;
  receivedAt: number;
  /** After the last response: when the connection is reset, unless the client closes it. Null until then. */
  resetAt: number | null;
  /** Closes the socket as soon as the system has taken everything. */
  destroySoon: () => void;
}

const CHECK_EVERY_MS = 1_000;
/** Slower than a modem. The system takes a response in parts, which are larger the faster the client once was. */
const LEAST_BYTES_PER_S = 4_096;
/** For the client to read the response to a request whose body it still sends: a reset could lose the response. */
const AFTER_RESPONSE_MS = 2_000;
/** Unread bytes that the system may keep of a connection that wrote no more. */
const MAX_LEFT_BYTES = 64 * 1024;

export class ConnectionGuard {
  readonly #limits: ConnectionLimits;
  readonly #onClose: (reason: CloseReason) => void;
  readonly #connections = new Map<Socket, Connection>();
  readonly #perNetwork = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #isStopping = false;

  constructor(server: Server, limits: ConnectionLimits, onClose: (reason: CloseReason) => void) {
    this.#limits = limits;
    this.#onClose = onClose;
    server.maxConnections = limits.maxConnections;
    server.on("drop", () => onClose("full"));
    server.on("connection", (socket: Socket) => this.#add(socket));
    // The timeout of the keep-alive, after which node:http would close the socket.
    server.on("timeout", (socket: Socket) => this.#endInOrder(socket));
    this.#timer = setInterval(() => this.#check(performance.now()), CHECK_EVERY_MS);
    this.#timer.unref();
    // Not earlier: a server that is closing waits for the connections that are left.
    server.once("close", () => this.stop());
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** A stopping server would wait for a connection that has sent nothing, or that only its client has not closed. */
  closeUnused(): void {
    this.#isStopping = true;
    for (const [socket, { resetAt }] of this.#connections)
      if (socket.bytesRead === 0 || resetAt !== null) socket.destroy();
  }

  /** Returns false for a request after the last that the connection takes. */
  requestStarted(request: IncomingMessage, now: number): boolean {
    const connection = this.#connections.get(request.socket);
    if (connection === undefined) return true;
    if (connection.resetAt !== null) return false;
    connection.request = request;
    connection.pending++;
    connection.receivedAt = now;
    return true;
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

  /** After the response to bytes that are no request. */
  endAfterError(socket: Socket): void {
    this.#end(socket, AFTER_RESPONSE_MS);
  }

  /** After the last response of a connection, which the client may still be reading. */
  #endInOrder(socket: Socket): void {
    const { request = null, destroySoon = () => socket.destroy() } = this.#connections.get(socket) ?? {};
    if (request?.complete === false) {
      // Bytes that it still sends are not read.
      request.pause();
      this.#end(socket, AFTER_RESPONSE_MS);
    } else if (this.#isStopping || socket.bytesWritten <= MAX_LEFT_BYTES) {
      destroySoon();
    } else {
      this.#end(socket, this.#limits.slowClientMs);
    }
  }

  #end(socket: Socket, lingerMs: number): void {
    const connection = this.#connections.get(socket);
    if (connection !== undefined) connection.resetAt ??= performance.now() + lingerMs;
    socket.end();
  }

  #add(socket: Socket): void {
    const now = performance.now();
    if (!this.#countAddress(socket)) {
      socket.destroy();
      this.#onClose("address_full");
      return;
    }
    const destroySoon = socket.destroySoon.bind(socket);
    this.#connections.set(socket, {
      request: null,
      pending: 0,
      respondedAt: now,
      afterResponses: null,
      takenBytes: 0,
      writtenAt: now,
      receivedBytes: 0,
      receivedAt: now,
      resetAt: null,
      destroySoon,
    });
    socket.once("close", () => this.#connections.delete(socket));
    // Called by node:http after the last response of a connection.
    socket.destroySoon = () => this.#endInOrder(socket);
    // Before node:http, which would end the connection in order.
    socket.prependOnceListener("end", () => {
      if (socket.bytesWritten > MAX_LEFT_BYTES) reset(socket);
    });
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
      // Nothing is unsent, but the client may still be reading what the system holds.
      if (reason === "idle") this.#endInOrder(socket);
      else reset(socket);
      this.#onClose(reason);
    }
  }

  #reasonToClose(socket: Socket, connection: Connection, now: number): CloseReason | null {
    const { slowClientMs, idleMs } = this.#limits;
    const { taken, unsent } = countBytes(socket);
    if (unsent === 0 || taken - connection.takenBytes >= (LEAST_BYTES_PER_S * slowClientMs) / 1_000) {
      connection.takenBytes = taken;
      connection.writtenAt = now;
    }
    if (unsent > 0 && now - connection.writtenAt >= slowClientMs) return "slow_reader";
    if (socket.bytesRead !== connection.receivedBytes) {
      connection.receivedBytes = socket.bytesRead;
      connection.receivedAt = now;
    }
    const { request, pending, respondedAt, receivedAt, resetAt } = connection;
    if (resetAt !== null) return now < resetAt ? null : request?.complete === true ? "slow_reader" : "slow_sender";
    if (request === null) return null;
    if (!request.complete) {
      const waitedMs = pending > 0 ? now - receivedAt : now - respondedAt;
      return waitedMs >= (pending > 0 ? slowClientMs : AFTER_RESPONSE_MS) ? "slow_sender" : null;
    }
    return pending === 0 && now - respondedAt >= idleMs ? "idle" : null;
  }
}

/** Drops what the client has not read. */
export function reset(socket: Socket): void {
  const isEnding = socket.writableEnded && !socket.writableFinished && socket.writableLength === 0;
  // libuv refuses to reset a connection while it ends it, and Node would then leave it open.
  if (isEnding && !socket.destroyed) socket.once("finish", () => socket.resetAndDestroy());
  else socket.resetAndDestroy();
}

function hasRespondedToComplete({ request, pending }: Connection): boolean {
  return pending === 0 || (pending === 1 && request?.complete === false);
}

/** Looks into libuv's queue: a large buffer is one write, and `writableLength` shows no progress until it ends. */
function countBytes(socket: Socket): { taken: number; unsent: number } {
  const { _handle: handle } = socket as { _handle?: { bytesWritten?: number; writeQueueSize?: number } | null };
  const queued = handle?.writeQueueSize ?? 0;
  return { taken: (handle?.bytesWritten ?? 0) - queued, unsent: socket.writableLength + queued };
}
