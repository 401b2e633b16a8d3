/** The system clock is set back or forward while the service runs: no token is locked out, none gets more than its limit. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS } from "#domain/time.ts";
import { reportClaim } from "#testing/claims.ts";
import { startTestServer } from "./test-server.ts";
import { bearerHeader, openTokenIssuer } from "./test-tokens.ts";
import { WORLD } from "./world.ts";

const PROFILE = "/api/shortvideo/user/info-with-region?uniqueId=ines.varga";
const BURST = 20;

test("a clock that is set back an hour locks no token out, and gives none more", async (context) => {
  const server = await startTestServer(WORLD, { RATE_BURST: String(BURST) });
  try {
    const issuer = await openTokenIssuer(server);
    const { token } = await issuer.issue({});
    await issuer.close();
    const read = async () => {
      const response = await server.get(PROFILE, bearerHeader(token));
      await response.arrayBuffer();
      return { status: response.status, retryAfter: Number(response.headers.get("retry-after")) };
    };
    assert.equal((await read()).status, 200);
    const now = Date.now();
    context.mock.timers.enable({ apis: ["Date"], now: now - HOUR_MS });
    for (let count = 0; count < BURST / 2; count++) assert.equal((await read()).status, 200);
    context.mock.timers.setTime(now + HOUR_MS);
    let last = await read();
    for (let count = 0; count < BURST && last.status === 200; count++) last = await read();
    assert.equal(last.status, 429, "a clock that is set forward refills nothing");
    context.mock.timers.setTime(now - 2 * HOUR_MS);
    const { status, retryAfter } = await read();
    assert.ok(status === 200 || retryAfter <= 10, `${status}, retry in ${retryAfter} s`);
    reportClaim(
      "a clock that is set back an hour locks no token out",
      `${BURST / 2} of ${BURST / 2} requests admitted`,
    );
  } finally {
    context.mock.timers.reset();
    await server.close();
  }
});
