/** Clients that send nonsense: the service answers, leaks nothing, and keeps running. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { budget, IS_FULL } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { countSockets } from "#testing/processes.ts";
import { until } from "#testing/until.ts";
import { FRAMING_CASES } from "./framing-cases.ts";
import { openSocket, readToEnd } from "./http-client.ts";
import { inParallel, mangle, ONCE_FAILED, randomNumbers, REQUESTS } from "./hostile-requests.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { WORLD } from "./world.ts";

/** Of both sides: the clients are in this process. */
const socketsHere = () => countSockets(process.pid);

/** When no connection is left, on either side. */
async function settle(atStart: number): Promise<void> {
  await until(async () => socketsHere() <= atStart);
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
    const atStart = socketsHere();
    const random = randomNumbers(19);
    const sources = [...REQUESTS, ...FRAMING_CASES.map(({ bytes }) => bytes).filter(({ length }) => length < 2_000)];
    const count = budget("malformedRequests");
    const seen = new Map<number, number>();
    await inParallel(count, 50, async (index) => {
      const bytes = ONCE_FAILED[index] ?? mangle(sources[random(sources.length)] as string, random);
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
      `${count} malformed requests: 0 x 5xx, ${seen.size} other statuses, sockets ${atStart} before and ${socketsHere()} after`,
    );
  });
});
