/**
 * Where one request ends and the next begins is read in one way only: what RFC 9112 refuses is refused, and what is accepted
 * leaves the connection where the next request starts, however its bytes arrive.
 */
import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { after, before, describe, test } from "node:test";
import { reportClaim } from "#testing/claims.ts";
import { FRAMING_CASES, type FramingCase } from "./framing-cases.ts";
import { openSocket, parseResponses, readToEnd } from "./http-client.ts";
import { assertProblem } from "./problem.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { WORLD } from "./world.ts";

const NEXT = "GET /healthz?next HTTP/1.1\r\nHost: service.example\r\nConnection: close\r\n\r\n";
const EARLIER = "GET /healthz?earlier HTTP/1.1\r\nHost: service.example\r\n\r\n";

interface Way {
  /** How many requests are answered before. */
  earlier: number;
  send(socket: Socket, bytes: string): Promise<void> | void;
}

const write = (socket: Socket, text: string) => void socket.write(text, "latin1");

async function writeParts(socket: Socket, parts: readonly string[]): Promise<void> {
  socket.setNoDelay(true);
  for (const part of parts) {
    if (socket.destroyed) return;
    write(socket, part);
    await nextTurn();
  }
}

const WAYS: Record<string, Way> = {
  "in one packet with the next request": { earlier: 0, send: (socket, bytes) => write(socket, bytes + NEXT) },
  "in a packet of its own": { earlier: 0, send: (socket, bytes) => writeParts(socket, [bytes, NEXT]) },
  "byte by byte": {
    earlier: 0,
    send: (socket, bytes) => writeParts(socket, [...bytes.slice(0, 600).split(""), bytes.slice(600) + NEXT]),
  },
  "cut before every line end": {
    earlier: 0,
    send: (socket, bytes) => writeParts(socket, (bytes + NEXT).split(/(?=[\r\n])/)),
  },
  "in halves": {
    earlier: 0,
    send: (socket, bytes) =>
      writeParts(socket, [bytes.slice(0, bytes.length / 2), bytes.slice(bytes.length / 2), NEXT]),
  },
  "behind another request": { earlier: 1, send: (socket, bytes) => write(socket, EARLIER + bytes + NEXT) },
  "after another was answered": {
    earlier: 1,
    async send(socket, bytes) {
      write(socket, EARLIER);
      await new Promise((resolve) => socket.once("data", resolve));
      write(socket, bytes + NEXT);
    },
  },
  "from a client that then closes its side": {
    earlier: 0,
    send: (socket, bytes) => void socket.end(bytes + NEXT, "latin1"),
  },
};

function check(framing: FramingCase, way: string, responses: { status: number; text: string }[]): void {
  const { name, outcome } = framing;
  const earlier = WAYS[way]?.earlier ?? 0;
  const statuses = responses.map(({ status }) => status);
  const what = `${name}, ${way}: ${statuses.join(" ")} ${responses.at(-1)?.text ?? ""}`;
  const expected = earlier + (outcome === "accepted" ? 2 : 1);
  assert.equal(statuses.length, expected, what);
  assert.deepEqual(
    statuses.slice(0, earlier),
    Array.from({ length: earlier }, () => 200),
    what,
  );
  const status = statuses[earlier] ?? 0;
  if (outcome === "refused") assert.ok([400, 431].includes(status), what);
  else assert.ok(status === 200 || /nowhere|wrong method|length of 0|without a byte/.test(name + framing.bytes), what);
  if (outcome === "accepted") assert.equal(statuses.at(-1), 200, what);
}

describe("framing", { timeout: 120_000 }, () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer(WORLD, { RATE_LIMIT: "off" });
  });
  after(() => server.close());

  async function converse({ bytes }: FramingCase, way: Way): Promise<{ status: number; text: string }[]> {
    const socket = await openSocket(server.url);
    const received = readToEnd(socket);
    await way.send(socket, bytes);
    const text = await received;
    // A HEAD has the length of a body that it does not have.
    const responses = bytes.startsWith("HEAD") ? text.split(/(?=HTTP\/1\.1 )/) : null;
    if (responses !== null)
      return responses.map((response) => ({ status: Number(response.split(" ")[1]), text: response }));
    return parseResponses(text);
  }

  for (const way of Object.keys(WAYS)) {
    test(`${FRAMING_CASES.length} requests ${way}`, async () => {
      const waiting = FRAMING_CASES.values();
      const worker = async () => {
        for (const framing of waiting) check(framing, way, await converse(framing, WAYS[way] as Way));
      };
      await Promise.all(Array.from({ length: 10 }, worker));
    });
  }

  test("what is refused gets the one body", async () => {
    for (const framing of FRAMING_CASES.filter(({ outcome }) => outcome === "refused")) {
      const socket = await openSocket(server.url);
      const received = readToEnd(socket);
      write(socket, framing.bytes + NEXT);
      const [response] = parseResponses(await received);
      assert.ok(response);
      assertProblem(response, response.status === 431 ? "headers_too_large" : "malformed_request", framing.name);
      assert.equal(response.header("connection"), "close", framing.name);
    }
    const conversations = FRAMING_CASES.length * Object.keys(WAYS).length;
    reportClaim(
      "Requests are framed in one way: what RFC 9112 refuses is refused, and nothing is read as part of another request",
      `${FRAMING_CASES.length} cases in ${Object.keys(WAYS).length} ways: 0 of ${conversations} conversations out of step`,
    );
  });
});
