import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { toUnit } from "#store/write/batch-changes.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { account, comment, NOW, PLATFORM, post } from "#testing/sample-records.ts";
import { findAccount } from "./find-account.ts";

test("an id that others refer to is nobody's name, wherever they do", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "triptych-find-account-"));
  const store = openSqliteStore(dataDir);
  try {
    const ids = { author: "101", tagged: "102", followed: "103", follower: "104", commenter: "105", name: "106" };
    await store.writer.write([
      toUnit(PLATFORM, {
        accounts: Object.values(ids).map((id) => account(`9${id}`, { name: id })),
        posts: [post("p1", { authorId: ids.author }), post("p2", { authorId: "1", taggedIds: [ids.tagged] })],
        comments: [comment("c1", { authorId: ids.commenter })],
        follows: [
          { accountId: ids.followed, followerId: "1", since: null, capturedAt: NOW, source: "test" },
          { accountId: "1", followerId: ids.follower, since: null, capturedAt: NOW, source: "test" },
        ],
      }),
    ]);
    await store.writer.write([toUnit("elsewhere", { comments: [comment("c2", { authorId: ids.name })] })]);
    for (const [how, id] of Object.entries(ids)) {
      assert.equal((await findAccount(store, PLATFORM, id))?.id, how === "name" ? "9106" : undefined, how);
    }
  } finally {
    await store.close();
    rmSync(dataDir, { recursive: true });
  }
});
