import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { setImmediate as nextTick } from "node:timers/promises";
import * as fc from "fast-check";
import { ANY_CHARACTER } from "#testing/any-character.ts";
import { DAY_MS, HOUR_MS } from "#domain/time.ts";
import type { TokenRecord } from "#domain/token.ts";
import type { ApiError } from "#errors";
import type { StoreEvent } from "#store/write/events.ts";
import type { SessionEnds, Tokens } from "#store/tokens/port.ts";
import { generateToken } from "./token-format.ts";
import { isUsable, stateOf } from "./token-state.ts";
import { type EnvToken, TokenError, TokenRegistry } from "./tokens.ts";

const KEY = randomBytes(32);
const NOW = Date.UTC(2026, 10, 15, 12);
const ENV_TOKEN = "a phrase that a container is given";

class TokensInMemory implements Tokens {
  readonly records = new Map<string, TokenRecord>();
  lookups = 0;

  async writeToken(token: TokenRecord): Promise<void> {
    this.records.set(token.keyId, structuredClone(token));
  }

  async revokeToken(keyId: string, revokedAt: number): Promise<void> {
    const token = this.records.get(keyId);
    if (token?.revokedAt === null) Object.assign(token, { revokedAt, digest: "" });
  }

  async replaceToken(keyId: string, replacedBy: string, expiresAt: number, digest: string): Promise<boolean> {
    const token = this.records.get(keyId);
    if (token?.revokedAt !== null || token.replacedBy !== null) return false;
    Object.assign(token, { replacedBy, expiresAt, digest });
    return true;
  }

  async sealToken(keyId: string, unsealed: string, digest: string): Promise<void> {
    const token = this.records.get(keyId);
    if (token?.digest === unsealed) token.digest = digest;
  }

  async getToken(keyId: string): Promise<TokenRecord | null> {
    this.lookups += 1;
    return structuredClone(this.records.get(keyId) ?? null);
  }

  async listTokens(): Promise<TokenRecord[]> {
    return [...this.records.values()];
  }

  readonly ends = new Map<string, SessionEnds>();

  async endSession(keyId: string, id: string): Promise<void> {
    const { epoch, ended } = await this.getSessionEnds(keyId);
    this.ends.set(keyId, { epoch, ended: [...ended, id] });
  }

  async endAllSessions(keyId: string): Promise<void> {
    const { epoch } = await this.getSessionEnds(keyId);
    this.ends.set(keyId, { epoch: epoch + 1, ended: [] });
  }

  async getSessionEnds(keyId: string): Promise<SessionEnds> {
    return this.ends.get(keyId) ?? { epoch: 0, ended: [] };
  }
}

/** A registry whose cache sees the time that is passed to `verify`. */
function start(tokens = new TokensInMemory(), envToken: EnvToken | null = null) {
  let clock = NOW;
  const registry = new TokenRegistry(tokens, KEY, envToken, { now: () => clock });
  const verify = (token: string, now: number) => {
    clock = now;
    return registry.verify(token, now);
  };
  return { tokens, registry, verify };
}

const reader = { label: "reading room", scopes: ["read:shortvideo", "export"] };

test("a created token is verified with its label, scopes and limits", async () => {
  const { registry, verify } = start();
  const { token, record } = await registry.create({ ...reader, limits: { burst: 10 } }, NOW);
  assert.deepEqual(await verify(token, NOW), {
    keyId: record.keyId,
    label: "reading room",
    scopes: new Set(["read:shortvideo", "export"]),
    limits: { burst: 10 },
    expiresAt: NOW + 90 * DAY_MS,
  });
});

test("the store has a digest under the pepper and no part of the secret", async () => {
  const { tokens, registry } = start();
  const { token, record } = await registry.create(reader, NOW);
  const stored = JSON.stringify([...tokens.records.values()]);
  for (let at = 13; at + 8 <= token.length; at++) assert.ok(!stored.includes(token.slice(at, at + 8)));
  assert.match(record.digest, /^[0-9a-f]{64}\.[0-9a-f]{64}$/);
  const elsewhere = new TokenRegistry(tokens, randomBytes(32));
  assert.equal(await elsewhere.verify(token, NOW), null);
});

