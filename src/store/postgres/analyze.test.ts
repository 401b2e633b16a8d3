import assert from "node:assert/strict";
import { test } from "node:test";
import { TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";
import { PLATFORM, post } from "#testing/sample-records.ts";
import { freshStoreDatabase } from "#tests/postgres/databases.ts";
import { analyzeTables } from "./analyze.ts";
import { Database } from "./database.ts";
import { openPostgresStore } from "./store.ts";
import { toUnit } from "#store/write/batch-changes.ts";

test("tables are analyzed again when they have grown by a tenth", async (t) => {
  const { url, drop } = await freshStoreDatabase();
  const store = await openPostgresStore({ url, timeoutFactor: TEST_TIMEOUT_FACTOR });
  const settings = { connections: 1, connectTimeoutMs: 60_000, statementTimeoutMs: 30_000, applicationName: "analyze" };
  const db = new Database({ url, ...settings });
  t.after(async () => {
    await db.close();
    await store.close();
    await drop();
  });
  let written = 0;
  const writePosts = async (count: number) => {
    const posts = Array.from({ length: count }, () => post(`p${written++}`));
    await store.writer.write([toUnit(PLATFORM, { posts })]);
    await analyzeTables(db);
  };
  const rowsKnown = async (table: string) =>
    (await db.get<{ rows: number }>("SELECT reltuples::int AS rows FROM pg_class WHERE oid = $1::regclass", table))
      ?.rows;
  await writePosts(2_000);
  assert.deepEqual([await rowsKnown("records"), await rowsKnown("search_docs")], [2_000, 2_000]);
  await writePosts(20);
  assert.deepEqual([await rowsKnown("records"), await rowsKnown("search_docs")], [2_000, 2_000]);
  await writePosts(2_000);
  assert.deepEqual([await rowsKnown("records"), await rowsKnown("search_docs")], [4_020, 4_020]);
});
