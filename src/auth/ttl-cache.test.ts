import assert from "node:assert/strict";
import { test } from "node:test";
import { TtlCache } from "./ttl-cache.ts";

function memoryOf(capacity = 100) {
  const memory = new TtlCache<number>({ lifetimeMs: 1_000, capacity });
  let asked = 0;
  const ask = async () => ++asked;
  return { memory, get: (key: string, now: number) => memory.get(key, now, ask) };
}

test("an answer is given again for less than its lifetime, then asked for anew", async () => {
  const { get } = memoryOf();
  assert.equal(await get("a", 5_000), 1);
  assert.equal(await get("a", 5_999), 1);
  assert.equal(await get("a", 6_000), 2);
});

test("a clock that was set back does not prolong an answer", async () => {
  const { get } = memoryOf();
  assert.equal(await get("a", 90_000), 1);
  assert.equal(await get("a", 10_000), 2);
});

test("those who ask at once share one question", async () => {
  const { get } = memoryOf();
  assert.deepEqual(await Promise.all([get("a", 0), get("a", 1), get("a", 2)]), [1, 1, 1]);
});

test("what is forgotten is asked for anew", async () => {
  const { memory, get } = memoryOf();
  assert.equal(await get("a", 0), 1);
  memory.forget("a");
  assert.equal(await get("a", 1), 2);
});

test("a failure reaches all who wait for it and is not remembered", async () => {
  const { memory, get } = memoryOf();
  const failing = () => Promise.reject(new Error("store is away"));
  const both = [memory.get("a", 0, failing), memory.get("a", 1, failing)];
  for (const { status } of await Promise.allSettled(both)) assert.equal(status, "rejected");
  assert.equal(memory.size, 0);
  assert.equal(await get("a", 2), 1);
});

test("the oldest answer makes room when the memory is full", async () => {
  const { memory, get } = memoryOf(3);
  for (const key of ["a", "b", "c", "d"]) await get(key, 0);
  assert.equal(memory.size, 3);
  assert.equal(await get("d", 1), 4);
  assert.equal(await get("a", 1), 5);
});

test("an answer tells when it was asked for, until it is forgotten or replaced", async () => {
  const { memory, get } = memoryOf();
  const first = get("a", 5_000);
  assert.equal(memory.askedAt("a", first), 5_000);
  assert.equal(memory.askedAt("a", get("a", 5_500)), 5_000);
  memory.forget("a");
  assert.equal(memory.askedAt("a", first), undefined);
  const second = get("a", 5_600);
  assert.equal(memory.askedAt("a", first), undefined);
  assert.equal(memory.askedAt("a", second), 5_600);
  await Promise.all([first, second]);
});
