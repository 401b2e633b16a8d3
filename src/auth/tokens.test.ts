import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import * as fc from "fast-check";
import { DAY_MS } from "#domain/time.ts";
import type { TokenRecord } from "#domain/token.ts";
import type { ApiError } from "#errors";
import type { StoreEvent, Tokens } from "#store/store.ts";
import { makeToken } from "./token-format.ts";
import { TokenRegistry } from "./tokens.ts";

const KEY = randomBytes(32);
const NOW = Date.UTC(2026, 10, 15, 12);
const FIXED = "a phrase that a container is given";

class TokensInMemory implements Tokens {
  readonly records = new Map<string, TokenRecord>();
  lookups = 0;

  async writeToken(token: TokenRecord): Promise<void> {
    this.records.set(token.keyId, structuredClone(token));
  }

  async getToken(keyId: string): Promise<TokenRecord | null> {
    this.lookups += 1;
    return structuredClone(this.records.get(keyId) ?? null);
  }

  async listTokens(): Promise<TokenRecord[]> {
    return [...this.records.values()];
  }
}

function start() {
  const tokens = new TokensInMemory();
  return { tokens, registry: new TokenRegistry(tokens, KEY) };
}

const reader = { label: "reading room", scopes: ["read:shortvideo", "export"] };

test("a created token is verified with its label, scopes and limits", async () => {
  const { registry } = start();
  const { token, record } = await registry.create({ ...reader, limits: { burst: 10 } }, NOW);
  assert.deepEqual(await registry.verify(token, NOW), {
    keyId: record.keyId,
    label: "reading room",
    scopes: new Set(["read:shortvideo", "export"]),
    limits: { burst: 10 },
  });
});

test("the store holds a digest under the pepper and nothing of the secret", async () => {
  const { tokens, registry } = start();
  const { token, record } = await registry.create(reader, NOW);
  const kept = JSON.stringify([...tokens.records.values()]);
  for (let at = 13; at + 8 <= token.length; at++) assert.ok(!kept.includes(token.slice(at, at + 8)));
  assert.match(record.digest, /^[0-9a-f]{64}$/);
  const elsewhere = new TokenRegistry(tokens, randomBytes(32));
  assert.equal(await elsewhere.verify(token, NOW), null);
});

test("a token lives 90 days unless it is asked otherwise", async () => {
  const { registry } = start();
  const usual = await registry.create(reader, NOW);
  assert.ok(await registry.verify(usual.token, NOW + 90 * DAY_MS - 1));
  assert.equal(await registry.verify(usual.token, NOW + 90 * DAY_MS), null);

  const brief = await registry.create({ ...reader, expiresInDays: 1 }, NOW);
  assert.equal(brief.record.expiresAt, (NOW + DAY_MS) / 1000);

  const lasting = await registry.create({ ...reader, expiresInDays: null }, NOW);
  assert.equal(lasting.record.expiresAt, null);
  assert.ok(await registry.verify(lasting.token, NOW + 10_000 * DAY_MS));
});

test("expiry is exact although answers are remembered", async () => {
  const { tokens, registry } = start();
  const { token } = await registry.create({ ...reader, expiresInDays: 1 }, NOW);
  assert.ok(await registry.verify(token, NOW + DAY_MS - 1));
  assert.equal(await registry.verify(token, NOW + DAY_MS), null);
  assert.equal(tokens.lookups, 1);
});

test("any flipped bit of a token is refused", async () => {
  const { registry } = start();
  const { token } = await registry.create(reader, NOW);
  for (let index = 0; index < token.length; index++) {
    for (let bit = 0; bit < 8; bit++) {
      const changed = String.fromCharCode(token.charCodeAt(index) ^ (1 << bit));
      const forged = token.slice(0, index) + changed + token.slice(index + 1);
      assert.equal(await registry.verify(forged, NOW), null);
    }
  }
});

test("a well-formed token of a known key id with another secret is refused", async () => {
  const { tokens, registry } = start();
  const { record } = await registry.create(reader, NOW);
  const stranger = makeToken();
  tokens.records.set(stranger.keyId, { ...record, keyId: stranger.keyId });
  assert.equal(await registry.verify(stranger.token, NOW), null);
});

