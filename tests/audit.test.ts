/** The audit log through the front door: what is written down, by whom, and that tampering is noticed, on both stores. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { Client } from "pg";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { reportClaim } from "#testing/claims.ts";
import { until } from "#testing/until.ts";
import { freshStoreDatabase } from "./postgres/databases.ts";
import { runCommand } from "./run-command.ts";
import { startTestServer, temporaryFolder, type TestServer } from "./test-server.ts";
import { bearerHeader, openTokenIssuer } from "./test-tokens.ts";
import { WORLD } from "./world.ts";

interface Entry {
  number: number;
  actor: string;
  action: string;
  details: Record<string, unknown>;
  seal: string;
}

interface Verdict {
  entries: number;
  seal: string | null;
  problems: { number: number | null; problem: string }[];
}

async function succeed(args: string[], env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runCommand(args, env);
  assert.equal(code, 0, stderr);
  return stdout;
}

/** Runs a statement behind the service's back. */
async function tamper({ env, dataDir }: TestServer, statement: string): Promise<void> {
  const url = env["STORE_URL"];
  if (url === undefined) {
    const db = new DatabaseSync(join(dataDir, STORE_FILE), { timeout: 10_000 });
    db.exec(statement);
    db.close();
    return;
  }
  const client = new Client(url);
  await client.connect();
  await client.query(statement);
  await client.end();
}

for (const kind of ["SQLite", "PostgreSQL"] as const) {
  describe(`the audit log on ${kind}`, () => {
    test("has every erasure, export and change of access, names nobody, and shows tampering", async (t) => {
      const outside = temporaryFolder();
      t.after(() => outside.remove());
      const database = kind === "SQLite" ? null : await freshStoreDatabase();
      t.after(() => database?.drop());
      const server = await startTestServer(WORLD, database === null ? {} : { STORE_URL: database.url });
      t.after(() => server.close());
      const { env } = server;
      const list = async () => JSON.parse(await succeed(["audit", "--json"], env)) as Entry[];
      const verify = async () => JSON.parse((await runCommand(["audit", "verify", "--json"], env)).stdout) as Verdict;

      const token = JSON.parse(await succeed(["token", "create", "--label", "x", "--json"], env)) as { keyId: string };
      await succeed(["token", "revoke", token.keyId], env);
      await succeed(["erase", "shortvideo", "account", "ines.varga", "--yes"], env);
      await succeed(["export", "posts", "-o", join(outside.path, "posts.csv"), "--where", "from:someone"], env);
      await succeed(["backup", join(outside.path, "a.backup")], env);
      const dataDir = env["DATA_DIR"] as string;
      const from = database === null ? dataDir : database.url;
      for (const [name, pepper] of [
        ["copy", { DATA_DIR: dataDir }],
        ["copy-2", { PEPPER_FILE: join(dataDir, "pepper") }],
      ] as const) {
        await succeed(["copy", "--from", from, "--to", join(outside.path, name)], pepper);
      }
      await succeed(["retention", "set", "30", "--kind", "comment"], env);
      const desk = await openTokenIssuer(server);
      const issued = await desk.issue({ scopes: ["export", "read:shortvideo"] });
      await desk.close();
      const response = await server.get("/api/export/accounts", bearerHeader(issued.token));
      await response.arrayBuffer();
      await until(async () => (await list()).some(({ actor }) => actor === issued.record.keyId));

      const entries = await list();
      assert.deepEqual(entries.map(({ action }) => action).toReversed(), [
        "token.create",
        "token.revoke",
        "erasure",
        "export",
        "backup",
        "backup",
        "backup",
        "retention.set",
        "export",
      ]);
      assert.deepEqual(
        entries.map(({ number }) => number),
        [9, 8, 7, 6, 5, 4, 3, 2, 1],
      );
      const text = JSON.stringify(entries).toLowerCase();
      for (const name of ["ines", "varga", "someone"]) assert.ok(!text.includes(name), name);
      assert.match(JSON.stringify(entries), /"subject":"[\w-]{22}"/);
      const whole = await verify();
      assert.deepEqual(whole, { entries: 9, seal: entries[0]?.seal ?? null, problems: [] });
      assert.match(await succeed(["audit", "verify"], env), /^The audit log is whole: 9 entries, seal [\w-]{43}\.\n$/);

      const found = async (statement: string, undo: string) => {
        await tamper(server, statement);
        const { problems } = await verify();
        assert.equal((await runCommand(["audit", "verify"], env)).code, 1, statement);
        await tamper(server, undo);
        assert.deepEqual((await verify()).problems, [], undo);
        return problems[0]?.problem;
      };
      const before = `UPDATE audit SET actor = 'command' WHERE number = 3`;
      const changed = await found("UPDATE audit SET actor = 'service' WHERE number = 3", before);
      assert.equal(changed, "entry 3 was changed or put in another place");
      const swap = ["UPDATE audit SET number = -1 WHERE number = 2", "UPDATE audit SET number = 2 WHERE number = 3"];
      const swapped = [...swap, "UPDATE audit SET number = 3 WHERE number = -1"].join("; ");
      assert.equal(await found(swapped, swapped), "entry 2 was changed or put in another place");
      const keep = "CREATE TABLE kept AS SELECT * FROM audit";
      const back =
        "INSERT INTO audit SELECT * FROM kept WHERE number NOT IN (SELECT number FROM audit); DROP TABLE kept";
      assert.equal(await found(`${keep}; DELETE FROM audit WHERE number = 4`, back), "entry 4 is missing");
      assert.equal(await found(`${keep}; DELETE FROM audit WHERE number > 5`, back), "entries 6 to 9 are missing");
      assert.equal(await found(`${keep}; DELETE FROM audit`, back), "entries 1 to 9 are missing");
      const shortened = `${keep}; DELETE FROM audit WHERE number = 9; UPDATE audit_head SET number = 8`;
      const restored = `${back}; UPDATE audit_head SET number = 9`;
      assert.equal(await found(shortened, restored), "the last entry is not the one that was sealed last");
      const head = ["UPDATE audit_head SET number = number - 1", "UPDATE audit_head SET number = number + 1"] as const;
      assert.equal(await found(...head), "the last entry is not the one that was sealed last");
      const emptied = `${keep}; CREATE TABLE kept_head AS SELECT * FROM audit_head; DELETE FROM audit; DELETE FROM audit_head`;
      const refilled = `${back}; INSERT INTO audit_head SELECT * FROM kept_head; DROP TABLE kept_head`;
      assert.match(
        (await found(emptied, refilled)) ?? "",
        /^it is empty, but the store has tokens, whose creation it records: it was deleted, unless they came with a restore/,
      );
      const beheaded = "CREATE TABLE kept_head AS SELECT * FROM audit_head; DELETE FROM audit_head";
      const rejoined = "INSERT INTO audit_head SELECT * FROM kept_head; DROP TABLE kept_head";
      assert.equal(await found(beheaded, rejoined), "the seal of the last entry is missing");
      const [older, newer] = ["-", "+"].map((sign) => `UPDATE tokens SET created_at = created_at ${sign} 7200`);
      assert.equal(
        await found(older as string, newer as string),
        "entries from before the first one are missing: the store has older tokens, unless they came with a restore on a machine without the pepper",
      );
      for (const table of ["audit", "audit_head"]) {
        const [dropped, created] = [`ALTER TABLE ${table} RENAME TO x_kept`, `ALTER TABLE x_kept RENAME TO ${table}`];
        assert.equal(
          await found(dropped, created),
          "a table of the audit log was removed from the store; restore a backup (docs/backup.md)",
          table,
        );
      }
      reportClaim(
        `on ${kind}, an audit log that was changed, shortened, reordered or removed is noticed`,
        "11 of 11 ways noticed",
      );
    });
  });
}

