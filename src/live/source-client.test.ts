import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
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

test("a source is paused for an hour at most; a call that is not made leaves its place to the next", async () => {
  let now = 0;
  const answers: HttpAnswer[] = [
    { status: 401, headers: {}, body: "" },
    { status: 200, headers: {}, body: "{}" },
    { status: 429, headers: { "retry-after": "86400" }, body: "" },
  ];
  const fetch = async () => answers.shift() ?? { status: 200, headers: {}, body: "{}" };
  let isExhausted = false;
  const client = openClient({ credentials: ["KEY"] }, fetch, () => now, {
    ledger: {
      startCall: async () =>
        isExhausted ? { state: "exhausted", budget: "units", used: 9, limit: 9 } : { state: "granted" },
      endCall: async () => undefined,
      exhaust: async () => undefined,
    },
  });
  const ask = (path: string) => client.call(requestOf(path), performance.now() + HOUR_MS);
  await assert.rejects(ask("/1"), { reason: "does not accept the credentials of KEY: status 401" });
  assert.equal(client.status().state, "rejected");
  now += HOUR_MS;
  assert.deepEqual(await ask("/2"), {});
  await assert.rejects(ask("/3"), { reason: "asks to slow down", retryAfterS: 3_600 });
  assert.equal(client.status().state, "paused");
  now += HOUR_MS;
  isExhausted = true;
  await assert.rejects(ask("/4"), { reason: "has no quota left" });
  isExhausted = false;
  assert.deepEqual(await ask("/5"), {});
});

test("a call is repeated neither during a pause nor after its deadline", async (t) => {
  // A busy machine may take longer than the deadline below.
  t.mock.method(performance, "now", () => 0);
  let failing: HttpAnswer | null = null;
  let calls = 0;
  const fetch = async () => {
    calls++;
    return failing ?? { status: 200, headers: {}, body: "{}" };
  };
  const client = openClient({}, fetch, () => 0);
  const ask = (withinMs: number) => client.call(requestOf("/"), performance.now() + withinMs);
  // Each allows a tenth of a retry.
  for (let count = 0; count < 50; count++) await ask(HOUR_MS);
  calls = 0;
  failing = { status: 503, headers: { "retry-after": "2" }, body: "" };
  await assert.rejects(ask(1_000), { reason: "answered with status 503" });
  assert.equal(calls, 1);
  failing = { status: 503, headers: {}, body: "" };
  for (const failures of [4, 5]) {
    await assert.rejects(ask(HOUR_MS), { reason: "answered with status 503" });
    assert.equal(calls, failures);
  }
});

test("requests share a call only if they may use up the same share of a budget", async () => {
  const sent: string[] = [];
  const fetch = async ({ path }: HttpCall) => {
    sent.push(path);
    return { status: 200, headers: {}, body: "{}" };
  };
  const client = openClient({}, fetch, () => 0);
  const batch = { key: "videos", max: 50, join: (values: readonly string[]) => requestOf(`/${values.join()}`) };
  await Promise.all(
    [1, 1, 0.5].map((share, index) => {
      const request = { ...requestOf("/"), batch: { ...batch, value: `v${index}` } };
      return client.call(request, performance.now() + HOUR_MS, share);
    }),
  );
  assert.deepEqual(sent.toSorted(), ["/v0,v1", "/v2"]);
});

test("of several budgets, the one that a source says is used up is", async () => {
  const budgets = ["units", "searches"].map((name) => ({ name, title: name, limit: 9, timezone: null }));
  const exhausted: string[] = [];
  const source: Partial<Source> = { readFailure: () => ({ kind: "quota", budget: "searches" }) };
  const client = openClient(
    source,
    async () => ({ status: 403, headers: {}, body: "" }),
    () => 0,
    {
      budgets,
      ledger: {
        startCall: async () => ({ state: "granted" }),
        endCall: async () => undefined,
        exhaust: async (_account, { budget }) => void exhausted.push(budget),
      },
    },
  );
  const request = { ...requestOf("/search"), charges: budgets.map(({ name }) => ({ budget: name, units: 1 })) };
  await assert.rejects(client.call(request, performance.now() + HOUR_MS), /all 9 searches are used up/);
  assert.deepEqual(exhausted, ["searches"]);
});

test("calls share a login; a token that was refused or is about to expire is not used again", async () => {
  let now = 0;
  let logins = 0;
  let status = 200;
  const used: (string | null)[] = [];
  const read = () => ({ token: `token ${++logins}`, expiresInS: 7_200 });
  const source: Partial<Source> = {
    login: { host: "a.example", path: "/login", form: () => ({}), read },
    credentials: ["KEY"],
    authorize(_credentials, token) {
      used.push(token);
      return {};
    },
  };
  const fetch = async ({ path }: HttpCall) => {
    // Long enough for the other call to want a token too.
    if (path === "/login") await setTimeout(10);
    return { status: path === "/login" ? 200 : status, headers: {}, body: "{}" };
  };
  const client = openClient(source, fetch, () => now);
  const ask = (path: string) => client.call(requestOf(path), performance.now() + HOUR_MS);
  await Promise.all([ask("/1"), ask("/2")]);
  status = 401;
  await assert.rejects(ask("/3"), /does not accept the credentials/);
  status = 200;
  now += HOUR_MS;
  await ask("/4");
  now += 2 * HOUR_MS - 30_000;
  await ask("/5");
  assert.deepEqual(used, ["token 1", "token 1", "token 1", "token 2", "token 3"]);
});
