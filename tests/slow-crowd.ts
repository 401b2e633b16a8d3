/**
 * A thread of clients that are slow in every way, so that the clients' work is not that of who measures. Posts for each
 * connection its kind and how long it stayed open, in milliseconds.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

export interface Crowd {
  url: string;
  token: string;
  ingestToken: string;
  count: number;
  perSecond: number;
}

export interface CutOff {
  kind: SlowKind;
  openMs: number;
}

/** What the service is told in the test, or has built in. */
export const CROWD_SETTINGS = { SLOW_CLIENT_S: "10", KEEP_ALIVE_S: "1" };

/** Seconds after which a connection of the kind is due to be cut off. */
export const LIMITS_S = {
  "sends nothing": 10,
  "drips headers": 10,
  "drips blank lines": 10,
  "drips blank lines after a response": 11,
  "drips a body that no route takes": 2,
  "drips chunks to a route that takes none": 2,
  "drips a form": 15,
  "stops in an upload": 10,
  "does not read": 10,
} as const;
export type SlowKind = keyof typeof LIMITS_S;

const KINDS = Object.keys(LIMITS_S) as SlowKind[];
const DRIP_EVERY_MS = 1_000;
/** After its limit: one that the service never cuts off ends too, and is told. */
const GIVE_UP_S = 60;
const HOST = "Host: service.example\r\n";

function startOf(kind: SlowKind, { token, ingestToken }: Crowd): { head: string; drop: string | null } {
  const form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n";
  switch (kind) {
    case "sends nothing":
      return { head: "", drop: null };
    case "drips headers":
      return { head: "GET /healthz HTTP/1.1\r\n", drop: "X" };
    case "drips blank lines":
      return { head: "", drop: "\r\n" };
    case "drips blank lines after a response":
      return { head: `GET /healthz HTTP/1.1\r\n${HOST}\r\n`, drop: "\r\n" };
    case "drips a body that no route takes":
      return { head: `POST /nowhere HTTP/1.1\r\n${HOST}Content-Length: 1000\r\n\r\n`, drop: "x" };
    case "drips chunks to a route that takes none":
      return { head: `GET /docs/ HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n`, drop: "1\r\na\r\n" };
    case "drips a form":
      return {
        head: `POST /api/photoshare/get-posts HTTP/1.1\r\n${HOST}Authorization: Bearer ${token}\r\n${form}`,
        drop: "x",
      };
    case "stops in an upload":
      return {
        head: `POST /ingest/${ingestToken}/api/import-dataset/ HTTP/1.1\r\n${HOST}X-Zeeschuimer-Platform: tiktok.com\r\nContent-Length: 100000\r\n\r\n{`,
        drop: null,
      };
    case "does not read":
      // Blank lines are no sign of reading.
      return { head: `GET /docs/js/scalar.js HTTP/1.1\r\n${HOST}\r\n`.repeat(2), drop: "\r\n" };
  }
}

async function holdOpen(socket: Socket, kind: SlowKind, crowd: Crowd): Promise<CutOff> {
  const openedAt = performance.now();
  const { head, drop } = startOf(kind, crowd);
  socket.on("error", () => undefined);
  if (kind !== "does not read") socket.resume();
  if (head !== "") socket.write(head);
  // Who does not read learns only by writing that it was cut off.
  const dripEveryMs = kind === "does not read" ? DRIP_EVERY_MS / 5 : DRIP_EVERY_MS;
  const dripping = drop === null ? undefined : setInterval(() => socket.write(drop), dripEveryMs);
  const givingUp = setTimeout(() => socket.destroy(), (LIMITS_S[kind] + GIVE_UP_S) * 1_000);
  await new Promise((resolve) => socket.once("close", resolve));
  clearInterval(dripping);
  clearTimeout(givingUp);
  return { kind, openMs: performance.now() - openedAt };
}

/** Opened at even distances: a burst of connections is another test's matter. */
async function holdAll(crowd: Crowd): Promise<CutOff[]> {
  const { hostname, port } = new URL(crowd.url);
  const startedAt = performance.now();
  const open: Promise<CutOff>[] = [];
  while (open.length < crowd.count) {
    const early = startedAt + (open.length / crowd.perSecond) * 1_000 - performance.now();
    if (early > 1) await pause(early);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    open.push(holdOpen(socket, KINDS[open.length % KINDS.length] as SlowKind, crowd));
  }
  return Promise.all(open);
}

if (parentPort !== null) parentPort.postMessage(await holdAll(workerData as Crowd));
