import assert from "node:assert/strict";
import { test } from "node:test";
import { Breaker } from "./breaker.ts";
import { RetryBudget } from "./retry-budget.ts";

test("five failures in a row pause a source; then one call is made, and each further failure doubles the pause", () => {
  let now = 0;
  const breaker = new Breaker(
    () => now,
    () => 1,
  );
  for (let failure = 1; failure < 5; failure++) breaker.failed("hangs");
  assert.equal(breaker.check(), null);
  breaker.failed("hangs");
  assert.deepEqual(breaker.check(), { reason: "hangs", retryAfterMs: 5_000 });
  now = 5_000;
  assert.equal(breaker.check(), null, "the one call after the pause");
  assert.equal(breaker.check()?.reason, "hangs", "and no second");
  breaker.failed("hangs");
  assert.deepEqual(breaker.check(), { reason: "hangs", retryAfterMs: 10_000 });
  now = 15_000;
  assert.equal(breaker.check(), null);
  breaker.succeeded();
  assert.equal(breaker.check(), null);
  assert.equal(breaker.check(), null);
});

test("calls that were in flight when the pause began do not lengthen it, nor the next one", () => {
  let now = 0;
  const breaker = new Breaker(
    () => now,
    () => 1,
  );
  for (let call = 0; call < 16; call++) breaker.failed("hangs");
  assert.deepEqual(breaker.check(), { reason: "hangs", retryAfterMs: 5_000 });
  now = 5_000;
  assert.equal(breaker.check(), null);
  breaker.failed("hangs");
  assert.deepEqual(breaker.check(), { reason: "hangs", retryAfterMs: 10_000 });
  now = 15_000;
  assert.equal(breaker.check(), null);
  for (let call = 0; call < 16; call++) breaker.pauseFor(60_000, "asks to slow down");
  now = 75_000;
  assert.equal(breaker.check(), null);
  breaker.failed("hangs");
  assert.deepEqual(breaker.check(), { reason: "hangs", retryAfterMs: 40_000 });
});

test("an answer to a call made before the pause neither ends it nor hides its reason", () => {
  let now = 0;
  const breaker = new Breaker(() => now);
  breaker.pauseFor(60_000, "asks to slow down");
  breaker.succeeded();
  assert.deepEqual(breaker.check(), { reason: "asks to slow down", retryAfterMs: 60_000 });
  now = 60_000;
  assert.equal(breaker.check(), null);
});

test("a success between failures keeps a source in use, and a call that was not made frees its place", () => {
  let now = 0;
  const breaker = new Breaker(() => now);
  for (let round = 0; round < 20; round++) {
    breaker.failed("slow");
    if (round % 4 === 3) breaker.succeeded();
    assert.equal(breaker.check(), null);
  }
  breaker.pauseFor(1_000, "asks to slow down");
  assert.equal(breaker.pause?.reason, "asks to slow down");
  now = 1_000;
  assert.equal(breaker.check(), null);
  breaker.release();
  assert.equal(breaker.check(), null);
});

test("retries are a tenth of the calls, and one in reserve", () => {
  const budget = new RetryBudget();
  let retries = 0;
  for (let call = 0; call < 1_000; call++) {
    budget.countCall();
    if (budget.take()) retries++;
  }
  assert.ok(retries >= 100 && retries <= 101, `${retries} retries`);
});
