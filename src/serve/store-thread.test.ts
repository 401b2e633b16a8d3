/** The thread that writes when it is stuck, which the trigger of another program stands for here. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { readConfig } from "#config";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { until } from "#testing/until.ts";
import { temporaryFolder } from "#tests/test-server.ts";
import type { End } from "./rpc/supervisor.ts";
import { StoreThread } from "./store-thread.ts";

/** Takes seconds, for which nothing can end the thread. */
const SLOW = `SELECT count(*) FROM
  (WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 40000000) SELECT x FROM n)`;

test(
  "a write that is stuck fails with those behind it, and another thread writes on",
  { timeout: 240_000 },
  async (t) => {
    const folder = temporaryFolder();
    t.after(() => folder.remove());
    const store = openSqliteStore(folder.path);
    const change = (sql: string) => {
      const db = new DatabaseSync(join(folder.path, STORE_FILE));
      db.exec(sql);
      db.close();
    };
    change(`CREATE TRIGGER slow BEFORE INSERT ON retention WHEN NEW.days = 5 BEGIN ${SLOW}; END`);
    const ends: End[] = [];
    const thread = new StoreThread(readConfig({ DATA_DIR: folder.path }), {
      maxSilentS: 2,
      onEnd: (end) => ends.push(end),
    });
    const write = (source: string, days: number) => thread.call("retention", "write", [{ source, kind: "", days }]);
    await write("first", 4);
    const stuck = write("second", 5);
    const behind = write("third", 6);
    for (const call of [stuck, behind]) await assert.rejects(call, { message: "no response for 2 s; killed" });
    assert.equal(ends.length, 1);
    // The stuck thread has the lock of the file until its query ends.
    await until(async () => {
      const error = await write("fourth", 7).catch((failure: unknown) => failure);
      return error === undefined;
    }, 180_000);
    const rules = new Set((await store.retention.list()).map(({ source }) => source));
    assert.ok(rules.has("first") && rules.has("fourth"));
    assert.ok(!rules.has("third"), "a write that its caller was told of as failed");
    await thread.close();
    await store.close();
  },
);
