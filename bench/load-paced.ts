/**
 * Load at a steady rate, in a process of its own: told what to do by its argument, it prints the figures. Requests leave
 * at even distances whether or not the ones before are answered, and a time is counted from when the request was due, so
 * a server that stands still is charged for everybody who would have waited; what waited for this process itself is not
 * timed. (autocannon sends a second's requests at once and then rests, wrk knows no rate.) Answers are read by their
 * Content-Length, which is how the service sends them.
 */
import { connect, type Socket } from "node:net";
import { isRight, type LoadFigures, type LoadOrder, percentiles, readRequests, type Request } from "./load-requests.ts";

const END_OF_HEADERS = Buffer.from("\r\n\r\n");
const PATIENCE_MS = 10_000;
/** A turn of this process that took longer was held up by something else, and so was everything that it waited for. */
const HELD_UP_MS = 1.5;
/** A timer is no finer than this. */
const COARSE_MS = 2.5;
/** Not counted: code that is new to this process is slow. */
const WARM_UP_SECONDS = 0.7;

const order = JSON.parse(process.argv[2] ?? "") as LoadOrder;
const rate = order.rate ?? 100;
const uncounted = Math.floor(WARM_UP_SECONDS * rate);
const total = uncounted + Math.floor(order.seconds * rate);
const address = new URL(order.address);
const fixed = Object.entries({ host: address.host, ...order.headers })
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join("");
const requests = readRequests(order, total).map(encode);
const times = new Float64Array(total);
let answered = 0;
let counted = 0;
let heldUpUntil = 0;
let errors = 0;
let bytes = 0;
let sent = 0;
const due: number[] = [];

interface Awaited {
  dueAt: number;
  /** Bytes of the answer that are still to come; unknown until its headers are whole. */
  missing: number | null;
  held: Buffer[];
}

const awaited = new Map<Socket, Awaited>();
const idle: Socket[] = [];
const sockets = await Promise.all(Array.from({ length: order.connections }, open));
idle.push(...sockets);

const began = performance.now();
const lastDue = began + (total / rate) * 1_000;
await new Promise<void>((resolve) => {
  let planned = began;
  const turn = () => {
    const now = performance.now();
    if (now - planned > HELD_UP_MS) heldUpUntil = now;
    while (due.length < total && began + (due.length / rate) * 1_000 <= now) {
      due.push(began + (due.length / rate) * 1_000);
    }
    while (sent < due.length && idle.length > 0) send(idle.shift() as Socket);
    if (answered === total || now > lastDue + PATIENCE_MS) resolve();
    else if (began + (due.length / rate) * 1_000 - now > COARSE_MS) {
      planned = now + 1;
      setTimeout(turn, 1);
    } else {
      // Timers are too coarse for what is due next.
      planned = now;
      setImmediate(turn);
    }
  };
  turn();
});
for (const socket of sockets) socket.destroy();
const figures: LoadFigures = {
  perSecond: answered / ((performance.now() - began) / 1_000),
  answered,
  ...percentiles(times.subarray(0, counted)),
  errors: errors + (total - answered),
  bytes,
  timed: counted / (total - uncounted),
  seconds: (performance.now() - began) / 1_000,
};
process.stdout.write(JSON.stringify(figures));

function encode({ path, etag, body }: Request): Buffer {
  const condition = etag === undefined ? "" : `if-none-match: ${etag}\r\n`;
  const length = body === undefined ? "" : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(`${order.method} ${path} HTTP/1.1\r\n${fixed}${condition}${length}\r\n${body ?? ""}`);
}

function send(socket: Socket): void {
  awaited.set(socket, { dueAt: due[sent] as number, missing: null, held: [] });
  socket.write(requests[sent % requests.length] as Buffer);
  sent++;
}

function open(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(address.port), address.hostname, () => resolve(socket));
    socket.setNoDelay(true);
    socket.on("error", reject).on("data", (chunk) => receive(socket, chunk));
  });
}

function receive(socket: Socket, chunk: Buffer): void {
  const answer = awaited.get(socket);
  if (answer === undefined) throw new Error("an answer that nobody asked for");
  bytes += chunk.length;
  if (answer.missing === null) readHeaders(answer, chunk);
  else answer.missing -= chunk.length;
  if (answer.missing !== 0) return;
  if (answered++ >= uncounted && answer.dueAt > heldUpUntil) times[counted++] = performance.now() - answer.dueAt;
  awaited.delete(socket);
  idle.push(socket);
}

function readHeaders(answer: Awaited, chunk: Buffer): void {
  answer.held.push(chunk);
  const all = answer.held.length === 1 ? chunk : Buffer.concat(answer.held);
  const end = all.indexOf(END_OF_HEADERS);
  if (end < 0) return;
  const head = all.toString("latin1", 0, end);
  const status = Number(head.slice(9, 12));
  if (!isRight(status)) errors++;
  const length = status === 304 || status === 204 ? "0" : /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer without Content-Length: ${head}`);
  answer.missing = end + END_OF_HEADERS.length + Number(length) - all.length;
}
