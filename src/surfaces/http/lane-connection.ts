/**
 * A connection as long as all that comes over it is plain: requests are read and answered here, one after the other. With
 * the first request that is out of the ordinary, the connection is node:http's for good, from that request on.
 */
import type { Socket } from "node:net";
import type { Reply } from "./answering.ts";
import type { FastLane, Outlet } from "./fast-lane.ts";
import { httpDate } from "./http-date.ts";
import { BODY_TO_COME, PlainRequests } from "./plain-request.ts";
import { writeCopied } from "./write-copied.ts";

export interface Waiting {
  /** For the first request. */
  firstMs: number;
  /** From one request to the next: so much is announced, and a second more is waited. */
  keepAliveMs: number;
}

/** Many callers send a head and its form one after the other. One that takes longer has all the time that others have. */
const BODY_SOON_MS = 100;
/** Requests that are sent before the last one was answered wait here, up to so many bytes. */
const MOST_WAITING = 64 * 1024;

/** For people who read along; programs go by the number. */
const REASONS: Partial<Record<number, string>> = {
  200: "OK",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  406: "Not Acceptable",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

export class LaneConnection implements Outlet {
  readonly #socket: Socket;
  readonly #lane: FastLane;
  readonly #giveAway: (socket: Socket) => void;
  readonly #requests = new PlainRequests();
  readonly #idleMs: number;
  readonly #staysOpen: string;
  #timeoutMs = 0;
  /** What came and is not answered yet, a character a byte. */
  #rest = "";
  #waitsForBody = false;
  #walking = false;
  #answering = false;
  /** The caller has said all. */
  #ended = false;
  #closed = false;

  constructor(socket: Socket, lane: FastLane, { firstMs, keepAliveMs }: Waiting, giveAway: (socket: Socket) => void) {
    this.#socket = socket;
    this.#lane = lane;
    this.#giveAway = giveAway;
    this.#idleMs = keepAliveMs + 1_000;
    this.#staysOpen = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1_000)}\r\n`;
    this.#waitAtMost(firstMs);
    for (const [event, listener] of this.#listeners) socket.on(event, listener);
  }

  readonly #listeners: readonly [string, (chunk: Buffer) => void][] = [
    ["data", (chunk: Buffer) => this.#take(chunk.toString("latin1"))],
    ["drain", () => this.#walk()],
    ["end", () => this.#end()],
    ["timeout", () => this.#giveUp()],
    ["error", () => this.#socket.destroy()],
  ];

  /** What was asked is still answered, and nothing after it. */
  close(): void {
    if (this.#waitsForBody) return this.#handOver();
    this.#closed = true;
    if (!this.#answering) this.#socket.destroySoon();
  }

  send({ status, headers, lines = "", body, wire }: Reply): void {
    this.#answering = false;
    if (this.#socket.destroyed) return;
    let head = `HTTP/1.1 ${status} ${REASONS[status] ?? ""}\r\nDate: ${httpDate(Date.now())}\r\n`;
    head += this.#closed ? "Connection: close\r\n" : this.#staysOpen;
    for (let index = 0; index < headers.length; index += 2) head += `${headers[index]}: ${headers[index + 1]}\r\n`;
    if (wire !== undefined) writeCopied(this.#socket, head, wire);
    else this.#write(head + lines, body);
    if (this.#closed) this.#socket.destroySoon();
    else if (!this.#walking) this.#walk();
  }

  #write(head: string, body: Reply["body"]): void {
    if (body === null) return void this.#socket.write(`${head}\r\n`, "latin1");
    const length = Buffer.byteLength(body);
    const whole = `${head}content-length: ${length}\r\n\r\n`;
    // Where every character is a byte, there is nothing to encode.
    if (typeof body === "string") this.#socket.write(whole + body, length === body.length ? "latin1" : "utf8");
    else writeCopied(this.#socket, whole, body);
  }

  #take(text: string): void {
    this.#rest = this.#rest === "" ? text : this.#rest + text;
    this.#walk();
  }

  /** From request to request, as far as they are there and the caller reads what it is answered. */
  #walk(): void {
    this.#walking = true;
    while (this.#mayAnswer() && this.#rest !== "") {
      const request = this.#requests.read(this.#rest);
      if (request === null || (request === BODY_TO_COME && this.#waitsForBody)) return this.#handOver();
      if (request === BODY_TO_COME) {
        this.#waitsForBody = true;
        this.#waitAtMost(BODY_SOON_MS);
        break;
      }
      this.#waitsForBody = false;
      this.#answering = true;
      this.#closed = request.headers.last;
      if (!this.#lane.take(request, this)) return this.#handOver();
      this.#rest = request.end === this.#rest.length ? "" : this.#rest.slice(request.end);
      this.#waitAtMost(this.#idleMs);
    }
    this.#walking = false;
    if (this.#ended && this.#mayAnswer()) this.#socket.destroySoon();
    else if (this.#rest.length > MOST_WAITING) this.#socket.pause();
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  #mayAnswer(): boolean {
    return !this.#answering && !this.#closed && !this.#socket.writableNeedDrain;
  }

  #end(): void {
    this.#ended = true;
    if (this.#mayAnswer()) this.#socket.destroySoon();
  }

  #giveUp(): void {
    if (this.#waitsForBody) this.#handOver();
    else this.#socket.destroy();
  }

  #waitAtMost(ms: number): void {
    if (ms === this.#timeoutMs) return;
    this.#timeoutMs = ms;
    this.#socket.setTimeout(ms);
  }

  #handOver(): void {
    for (const [event, listener] of this.#listeners) this.#socket.off(event, listener);
    this.#socket.setTimeout(0);
    this.#socket.unshift(Buffer.from(this.#rest, "latin1"));
    this.#giveAway(this.#socket);
  }
}
