import assert from "node:assert/strict";
import { test } from "node:test";
import { FailedAttempts } from "./failed-attempts.ts";

test("an address has its attempts of a minute, and then waits for the end of it", () => {
  let now = 0;
  const attempts = new FailedAttempts(3, { monotonic: () => now, utc: () => 0 });
  assert.deepEqual(
    [1, 2, 3, 4].map(() => attempts.count("192.0.2.1")),
    [null, null, null, 60],
  );
  assert.equal(attempts.count("192.0.2.2"), null, "another address");
  now = 45_500;
  assert.equal(attempts.count("192.0.2.1"), 15);
  now = 60_000;
  assert.equal(attempts.count("192.0.2.1"), null);
});

test("the addresses of one IPv6 network count as one, those mapped from IPv4 each for itself", () => {
  const attempts = new FailedAttempts(1, { monotonic: () => 0, utc: () => 0 });
  assert.equal(attempts.count("2001:db8:1:2::1"), null);
  assert.equal(attempts.count("2001:db8:1:2:3:4:5:6"), 60);
  assert.equal(attempts.count("2001:db8:1:3::1"), null);
  assert.equal(attempts.count("2001::5:1:2:3:4"), null);
  assert.equal(attempts.count("2001:0:0:5::1"), 60);
  assert.equal(attempts.count("2001::6:1:2:3:4"), null);
  assert.equal(attempts.count("::6:1:2:3:4"), null);
  assert.equal(attempts.count("::1"), null);
  assert.equal(attempts.count("::"), 60);
  assert.equal(attempts.count("::ffff:192.0.2.1"), null);
  assert.equal(attempts.count("::ffff:192.0.2.2"), null);
});