test("a token lives 90 days by default", async () => {
  const { registry, verify } = start();
  const usual = await registry.create(reader, NOW);
  assert.ok(await verify(usual.token, NOW + 90 * DAY_MS - 1));
  assert.equal(await verify(usual.token, NOW + 90 * DAY_MS), null);

  const brief = await registry.create({ ...reader, expiresInDays: 1 }, NOW);
  assert.equal(brief.record.expiresAt, (NOW + DAY_MS) / 1000);

  const lasting = await registry.create({ ...reader, expiresInDays: null }, NOW);
  assert.equal(lasting.record.expiresAt, null);
  assert.ok(await verify(lasting.token, NOW + 10_000 * DAY_MS));
});

test("expiry is exact although tokens are cached", async () => {
  const { tokens, registry, verify } = start();
  const { token } = await registry.create({ ...reader, expiresInDays: 1 }, NOW);
  assert.ok(await verify(token, NOW + DAY_MS - 1));
  assert.equal(await verify(token, NOW + DAY_MS), null);
  assert.equal(tokens.lookups, 1);
});

test("any flipped bit of a token is refused", async () => {
  const { registry, verify } = start();
  const { token } = await registry.create(reader, NOW);
  for (let index = 0; index < token.length; index++) {
    for (let bit = 0; bit < 8; bit++) {
      const changed = String.fromCharCode(token.charCodeAt(index) ^ (1 << bit));
      const forged = token.slice(0, index) + changed + token.slice(index + 1);
      assert.equal(await verify(forged, NOW), null);
    }
  }
});

test("a well-formed token of a known key id with another secret is refused", async () => {
  const { tokens, registry, verify } = start();
  const { record } = await registry.create(reader, NOW);
  const stranger = generateToken();
  tokens.records.set(stranger.keyId, { ...record, keyId: stranger.keyId });
  assert.equal(await verify(stranger.token, NOW), null);
});

test("no input makes verification throw", async () => {
  const { verify } = start(undefined, { token: ENV_TOKEN, scopes: [] });
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: ANY_CHARACTER, maxLength: 80 }), async (text) => {
      assert.equal(await verify(text, NOW), null);
    }),
  );
});

test("a row whose scopes, expiry or limits were changed without the pepper lets nobody in", async () => {
  const { tokens, registry } = start();
  const request = { ...reader, limits: { daily: 9 } };
  const { token, record } = await registry.create(request, NOW);
  const other = await registry.create({ ...request, scopes: ["admin"] }, NOW);
  const digest = (of: TokenRecord, row: TokenRecord) => `${of.digest.slice(0, 64)}${row.digest.slice(64)}`;
  const changes: Partial<TokenRecord>[] = [
    { scopes: ["admin"] },
    { scopes: [...record.scopes, "admin"] },
    { expiresAt: null },
    { expiresAt: (record.expiresAt ?? 0) + 1 },
    { limits: {} },
    { limits: { daily: 10 } },
    { scopes: ["admin"], digest: digest(record, other.record) },
  ];
  for (const change of changes) {
    tokens.records.set(record.keyId, { ...record, ...change });
    const afresh = new TokenRegistry(tokens, KEY);
    assert.equal(await afresh.verify(token, NOW), null, JSON.stringify(change));
    await assert.rejects(afresh.rotate(record.keyId, {}, NOW), /was changed in the store without the pepper/);
  }
  tokens.records.set(record.keyId, record);
  assert.ok(await new TokenRegistry(tokens, KEY).verify(token, NOW));
});

test("a revoked token whose revocation was taken out of the store lets nobody in", async () => {
  const { tokens, registry } = start();
  const { token, record } = await registry.create(reader, NOW);
  const revoked = (await registry.revoke(record.keyId, NOW)) as TokenRecord;
  tokens.records.set(record.keyId, { ...revoked, revokedAt: null });
  const afresh = new TokenRegistry(tokens, KEY);
  await afresh.sealEarlier(async () => true);
  assert.equal(await afresh.verify(token, NOW), null);
});

test("tokens that an earlier version stored are sealed as they are, and go on", async () => {
  const { tokens, registry } = start();
  const { token, record } = await registry.create(reader, NOW);
  tokens.records.set(record.keyId, { ...record, digest: record.digest.slice(0, 64) });
  const afresh = new TokenRegistry(tokens, KEY);
  await afresh.sealEarlier(async () => true);
  assert.deepEqual(tokens.records.get(record.keyId), record);
  assert.ok(await afresh.verify(token, NOW));
});