test("no text makes verification throw", async () => {
  const registry = new TokenRegistry(new TokensInMemory(), KEY, { token: FIXED, scopes: [] });
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 80 }), async (text) => {
      assert.equal(await registry.verify(text, NOW), null);
    }),
  );
});

test("a record with a damaged digest lets nobody in", async () => {
  const { tokens, registry } = start();
  const { token, record } = await registry.create(reader, NOW);
  for (const digest of ["", "00", record.digest.slice(2), `${record.digest}00`]) {
    tokens.records.set(record.keyId, { ...record, digest });
    assert.equal(await new TokenRegistry(tokens, KEY).verify(token, NOW), null);
  }
});

test("a revocation here is effective at once, one by another process within a second", async () => {
  const { tokens, registry } = start();
  const elsewhere = new TokenRegistry(tokens, KEY);
  const { token, record } = await registry.create(reader, NOW);
  assert.ok(await registry.verify(token, NOW));
  assert.ok(await elsewhere.verify(token, NOW));

  const revoked = await registry.revoke(record.keyId, NOW + 100);
  assert.equal(revoked?.revokedAt, Math.floor((NOW + 100) / 1000));
  assert.equal(await registry.verify(token, NOW + 100), null);
  assert.equal(await elsewhere.verify(token, NOW + 1_000), null);
});

test("revoking again keeps the first instant, and an unknown key id is no token", async () => {
  const { registry } = start();
  const { record } = await registry.create(reader, NOW);
  const first = await registry.revoke(record.keyId, NOW);
  assert.deepEqual(await registry.revoke(record.keyId, NOW + DAY_MS), first);
  assert.equal(await registry.revoke("0000000000", NOW), null);
});

test("the store is asked at most once a second about a token, known or not", async () => {
  const { tokens, registry } = start();
  const { token } = await registry.create(reader, NOW);
  const unknown = makeToken().token;
  for (let passed = 0; passed < 1_000; passed += 10) {
    assert.ok(await registry.verify(token, NOW + passed));
    assert.equal(await registry.verify(unknown, NOW + passed), null);
  }
  assert.equal(tokens.lookups, 2);
  await registry.verify(token, NOW + 1_000);
  assert.equal(tokens.lookups, 3);
});

test("a malformed token does not reach the store", async () => {
  const { tokens, registry } = start();
  await registry.verify("tt_mistyped", NOW);
  await registry.verify(`${makeToken().token}x`, NOW);
  assert.equal(tokens.lookups, 0);
});

test("a rotated token has a successor alike and goes on for the overlap", async () => {
  const { tokens, registry } = start();
  const old = await registry.create({ ...reader, expiresInDays: 30, limits: { daily: 9 } }, NOW);
  assert.ok(await registry.verify(old.token, NOW));
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
  assert.ok(await registry.verify(next.token, later));
  assert.ok(await registry.verify(old.token, later + DAY_MS - 1));
  assert.equal(await registry.verify(old.token, later + DAY_MS), null);
});

test("an overlap of nothing ends the old token at once", async () => {
  const { registry } = start();
  const old = await registry.create({ ...reader, expiresInDays: null }, NOW);
  assert.ok(await registry.verify(old.token, NOW));
  const next = await registry.rotate(old.record.keyId, { overlapSeconds: 0 }, NOW);
  assert.equal(await registry.verify(old.token, NOW), null);
  assert.equal(next.record.expiresAt, null);
});

test("an overlap never prolongs the old token", async () => {
  const { tokens, registry } = start();
  const old = await registry.create({ ...reader, expiresInDays: 1 }, NOW);
  await registry.rotate(old.record.keyId, { overlapSeconds: 7 * 86_400 }, NOW);
  assert.equal(tokens.records.get(old.record.keyId)?.expiresAt, old.record.expiresAt);
});

test("a token that is unknown, revoked, expired or rotated already is not rotated", async () => {
  const { tokens, registry } = start();
  await assert.rejects(registry.rotate("0000000000"), /There is no token 0000000000/);

  const revoked = await registry.create(reader, NOW);
  await registry.revoke(revoked.record.keyId, NOW);
  await assert.rejects(registry.rotate(revoked.record.keyId, {}, NOW), /is revoked/);

  const expired = await registry.create({ ...reader, expiresInDays: 1 }, NOW);
  await assert.rejects(registry.rotate(expired.record.keyId, {}, NOW + DAY_MS), /has expired/);

  const rotated = await registry.create(reader, NOW);
  const next = await registry.rotate(rotated.record.keyId, {}, NOW);
  await assert.rejects(
    registry.rotate(rotated.record.keyId, {}, NOW),
    new RegExp(`rotate ${next.record.keyId}, which took its place`),
  );
  assert.equal(tokens.records.size, 4);
});

