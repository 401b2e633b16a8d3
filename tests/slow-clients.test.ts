/** No client holds a connection for longer than its time, however little it reads or sends, with a token or without. */
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { HOUR_MS } from "#domain/time.ts";
import { USAGE_FILE } from "#store/tokens/usage.sqlite.ts";
import { budget } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { CAN_READ_SEND_QUEUE, sendQueueBytes } from "#testing/send-queue.ts";
import { until } from "#testing/until.ts";
import { startTestServer, TEST_TOKEN, type TestServer } from "./test-server.ts";
import { openTokenIssuer } from "./test-tokens.ts";
import { sendRequest, openSocket, operationNamed, parseResponses, readResponse, readToEnd } from "./http-client.ts";
import { aPost, WORLD } from "./world.ts";

const HOST = "Host: service.example\r\n";
const TOKEN = `Authorization: Bearer ${TEST_TOKEN}\r\n`;
const get = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\n${HOST}${headers}\r\n`;

const detail = operationNamed("shortvideo/post/detail");
const DETAIL = `${detail.path}?videoId=${detail.endpoint.example["videoId"]}`;
const LONG_LIST = "/api/shortvideo/music/posts?musicId=7100000000000000001&count=100";

const CONNECTIONS = budget("brokenConnections");
const BROKEN = "this is not HTTP\r\n\r\n";

function connections({ running }: TestServer): Promise<number> {
  return new Promise((resolve, reject) => {
    running.server.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}

const descriptors = () => readdirSync("/proc/self/fd").length;

/** Ends when the other side does; how long that took. */
async function timeToClose(socket: Socket): Promise<number> {
  const began = performance.now();
  socket.on("error", () => undefined);
  if (!socket.destroyed) await new Promise((resolve) => socket.once("close", resolve));
  return performance.now() - began;
}

describe("a broken request behind others", { timeout: 120_000 }, () => {
  let service: TestServer;
  before(async () => {
    service = await startTestServer("demo", { RATE_LIMIT: "off" });
    // What is loaded at first use opens files.
    for (const path of ["/docs/", "/docs/js/scalar.js", "/openapi.json", DETAIL, LONG_LIST]) {
      assert.equal((await sendRequest(service.url, { path })).status, 200);
    }
    await until(async () => existsSync(join(service.dataDir, USAGE_FILE)));
  });
  after(() => service.close());

  const PIPELINES: Record<string, string> = {
    "the reference, without a token": get("/docs/js/scalar.js").repeat(2),
    "the probes, without a token": get("/healthz").repeat(20),
    "what lacks a token": get(DETAIL).repeat(20),
    "look-ups": get(DETAIL, TOKEN).repeat(20),
    "long lists": get(LONG_LIST, TOKEN).repeat(10),
    "what only the framework answers": get(DETAIL, `${TOKEN}Prefer: unknown=null\r\n`).repeat(5),
  };

  for (const [name, requests] of Object.entries(PIPELINES)) {
    test(`leaves none of ${CONNECTIONS} connections: ${name}`, async () => {
      const atStart = descriptors();
      for (let opened = 0; opened < CONNECTIONS; opened += 50) {
        const sockets = await Promise.all(Array.from({ length: 50 }, () => openSocket(service.url)));
        for (const socket of sockets) {
          socket.on("error", () => undefined);
          // Nothing is read, and then the client is gone.
          socket.pause();
          socket.write(requests + BROKEN);
        }
        await pause(20);
        for (const socket of sockets) socket.destroy();
      }
      await until(async () => (await connections(service)) === 0, 60_000);
      await until(async () => descriptors() <= atStart);
    });
  }

  test("is refused after the others are answered, in order", async () => {
    const socket = await openSocket(service.url);
    const received = readToEnd(socket);
    socket.write(get(DETAIL, `${TOKEN}Prefer: unknown=null\r\n`).repeat(3) + BROKEN);
    assert.deepEqual(
      parseResponses(await received).map(({ status }) => status),
      [200, 200, 200, 400],
    );
  });
});

describe("a client that is too slow", { timeout: 120_000, concurrency: true }, () => {
  let service: TestServer;
  before(async () => {
    service = await startTestServer("demo", {
      RATE_LIMIT: "off",
      SLOW_CLIENT_S: "2",
      KEEP_ALIVE_S: "1",
    });
  });
  after(() => service.close());

  const UNREAD: Record<string, string> = {
    "the reference": get("/docs/js/scalar.js"),
    "long lists": get(LONG_LIST, TOKEN).repeat(100),
    "what only the framework answers": get(LONG_LIST, `${TOKEN}Prefer: unknown=null\r\n`).repeat(30),
  };
  for (const [name, requests] of Object.entries(UNREAD)) {
    test(`and does not read is cut off: ${name}`, async () => {
      const sockets = await Promise.all(Array.from({ length: 5 }, () => openSocket(service.url)));
      for (const socket of sockets) {
        socket.pause();
        socket.write(requests);
        // Bytes that begin no request are no sign of reading.
        const dripping = setInterval(() => socket.write("\r\n"), 200);
        socket.once("close", () => clearInterval(dripping));
      }
      const slowest = Math.max(...(await Promise.all(sockets.map(timeToClose))));
      assert.ok(slowest < 60_000, `${slowest} ms`);
    });
  }

  test("and reads slowly, but reads, is answered in full", async () => {
    const socket = await openSocket(service.url);
    socket.pause();
    socket.write(get("/docs/js/scalar.js", "Connection: close\r\n"));
    let read = 0;
    const chunks: Buffer[] = [];
    const reading = setInterval(() => {
      const chunk = socket.read(128 * 1024) as Buffer | null;
      const rest = chunk ?? (socket.read() as Buffer | null);
      if (rest === null) return;
      chunks.push(rest);
      read += rest.length;
    }, 100);
    await new Promise((resolve) => socket.once("end", resolve));
    clearInterval(reading);
    const text = Buffer.concat(chunks).toString("latin1");
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
    assert.equal(read, text.indexOf("\r\n\r\n") + 4 + length);
  });

  test("and sends blank lines between requests is cut off", async () => {
    const socket = await openSocket(service.url);
    socket.resume();
    socket.write(get("/healthz", "Accept: */*\r\nTe: trailers\r\n"));
    const dripping = setInterval(() => socket.write("\r\n"), 200);
    const ms = await timeToClose(socket);
    clearInterval(dripping);
    assert.ok(ms < 60_000, `${ms} ms`);
  });

  test("but has sent its whole body has all the time for an export, and a file may take long to send", async () => {
    // Larger than what sockets buffer, so that the export waits for its reader.
    const posts = Array.from({ length: 700 }, (_, index) => aPost(`big-${index}`, { text: "x".repeat(20_000) }));
    const patient = await startTestServer([{ platform: "longvideo", batch: { posts } }]);
    const desk = await openTokenIssuer(patient);
    try {
      const { token } = await desk.issue({ scopes: ["export", "read:longvideo", "ingest"] });
      const headers = `Authorization: Bearer ${token}\r\nConnection: close\r\n`;
      const upload = await openSocket(patient.url);
      const uploaded = readToEnd(upload);
      const form = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n{}\r\n--x--\r\n';
      const type = `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${form.length}\r\n`;
      upload.write(`POST /ingest/files HTTP/1.1\r\n${HOST}${headers}${type}\r\n${form.slice(0, 9)}`);
      const bodies = ["Content-Length: 0\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"];
      const exports = bodies.map(async (body) => {
        const socket = await openSocket(patient.url);
        socket.write(`GET /api/export/posts HTTP/1.1\r\n${HOST}${headers}${body}`);
        // Longer than a body may take.
        await pause(16_000);
        return readToEnd(socket);
      });
      for (const text of await Promise.all(exports)) assert.match(text.slice(-300), /\r\nTriptych-Rows: 700\r\n/);
      upload.write(form.slice(9));
      assert.match(await uploaded, /^HTTP\/1.1 202 /);
    } finally {
      await desk.close();
      await patient.close();
    }
  });

  const BODIES: Record<string, string> = {
    "a route that takes none": `GET /healthz HTTP/1.1\r\n${HOST}`,
    "an operation that takes none": `GET ${DETAIL} HTTP/1.1\r\n${HOST}${TOKEN}`,
    "no route": `POST /nothing HTTP/1.1\r\n${HOST}`,
    "the reference": `GET /docs/ HTTP/1.1\r\n${HOST}`,
    "an operation, without a token": `POST /api/photoshare/get-posts HTTP/1.1\r\n${HOST}Content-Type: application/x-www-form-urlencoded\r\n`,
    "an upload, without a token": `POST /ingest/files HTTP/1.1\r\n${HOST}Content-Type: multipart/form-data; boundary=x\r\n`,
  };
  for (const [name, head] of Object.entries(BODIES)) {
    test(`and never ends its body is cut off: ${name}`, async () => {
      const socket = await openSocket(service.url);
      socket.resume();
      socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
      const dripping = setInterval(() => socket.write("1\r\na\r\n"), 100);
      const ms = await timeToClose(socket);
      clearInterval(dripping);
      assert.ok(ms < 60_000, `${ms} ms`);
    });
  }
});

describe("nothing stays behind", { timeout: 120_000 }, () => {
  let service: TestServer;
  before(async () => {
    service = await startTestServer([], { RATE_LIMIT: "off", SLOW_CLIENT_S: "2", KEEP_ALIVE_S: "1" });
    for (const path of ["/docs/js/scalar.js", "/openapi.json"])
      assert.equal((await sendRequest(service.url, { path })).status, 200);
  });
  after(() => service.close());

  /** The first is more than the system takes, the others are not. */
  const READERS: Record<string, { request: string; endsItsSide?: true }> = {
    "a response without end": { request: get("/docs/js/scalar.js").repeat(2) },
    "a whole response": { request: get("/openapi.json") },
    "the last response of its connection": { request: get("/openapi.json", "Connection: close\r\n") },
    "a response, and is closed by its client in one direction": { request: get("/openapi.json"), endsItsSide: true },
    "a response before a malformed request": { request: get("/openapi.json") + BROKEN },
  };
  const skip = CAN_READ_SEND_QUEUE ? false : "the send queue is read from /proc/net/tcp";

  test("in the system of what clients did not read", { skip }, async () => {
    const port = Number(new URL(service.url).port);
    const count = budget("slowReaders");
    const sockets = await Promise.all(
      Object.values(READERS)
        .flatMap((reader) => Array.from({ length: count }, () => reader))
        .map(async ({ request, endsItsSide }) => {
          const socket = await openSocket(service.url);
          socket.on("error", () => undefined).pause();
          socket.write(request);
          // With its side open until the response is there, which would not be sent otherwise.
          if (endsItsSide === true) setTimeout(() => socket.end(), 300);
          return socket;
        }),
    );
    try {
      const startedAt = performance.now();
      let held = 0;
      await until(async () => {
        const bytes = sendQueueBytes(port);
        held = Math.max(held, bytes);
        return held > 1_000_000 && bytes === 0 && (await connections(service)) === 0;
      }, 40_000);
      reportClaim(
        "What clients do not read does not stay in the system",
        `${sockets.length} readers of ${Object.keys(READERS).length} kinds: ${Math.round(held / 1e6)} MB in send queues, 0 bytes ${((performance.now() - startedAt) / 1_000).toFixed(1)} s later`,
      );
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  const ENDLESS: Record<string, string> = {
    200: `GET /docs/ HTTP/1.1\r\n${HOST}`,
    400: `GET /docs/ HTTP/1.1\r\n${HOST}Api-Version: nonsense\r\n`,
    401: `GET ${DETAIL} HTTP/1.1\r\n${HOST}`,
    404: `POST /nowhere HTTP/1.1\r\n${HOST}`,
    405: `PUT /healthz HTTP/1.1\r\n${HOST}`,
    413: `POST /api/photoshare/get-posts HTTP/1.1\r\n${HOST}${TOKEN}Content-Type: application/json\r\n`,
    415: `POST /api/photoshare/get-posts HTTP/1.1\r\n${HOST}${TOKEN}Content-Type: text/plain\r\n`,
  };
  test("of a body that no route takes: its request is answered, and little of it is read", async () => {
    const accepted = new Map<number | undefined, Socket>();
    service.running.server.server.on("connection", (socket: Socket) => accepted.set(socket.remotePort, socket));
    const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
    const reads = Object.entries(ENDLESS).map(async ([status, head]) => {
      const socket = await openSocket(service.url);
      const { localPort } = socket;
      const response = readResponse(socket);
      const closed = timeToClose(socket);
      socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
      const send = () => {
        while (socket.writable && socket.write(chunk));
      };
      socket.on("drain", send);
      send();
      assert.equal((await response).status, Number(status), head);
      await closed;
      return { status, bytes: accepted.get(localPort)?.bytesRead ?? assert.fail("no such connection") };
    });
    const seen = await Promise.all(reads);
    const most = Math.max(...seen.map(({ bytes }) => bytes));
    assert.ok(most < 1_000_000, JSON.stringify(seen));
    reportClaim(
      "An endless body that no route takes is not read",
      `${reads.length} kinds of request, sent as fast as possible: at most ${Math.round(most / 1024)} KiB read, all answered`,
    );
  });
});

describe("the system clock is set", { timeout: 60_000 }, () => {
  let service: TestServer;
  before(async () => {
    service = await startTestServer(WORLD);
  });
  after(() => service.close());

  /** Waits for a check of all connections, which closes one whose client still sends after its response. */
  async function untilCutOff(setClock?: () => void): Promise<void> {
    const socket = await openSocket(service.url);
    const response = readResponse(socket);
    socket.write(`POST /nowhere HTTP/1.1\r\n${HOST}Content-Length: 1000000\r\n\r\n`);
    assert.equal((await response).status, 404);
    setClock?.();
    const dripping = setInterval(() => socket.write("x"), 200);
    await timeToClose(socket);
    clearInterval(dripping);
  }

  test("an hour forward: a client that pauses in its body is not cut off", async (t) => {
    const socket = await openSocket(service.url);
    const received = readToEnd(socket);
    socket.write(`POST /api/batch HTTP/1.1\r\n${HOST}${TOKEN}Connection: close\r\nContent-Type: application/json\r\n`);
    socket.write("Content-Length: 2\r\n\r\n{");
    // The first check notes what has arrived so far.
    await untilCutOff();
    await untilCutOff(() => t.mock.timers.enable({ apis: ["Date"], now: Date.now() + HOUR_MS }));
    socket.write("}");
    assert.deepEqual(
      parseResponses(await received).map(({ status }) => status),
      [400],
    );
  });

  test("an hour back: a client that is too slow is still cut off", (t) =>
    untilCutOff(() => t.mock.timers.enable({ apis: ["Date"], now: Date.now() - HOUR_MS })));
});

test("a body is not waited for once its request is answered", { timeout: 60_000 }, async () => {
  const service = await startTestServer([]);
  try {
    const upload = "Content-Type: multipart/form-data; boundary=x\r\n";
    const heads: Record<string, string> = {
      401: `POST /ingest/files HTTP/1.1\r\n${HOST}${upload}`,
      403: `POST /ingest/files HTTP/1.1\r\n${HOST}${TOKEN}${upload}`,
      404: `POST /nowhere HTTP/1.1\r\n${HOST}${upload}`,
      405: `PUT /healthz HTTP/1.1\r\n${HOST}${upload}`,
      415: `POST /api/photoshare/get-posts HTTP/1.1\r\n${HOST}${TOKEN}Content-Type: text/plain\r\n`,
    };
    const waits = Object.entries(heads).map(async ([status, head]) => {
      const socket = await openSocket(service.url);
      const received = readToEnd(socket);
      const closed = timeToClose(socket);
      socket.write(`${head}Content-Length: 1000000\r\n\r\n`);
      // It never stops, and never ends.
      const dripping = setInterval(() => socket.write("x".repeat(100)), 100);
      const ms = await closed;
      clearInterval(dripping);
      assert.match(await received, new RegExp(`^HTTP/1.1 ${status} `));
      return ms;
    });
    // Two seconds, and what a busy machine takes.
    for (const ms of await Promise.all(waits)) assert.ok(ms < 12_000, `${ms} ms`);
  } finally {
    await service.close();
  }
});

test(
  "one address has at most MAX_CONNECTIONS_PER_ADDRESS connections, a trusted proxy more",
  { timeout: 60_000 },
  async () => {
    for (const [proxies, open] of [
      ["", 20],
      ["10.0.0.0/8, 127.0.0.0/8", 30],
    ] as const) {
      const service = await startTestServer([], { MAX_CONNECTIONS_PER_ADDRESS: "20", TRUSTED_PROXIES: proxies });
      try {
        const sockets = await Promise.all(Array.from({ length: 30 }, () => openSocket(service.url)));
        for (const socket of sockets) socket.on("error", () => undefined).resume();
        await until(async () => sockets.filter(({ closed }) => !closed).length === open);
        // Room is made as soon as one closes.
        const openAtFirst = await connections(service);
        sockets.find(({ closed }) => !closed)?.destroy();
        await until(async () => (await connections(service)) < openAtFirst);
        assert.equal((await sendRequest(service.url, { path: "/healthz" })).status, 200);
        for (const socket of sockets) socket.destroy();
      } finally {
        await service.close();
      }
    }
  },
);

test("connections beyond MAX_CONNECTIONS are closed, and counted", { timeout: 60_000 }, async () => {
  const service = await startTestServer([], { METRICS: "public", MAX_CONNECTIONS: "50" });
  try {
    const sockets = await Promise.all(Array.from({ length: 60 }, () => openSocket(service.url)));
    for (const socket of sockets) socket.on("error", () => undefined).resume();
    await until(async () => sockets.filter(({ closed }) => closed).length === 10);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await connections(service)) === 0, 60_000);
    const { text: metrics } = await sendRequest(service.url, { path: "/metrics" });
    assert.match(metrics, /^triptych_connections_closed_total\{reason="full"\} 10$/m);
  } finally {
    await service.close();
  }
});