test("a record with a damaged digest lets nobody in", async () => {
  const { tokens, registry } = start();
  const { token, record } = await registry.create(reader, NOW);
  for (const digest of ["", "00", record.digest.slice(2), `${record.digest}00`]) {
    tokens.records.set(record.keyId, { ...record, digest });
    assert.equal(await new TokenRegistry(tokens, KEY).verify(token, NOW), null);
  }
});

test("a revocation takes effect immediately in this process, and in others within a second", async () => {
  const { tokens, registry, verify } = start();
  const elsewhere = start(tokens);
  const { token, record } = await registry.create(reader, NOW);
  assert.ok(await verify(token, NOW));
  assert.ok(await elsewhere.verify(token, NOW));

  const revoked = await registry.revoke(record.keyId, NOW + 100);
  assert.equal(revoked?.revokedAt, Math.floor((NOW + 100) / 1000));
  assert.equal(await verify(token, NOW + 100), null);
  assert.equal(await elsewhere.verify(token, NOW + 1_001), null);
});

test("revoking again keeps the first time, and an unknown key id is null", async () => {
  const { registry } = start();
  const { record } = await registry.create(reader, NOW);
  const first = await registry.revoke(record.keyId, NOW);
  assert.deepEqual(await registry.revoke(record.keyId, NOW + DAY_MS), first);
  assert.equal(await registry.revoke("0000000000", NOW), null);
});

test("the store is queried at most once a second for a token, known or not", async () => {
  const { tokens, registry, verify } = start();
  const { token } = await registry.create(reader, NOW);
  const unknown = generateToken().token;
  for (let passed = 0; passed < 1_000; passed += 10) {
    assert.ok(await verify(token, NOW + passed));
    assert.equal(await verify(unknown, NOW + passed), null);
  }
  assert.equal(tokens.lookups, 2);
  await verify(token, NOW + 1_001);
  assert.equal(tokens.lookups, 3);
});

test("a malformed token does not reach the store", async () => {
  const { tokens, verify } = start();
  await verify("tt_mistyped", NOW);
  await verify(`${generateToken().token}x`, NOW);
  assert.equal(tokens.lookups, 0);
});

test("a rotated token has a successor with the same properties and stays valid for the overlap", async () => {
  const { tokens, registry, verify } = start();
  const old = await registry.create({ ...reader, expiresInDays: 30, limits: { daily: 9 } }, NOW);
  assert.ok(await verify(old.token, NOW));
  const later = NOW + 10 * DAY_MS;
  const next = await registry.rotate(old.record.keyId, {}, later);

  assert.notEqual(next.token, old.token);
  assert.deepEqual(next.record, {
    ...old.record,
    keyId: next.record.keyId,
    digest: next.record.digest,
    createdAt: later / 1000,
    expiresAt: (later + 30 * DAY_MS) / 1000,
  });
  assert.equal(tokens.records.get(old.record.keyId)?.replacedBy, next.record.keyId);
  assert.ok(await verify(next.token, later));
  assert.ok(await verify(old.token, later + DAY_MS - 1));
  assert.equal(await verify(old.token, later + DAY_MS), null);
});

test("an overlap of zero ends the old token immediately", async () => {
  const { registry, verify } = start();
  const old = await registry.create({ ...reader, expiresInDays: null }, NOW);
  assert.ok(await verify(old.token, NOW));
  const next = await registry.rotate(old.record.keyId, { overlapSeconds: 0 }, NOW);
  assert.equal(await verify(old.token, NOW), null);
  assert.equal(next.record.expiresAt, null);
});

test("an overlap never prolongs the old token", async () => {
  const { tokens, registry } = start();
  const old = await registry.create({ ...reader, expiresInDays: 1 }, NOW);
  await registry.rotate(old.record.keyId, { overlapSeconds: 7 * 86_400 }, NOW);
  assert.equal(tokens.records.get(old.record.keyId)?.expiresAt, old.record.expiresAt);
});

test("a token is active until it expires, and revoked whatever else became of it", async () => {
  const { registry } = start();
  const { keyId } = (await registry.create({ ...reader, expiresInDays: 1 }, NOW)).record;
  const states = async () => {
    const record = (await registry.get(keyId)) as TokenRecord;
    return [NOW + DAY_MS - 1, NOW + DAY_MS].map((now) => [stateOf(record, now), isUsable(record, now)]);
  };
  assert.deepEqual(await states(), [
    ["active", true],
    ["expired", false],
  ]);
  await registry.rotate(keyId, {}, NOW);
  assert.deepEqual(await states(), [
    ["replaced", true],
    ["replaced", false],
  ]);
  await registry.revoke(keyId, NOW);
  assert.deepEqual(await states(), [
    ["revoked", false],
    ["revoked", false],
  ]);
});