test("a single entry that another pepper sealed is not called tampered with alone; one that was changed is", async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const env = { DATA_DIR: folder.path };
  await runCommand(["migrate"], env);
  await runCommand(["token", "create", "--label", "one"], env);
  const pepper = join(folder.path, "pepper");
  const original = readFileSync(pepper);
  writeFileSync(pepper, `${"0".repeat(64)}\n`);
  const other = await runCommand(["audit", "verify"], env);
  writeFileSync(pepper, original);
  const database = new DatabaseSync(join(folder.path, STORE_FILE));
  database.exec("UPDATE audit SET actor = 'service'");
  database.close();
  const changed = await runCommand(["audit", "verify"], env);
  const sentence = "triptych: the audit log was tampered with: entry 1 was changed or put in another place";
  assert.deepEqual(
    [other, changed].map(({ code, stderr }) => [code, stderr]),
    [
      [1, `${sentence}; or the pepper file is not the one that it was sealed with\n`],
      [1, `${sentence}\n`],
    ],
  );
});

test("a log that was removed whole is told as such by the command, doctor and a start", async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const env = { DATA_DIR: folder.path, PORT: "0", DEMO: "off" };
  await runCommand(["migrate"], env);
  await runCommand(["token", "create", "--label", "one"], env);
  const database = new DatabaseSync(join(folder.path, STORE_FILE));
  database.exec("DELETE FROM audit; DELETE FROM audit_head");
  const emptied = await runCommand(["audit", "verify"], env);
  assert.equal(emptied.code, 1);
  assert.match(emptied.stderr, /^triptych: the audit log was tampered with: it is empty, but the store has tokens/);
  const { stdout } = await runCommand(["doctor", "--json"], env);
  const { findings } = JSON.parse(stdout) as { findings: { check: string; state: string }[] };
  assert.equal(findings.find(({ check }) => check === "audit log")?.state, "warn");
  database.exec("DROP TABLE audit; DROP TABLE audit_head");
  database.close();
  const sentence = "a table of the audit log was removed from the store; restore a backup (docs/backup.md)\n";
  const verified = await runCommand(["audit", "verify"], env);
  assert.deepEqual([verified.code, verified.stderr], [1, `triptych: the audit log was tampered with: ${sentence}`]);
  const listed = await runCommand(["audit"], env);
  assert.deepEqual([listed.code, listed.stderr], [1, `triptych: ${sentence}`]);
  const started = await runCommand(["serve"], env);
  assert.deepEqual([started.code, started.stderr], [1, `triptych: ${sentence}`]);
});

test("a copy is in both logs, so that the log of the new store is not empty", async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const env = { DATA_DIR: join(folder.path, "from") };
  await runCommand(["migrate"], env);
  await runCommand(["token", "create", "--label", "one"], env);
  const target = join(folder.path, "to");
  await succeed(["copy", "--from", env.DATA_DIR, "--to", target], env);
  const copied = { DATA_DIR: target, PEPPER_FILE: join(env.DATA_DIR, "pepper") };
  assert.match(await succeed(["audit", "verify"], copied), /^The audit log is whole: 1 entries/);
  const [entry] = JSON.parse(await succeed(["audit", "--json"], copied)) as Entry[];
  assert.equal(entry?.action, "restore");
});
