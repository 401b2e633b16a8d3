import assert from "node:assert/strict";
import { test } from "node:test";
import { AsyncQueue } from "./async-queue.ts";

test("items are returned in order, whether they arrive before or after next() is called", async () => {
  const queue = new AsyncQueue<string>();
  const first = queue.next();
  assert.equal(queue.head, undefined);
  queue.push("one");
  queue.push("two");
  assert.equal(await first, "one");
  assert.equal(queue.head, "two");
  assert.equal(await queue.next(), "two");
});

test("a failure is thrown after all earlier items are taken, and again on every later call", async () => {
  const queue = new AsyncQueue<string>();
  queue.push("one");
  queue.fail(new Error("lost"));
  queue.fail(new Error("later"));
  assert.equal(await queue.next(), "one");
  await assert.rejects(queue.next(), /lost/);
  await assert.rejects(queue.next(), /lost/);
});

test("a failure rejects a pending next()", async () => {
  const queue = new AsyncQueue<string>();
  const pending = queue.next();
  queue.fail(new Error("lost"));
  await assert.rejects(pending, /lost/);
});