test("a token that is unknown, revoked, expired or rotated already is not rotated", async () => {
  const { tokens, registry } = start();
  await assert.rejects(registry.rotate("0000000000"), /token 0000000000 not found/);

  const revoked = await registry.create(reader, NOW);
  await registry.revoke(revoked.record.keyId, NOW);
  await assert.rejects(registry.rotate(revoked.record.keyId, {}, NOW), /is revoked/);

  const expired = await registry.create({ ...reader, expiresInDays: 1 }, NOW);
  await assert.rejects(registry.rotate(expired.record.keyId, {}, NOW + DAY_MS), /has expired/);

  const rotated = await registry.create(reader, NOW);
  const next = await registry.rotate(rotated.record.keyId, {}, NOW);
  await assert.rejects(
    registry.rotate(rotated.record.keyId, {}, NOW),
    new RegExp(`rotate its successor ${next.record.keyId}`),
  );
  assert.equal(tokens.records.size, 4);
});

test("a token that is revoked while it is rotated stays revoked, and so is its successor", async () => {
  const { tokens, registry, verify } = start();
  const { token, record } = await registry.create(reader, NOW);
  const rotating = registry.rotate(record.keyId, {}, NOW);
  await registry.revoke(record.keyId, NOW);
  await assert.rejects(rotating, new TokenError(`token ${record.keyId} is revoked; create a new one`));
  assert.equal(await verify(token, NOW), null);
  assert.deepEqual(
    [...tokens.records.values()].map(({ revokedAt }) => revokedAt),
    [NOW / 1000, NOW / 1000],
  );
});

test("of two rotations of a token at the same moment one gives a token", async () => {
  const { tokens, registry } = start();
  const { record } = await registry.create(reader, NOW);
  const rotate = () => registry.rotate(record.keyId, {}, NOW);
  const [first, second] = await Promise.allSettled([rotate(), rotate()]);
  assert.ok(first.status === "fulfilled" && second.status === "rejected");
  const successor = first.value.record.keyId;
  assert.match(String(second.reason), new RegExp(`was already rotated; rotate its successor ${successor}$`));
  assert.deepEqual(
    [...tokens.records.values()].filter(({ revokedAt }) => revokedAt === null).map(({ keyId }) => keyId),
    [record.keyId, successor],
  );
});

test("all tokens are listed", async () => {
  const { registry } = start();
  const first = await registry.create(reader, NOW);
  const second = await registry.create(reader, NOW);
  assert.deepEqual(await registry.list(), [first.record, second.record]);
});

test("an invalid token is not created", async () => {
  const { tokens, registry } = start();
  const invalid = [
    { ...reader, label: " " },
    { ...reader, label: "x".repeat(101) },
    { ...reader, label: "two\nlines" },
    { ...reader, scopes: [] },
    ...[0, -1, 1.5, Number.NaN, 1e9].map((expiresInDays) => ({ ...reader, expiresInDays })),
    ...[0, -1, 0.5, Number.NaN, 1e12].map((burst) => ({ ...reader, limits: { burst } })),
  ];
  for (const request of invalid) await assert.rejects(registry.create(request, NOW), Error);
  assert.equal(tokens.records.size, 0);
});

test("the token of the environment is accepted in any format", async () => {
  const tokens = new TokensInMemory();
  const { registry, verify } = start(tokens, { token: ENV_TOKEN, scopes: ["read:longvideo"] });
  assert.deepEqual(await verify(ENV_TOKEN, NOW), {
    keyId: "environment",
    label: "API_TOKEN",
    scopes: new Set(["read:longvideo"]),
    limits: {},
    expiresAt: null,
  });
  assert.equal(await verify(ENV_TOKEN.slice(1), NOW), null);
  assert.equal(await verify(`${ENV_TOKEN} `, NOW), null);
  assert.equal(tokens.lookups, 0);
  const { token } = await registry.create(reader, NOW);
  assert.ok(await verify(token, NOW));
});

