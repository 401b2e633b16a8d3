import assert from "node:assert/strict";
import { test } from "node:test";
import { TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";
import { PLATFORM, post } from "#testing/sample-records.ts";
import { freshStoreDatabase } from "#tests/postgres/databases.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import { Database } from "#store/postgres/database.ts";
import { Sql } from "#store/postgres/sql.ts";
import { openPostgresStore } from "#store/postgres/store.ts";

test("documents are not walked by rank for forms of a word that few contain", async (t) => {
  const { url, drop } = await freshStoreDatabase();
  const store = await openPostgresStore({ url, timeoutFactor: TEST_TIMEOUT_FACTOR });
  const settings = { connections: 1, connectTimeoutMs: 60_000, statementTimeoutMs: 30_000, applicationName: "plans" };
  const db = new Database({ url, ...settings });
  t.after(async () => {
    await db.close();
    await store.close();
    await drop();
  });
  const posts = ["tide", "tidepool", "tideline"].map((text, index) => post(`p${index}`, { text }));
  await store.writer.write([toUnit(PLATFORM, { posts })]);

  const find = t.mock.method(Sql.prototype, "allWithCustomPlan");
  const { items } = await store.reader(PLATFORM).searchPosts({ text: "tide", offset: 0, limit: 10, now: 0 });
  find.mock.restore();
  assert.equal(items.length, 3);
  const plans = await db.transaction(async (sql) => {
    // As if sorting cost more than it does: what can be walked in the order of the index is.
    await sql.run("SET LOCAL enable_sort = off");
    const explain = ([text, ...values]: Parameters<Sql["allWithCustomPlan"]>) =>
      sql.all<Record<string, string>>(`EXPLAIN (COSTS OFF) ${text}`, ...values);
    const [exact, broader] = find.mock.calls;
    assert.ok(exact !== undefined && broader !== undefined);
    return [await explain(exact.arguments), await explain(broader.arguments)].map((rows) => JSON.stringify(rows));
  });
  assert.doesNotMatch(plans[0] ?? "", /Sort/, "the planner decides about the word itself");
  assert.match(plans[1] ?? "", /Sort/);
});
