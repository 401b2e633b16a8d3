import assert from "node:assert/strict";
import { test } from "node:test";
import type { Source, SourceRequest } from "#api/source.ts";
import { HOUR_MS } from "#domain/time.ts";
import { type HttpAnswer, type HttpCall, UpstreamError } from "./fetcher.ts";
import { type ClientOptions, SourceClient } from "./source-client.ts";

function openClient(
  source: Partial<Source>,
  fetch: (call: HttpCall) => Promise<HttpAnswer>,
  clock: () => number,
  options: Partial<ClientOptions> = {},
): SourceClient {
  return new SourceClient({
    source: { name: "invented", authorize: () => ({}), ...source } as unknown as Source,
    credentials: {},
    budgets: [],
    ledger: {
      startCall: async () => ({ state: "granted" }),
      endCall: async () => undefined,
      exhaust: async () => undefined,
    },
    fetcher: { fetch },
    importAnswer: async () => undefined,
    leaseMs: 1_000,
    clock,
    ...options,
  });
}

function requestOf(path: string): SourceRequest {
  return { host: "a.example", path, query: {}, charges: [], check: () => null };
}

test("after a pause a single call is made, however many are refused meanwhile", async () => {
  let now = 0;
  let calls = 0;
  let fetch = (): Promise<HttpAnswer> => Promise.reject(new UpstreamError("did not answer", false));
  const count = () => {
    calls++;
    return fetch();
  };
  const client = openClient({}, count, () => now);
  // A path of its own each: requests that are alike would share a call.
  const call = (path: string) => client.call(requestOf(path), performance.now() + HOUR_MS);
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

test("a rejected login pauses the source, so that it is not repeated with every request", async () => {
  let now = 0;
  const statuses: number[] = [];
  const login = { host: "a.example", path: "/login", form: () => ({}), read: () => null };
  const source: Partial<Source> = { login, credentials: ["KEY", "SECRET"] };
  const fetch = async () => ({ status: statuses.shift() ?? 200, headers: {}, body: "{}" });
  const client = openClient(source, fetch, () => now);
  const ask = (path: string) => client.call(requestOf(path), performance.now() + HOUR_MS);

  statuses.push(401, 401);
  const reason = "does not accept the credentials of KEY and SECRET: no token (status 401)";
  await assert.rejects(ask("/1"), { reason, retryAfterS: 300 });
  await assert.rejects(ask("/2"), { reason: `is paused: it ${reason}` });
  assert.deepEqual([client.status().state, statuses.length], ["rejected", 1]);

  now += HOUR_MS;
  statuses.splice(0, 1, 429, 429, 429, 429);
  await assert.rejects(ask("/3"), { reason: "gave no token for the credentials (status 429)" });
});

test("an answer is imported with its address, which has no key, and a share of a call's budget is rounded down", async () => {
  const sent: string[] = [];
  const imported: string[] = [];
  const limits: (number | undefined)[] = [];
  const fetch = async ({ path }: HttpCall) => {
    sent.push(path);
    return { status: 200, headers: {}, body: "{}" };
  };
  const client = openClient({ authorize: () => ({ query: { key: "secret-key" } }) }, fetch, () => 0, {
    budgets: [{ name: "units", title: "units", limit: 99, timezone: null }],
    ledger: {
      startCall: async ({ charges: [charge] }) => {
        limits.push(charge?.limit);
        return { state: "granted" };
      },
      endCall: async () => undefined,
      exhaust: async () => undefined,
    },
    importAnswer: async ({ url }) => void imported.push(url),
  });
  const request = { ...requestOf("/videos"), query: { id: "v1" }, charges: [{ budget: "units", units: 1 }] };
  for (const share of [undefined, 0.5]) await client.call(request, performance.now() + HOUR_MS, share);
  assert.equal(sent[0], "/videos?id=v1&key=secret-key");
  assert.equal(imported[0], "https://a.example/videos?id=v1");
  assert.deepEqual(limits, [99, 49]);
});
