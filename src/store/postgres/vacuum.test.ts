import assert from "node:assert/strict";
import { test } from "node:test";
import { TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";
import { account, comment, PLATFORM, post } from "#testing/sample-records.ts";
import { execute, freshStoreDatabase } from "#tests/postgres/databases.ts";
import { openPostgresStore } from "./store.ts";
import { toUnit } from "#store/write/batch-changes.ts";

/** VACUUM gives all pages of a table back once it has removed all rows. */
const assertPages = (url: string, comparison: "= 0" | "> 0") =>
  execute(
    url,
    `DO $$ BEGIN
       ASSERT pg_relation_size('post_lists'::regclass) ${comparison};
       ASSERT pg_relation_size('account_names'::regclass) ${comparison};
     END $$`,
  );

test("an erasure says if a long read still needs the erased rows, and the next one, of anything, removes them", async () => {
  const { url, drop } = await freshStoreDatabase();
  const store = await openPostgresStore({ url, timeoutFactor: TEST_TIMEOUT_FACTOR });
  try {
    await store.writer.write([
      toUnit(PLATFORM, {
        accounts: [account("1")],
        posts: [post("p1")],
        comments: [comment("c1", { postId: "p2", authorId: null })],
      }),
    ]);
    await store.tables.snapshot(async (reader) => {
      // The first statement takes the snapshot.
      await reader.getAccountIds(PLATFORM, []);
      await store.writer.erase(PLATFORM, "account", "1");
      assert.equal(await store.writer.purgeErased(), false);
    });
    await assertPages(url, "> 0");
    await store.writer.erase(PLATFORM, "comment", "c1");
    assert.equal(await store.writer.purgeErased(), true);
    await assertPages(url, "= 0");
  } finally {
    await store.close();
    await drop();
  }
});
