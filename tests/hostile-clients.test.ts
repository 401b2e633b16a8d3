/** Clients that send nonsense: the service answers, leaks nothing, and keeps running. */
import assert from "node:assert/strict";
import { readdirSync, readlinkSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { budget, IS_FULL } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { until } from "#testing/until.ts";
import { FRAMING_CASES } from "./framing-cases.ts";
import { openSocket, readToEnd } from "./http-client.ts";
import { startTestServer, TEST_TOKEN, type TestServer } from "./test-server.ts";
import { WORLD } from "./world.ts";

const HOST = "Host: service.example\r\n";
const TOKEN = `Authorization: Bearer ${TEST_TOKEN}\r\n`;
const LOOKUP = "/api/shortvideo/user/info-with-region?uniqueId=ines.varga";
const FORM = "username_or_url=amara.petrovic";

/** What requests are made of, to be mangled. */
const REQUESTS = [
  `GET ${LOOKUP} HTTP/1.1\r\n${HOST}${TOKEN}\r\n`,
  `GET /api/search?q=lantern HTTP/1.1\r\n${HOST}${TOKEN}Accept-Encoding: br\r\nPrefer: unknown=null\r\n\r\n`,
  `POST /api/photoshare/get-posts HTTP/1.1\r\n${HOST}${TOKEN}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${FORM.length}\r\n\r\n${FORM}`,
  `POST /api/photoshare/get-posts HTTP/1.1\r\n${HOST}${TOKEN}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n24\r\n{"username_or_url":"amara.petrovic"}\r\n0\r\n\r\n`,
  `POST /api/photoshare/get-user-tagged-posts HTTP/1.1\r\n${HOST}${TOKEN}Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: 93\r\n\r\n--edge\r\nContent-Disposition: form-data; name="username_or_url"\r\n\r\namara.petrovic\r\n--edge--\r\n`,
  `POST /api/batch HTTP/1.1\r\n${HOST}${TOKEN}Content-Type: application/json\r\nContent-Length: 15\r\n\r\n{"requests":[]}`,
  `POST /mcp HTTP/1.1\r\n${HOST}${TOKEN}Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 46\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
  `GET /docs/errors HTTP/1.1\r\n${HOST}If-None-Match: *\r\n\r\n`,
  `GET /feeds/key/search.atom?q=lantern HTTP/1.1\r\n${HOST}\r\n`,
  `OPTIONS /ingest/files HTTP/1.1\r\n${HOST}Origin: https://a.example\r\nAccess-Control-Request-Method: POST\r\n\r\n`,
];

/** The same numbers in every run: what fails can be repeated. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const PARTS = [
  "\r\n",
  "\r\n\r\n",
  "\0",
  "%",
  "%00",
  "{",
  '"',
  "\xff\xfe",
  ": ",
  ",",
  ";",
  "0",
  "Content-Length: 7\r\n",
  "chunked",
  "../",
  "__proto__",
  "\u2028",
  "a".repeat(9_000),
];

function mangle(text: string, random: (below: number) => number): string {
  let mangled = text;
  for (let changes = 1 + random(4); changes > 0; changes--) {
    const at = random(mangled.length + 1);
    const length = random(3) === 0 ? random(40) : random(3);
    const inserted = random(2) === 0 ? String.fromCharCode(random(256)) : (PARTS[random(PARTS.length)] as string);
    mangled = mangled.slice(0, at) + (random(4) === 0 ? "" : inserted) + mangled.slice(at + length);
  }
  return mangled;
}

/** Of both sides: the clients are in this process. Files are opened at first use, and stay open. */
function countSockets(): number {
  return readdirSync("/proc/self/fd").filter((descriptor) => linkOf(descriptor).startsWith("socket:")).length;
}

function linkOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    // Closed meanwhile.
    return "";
  }
}

async function inParallel(count: number, width: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** When no connection is left, on either side. */
async function settle(atStart: number): Promise<void> {
  await until(async () => countSockets() <= atStart);
}

describe("hostile clients", { timeout: IS_FULL ? 900_000 : 180_000 }, () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer(WORLD, {
      RATE_LIMIT: "off",
      MAX_CONNECTIONS: "10000",
      MAX_CONNECTIONS_PER_ADDRESS: "10000",
    });
    // What is loaded at first use opens files.
    for (const request of REQUESTS) await converse(request);
  });
  after(() => server.close());

  async function converse(bytes: string): Promise<string> {
    const socket = await openSocket(server.url);
    const received = readToEnd(socket);
    socket.end(bytes, "latin1");
    return received;
  }

  test("malformed requests are answered, never with a 5xx, and leave no socket", async () => {
    const atStart = countSockets();
    const random = randomNumbers(19);
    const sources = [...REQUESTS, ...FRAMING_CASES.map(({ bytes }) => bytes).filter(({ length }) => length < 2_000)];
    const count = budget("malformedRequests");
    const seen = new Map<number, number>();
    await inParallel(count, 50, async () => {
      const bytes = mangle(sources[random(sources.length)] as string, random);
      for (const [, status] of (await converse(bytes)).matchAll(/^HTTP\/1\.1 (\d{3})/gm)) {
        seen.set(Number(status), (seen.get(Number(status)) ?? 0) + 1);
        assert.ok(Number(status) < 500, `${status} to ${JSON.stringify(bytes)}`);
      }
    });
    await settle(atStart);
    const answered = [...seen.values()].reduce((sum, each) => sum + each, 0);
    assert.ok(answered > count / 2, `${answered} of ${count} were answered`);
    reportClaim(
      "No request takes the server down or leaks a descriptor",
      `${count} malformed requests: 0 x 5xx, ${seen.size} other statuses, sockets ${atStart} before and ${countSockets()} after`,
    );
  });
});
