/** What a store has erased stays out when it is filled from another, and is kept out afterwards. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Job, JobFile } from "#domain/job.ts";
import { replace, toUnit } from "#store/write/batch-changes.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { WATCH } from "#store/watches/conformance.ts";
import type { Store } from "#store/store.ts";
import type { TableBatch, TableName, TableWriter } from "#store/copy/port.ts";
import { account, comment, NOW, PLATFORM, post } from "#testing/sample-records.ts";
import { openFreshStore } from "#tests/postgres/fresh-store.ts";
import { readTables } from "./backup-file.ts";
import { restoreTables } from "./restore.ts";

const JOB: Job = {
  id: "j",
  fingerprint: "f",
  origin: "command",
  label: "@mira.har 2 more",
  state: "done",
  createdAt: NOW,
  updatedAt: NOW,
  owner: "north:1:a",
};
const JOB_FILE: JobFile = {
  jobId: "j",
  name: "",
  fingerprint: "1:1",
  state: "done",
  position: 7,
  report: { formats: {}, records: {}, refused: {}, skipped: {} },
};

const OPEN: Record<string, () => Promise<{ store: Store; close(): Promise<void> }>> = {
  postgres: () => openFreshStore(() => NOW),
  async sqlite() {
    const folder = mkdtempSync(join(tmpdir(), "triptych-restore-"));
    const store = openSqliteStore(folder, "full", () => NOW);
    return {
      store,
      async close() {
        await store.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
};

for (const [name, open] of Object.entries(OPEN)) {
  describe(`filling a store on ${name}`, () => {
    for (const key of ["mira", "700001"]) {
      test(`brings nobody back who was erased there by ${key === "mira" ? "name" : "id"} alone`, async () => {
        const [source, target] = [await open(), await open()];
        try {
          // The account comes after what refers to it.
          await source.store.writer.write([
            toUnit(PLATFORM, {
              posts: [
                post("hers", { authorId: "700001" }),
                post("p2", { authorId: "2", text: "with @mira" }),
                post("p3", { authorId: null, native: { channelTitle: "Mira Holm" } }),
              ],
              comments: [
                comment("c1", { postId: "p2", authorId: "700001" }),
                comment("c4", { postId: "p2", authorId: null, native: { authorName: "Mira Holm" } }),
              ],
            }),
          ]);
          await source.store.writer.write([
            toUnit(PLATFORM, {
              accounts: [account("700001", { name: "mira", displayName: "Mira Holm" }), account("2")],
            }),
          ]);
          for (const watched of ["@Mira", "700001", "miranda"]) {
            const watch = { ...WATCH, id: watched, platform: PLATFORM, kind: "account", target: watched };
            await source.store.watches.addWatch(watch);
          }
          await source.store.jobs.writeJob(JOB);
          const rejects = ["mira/posts.har", "miranda.zip"].map((file) => ({ file, line: 1, reason: "bad: by @mira" }));
          for (const file of ["mira/posts.har", "700001_reels.ndjson", "hers.info.json", "miranda.zip"]) {
            const checkpoint = { file: { ...JOB_FILE, name: file }, rejects: rejects.splice(0), restarted: false };
            await source.store.writer.write([{ changes: [], merge: replace, checkpoint: () => checkpoint }]);
          }
          await target.store.writer.erase(PLATFORM, "account", key);
          await source.store.tables.snapshot((reader) =>
            restoreTables(
              () => readTables(reader),
              target.store.tables,
              () => undefined,
            ),
          );
          // What names her otherwise stays out as well.
          await target.store.writer.write([
            toUnit(PLATFORM, {
              accounts: [account("@mira", { name: "mira" })],
              comments: [comment("c2", { postId: "p2", authorId: "700001" }), comment("c3", { postId: "hers" })],
            }),
          ]);
          const reader = target.store.reader(PLATFORM);
          const accounts = await reader.getAccounts(["700001", "2", "@mira"]);
          assert.deepEqual(
            accounts.map(({ id }) => id),
            ["2"],
          );
          const posts = await reader.getPosts(["hers", "p2", "p3"]);
          assert.deepEqual(
            posts.map(({ text }) => text),
            ["with [erased]"],
          );
          const watches = await target.store.watches.listWatches();
          assert.deepEqual(
            watches.map((watch) => watch.target),
            ["miranda"],
          );
          const { jobs } = target.store;
          assert.equal((await jobs.getJob("j"))?.label, "[erased] 2 more");
          const files = await jobs.listJobFiles("j");
          assert.deepEqual(files.map((file) => file.name).toSorted(), [
            "erased-0",
            "erased-1",
            "erased-2",
            "miranda.zip",
          ]);
          const refused = await jobs.listRejects("j", 0, 10);
          assert.deepEqual(
            refused.map(({ file, reason }) => `${file} ${reason}`),
            ["[erased] bad", "miranda.zip bad"],
          );
          for (const id of ["p2", "hers"]) assert.equal((await reader.countComments(id)).comments, 0);
        } finally {
          for (const opened of [source, target]) await opened.close();
        }
      });
    }
  });
}

test("a target that returns other rows than were written is refused before it commits", async () => {
  const target = {
    fill: <Result>(work: (writer: TableWriter) => Promise<Result>) =>
      work({
        async *read(table: TableName) {
          if (table === "retention") yield [["", "", 9]];
        },
        write: async () => ({ skipped: [], learnt: [], changed: [] }),
      } as never),
  };
  const written: TableBatch = { table: "retention", rows: [["", "", 8]] };
  async function* source(): AsyncGenerator<TableBatch> {
    yield written;
  }
  await assert.rejects(
    restoreTables(source, target as never, () => undefined),
    {
      name: "BackupError",
      message: "the target returned other retention than were written; nothing was restored",
    },
  );
});
