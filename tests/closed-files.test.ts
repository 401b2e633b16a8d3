/** Files on disk and who may read them: an empty store file beside a pepper, and the modes of directories, logs and exports. */
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { reportClaim } from "#testing/claims.ts";
import { runCommand } from "./run-command.ts";
import { startTestServer, temporaryFolder } from "./test-server.ts";
import { WORLD } from "./world.ts";

const NO_MODES = process.platform === "win32" && "files have no modes on this system";
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

function folderOf(t: TestContext): string {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  return folder.path;
}

test("an empty store file beside a pepper is refused and left as it is; without a pepper it is a new store", async (t) => {
  const path = folderOf(t);
  const env = { DATA_DIR: path, PORT: "0" };
  assert.equal((await runCommand(["migrate"], env)).code, 0);
  assert.equal((await runCommand(["token", "create", "--label", "one"], env)).code, 0);
  const backup = join(folderOf(t), "before.backup");
  assert.equal((await runCommand(["backup", backup], env)).code, 0);
  const file = join(path, STORE_FILE);
  for (const name of readdirSync(path)) if (name !== "pepper") rmSync(join(path, name));
  writeFileSync(file, "");
  const sentence = `triptych: ${file} is empty (0 bytes), but the pepper file ${join(path, "pepper")} shows that there was a store; remove the empty file, then restore a backup (docs/backup.md) or start with a new store\n`;
  for (const args of [
    ["serve"],
    ["migrate"],
    ["demo", "add"],
    ["restore", backup],
    ["erase", "shortvideo", "account", "1"],
  ]) {
    const { code, stderr } = await runCommand(args, env);
    assert.deepEqual([code, stderr], [1, sentence], args.join(" "));
    assert.equal(statSync(file).size, 0);
  }
  const { stdout } = await runCommand(["doctor", "--json"], env);
  assert.match(stdout, /is empty \(0 bytes\)/);
  rmSync(join(path, "pepper"));
  assert.equal((await runCommand(["migrate"], env)).code, 0);
  assert.ok(statSync(file).size > 0);
});

test(
  "a data directory that others may read is closed, and logs and exports are for their owner only",
  { skip: NO_MODES },
  async (t) => {
    const outside = folderOf(t);
    const path = join(outside, "data");
    mkdirSync(path);
    chmodSync(path, 0o755);
    const LOG_FILE = join(outside, "service.log");
    const server = await startTestServer(WORLD, { LOG_FILE, LOG_LEVEL: "info", DATA_DIR: path });
    const seen = new Map<string, string>();
    try {
      const env = { DATA_DIR: path };
      for (const format of ["csv", "ndjson", "parquet", "sqlite"]) {
        const file = join(outside, `posts.${format}`);
        const { code, stderr } = await runCommand(["export", "posts", "-o", file], env);
        assert.equal(code, 0, stderr);
        seen.set(file, modeOf(file));
      }
      seen.set(LOG_FILE, modeOf(LOG_FILE));
      for (const name of readdirSync(path))
        if (!statSync(join(path, name)).isDirectory()) seen.set(name, modeOf(join(path, name)));
      assert.deepEqual(new Set(seen.values()), new Set(["600"]), JSON.stringify([...seen]));
      assert.equal(modeOf(path), "700");
      assert.ok(existsSync(join(path, STORE_FILE)));
    } finally {
      await server.close();
    }
    reportClaim(
      "data directory, logs and exports are closed to other users of the machine",
      `700 and ${seen.size} files of 600`,
    );
  },
);
