import assert from "node:assert/strict";
import { test } from "node:test";
import { type CachedResponse, type CacheOptions, ResponseCache } from "./response-cache.ts";

const MIB = 1024 * 1024;

function open(options: Partial<CacheOptions> & { version?: number | null } = {}) {
  const state = { version: options.version === undefined ? 1 : options.version };
  const cache = new ResponseCache({ maxBytes: MIB, maxAgeMs: null, dataVersion: () => state.version, ...options });
  return { cache, state };
}

const response = (text: string): CachedResponse => ({
  etag: 'W/"a"',
  headers: {},
  body: Buffer.from(text),
  encoding: null,
  capturedAt: null,
  minute: null,
});

const textOf = (found: CachedResponse | undefined) => (found?.body as Buffer | undefined)?.toString();

test("a response is cached until the store changes or the hour ends", () => {
  const { cache, state } = open();
  const key = cache.key("a", 0);
  assert.equal(cache.set(key, response("one")), true);
  assert.equal(textOf(cache.get(cache.key("a", 3_599_999), null)), "one");
  assert.equal(cache.get(cache.key("a", 3_600_000), null), undefined);
  cache.set(cache.key("a", 0), response("two"));
  state.version = 2;
  cache.dropStale(0);
  assert.equal(cache.bytes, 0, "nothing is left in memory, even without a request");
});

test("a response that is too large is not stored, and says so", () => {
  const { cache } = open();
  const key = cache.key("a", 0);
  assert.equal(cache.set(key, response("x".repeat(MIB / 16))), false);
  assert.equal(cache.get(key, null), undefined);
  assert.equal(cache.set(key, response("x".repeat(MIB / 64))), true);
});

test("a response that was computed before a write is not cached", () => {
  const { cache, state } = open();
  const before = cache.key("a", 0);
  state.version = 2;
  cache.key("b", 0);
  assert.equal(cache.set(before, response("old")), false);
  assert.equal(cache.get(cache.key("a", 0), null), undefined);
});

test("nothing is cached if the store's version is unknown or the cache is off", () => {
  for (const { cache } of [open({ version: null }), open({ maxBytes: 0 })]) {
    const key = cache.key("a", 0);
    assert.equal(key, null);
    assert.equal(cache.set(key, response("one")), false);
    assert.equal(cache.get(key, null), undefined);
  }
  const failing = new ResponseCache({
    maxBytes: MIB,
    maxAgeMs: null,
    dataVersion: () => {
      throw new Error("the store is closed");
    },
  });
  assert.equal(failing.key("a", 0), null);
});

test("it holds no more bytes than it may, and drops what was used least recently", () => {
  const { cache } = open();
  const body = "x".repeat(20_000);
  cache.set(cache.key("popular", 0), response(body));
  for (let number = 0; number < 500; number++) {
    cache.set(cache.key(`rare ${number}`, 0), response(body));
    assert.ok(cache.get(cache.key("popular", 0), null) !== undefined);
    assert.ok(cache.bytes <= MIB);
  }
  assert.ok(cache.bytes > MIB / 2);
  assert.equal(cache.get(cache.key("rare 0", 0), null), undefined);
});

test("one response takes no more than a share of it", () => {
  const { cache } = open();
  cache.set(cache.key("huge", 0), response("x".repeat(MIB / 16)));
  assert.equal(cache.get(cache.key("huge", 0), null), undefined);
});

test("the requested encoding is preferred to the unencoded response", () => {
  const { cache } = open();
  const key = cache.key("a", 0);
  cache.set(key, response("plain"));
  assert.equal(cache.get(key, "gzip")?.encoding, null);
  cache.set(key, { ...response("packed"), encoding: "gzip" });
  assert.equal(textOf(cache.get(key, "gzip")), "packed");
  assert.equal(textOf(cache.get(key, "br")), "plain");
  assert.equal(textOf(cache.get(key, null)), "plain");
});

test("with an age limit, no response is older", async () => {
  const [long, short] = [3_600_000, 20].map((maxAgeMs) => open({ maxAgeMs }).cache) as [ResponseCache, ResponseCache];
  for (const cache of [long, short]) cache.set(cache.key("a", 0), response("one"));
  await new Promise((resolve) => setTimeout(resolve, 40));
  assert.equal(textOf(long.get(long.key("a", 0), null)), "one");
  assert.equal(short.get(short.key("a", 0), null), undefined);
});

test("a response that depends on the minute is valid within it", () => {
  const { cache } = open();
  cache.set(cache.key("a", 59_000), { ...response("one"), minute: 0 });
  assert.ok(cache.get(cache.key("a", 59_999), null) !== undefined);
  assert.equal(cache.get(cache.key("a", 60_000), null), undefined);
});