test("all tokens are listed", async () => {
  const { registry } = start();
  const first = await registry.create(reader, NOW);
  const second = await registry.create(reader, NOW);
  assert.deepEqual(await registry.list(), [first.record, second.record]);
});

test("a token that makes no sense is not created", async () => {
  const { tokens, registry } = start();
  const senseless = [
    { ...reader, label: " " },
    { ...reader, label: "x".repeat(101) },
    { ...reader, label: "two\nlines" },
    { ...reader, scopes: [] },
    ...[0, -1, 1.5, Number.NaN, 1e9].map((expiresInDays) => ({ ...reader, expiresInDays })),
    ...[0, -1, 0.5, Number.NaN, 1e12].map((burst) => ({ ...reader, limits: { burst } })),
  ];
  for (const request of senseless) await assert.rejects(registry.create(request, NOW), Error);
  assert.equal(tokens.records.size, 0);
});

test("the operator's fixed token is accepted beside, whatever its form", async () => {
  const tokens = new TokensInMemory();
  const registry = new TokenRegistry(tokens, KEY, { token: FIXED, scopes: ["read:longvideo"] });
  assert.deepEqual(await registry.verify(FIXED, NOW), {
    keyId: "environment",
    label: "API_TOKEN",
    scopes: new Set(["read:longvideo"]),
    limits: {},
  });
  assert.equal(await registry.verify(FIXED.slice(1), NOW), null);
  assert.equal(await registry.verify(`${FIXED} `, NOW), null);
  assert.equal(tokens.lookups, 0);
  const { token } = await registry.create(reader, NOW);
  assert.ok(await registry.verify(token, NOW));
});

test("a fixed token that is short, or that no header can carry, is refused at the start", () => {
  for (const token of ["", "x".repeat(19), `${"x".repeat(20)}\n`, ` ${"x".repeat(20)}`, "ü".repeat(20)]) {
    assert.throws(
      () => new TokenRegistry(new TokensInMemory(), KEY, { token, scopes: [] }),
      /API_TOKEN must have at least 20/,
    );
  }
});

test("what the store tells is forgotten at once, and everything when something may have been missed", async () => {
  const { tokens, registry } = start();
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
    await registry.verify(token, NOW);
    return tokens.lookups - before;
  };
  assert.deepEqual([await lookups(), await lookups()], [1, 0]);
  for (const [event, asked] of [
    [{ about: "token", keyId: "another" }, 0],
    [{ about: "records", platform: "longvideo" }, 0],
    [{ about: "token", keyId: record.keyId }, 1],
    [{ about: "anything" }, 1],
  ] as [StoreEvent, number][]) {
    listeners[0]?.(event);
    assert.equal(await lookups(), asked, JSON.stringify(event));
  }
  await end();
  assert.equal(listeners.length, 0);
});

test("a store that fails is an error and not a refusal, and is asked again", async () => {
  const { tokens, registry } = start();
  const { token } = await registry.create(reader, NOW);
  const held = tokens.getToken.bind(tokens);
  tokens.getToken = () => Promise.reject(new Error("store is away"));
  await assert.rejects(registry.verify(token, NOW), (error: ApiError) => {
    assert.equal(error.code, "service_unavailable");
    assert.deepEqual(error.headers, { "retry-after": "1" });
    assert.match(String(error.cause), /store is away/);
    return true;
  });
  tokens.getToken = held;
  assert.ok(await registry.verify(token, NOW));
});

test("a text that was just verified is known at once, for less than a second", async () => {
  const { tokens, registry } = start();
  const { token } = await registry.create(reader, NOW);
  assert.equal(registry.verifyCached(token, NOW), undefined);
  const bearer = await registry.verify(token, NOW);
  assert.equal(registry.verifyCached(token, NOW), bearer);
  assert.equal(registry.verifyCached(token, NOW + 999), bearer);
  assert.equal(registry.verifyCached(token, NOW - 1), undefined, "a clock that was set back prolongs nothing");
  await registry.verify(token, NOW + 500);
  assert.equal(registry.verifyCached(token, NOW + 999), bearer);
  assert.equal(registry.verifyCached(token, NOW + 1_000), undefined, "it rests on what the store said a second ago");
  await registry.verify(token, NOW + 1_000);
  assert.ok(registry.verifyCached(token, NOW + 1_999));
  assert.equal(tokens.lookups, 2);
});