test("a token of the environment that is short, or that no header can carry, is refused at the start", () => {
  for (const token of ["", "x".repeat(19), `${"x".repeat(20)}\n`, ` ${"x".repeat(20)}`, "ü".repeat(20)]) {
    assert.throws(
      () => new TokenRegistry(new TokensInMemory(), KEY, { token, scopes: [] }),
      /API_TOKEN must have at least 20/,
    );
  }
});

test("a token event of the store, or a gap in its events, drops the cached tokens", async () => {
  const { tokens, registry, verify } = start();
  const listeners: ((event: StoreEvent) => void)[] = [];
  const end = registry.subscribe({
    subscribe(listener) {
      listeners.push(listener);
      return () => void listeners.pop();
    },
  });
  const { token, record } = await registry.create(reader, NOW);
  const lookups = async () => {
    const before = tokens.lookups;
    await verify(token, NOW);
    return tokens.lookups - before;
  };
  assert.deepEqual([await lookups(), await lookups()], [1, 0]);
  for (const [event, expected] of [
    [{ about: "records", platform: "longvideo" }, 0],
    [{ about: "token", keyId: record.keyId }, 1],
    [{ about: "anything" }, 1],
  ] as [StoreEvent, number][]) {
    listeners[0]?.(event);
    assert.equal(await lookups(), expected, JSON.stringify(event));
  }
  await end();
  assert.equal(listeners.length, 0);
});

test("a failing store is an error, not an invalid token, and is not cached", async () => {
  const { tokens, registry, verify } = start();
  const { token } = await registry.create(reader, NOW);
  const getToken = tokens.getToken.bind(tokens);
  tokens.getToken = () => Promise.reject(new Error("the store is down"));
  await assert.rejects(verify(token, NOW), (error: ApiError) => {
    assert.equal(error.code, "service_unavailable");
    assert.deepEqual(error.headers, { "retry-after": "1" });
    assert.match(String(error.cause), /the store is down/);
    return true;
  });
  tokens.getToken = getToken;
  assert.ok(await verify(token, NOW));
});

test("concurrent requests of a token share one look-up", async () => {
  const { tokens, registry, verify } = start();
  const { token } = await registry.create(reader, NOW);
  const principals = await Promise.all(Array.from({ length: 5 }, () => verify(token, NOW)));
  assert.ok(principals[0]);
  assert.equal(new Set(principals).size, 1);
  assert.equal(tokens.lookups, 1);
});

test("unknown tokens cannot grow the cache beyond its limit", async () => {
  const { tokens, verify } = start();
  const first = generateToken().token;
  await verify(first, NOW);
  for (let count = 0; count < 10_000; count++) await verify(generateToken().token, NOW);
  const before = tokens.lookups;
  await verify(first, NOW);
  assert.equal(tokens.lookups, before + 1, "the first entry was evicted");
});

test("a cached token counts from the start of its look-up", async () => {
  const { tokens, registry, verify } = start();
  const { token, record } = await registry.create(reader, NOW);
  const getToken = tokens.getToken.bind(tokens);
  tokens.getToken = async (keyId) => {
    const found = await getToken(keyId);
    // 600 ms pass on the cache's clock while the store responds.
    await verify("another", NOW + 600);
    return found;
  };
  assert.ok(await verify(token, NOW));
  tokens.records.set(record.keyId, { ...record, revokedAt: NOW / 1000 });
  assert.equal(await verify(token, NOW + 1_001), null);
});

test("a token that is revoked while it is looked up is not cached", async () => {
  const { tokens, registry, verify } = start();
  const { token, record } = await registry.create(reader, NOW);
  const getToken = tokens.getToken.bind(tokens);
  const responses: (() => void)[] = [];
  tokens.getToken = async (keyId) => {
    const found = await getToken(keyId);
    await new Promise<void>((resolve) => responses.push(resolve));
    return found;
  };
  const earlier = verify(token, NOW);
  await nextTick();
  tokens.getToken = getToken;
  await registry.revoke(record.keyId, NOW);
  const later = verify(token, NOW);
  for (const respond of responses) respond();
  assert.ok(await earlier, "it was sent before the revocation");
  assert.equal(await later, null);
  assert.equal(await verify(token, NOW), null);
});

