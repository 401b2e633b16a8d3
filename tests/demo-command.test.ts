import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { demoWorld } from "#import/demo-world.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import { post } from "#testing/sample-records.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { budget, sampleComments } from "#testing/budget.ts";
import { temporaryFolder } from "./test-server.ts";
import { programEnvironment } from "#testing/program-environment.ts";

const BIN = join(import.meta.dirname, "..", "bin", "triptych.mjs");

test("demo remove takes the invented world out and leaves what was imported", async () => {
  const folder = temporaryFolder();
  const store = openSqliteStore(folder.path);
  const platforms = new Set<string>(PLATFORMS.slice(0, budget("demoPlatforms")).map(({ name }) => name));
  for (const { platform, batch } of sampleComments(demoWorld(Date.now()))) {
    if (platforms.has(platform)) await store.writer.write([toUnit(platform, batch)]);
  }
  await store.writer.write([toUnit("longvideo", { posts: [post("ownVideo001", { title: "Mine" })] })]);
  await store.close();
  const remove = async () =>
    (
      await promisify(execFile)(process.execPath, [BIN, "demo", "remove"], {
        env: programEnvironment({ DATA_DIR: folder.path }),
      })
    ).stdout;
  assert.match(await remove(), /^Removed the demo data: [1-9]\d{3,} records/);
  assert.match(await remove(), /^No demo data found/);
  const left = openSqliteStore(folder.path);
  assert.deepEqual((await left.summary()).records, { longvideo: { post: 1 } });
  assert.deepEqual(await left.verify(), []);
  await left.close();
  folder.remove();
});
