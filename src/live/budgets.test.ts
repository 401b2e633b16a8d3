import assert from "node:assert/strict";
import { test } from "node:test";
import type { Source } from "#api/source.ts";
import { accountOf, budgetsOf, budgetStatus, periodOf, secondsToReset } from "./budgets.ts";
import { credentialsOf } from "./planner.ts";

const DAILY = { name: "units", title: "units a day", limit: 10, timezone: "America/Los_Angeles" };
const ROLLING = { name: "tags", title: "tags in 7 days", limit: 30, timezone: null, windowDays: 7 };

test("a daily budget resets at midnight in its own time zone", () => {
  const evening = Date.parse("2026-11-16T07:59:30Z");
  assert.equal(periodOf(DAILY, evening), "2026-11-15");
  assert.equal(secondsToReset(DAILY, evening), 30);
  assert.equal(periodOf(DAILY, evening + 30_000), "2026-11-16");
  assert.equal(secondsToReset(DAILY, evening + 30_000), 86_400);
});

test("a rolling window has no period and no time at which it resets", () => {
  assert.equal(periodOf(ROLLING, 0), "");
  assert.equal(secondsToReset(ROLLING, 0), null);
});

test("limits of the operator replace those of the source, for the named budget only", () => {
  const source = { name: "api", budgets: [DAILY, ROLLING] };
  assert.deepEqual(
    budgetsOf(source, { "api.units": 99, "other.tags": 1 }).map(({ limit }) => limit),
    [99, 30],
  );
});

test("an account is a fingerprint of the key, never the key", () => {
  const account = accountOf({ KEY: "secret-key" });
  assert.match(account, /^[0-9a-f]{12}$/);
  assert.notEqual(account, accountOf({ KEY: "another-key" }));
  assert.equal(accountOf({}), "");
});

test("of a rolling window, what is older does not count as used", () => {
  const now = Date.parse("2026-11-16T12:00:00Z");
  const use = { source: "api", account: "a", budget: "tags", period: "", used: 1 };
  const uses = [
    { ...use, at: now - 8 * 86_400_000 },
    { ...use, at: now - 6 * 86_400_000 },
    { ...use, at: now },
    { ...use, account: "b", at: now },
  ];
  const [status] = budgetStatus({ source: "api", account: "a" }, [ROLLING], uses, now);
  assert.deepEqual(status, { name: "tags", title: "tags in 7 days", used: 2, limit: 30 });
});

test("quota belongs to the keys of its source, whatever other keys there are", () => {
  const source = { credentials: ["KEY"] } as unknown as Source;
  assert.equal(accountOf(credentialsOf(source, { KEY: "a", OTHER: "b" })), accountOf({ KEY: "a" }));
});