test("no wrong token is valid, whichever was verified before", async () => {
  const { registry, verify } = start(undefined, { token: ENV_TOKEN, scopes: [] });
  const { token } = await registry.create(reader, NOW);
  assert.ok(await verify(token, NOW));
  assert.ok(await verify(ENV_TOKEN, NOW));
  const wrong: string[] = [
    generateToken().token,
    token.slice(0, -1),
    `${token} `,
    token.toUpperCase(),
    ENV_TOKEN.slice(1),
    "",
    "tt_",
  ];
  for (const text of wrong) assert.equal(await verify(text, NOW), null, text);
  assert.ok(await verify(token, NOW));
  const environment = await verify(ENV_TOKEN, NOW);
  assert.equal(environment?.label, "API_TOKEN");
});

test("a session ends after 12 hours, or with its token if that is sooner", async () => {
  const { registry } = start();
  const usual = await registry.create(reader, NOW);
  const session = await registry.startSession(usual.token, NOW);
  assert.equal(session?.expiresAt, NOW + 12 * HOUR_MS);
  assert.deepEqual(await registry.verifySession(session?.value ?? "", NOW + 12 * HOUR_MS - 1), session);
  assert.equal(await registry.verifySession(session?.value ?? "", NOW + 12 * HOUR_MS), null);

  const lateInItsLife = NOW + 90 * DAY_MS - HOUR_MS;
  assert.equal((await registry.startSession(usual.token, lateInItsLife))?.expiresAt, NOW + 90 * DAY_MS);
  assert.equal(await registry.startSession(usual.token, NOW + 90 * DAY_MS), null);
  assert.equal(await registry.startSession("tt_nothing", NOW), null);

  const rotated = await registry.rotate(usual.record.keyId, { overlapSeconds: 60 }, NOW);
  assert.equal((await registry.verifySession(session?.value ?? "", NOW))?.expiresAt, NOW + 60_000);
  assert.equal(await registry.verifySession(session?.value ?? "", NOW + 60_000), null);
  await registry.revoke(rotated.record.keyId, NOW);
});

test("a session that is ended stays so; others of its token end with it only everywhere", async () => {
  const { tokens, registry } = start();
  const { token } = await registry.create(reader, NOW);
  const begin = async () => (await registry.startSession(token, NOW))?.value ?? "";
  const isAlive = async (value: string) => (await registry.verifySession(value, NOW)) !== null;
  const [first, second, third] = [await begin(), await begin(), await begin()];
  assert.equal(await registry.endSession(first, { everywhere: false }, NOW), true);
  assert.deepEqual([await isAlive(first), await isAlive(second)], [false, true]);
  assert.equal(await registry.endSession(first, { everywhere: true }, NOW), false, "it ends nobody else");
  assert.equal(await isAlive(second), true);
  assert.equal(await registry.endSession(second, { everywhere: true }, NOW), true);
  assert.deepEqual([await isAlive(second), await isAlive(third)], [false, false]);
  assert.equal(await isAlive(await begin()), true);
  assert.notEqual(await registry.verify(token, NOW), null, "the token is valid as before");
  // Another registry on the same store, such as after a restart.
  const { registry: other } = start(tokens);
  for (const value of [first, second, third]) assert.equal(await other.verifySession(value, NOW), null);
});

test("signing in and out again and again fills no store: after a thousand, all sessions of the token end", async () => {
  const { tokens, registry } = start();
  const { token, record } = await registry.create(reader, NOW);
  const kept = (await registry.startSession(token, NOW))?.value ?? "";
  for (let times = 0; times < 1_000; times++) {
    const session = await registry.startSession(token, NOW);
    await registry.endSession(session?.value ?? "", { everywhere: false }, NOW);
  }
  assert.notEqual(await registry.verifySession(kept, NOW), null);
  const last = await registry.startSession(token, NOW);
  await registry.endSession(last?.value ?? "", { everywhere: false }, NOW);
  assert.equal(await registry.verifySession(kept, NOW), null);
  assert.deepEqual(await tokens.getSessionEnds(record.keyId), { epoch: 1, ended: [] });
});

test("a session of API_TOKEN ends when another one is set", async () => {
  const tokens = new TokensInMemory();
  const before = start(tokens, { token: ENV_TOKEN, scopes: ["read:longvideo"] });
  const session = await before.registry.startSession(ENV_TOKEN, NOW);
  assert.equal((await before.registry.verifySession(session?.value ?? "", NOW))?.principal.keyId, "environment");
  const { registry } = start(tokens, { token: `${ENV_TOKEN}-of-today`, scopes: ["read:longvideo"] });
  assert.equal(await registry.verifySession(session?.value ?? "", NOW), null);
});
