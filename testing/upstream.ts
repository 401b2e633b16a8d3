/** An official API in place of the real one, over TLS on loopback: it replays documents and misbehaves on command. */
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { createCertificate } from "./certificate.ts";

export interface UpstreamCall {
  method: string;
  host: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface UpstreamReply {
  status?: number;
  headers?: Record<string, string>;
  /** A string is sent as it is, anything else as JSON. */
  body?: unknown;
}

export type Misbehaviour =
  /** Accepts the request and says nothing. */
  | "hang"
  /** A byte at a time, for ever. */
  | "drip"
  /** A gigabyte, without saying so before. */
  | "flood"
  /** Closes the connection instead of answering. */
  | "reset"
  /** Changes to a protocol that nobody asked for. */
  | "upgrade";

export type Respond = (call: UpstreamCall) => UpstreamReply | Misbehaviour | Promise<UpstreamReply | Misbehaviour>;

const DRIP_EVERY_MS = 20;
const FLOOD_BYTES = 1024 ** 3;

export class Upstream {
  readonly calls: UpstreamCall[] = [];
  mostConcurrent = 0;
  respond: Respond;
  readonly ca: string;
  readonly #server: Server;
  #concurrent = 0;

  private constructor(hosts: readonly string[], respond: Respond) {
    const { cert, key } = createCertificate(hosts);
    this.ca = cert;
    this.respond = respond;
    this.#server = createServer({ cert, key }, (request, response) => void this.#answer(request, response));
    // A connection that is closed as a request arrives would fail it, and the repeated call would be counted again.
    this.#server.keepAliveTimeout = 0;
  }

  static async start(hosts: readonly string[], respond: Respond): Promise<Upstream> {
    const upstream = new Upstream(hosts, respond);
    upstream.#server.listen(0, "127.0.0.1");
    await once(upstream.#server, "listening");
    return upstream;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** For the setting of the same name. */
  get dial(): { host: string; port: number; ca: string } {
    return { host: "127.0.0.1", port: this.port, ca: this.ca };
  }

  /** Forgets the calls so far. */
  reset(respond?: Respond): void {
    this.calls.length = 0;
    this.mostConcurrent = 0;
    if (respond !== undefined) this.respond = respond;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#concurrent++;
    this.mostConcurrent = Math.max(this.mostConcurrent, this.#concurrent);
    response.once("close", () => this.#concurrent--);
    response.on("error", () => undefined);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? "/", "https://upstream");
    const call = {
      method: request.method ?? "",
      host: request.headers.host ?? "",
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    this.calls.push(call);
    const reply = await this.respond(call);
    if (typeof reply === "string") misbehave(reply, response);
    else {
      const { status = 200, headers = {}, body = "" } = reply;
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    }
  }
}

function misbehave(how: Misbehaviour, response: ServerResponse): void {
  if (how === "hang") return;
  if (how === "reset") return void response.destroy();
  if (how === "upgrade") return void response.writeHead(101, { connection: "upgrade", upgrade: "other" }).end();
  response.writeHead(200, { "content-type": "application/json" });
  if (how === "drip") {
    const timer = setInterval(() => response.write(" "), DRIP_EVERY_MS);
    response.once("close", () => clearInterval(timer));
    return;
  }
  const chunk = Buffer.alloc(1024 * 1024, " ");
  let sent = 0;
  const send = () => {
    while (!response.destroyed && sent < FLOOD_BYTES) {
      sent += chunk.length;
      if (!response.write(chunk)) return void response.once("drain", send);
    }
    response.end();
  };
  send();
}
