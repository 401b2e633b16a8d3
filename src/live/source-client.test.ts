import assert from "node:assert/strict";
import { test } from "node:test";
import type { Source, SourceRequest } from "#api/source.ts";
import { HOUR_MS } from "#domain/time.ts";
import { type HttpAnswer, UpstreamError } from "./fetcher.ts";
import { SourceClient } from "./source-client.ts";

test("after a pause a single call is made, however many are refused meanwhile", async () => {
  let now = 0;
  let calls = 0;
  let fetch = (): Promise<HttpAnswer> => Promise.reject(new UpstreamError("did not answer", false));
  const client = new SourceClient({
    source: { name: "invented", authorize: () => ({}) } as unknown as Source,
    credentials: {},
    budgets: [],
    ledger: {
      startCall: async () => ({ state: "granted" }),
      endCall: async () => undefined,
      exhaust: async () => undefined,
    },
    fetcher: {
      fetch: () => {
        calls++;
        return fetch();
      },
    },
    importAnswer: async () => undefined,
    leaseMs: 1_000,
    clock: () => now,
  });
  // A path of its own each: requests that are alike would share a call.
  const call = (path: string) => {
    const request = { host: "a.example", path, query: {}, charges: [], check: () => null } as unknown as SourceRequest;
    return client.call(request, performance.now() + HOUR_MS);
  };
  for (let failure = 0; failure < 5; failure++) await assert.rejects(call(`/${failure}`), { reason: "did not answer" });
  await assert.rejects(call("/paused"), { reason: "is paused: it did not answer" });
  assert.equal(calls, 5);

  now += HOUR_MS;
  const answer = Promise.withResolvers<HttpAnswer>();
  fetch = () => answer.promise;
  const probe = call("/probe");
  for (const path of ["/second", "/third", "/fourth"])
    await assert.rejects(call(path), { reason: "is paused: it did not answer" });
  assert.equal(calls, 6);
  answer.resolve({ status: 200, headers: {}, body: "{}" });
  assert.deepEqual(await probe, {});
  assert.deepEqual(await call("/after"), {});
});
