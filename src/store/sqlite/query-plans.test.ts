/** Look-ups use the indexes that were made for them. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, mock, test } from "node:test";
import { merge } from "#import/merge.ts";
import { account, NOW, PLATFORM, post, SECOND } from "#testing/sample-records.ts";
import type { Store } from "../store.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { openSqliteStore } from "./store.ts";

const captured = { capturedAt: NOW, source: "test" };

function assertNoScan(steps: readonly string[]): void {
  assert.notEqual(steps.length, 0);
  assert.deepEqual(
    steps.filter((step) => step.startsWith("SCAN") || step.endsWith("(platform=?)")),
    [],
  );
}

describe("query plans", () => {
  let path: string;
  let store: Store;
  before(async () => {
    path = mkdtempSync(join(tmpdir(), "triptych-plans-"));
    store = openSqliteStore(path);
    await store.writer.write([
      toUnit(PLATFORM, {
        accounts: [account("1"), account("2"), account("@ada", { name: "ada" })],
        posts: [post("p1")],
        follows: [
          { accountId: "1", followerId: "2", since: SECOND, ...captured },
          { accountId: "1", followerId: "@ada", since: SECOND, ...captured },
        ],
        chartEntries: [{ country: "US", section: "now", day: "2026-11-15", rank: 1, postId: "p1", ...captured }],
      }),
    ]);
  });
  after(async () => {
    await store.close();
    rmSync(path, { recursive: true, force: true });
  });

  /** The steps on a table in the plans of all statements that the work prepares. */
  async function plansOf(table: string, work: (store: Store) => Promise<unknown>): Promise<string[]> {
    // Another connection: one that was used before has prepared its statements.
    const fresh = openSqliteStore(path);
    const prepare = mock.method(DatabaseSync.prototype, "prepare");
    try {
      await work(fresh);
    } finally {
      prepare.mock.restore();
      await fresh.close();
    }
    const db = new DatabaseSync(join(path, STORE_FILE));
    try {
      const statements = [...new Set(prepare.mock.calls.map(({ arguments: [sql] }) => sql))];
      const reads = statements.filter((sql) => sql.includes(table) && !/^\s*(?:PRAGMA|EXPLAIN)/.test(sql));
      const steps = reads.flatMap((sql) => db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all());
      return [...new Set(steps.map(({ detail }) => String(detail)))].filter((step) => step.includes(` ${table} `));
    } finally {
      db.close();
    }
  }

  test("a page of the accounts that somebody follows is an index range", async () => {
    assert.deepEqual(await plansOf("follows", (opened) => opened.reader(PLATFORM).listFollowing("2", { limit: 5 })), [
      "SEARCH follows USING INDEX follows_by_follower (platform=? AND follower_id=? AND at<?)",
    ]);
    const db = new DatabaseSync(join(path, STORE_FILE));
    try {
      const sizes = db.prepare("SELECT idx, stat FROM sqlite_stat1 WHERE idx LIKE 'follows_%' ORDER BY idx").all();
      assert.deepEqual(
        sizes.map(({ idx, stat }) => [idx, stat]),
        [
          ["follows_by_follower", "1000000 333333 10 2 1"],
          ["follows_newest", "1000000 333333 100 10 1"],
        ],
      );
    } finally {
      db.close();
    }
  });

  test("an account that gets its id moves its own follows only", async () => {
    assertNoScan(await plansOf("follows", ({ writer }) => writer.mergePlaceholder(PLATFORM, "@ada", "7", merge)));
  });

  test("a later page of imports is an index range", async () => {
    const job = { fingerprint: "f", origin: "upload", label: "", state: "done", owner: "" } as const;
    await store.jobs.writeJob({ ...job, id: "j1", createdAt: NOW, updatedAt: NOW });
    assert.deepEqual(await plansOf("jobs", ({ jobs }) => jobs.listJobs(5, "j1")), [
      "SEARCH jobs USING PRIMARY KEY (id=?)",
      "SEARCH jobs USING INDEX jobs_newest (created_at<?)",
    ]);
  });

  test("the charts of a country are an index range", async () => {
    assert.deepEqual(
      await plansOf("chart_entries", (opened) => opened.reader(PLATFORM).listCharts({ country: "US" })),
      ["SEARCH chart_entries USING PRIMARY KEY (platform=? AND country=?)"],
    );
  });

  for (const [column, index] of [
    ["at", "comments_newest"],
    ["likes", "comments_top"],
  ] as const) {
    const sortKey = column === "at" ? { at: 3 } : { likes: 3 };
    const range = `SEARCH comments USING INDEX ${index} (platform=? AND post_id=? AND ${column}`;

    test(`comments with the same ${column} are an index range`, async () => {
      assert.deepEqual(
        await plansOf("comments", (opened) => opened.reader(PLATFORM).listCommentKeysets("p1", sortKey)),
        [`${range}=?)`],
      );
    });

    test(`comments with the nearest ${column} are the ends of two index ranges`, async () => {
      assert.deepEqual(
        await plansOf("comments", (opened) => opened.reader(PLATFORM).listNearestCommentKeysets("p1", sortKey, 9)),
        [`${range}>?)`, `${range}<?)`],
      );
    });
  }

  for (const table of ["follows", "chart_entries"]) {
    test(`erasing an account looks up its rows of ${table}`, async () => {
      const id = table === "follows" ? "2" : "1";
      assertNoScan(await plansOf(table, ({ writer }) => writer.erase(PLATFORM, "account", id)));
    });
  }
});
