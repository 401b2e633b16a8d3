/** Recovery of PostgreSQL to a moment, with the settings that docs/backup.md gives, on a real server. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { toUnit } from "#store/write/batch-changes.ts";
import { openPostgresStore } from "#store/postgres/store.ts";
import { TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { until } from "#testing/until.ts";
import { SERVER_USER, serverTemporaryFolder } from "./postgres/binaries.ts";
import { startServer } from "./postgres/server.ts";
import { aPost, WORLD } from "./world.ts";

/** The settings of a block in the guide, with other values for some paths. */
function settingsOf(heading: string, replacing: Record<string, string>): Record<string, string> {
  const guide = readFileSync("docs/backup.md", "utf8");
  const [, block = ""] = /```ini\n([^`]*)```/.exec(guide.slice(guide.indexOf(heading))) ?? [];
  const lines = [...block.matchAll(/^(\w+) = (?:'(.*)'|(\S+))$/gm)];
  assert.ok(lines.length > 2, heading);
  return Object.fromEntries(
    lines.map(([, name = "", quoted, bare = ""]) => {
      const value = Object.entries(replacing).reduce((text, [from, to]) => text.replaceAll(from, to), quoted ?? bare);
      return [name, value];
    }),
  );
}

function folderOfServer(name: string): string {
  const folder = mkdtempSync(join(serverTemporaryFolder(), `triptych-${name}-`));
  giveToServer(folder);
  return folder;
}

function giveToServer(folder: string): void {
  const { uid, gid } = SERVER_USER;
  if (uid !== undefined) execFileSync("chown", ["-R", `${uid}:${gid}`, folder]);
}

async function connect(url: string): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  return client;
}

const openStore = (url: string) => openPostgresStore({ url, timeoutFactor: TEST_TIMEOUT_FACTOR });

async function timeOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ now: string }>("SELECT clock_timestamp()::text AS now");
  return rows[0]?.now as string;
}

test("archived WAL brings a store back to the moment before a mistake", async (t) => {
  const [archive, copy] = [folderOfServer("wal"), folderOfServer("base")];
  t.after(() => [archive, copy].forEach((folder) => rmSync(folder, { recursive: true, force: true })));
  const paths = { "/srv/wal": archive };
  const settings = settingsOf("## PostgreSQL: to any moment", paths);
  const server = await startServer({ settings });
  let beforeMistake: string;
  try {
    const admin = await connect(server.url("postgres"));
    await admin.query("CREATE DATABASE kept");
    const store = await openStore(server.url("kept"));
    for (const { platform, batch } of WORLD) await store.writer.write([toUnit(platform, batch)]);

    await admin.query("SELECT pg_backup_start('base', true)");
    const data = join(server.folder, "data");
    cpSync(data, join(copy, "data"), {
      recursive: true,
      filter: (path) => !/^(?:postmaster\.(?:pid|opts)|pg_wal\/.+)$/.test(relative(data, path)),
    });
    const { rows } = await admin.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop()");
    writeFileSync(join(copy, "data/backup_label"), rows[0]?.labelfile as string);
    mkdirSync(join(copy, "data/pg_wal"), { recursive: true });

    await store.writer.write([toUnit("shortvideo", { posts: [aPost("after-the-copy", { text: "kiln" })] })]);
    // Times of commits are compared.
    await sleep(20);
    beforeMistake = await timeOf(admin);
    await sleep(20);
    await store.writer.erase("shortvideo", "post", "after-the-copy");
    await store.close();
    const { rows: switched } = await admin.query<{ name: string }>("SELECT pg_walfile_name(pg_switch_wal()) AS name");
    await until(async () => existsSync(join(archive, switched[0]?.name as string)));
    await admin.end();
  } finally {
    await server.stop();
  }

  writeFileSync(join(copy, "data/recovery.signal"), "");
  giveToServer(copy);
  const recovery = settingsOf("recovery.signal", { ...paths, "2026-11-16 11:59:00+00": beforeMistake });
  const restored = await startServer({ data: copy, settings: recovery });
  try {
    const admin = await connect(restored.url("kept"));
    await until(
      async () => (await admin.query<{ is: boolean }>("SELECT pg_is_in_recovery() AS is")).rows[0]?.is === false,
    );
    await admin.end();
    const store = await openStore(restored.url("kept"));
    const post = await store.reader("shortvideo").getPost("after-the-copy");
    assert.equal(post?.text, "kiln");
    assert.deepEqual(await store.verify(), []);
    const [{ platform, batch }] = WORLD as [(typeof WORLD)[number]];
    const ids = (batch.posts ?? []).map(({ id }) => id);
    assert.equal((await store.reader(platform).getPosts(ids)).length, ids.length);
    await store.close();
    reportClaim("PostgreSQL's archived log restores a store to a moment", `before an erasure, ${ids.length + 1} posts`);
  } finally {
    await restored.stop();
  }
});
