/**
 * Lets plain requests into the fast lane: connections begin there, and on those that had to be left to node:http plain
 * addresses are still answered by it.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { headersIn } from "./answer.ts";
import type { Reply } from "./answering.ts";
import type { FastLane, Outlet } from "./fast-lane.ts";
import { LaneConnection, type Waiting } from "./lane-connection.ts";
import { LONGEST_HEAD, plainHeaders } from "./plain-request.ts";

/** What it returns ends the connections that are in the lane. */
export function openLane(server: Server, lane: FastLane, waiting: Waiting): () => void {
  const connections = new Set<LaneConnection>();
  let closed = false;
  putBefore<[Socket]>(server, "connection", (socket, toHttp) => {
    if (closed) return toHttp(socket);
    const leave = () => connections.delete(connection);
    const connection: LaneConnection = new LaneConnection(socket, lane, waiting, () => {
      socket.off("close", leave);
      leave();
      toHttp(socket);
    });
    connections.add(connection);
    socket.once("close", leave);
  });
  putBefore<Parameters<RequestListener>>(server, "request", (request, response, toFramework) => {
    const outlet = outletOf(response, () => closed);
    if (closed || !takes(lane, request, outlet)) toFramework(request, response);
  });
  return () => {
    closed = true;
    for (const connection of connections) connection.close();
  };
}

/** The listener that was there gets what the new one hands on. */
function putBefore<Given extends unknown[]>(
  server: Server,
  event: string,
  listener: (...given: [...Given, handOn: (...given: Given) => void]) => void,
): void {
  const [old] = server.listeners(event) as [(this: Server, ...given: Given) => void];
  server.removeListener(event, old);
  const handOn = old.bind(server);
  server.on(event, (...given) => listener(...(given as Given), handOn));
}

function takes(lane: FastLane, { method, url, httpVersion, rawHeaders }: IncomingMessage, outlet: Outlet): boolean {
  if (method !== "GET" || url === undefined || url.length > LONGEST_HEAD || httpVersion !== "1.1") return false;
  const headers = plainHeaders(rawHeaders);
  if (headers === null || headers.length > 0) return false;
  return lane.take({ method, url, headers, body: "", end: 0 }, outlet);
}

function outletOf(response: ServerResponse, isClosed: () => boolean): Outlet {
  return {
    send({ status, headers, lines = "", body, wire }) {
      if (wire !== undefined) return this.send({ status, headers, ...apart(wire) });
      headers.push(...headersIn(lines));
      if (body !== null) headers.push("content-length", String(Buffer.byteLength(body)));
      // A connection that stays open would keep a stopping server waiting.
      if (isClosed()) headers.push("connection", "close");
      response.writeHead(status, headers).end(body);
    },
  };
}

/** Its length will be told by whoever writes it. */
function apart(wire: Buffer): Pick<Reply, "lines" | "body"> {
  const end = wire.indexOf("\r\n\r\n");
  const lines = wire.toString("latin1", 0, end + 2).replace(/^content-length: .*\r\n/m, "");
  return { lines, body: Buffer.from(wire.subarray(end + 4)) };
}
