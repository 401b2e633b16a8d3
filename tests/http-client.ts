/** HTTP as it stands on the wire: no redirects, no decompression, no headers that were not asked for. */
import { request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { OPERATIONS } from "#platforms/registry.ts";
import { TEST_TOKEN } from "./test-server.ts";
import type { Received } from "./problem.ts";

export { OPERATIONS };

export interface HttpResponse extends Received {
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

export interface HttpRequest {
  method?: string;
  path: string;
  /** The test's token is sent unless a header is named `authorization`; null leaves it out. */
  headers?: Record<string, string | null>;
  body?: string | Buffer | undefined;
}

export function sendRequest(
  address: string,
  { method = "GET", path, headers = {}, body }: HttpRequest,
): Promise<HttpResponse> {
  const { hostname, port } = new URL(address);
  const sent: Record<string, string> = { connection: "close" };
  for (const [name, value] of Object.entries({ authorization: `Bearer ${TEST_TOKEN}`, ...headers })) {
    if (value !== null) sent[name] = value;
  }
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers: sent, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const whole = Buffer.concat(chunks);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          header: (name) => (response.headers[name] === undefined ? null : String(response.headers[name])),
          body: whole,
          text: whole.toString("utf8"),
        });
      });
    });
    request.on("error", reject);
    request.end(body);
  });
}

export type Pairs = readonly (readonly [name: string, value: string])[];

/** Asks an operation the way SPEC.md says: a query for GET, a URL-encoded form for POST. Names may repeat. */
export function requestOperation(
  address: string,
  name: string,
  parameters: Record<string, string> | Pairs,
  headers: Record<string, string | null> = {},
): Promise<HttpResponse> {
  const operation = operationNamed(name);
  const pairs = (Array.isArray(parameters) ? parameters : Object.entries(parameters)) as Pairs;
  const encoded = pairs.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join("&");
  if (operation.endpoint.method === "GET")
    return sendRequest(address, { path: encoded === "" ? operation.path : `${operation.path}?${encoded}`, headers });
  return sendRequest(address, {
    method: "POST",
    path: operation.path,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: encoded,
  });
}

export function requestWithJson(address: string, name: string, body: string): Promise<HttpResponse> {
  return sendRequest(address, {
    method: "POST",
    path: operationNamed(name).path,
    headers: { "content-type": "application/json" },
    body,
  });
}

export function operationNamed(name: string): (typeof OPERATIONS)[number] {
  const operation = OPERATIONS.find((candidate) => candidate.name === name);
  if (operation === undefined) throw new Error(`${name} is not an operation`);
  return operation;
}

export function parameterLocationOf(name: string): "query" | "body" {
  return operationNamed(name).endpoint.method === "GET" ? "query" : "body";
}

export function openSocket(address: string): Promise<Socket> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.once("error", reject);
  });
}

/** Sends a part of a request, and closes the connection once the service handles it. */
export async function breakOffRequest(
  address: string,
  { method = "POST", path, headers = {}, body = "" }: HttpRequest,
): Promise<void> {
  const socket = await openSocket(address);
  const sent = { host: "service.example", expect: "100-continue", "content-length": "1000", ...headers };
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  await new Promise((resolve) => socket.once("data", resolve));
  socket.end(body);
  socket.destroySoon();
}

/** All that comes back until the other side closes. */
export function readToEnd(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    // A reset after the answer is how a peer says that it will not read the rest.
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
  });
}

/** The first answer, as soon as all of it is there. */
export function readResponse(socket: Socket): Promise<Received> {
  return new Promise((resolve, reject) => {
    let text = "";
    socket.on("close", () => reject(new Error(`closed after ${JSON.stringify(text.slice(0, 200))}`)));
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
      const end = text.indexOf("\r\n\r\n");
      const [answer] =
        end >= 0 && length !== undefined && text.length >= end + 4 + Number(length) ? parseResponses(text) : [];
      if (answer !== undefined) resolve(answer);
    });
  });
}

/** Bytes as written; what came back, answer by answer. */
export async function sendRaw(address: string, bytes: string): Promise<Received[]> {
  const socket = await openSocket(address);
  const answer = readToEnd(socket);
  socket.write(bytes, "latin1");
  return parseResponses(await answer);
}

export function parseResponses(text: string): Received[] {
  const responses: Received[] = [];
  let rest = text;
  while (rest !== "") {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) throw new Error(`not an HTTP answer: ${JSON.stringify(rest.slice(0, 200))}`);
    const [statusLine = "", ...lines] = rest.slice(0, end).split("\r\n");
    const headers = new Map(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
    );
    const length = Number(headers.get("content-length") ?? 0);
    responses.push({
      status: Number(statusLine.split(" ")[1]),
      header: (name) => headers.get(name) ?? null,
      text: Buffer.from(rest.slice(end + 4, end + 4 + length), "latin1").toString("utf8"),
    });
    rest = rest.slice(end + 4 + length);
  }
  return responses;
}

/** The names of a header that is a list of them, such as Vary: lower case, in order. */
export function namesIn(list: string | null): string[] {
  return (list ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "")
    .toSorted();
}
