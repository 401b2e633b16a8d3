import assert from "node:assert/strict";
import { test } from "node:test";
import { AsyncQueue } from "./async-queue.ts";

test("what arrives is taken in its order, before or after somebody waits for it", async () => {
  const arrivals = new AsyncQueue<string>();
  const first = arrivals.next();
  assert.equal(arrivals.head, undefined);
  arrivals.push("one");
  arrivals.push("two");
  assert.equal(await first, "one");
  assert.equal(arrivals.head, "two");
  assert.equal(await arrivals.next(), "two");
});

test("a failure is told once all that came before it is taken, and again to whoever asks again", async () => {
  const arrivals = new AsyncQueue<string>();
  arrivals.push("one");
  arrivals.fail(new Error("lost"));
  arrivals.fail(new Error("later"));
  assert.equal(await arrivals.next(), "one");
  await assert.rejects(arrivals.next(), /lost/);
  await assert.rejects(arrivals.next(), /lost/);
});

test("whoever waits is told of a failure", async () => {
  const arrivals = new AsyncQueue<string>();
  const waiting = arrivals.next();
  arrivals.fail(new Error("lost"));
  await assert.rejects(waiting, /lost/);
});