test("what is known expires to the millisecond", async () => {
  const { registry } = start();
  const { token } = await registry.create({ ...reader, expiresInDays: 1 }, NOW);
  await registry.verify(token, NOW + DAY_MS - 500);
  assert.ok(registry.verifyCached(token, NOW + DAY_MS - 1));
  assert.equal(registry.verifyCached(token, NOW + DAY_MS), null);
  assert.equal(registry.verifyCached(token, NOW + DAY_MS + 499), null);
});

test("what is known is forgotten by a revocation or rotation here at once, by one elsewhere within the second", async () => {
  const { tokens, registry } = start();
  const elsewhere = new TokenRegistry(tokens, KEY);
  const revoked = await registry.create(reader, NOW);
  const rotated = await registry.create(reader, NOW);
  for (const { token } of [revoked, rotated]) {
    await registry.verify(token, NOW);
    await elsewhere.verify(token, NOW);
  }
  await registry.revoke(revoked.record.keyId, NOW + 100);
  await registry.rotate(rotated.record.keyId, { overlapSeconds: 0 }, NOW + 100);
  for (const { token } of [revoked, rotated]) {
    assert.equal(registry.verifyCached(token, NOW + 100), undefined);
    assert.ok(elsewhere.verifyCached(token, NOW + 999));
    assert.equal(elsewhere.verifyCached(token, NOW + 1_000), undefined);
    assert.equal(await elsewhere.verify(token, NOW + 1_000), null);
    assert.equal(elsewhere.verifyCached(token, NOW + 1_000), undefined);
  }
});

test("what the store tells makes a text unknown at once", async () => {
  const { registry } = start();
  const listeners: ((event: StoreEvent) => void)[] = [];
  registry.subscribe({
    subscribe(listener) {
      listeners.push(listener);
      return () => undefined;
    },
  });
  const { token, record } = await registry.create(reader, NOW);
  for (const [event, stays] of [
    [{ about: "token", keyId: "another" }, true],
    [{ about: "records", platform: "longvideo" }, true],
    [{ about: "token", keyId: record.keyId }, false],
    [{ about: "anything" }, false],
  ] as [StoreEvent, boolean][]) {
    await registry.verify(token, NOW);
    listeners[0]?.(event);
    assert.equal(registry.verifyCached(token, NOW) !== undefined, stays, JSON.stringify(event));
  }
});

test("a text that is revoked while it is being verified does not become known", async () => {
  const { tokens, registry } = start();
  const { token, record } = await registry.create(reader, NOW);
  const held = tokens.getToken.bind(tokens);
  const answers: (() => void)[] = [];
  tokens.getToken = async (keyId) => {
    const found = await held(keyId);
    await new Promise<void>((resolve) => answers.push(resolve));
    return found;
  };
  const verifying = registry.verify(token, NOW);
  await nextTurn();
  tokens.getToken = held;
  await registry.revoke(record.keyId, NOW);
  const again = registry.verify(token, NOW);
  for (const answer of answers) answer();
  assert.ok(await verifying, "it was asked before");
  assert.equal(await again, null);
  assert.equal(registry.verifyCached(token, NOW), undefined);
});

test("no wrong text is ever known, whoever was verified before", async () => {
  const tokens = new TokensInMemory();
  const registry = new TokenRegistry(tokens, KEY, { token: FIXED, scopes: [] });
  const { token } = await registry.create(reader, NOW);
  await registry.verify(token, NOW);
  await registry.verify(FIXED, NOW);
  const wrong = [makeToken().token, token.slice(0, -1), `${token} `, token.toUpperCase(), FIXED.slice(1), "", "tt_"];
  for (const text of wrong) {
    assert.equal(await registry.verify(text, NOW), null);
    assert.equal(registry.verifyCached(text, NOW), undefined, text);
  }
  assert.ok(registry.verifyCached(token, NOW));
  assert.equal(registry.verifyCached(FIXED, NOW)?.label, "API_TOKEN");
});
