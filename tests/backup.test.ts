/** Backup, restore, copy and compact through the front door: real folders, a real PostgreSQL, real files. */
import assert from "node:assert/strict";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, mock, test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { Client } from "pg";
import { type CheckedBackup, verifyBackup } from "#export/backup-file.ts";
import type { RestoreReport } from "#export/restore.ts";
import { type TableTotals, Totals } from "#export/totals.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import { openPostgresStore } from "#store/postgres/store.ts";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import type { Store } from "#store/store.ts";
import { type TableName, TABLES } from "#store/copy/port.ts";
import type { Batch } from "#store/write/port.ts";
import { budget, IS_FULL, propertyBudget, TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { until } from "#testing/until.ts";
import { OPERATIONS, requestOperation, sendRequest } from "./http-client.ts";
import { mixedWorld, oddWorlds } from "./mixed-world.ts";
import { freshDatabase, freshStoreDatabase } from "./postgres/databases.ts";
import { PASSWORD } from "./postgres/server.ts";
import { describeRequest, type RandomRequest, RandomRequests } from "./random-requests.ts";
import { type CommandOutcome, runCommand } from "./run-command.ts";
import { startTriptych } from "./spawn-import.ts";
import { startTestServer, temporaryFolder, type TestServer } from "./test-server.ts";
import { aComment, anAccount, aPost, GOOD_REQUESTS, WORLD } from "./world.ts";

const COMMENTS = WORLD.reduce((sum, { batch }) => sum + (batch.comments?.length ?? 0), 0);

const home = temporaryFolder();
after(() => home.remove());
const PEPPER_FILE = join(home.path, "pepper");
writeFileSync(PEPPER_FILE, "5e".repeat(32), { mode: 0o600 });
let made = 0;

function freshFolder(): string {
  const path = join(home.path, String(++made));
  mkdirSync(path);
  return path;
}

/** A folder with a store that holds these, a token, and an erased account. */
async function folderWith(world: readonly { platform: string; batch: Batch }[]): Promise<string> {
  const folder = freshFolder();
  const store = openSqliteStore(folder);
  for (const { platform, batch } of world) await store.writer.write([toUnit(platform, batch)]);
  await store.writer.erase("photoshare", "account", "560007");
  // A service that starts on stale trends computes them at a moment of its own.
  await store.writer.refreshTrends();
  const token = { digest: "d", label: "l", scopes: [], createdAt: 1, expiresAt: null, revokedAt: null, limits: {} };
  await store.tokens.writeToken({ ...token, keyId: "k", replacedBy: null });
  await store.close();
  return folder;
}

async function succeeded(args: string[], env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runCommand(args, env);
  assert.equal(code, 0, stderr);
  return stdout;
}

async function refused(args: string[], env: Record<string, string>, pattern: RegExp): Promise<void> {
  const { code, stdout, stderr }: CommandOutcome = await runCommand(args, env);
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, pattern);
  assert.match(stderr, /^triptych: [^\n]+\n$/, "one sentence");
  assert.doesNotMatch(stderr, /secret/);
}

async function backedUp(env: Record<string, string>): Promise<{ file: string; tables: TableTotals }> {
  const file = join(freshFolder(), "triptych.backup");
  return JSON.parse(await succeeded(["backup", file, "--json"], env)) as { file: string; tables: TableTotals };
}

const restored = async (file: string, env: Record<string, string>) =>
  JSON.parse(await succeeded(["restore", file, "--json"], env)) as RestoreReport;

const QUESTIONS = budget("backupRequests");
const NOON = Date.UTC(2026, 10, 15, 12);
/** Signed tokens name search documents by number, and numbers change. */
const TOKENS = /^(?:search_id|(?:pagination|continuation)_token)$/;
const OF_THE_CALL = /^(?:now|logid|impr_id|(?:pagination|continuation)_token)$/;

/** An answer without what is of the call, and the tokens that it has for the next page. */
function read(text: string): { answer: string; tokens: Record<string, string> } {
  const tokens: Record<string, string> = {};
  const answer = JSON.parse(text, (key, value: unknown) => {
    if (key === "impr_id") tokens["search_id"] = String(value);
    if (TOKENS.test(key) && typeof value === "string" && value !== "") tokens[key] = value;
    return OF_THE_CALL.test(key) || (key === "cursor" && typeof value === "string") ? "" : value;
  }) as unknown;
  return { answer: JSON.stringify(answer), tokens };
}

/** Asks all; each gets its own tokens. Returns their tokens for the next page. */
async function compare(
  servers: TestServer[],
  { operation, parameters, headers }: RandomRequest,
  tokens: Record<string, string>[],
) {
  const answers = await Promise.all(
    servers.map(async ({ url }, index) => {
      const own = { ...parameters, ...tokens[index] };
      const { status, text } = await requestOperation(url, operation, own, { ...headers, "x-request-id": "one" });
      return { status, text, ...read(text) };
    }),
  );
  const [first] = answers as [(typeof answers)[number]];
  for (const { status, answer } of answers) {
    assert.deepEqual(
      [status, answer],
      [first.status, first.answer],
      describeRequest({ operation, parameters, headers }),
    );
  }
  return { ...first, next: answers.map((answer) => answer.tokens) };
}

test(`a file, its backup in PostgreSQL and the backup of that in a file answer ${QUESTIONS} random questions alike`, async () => {
  mock.timers.enable({ apis: ["Date"], now: NOON });
  const world = IS_FULL ? mixedWorld(NOON) : oddWorlds();
  const questions = new RandomRequests(20_261_116);
  for (const { platform, batch } of world) questions.learnBatch(platform, batch);
  const original = await folderWith(world);
  const { url, drop } = await freshStoreDatabase();
  const back = freshFolder();
  const first = await backedUp({ DATA_DIR: original });
  assert.deepEqual((await restored(first.file, { DATA_DIR: freshFolder(), STORE_URL: url })).tables, first.tables);
  const second = await backedUp({ DATA_DIR: freshFolder(), STORE_URL: url });
  assert.deepEqual(second.tables, first.tables);
  assert.deepEqual((await restored(second.file, { DATA_DIR: back })).tables, first.tables);

  const env = { RATE_LIMIT: "off", DEMO: "off", PEPPER_FILE };
  const servers = [
    await startTestServer([], { ...env, DATA_DIR: original }),
    await startTestServer([], { ...env, STORE_URL: url }),
    await startTestServer([], { ...env, DATA_DIR: back }),
  ];
  try {
    for (const { name } of OPERATIONS) {
      const good = { operation: name, parameters: GOOD_REQUESTS[name] ?? {}, headers: {} };
      const { status, text } = await compare(servers, good, []);
      assert.equal(status, 200, `${name}: ${text}`);
    }
    for (let number = 0; number < QUESTIONS; number++) {
      const asked = questions.next();
      const parameters = Object.fromEntries(Object.entries(asked.parameters).filter(([name]) => !TOKENS.test(name)));
      const question = { ...asked, parameters };
      const { status, text, next } = await compare(servers, question, []);
      assert.ok(status < 500, `${describeRequest(question)}: ${text}`);
      if (status !== 200) continue;
      questions.learnResponse(question, text);
      const takes = OPERATIONS.find(({ name }) => name === question.operation)?.endpoint.input.properties ?? {};
      const own = next.map((tokens) => Object.fromEntries(Object.entries(tokens).filter(([name]) => name in takes)));
      if (Object.keys(own[0] ?? {}).length > 0 && questions.chance(0.5)) await compare(servers, question, own);
    }
  } finally {
    for (const server of servers) await server.close();
    mock.timers.reset();
    await drop();
  }
});

test("a backup is complete while the store is written to, and replaces a file only with --force", async () => {
  const folder = await folderWith(WORLD);
  const store = openSqliteStore(folder);
  let round = 0;
  const writing = setInterval(() => {
    void store.writer.write([toUnit("shortvideo", { posts: [aPost(`late-${++round}`, { text: "late" })] })]);
  }, 1);
  try {
    await until(async () => round > 3);
    const { file, tables } = await backedUp({ DATA_DIR: folder });
    assert.deepEqual((await verifyBackup(file, null, () => undefined)).tables, tables);
    assert.equal(tables.comments.rows, COMMENTS);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const again = await runCommand(["backup", file], { DATA_DIR: folder });
    assert.deepEqual(again, {
      code: 2,
      stdout: "",
      stderr: `triptych: ${file} exists; name another file, or add --force to replace it\n`,
    });
    assert.deepEqual((await verifyBackup(file, null, () => undefined)).tables, tables);
    await succeeded(["backup", file, "--force"], { DATA_DIR: folder });
    const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split("\n");
    assert.match(lines[0] as string, /^\{"format":"triptych-backup","version":1,"createdAt":"/);
    assert.match(lines.at(-1) as string, /^\{"end":\{"erased":\{"rows":\d+,"sum":"[0-9a-f]{64}"\}/);
  } finally {
    clearInterval(writing);
    await store.close();
  }
});

function unpack(bytes: Buffer): string | null {
  try {
    return gunzipSync(bytes).toString();
  } catch {
    return null;
  }
}

test("a file that was cut, changed or made otherwise is refused, and nothing is restored", async () => {
  const { file } = await backedUp({ DATA_DIR: await folderWith(WORLD) });
  const whole = readFileSync(file);
  const text = gunzipSync(whole).toString();
  const broken = join(freshFolder(), "broken.backup");
  const target = { DATA_DIR: join(home.path, "never-made") };
  const tried = async (bytes: Buffer | string, pattern = /is damaged or incomplete \(.+\); use another backup/) => {
    writeFileSync(broken, bytes);
    await refused(["restore", broken], target, pattern);
  };
  const middle = fc.integer({ min: 10, max: whole.length - 1 });
  await fc.assert(
    fc.asyncProperty(middle, async (at) => {
      await tried(whole.subarray(0, at));
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] as number) ^ 0x10;
      // Some bits only fill up a byte: without them it is the same backup.
      if (unpack(changed) === text) return;
      // The checksum of gzip is at its end: a changed word may be read before.
      await tried(changed, /use another backup|is not a backup|another version of Triptych/);
    }),
    propertyBudget(60),
  );
  await tried("");
  await tried("no backup");
  await tried(gzipSync('{"format":"another"}\n'), /is not a backup/);
  await tried(gzipSync(text.replace('"version":1', '"version":2')), /another version of Triptych \(format 2\)/);
  await tried(
    gzipSync(text.replace('"columns":["platform"', '"columns":["other"')),
    /another version .*\(table erased\)/,
  );
  // Well-formed gzip and JSON: only the checksums tell.
  await tried(gzipSync(text.replace("Lantern market", "Lantern  market")), /the checksum of records is wrong/);
  await tried(
    gzipSync(text.replace(/\n\["longvideo","world0000001","UgComment0007"[^\n]*/, "")),
    /checksum of comments/,
  );
  await tried(gzipSync(text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1)), /its end is missing/);
  await tried(gzipSync(text.replace(/"rows":[1-9]\d*/, '"rows":99999')), /the checksum of \w+ is wrong/);
  for (const rest of [text, '["longvideo"']) await tried(gzipSync(text + rest), /cannot be read to its end/);
  await refused(["restore", join(home.path, "none")], target, /none: no such file or directory/);
  await refused(["restore", home.path], target, /is not a regular file; name a backup$/m);
  assert.equal(existsSync(target.DATA_DIR), false);
});

/** Writes the file anew with other rows and right checksums, as anybody can who has no pepper. */
function forge(file: string, change: (table: string, row: unknown[]) => unknown[]): string {
  const forged = join(freshFolder(), "forged.backup");
  const totals = new Totals();
  let table = "";
  const lines = gunzipSync(readFileSync(file))
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => {
      const value = JSON.parse(line) as { table?: string; end?: object };
      if (Array.isArray(value)) {
        const row = JSON.stringify(change(table, value as unknown[]));
        totals.addJson(table as TableName, row);
        return row;
      }
      table = value.table ?? table;
      return value.end === undefined ? line : JSON.stringify({ ...value, end: totals.tables });
    });
  writeFileSync(forged, gzipSync(`${lines.join("\n")}\n`));
  return forged;
}

const withScopes = (scopes: string[]) => (table: string, row: unknown[]) =>
  table === "tokens" ? row.with(TABLES.tokens.indexOf("scopes"), JSON.stringify(scopes)) : row;
const asEarlier = (table: string, row: unknown[]) =>
  table === "tokens" ? row.with(TABLES.tokens.indexOf("digest"), (row[1] as string).slice(0, 64)) : row;

interface Issued {
  token: string;
  keyId: string;
}

const createToken = async (env: Record<string, string>): Promise<Issued> =>
  JSON.parse(await succeeded(["token", "create", "--label", "reader", "--json"], env)) as Issued;

/** Statuses of a token on a service over the store: of a read and of an administrative request. */
async function statuses(env: Record<string, string>, token: string): Promise<[read: number, admin: number]> {
  const server = await startTestServer([], { ...env, DEMO: "off" });
  const headers = { authorization: `Bearer ${token}` };
  const [{ name } = { name: "" }] = OPERATIONS;
  try {
    const lookUp = await requestOperation(server.url, name, GOOD_REQUESTS[name] ?? {}, headers);
    return [lookUp.status, (await sendRequest(server.url, { path: "/admin/tokens", headers })).status];
  } finally {
    await server.close();
  }
}

for (const engine of ["sqlite", "postgres"] as const) {
  const targetOf = async () => {
    const env = { DATA_DIR: freshFolder(), PEPPER_FILE };
    if (engine === "sqlite") return { env, drop: async () => undefined };
    const { url, drop } = await freshDatabase();
    return { env: { ...env, STORE_URL: url }, drop };
  };

  test(`a token whose scopes were raised in a backup lets nobody in (${engine})`, async () => {
    const original = { DATA_DIR: await folderWith(WORLD), PEPPER_FILE };
    const { token, keyId } = await createToken(original);
    const { file } = await backedUp(original);
    const forged = forge(file, withScopes(["admin", "read:shortvideo"]));
    const target = await targetOf();
    await succeeded(["restore", forged], target.env);
    assert.deepEqual(await statuses(target.env, token), [401, 401]);
    const { stdout } = await runCommand(["doctor"], target.env);
    assert.match(stdout, new RegExp(`another pepper, and therefore refused: (?:\\w+, )*${keyId}\\b`));
    await target.drop();
    const back = await targetOf();
    assert.match(
      await succeeded(["restore", file, "--require-seal"], back.env),
      /; sealed by this installation\.\n2 of 2 tokens are active\. A token that was revoked after the backup was made is active again: "/,
    );
    assert.deepEqual(await statuses(back.env, token), [200, 403]);
    await back.drop();
    reportClaim(
      "A token whose scopes were raised in a backup lets nobody in",
      `${engine}: refused, the original works`,
    );
  });

  test(`a token that was revoked in the target stays revoked after a restore (${engine})`, async () => {
    const target = await targetOf();
    const { token, keyId } = await createToken(target.env);
    const folder = freshFolder();
    const to = target.env as Record<string, string>;
    await succeeded(["copy", "--from", to["STORE_URL"] ?? target.env.DATA_DIR, "--to", folder], {});
    const store = openSqliteStore(folder);
    for (const { platform, batch } of WORLD) await store.writer.write([toUnit(platform, batch)]);
    await store.close();
    const { file, tables } = await backedUp({ DATA_DIR: folder, PEPPER_FILE });
    await refused(["restore", file], target.env, /the target is not empty \(it has tokens\)/);
    await succeeded(["token", "revoke", keyId], target.env);
    const report = await restored(file, target.env);
    assert.deepEqual([report.tables.records, report.tables.tokens.rows, report.skipped], [tables.records, 1, 0]);
    assert.deepEqual(await statuses(target.env, token), [401, 401]);
    await target.drop();
    reportClaim("A token that was revoked in the target of a restore stays revoked", `${engine}: refused`);
  });

  test(`tokens of an earlier version come back only where the file is trusted (${engine})`, async () => {
    const original = { DATA_DIR: await folderWith(WORLD), PEPPER_FILE };
    const { token } = await createToken(original);
    const { file } = await backedUp(original);
    const earlier = forge(file, asEarlier);
    const target = await targetOf();
    await refused(
      ["restore", earlier],
      target.env,
      /has 1 tokens of an earlier version, whose scopes nothing confirms/,
    );
    await succeeded(["restore", earlier, "--trust-tokens"], target.env);
    assert.deepEqual(await statuses(target.env, token), [200, 403]);
    await target.drop();
    const empty = await targetOf();
    const report = JSON.parse(
      await succeeded(["restore", earlier, "--without-tokens", "--json"], empty.env),
    ) as RestoreReport;
    assert.deepEqual(report.tables.tokens.rows, 0);
    assert.deepEqual(await statuses(empty.env, token), [401, 401]);
    await empty.drop();
  });
}

test("tokens of an earlier version outlive a start with a pepper that is not theirs", async () => {
  const dataDir = freshFolder();
  const own = { DATA_DIR: dataDir, PEPPER_FILE };
  const { token } = await createToken(own);
  const db = new DatabaseSync(join(dataDir, STORE_FILE));
  db.exec("UPDATE tokens SET digest = substr(digest, 1, 64)");
  db.close();
  const other = join(freshFolder(), "pepper");
  writeFileSync(other, "7a".repeat(32), { mode: 0o600 });
  assert.deepEqual(await statuses({ DATA_DIR: dataDir, PEPPER_FILE: other }, token), [401, 401]);
  assert.equal((await statuses(own, token))[1], 403);
});

test("a file that this installation did not seal says so, and --require-seal refuses it", async () => {
  const folder = await folderWith(WORLD);
  const target = () => ({ DATA_DIR: freshFolder(), PEPPER_FILE });
  const sealed = await backedUp({ DATA_DIR: folder, PEPPER_FILE });
  const without = await backedUp({ DATA_DIR: folder });
  assert.match(await succeeded(["backup", "--verify", without.file], target()), /; not sealed\.$/m);
  assert.match(await succeeded(["backup", "--verify", sealed.file], target()), /; sealed by this installation\.$/m);
  const changed = forge(sealed.file, (table, row) =>
    table === "records"
      ? row.map((value) => (typeof value === "string" ? value.replace("Lantern market", "Lantern harbour") : value))
      : row,
  );
  assert.match(await succeeded(["restore", changed], target()), /; its seal is not of this installation: it has /);
  for (const file of [changed, without.file])
    await refused(["restore", file, "--require-seal"], target(), /is not sealed by this installation; use a backup/);
  const noPepper = { DATA_DIR: freshFolder() };
  await refused(["restore", sealed.file, "--require-seal"], noPepper, /cannot be checked without the pepper; copy/);
  assert.match(
    await succeeded(["restore", sealed.file], noPepper),
    /; sealed, not checked: the pepper is not here\.$/m,
  );
  assert.equal((await runCommand(["restore", "x", "--trust-tokens", "--without-tokens"], noPepper)).code, 2);
  reportClaim("A backup that this installation did not write is told from its own", "2 of 2 refused by --require-seal");
});

test("a rehearsed restore has every row and leaves nothing behind", async () => {
  const { file, tables } = await backedUp({ DATA_DIR: await folderWith(WORLD) });
  const env = { DATA_DIR: freshFolder() };
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith("triptych-rehearsal-"));
  assert.deepEqual(
    (JSON.parse(await succeeded(["backup", "--verify", file, "--json"], env)) as CheckedBackup).tables,
    tables,
  );
  writeFileSync(file, readFileSync(file).subarray(0, -20));
  await refused(["backup", "--verify", file], env, /is damaged or incomplete \(.+\); use another backup/);
  assert.deepEqual(readdirSync(env.DATA_DIR), []);
  assert.deepEqual(
    readdirSync(tmpdir()).filter((name) => name.startsWith("triptych-rehearsal-")),
    before,
  );
});

test("a last line that no backup has, or a row that no store has, is refused with a sentence", async () => {
  const { file } = await backedUp({ DATA_DIR: await folderWith(WORLD) });
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split("\n");
  const { end } = JSON.parse(lines.at(-1) as string) as { end: Partial<TableTotals> };
  const broken = join(freshFolder(), "broken.backup");
  const target = { DATA_DIR: join(home.path, "never-made") };
  const { records: _records, ...fewer } = end;
  for (const [last, reason] of [
    [{ end: fewer }, "the checksum of records is wrong"],
    ...[null, 7, { records: 5 }, { records: { rows: "1", sum: "" } }].map((odd) => [
      { end: odd },
      "(?:its last line is malformed|the checksum of erased is wrong)",
    ]),
    [{ end, seal: [1] }, "its last line is malformed"],
  ] as [object, string][]) {
    writeFileSync(broken, gzipSync([...lines.slice(0, -1), JSON.stringify(last), ""].join("\n")));
    await refused(["restore", broken], target, new RegExp(`is damaged or incomplete \\(${reason}\\)`));
  }
  writeFileSync(
    broken,
    gzipSync(`${lines.slice(0, 2).join("\n")}\n["${"x".repeat(70 * 1024 * 1024)}"]\n`, { level: 1 }),
  );
  await refused(["restore", broken], target, /is damaged or incomplete \(a row is longer than any of a store\)/);
});

test("a service with BACKUP_DIR writes backups that restore to the same answers, and keeps foreign files", async () => {
  const dir = freshFolder();
  const old = ["triptych-2026-01-01T00-00-00Z.backup", "triptych-2026-01-02T00-00-00Z.backup"];
  const foreign = ["of-another-program.backup", "triptych-2026-01-01T00-00-00Z.backup.gpg"];
  for (const name of [...old, ...foreign]) writeFileSync(join(dir, name), "old");
  const env = { RATE_LIMIT: "off", DEMO: "off", METRICS: "public", PEPPER_FILE };
  const dataDir = await folderWith(WORLD);
  const server = await startTestServer([], { ...env, DATA_DIR: dataDir, BACKUP_DIR: dir, BACKUP_KEEP: "2" });
  let answer = "";
  try {
    // Requests are answered while it is written.
    const name = OPERATIONS[0]?.name ?? "";
    await until(async () => {
      const response = await requestOperation(server.url, name, GOOD_REQUESTS[name] ?? {});
      assert.equal(response.status, 200);
      answer = response.text;
      return !existsSync(join(dir, old[0] as string));
    });
    const kept = readdirSync(dir).toSorted();
    const newest = kept.find((file) => !old.includes(file) && !foreign.includes(file)) ?? "";
    assert.match(newest, /^triptych-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/);
    assert.deepEqual(new Set(kept), new Set([...foreign, old[1], newest]));
    const metrics = (await sendRequest(server.url, { path: "/metrics" })).text;
    assert.match(metrics, /^triptych_backup_failures_total 0$/m);
    assert.match(metrics, /^triptych_backup_overdue_seconds 0$/m);
    const audit = JSON.parse(await succeeded(["audit", "--json"], { DATA_DIR: dataDir, PEPPER_FILE })) as object[];
    assert.partialDeepStrictEqual(audit, [{ actor: "service", action: "backup" }]);
    const target = { DATA_DIR: freshFolder(), PEPPER_FILE };
    await succeeded(["restore", join(dir, newest), "--require-seal"], target);
    const back = await startTestServer([], { ...env, ...target });
    try {
      const again = await requestOperation(back.url, name, GOOD_REQUESTS[name] ?? {});
      assert.equal(read(again.text).answer, read(answer).answer);
    } finally {
      await back.close();
    }
    reportClaim("Scheduled backups restore, and remove only older ones of their own", `${kept.length} of 5 files kept`);
  } finally {
    await server.close();
  }
});

test("a service whose BACKUP_DIR cannot be used serves, and counts the failure", async () => {
  const dir = join(freshFolder(), "taken");
  writeFileSync(dir, "a file");
  const server = await startTestServer([], { DEMO: "off", METRICS: "public", BACKUP_DIR: dir });
  try {
    await until(async () =>
      /^triptych_backup_failures_total 1$/m.test((await sendRequest(server.url, { path: "/metrics" })).text),
    );
    assert.equal(readFileSync(dir, "utf8"), "a file");
  } finally {
    await server.close();
  }
});

test("an import of a backup names restore, once, and stores none of its rows as rejects", async () => {
  const { file } = await backedUp({ DATA_DIR: await folderWith(WORLD) });
  const target = { DATA_DIR: freshFolder() };
  const { code, stdout } = await runCommand(["import", file], target);
  assert.equal(code, 2, "nothing could be read");
  assert.match(
    stdout,
    /^ {2}refused 1: a backup of a store; fill an empty store from it with triptych restore <file>$/m,
  );
  for (const rejects of readdirSync(join(target.DATA_DIR, "rejects")))
    assert.doesNotMatch(readFileSync(join(target.DATA_DIR, "rejects", rejects), "utf8"), /Lantern market/);
});

test("only an empty store is filled, and what is no store is not copied", async () => {
  const original = await folderWith(WORLD);
  const other = await folderWith([{ platform: "shortvideo", batch: { posts: [aPost("1")] } }]);
  const copy = (from: string, to: string) => ["copy", "--from", from, "--to", to];
  const notEmpty = /the target is not empty \(it has tokens\); choose an empty data directory or database/;
  await refused(copy(original, other), {}, notEmpty);
  await refused(copy(original, original), {}, notEmpty);
  const nothing = join(home.path, "nothing");
  await refused(copy(nothing, freshFolder()), {}, /--from: no store in /);
  await refused(["backup", join(home.path, "x")], { DATA_DIR: nothing }, /no store in /);
  assert.deepEqual([existsSync(nothing), existsSync(join(home.path, "x"))], [false, false]);
  await refused(copy("mysql://me:secret@db/x", original), {}, /--from must be a directory, file:\/path or postgres:/);
  const away = "postgres://me:secret@127.0.0.1:1/x";
  await refused(copy(original, away), {}, /--to: PostgreSQL at 127\.0\.0\.1:1\/x refused the connection/);
  assert.equal((await runCommand(["copy", "--from", original], {})).code, 2);
});

test("what the target has erased stays erased", async () => {
  const { file, tables } = await backedUp({ DATA_DIR: await folderWith(WORLD) });
  const folder = freshFolder();
  const store = openSqliteStore(folder);
  await store.writer.erase("shortvideo", "account", "6800000000000000001");
  await store.close();
  const stdout = await succeeded(["restore", file], { DATA_DIR: folder });
  assert.match(stdout, /^erased +28 +[0-9a-f]{16}$/m);
  const left = Number(/; left out (\d+) of records that are erased in the target; not sealed\.$/m.exec(stdout)?.[1]);
  assert.ok(left > 0 && left < tables.records.rows, stdout);
});

test("a pepper that others can read fails a backup and a restore before anything is written", async () => {
  const original = await folderWith(WORLD);
  const { file, tables } = await backedUp({ DATA_DIR: original });
  const target = freshFolder();
  const later = join(home.path, "later.backup");
  for (const folder of [original, target])
    writeFileSync(join(folder, "pepper"), `${"5e".repeat(32)}\n`, { mode: 0o644 });
  await refused(["restore", file], { DATA_DIR: target }, /accessible to other users/);
  await refused(["backup", later], { DATA_DIR: original }, /accessible to other users/);
  assert.equal(existsSync(later), false);
  for (const folder of [original, target]) chmodSync(join(folder, "pepper"), 0o600);
  assert.deepEqual((await restored(file, { DATA_DIR: target })).tables, tables);
  await succeeded(["backup", later], { DATA_DIR: original });
});

test("a restore without the pepper of its tokens names the file, and the restored store waits for it", async () => {
  const { file } = await backedUp({ DATA_DIR: await folderWith(WORLD) });
  const { url, drop } = await freshDatabase();
  for (const more of [{}, { STORE_URL: url }] as Record<string, string>[]) {
    const dataDir = freshFolder();
    const env = { DATA_DIR: dataDir, ...more };
    const pepper = join(dataDir, "pepper");
    const { code, stderr } = await runCommand(["restore", file], env);
    assert.deepEqual(
      [code, stderr],
      [0, `The restored tokens need the pepper file of their store: copy it to ${pepper} (docs/backup.md).\n`],
    );
    await refused(["token", "list"], env, /the pepper file .* is missing/);
    writeFileSync(pepper, "5e".repeat(32), { mode: 0o600, flag: "wx" });
    assert.match(await succeeded(["token", "list"], env), /^k /m);
  }
  // What docs/backup.md says to do about a store that was started with another pepper.
  const right = { DATA_DIR: freshFolder(), STORE_URL: url, PEPPER_FILE: join(freshFolder(), "pepper") };
  writeFileSync(right.PEPPER_FILE, "7a".repeat(32), { mode: 0o600 });
  await refused(["token", "list"], right, /does not match the tokens of this store/);
  const [, statement] = /psql "\$STORE_URL" -c "(.+)"/.exec(readFileSync("docs/backup.md", "utf8")) ?? [];
  const client = new Client(url);
  await client.connect();
  await client.query(statement as string);
  await client.end();
  assert.match(await succeeded(["token", "list"], right), /^k /m);
  await drop();
});

test("a copy prints its totals, and takes a password from the environment", async () => {
  const from = await folderWith(WORLD);
  const { url, drop } = await freshDatabase();
  const bare = new URL(url);
  bare.password = "";
  const args = ["copy", "--from", from, "--to", bare.href];
  const run = (password: string) => {
    // The driver reads it from the process.
    process.env["PGPASSWORD"] = password;
    return runCommand(args, {}).finally(() => delete process.env["PGPASSWORD"]);
  };
  assert.match((await run("not it")).stderr, /rejected user or password/);
  const { code, stdout } = await run(PASSWORD);
  assert.equal(code, 0);
  assert.match(stdout, new RegExp(`^comments +${COMMENTS} +[0-9a-f]{16}$`, "m"));
  assert.match(stdout, /^Copied \d+ rows; the target has the same checksums\.$/m);
  await drop();
});

/** Enough for a copy to take a while. */
const CROWD: Batch = {
  accounts: Array.from({ length: 1_000 }, (_, index) => anAccount(`a${index}`, `guest.${index}`)),
  posts: Array.from({ length: 2_000 }, (_, index) =>
    aPost(`p${index}`, { text: "lantern", hashtags: [`h${index % 5}`] }),
  ),
  comments: Array.from({ length: 5_000 }, (_, index) =>
    aComment(`c${index}`, `p${index % 40}`, { text: `word${index}` }),
  ),
};

let crowded: Promise<string> | undefined;

/** Filled once: that takes as long as the copies of it. */
async function folderWithCrowd(): Promise<string> {
  crowded ??= folderWith([{ platform: "shortvideo", batch: CROWD }]);
  const folder = freshFolder();
  cpSync(await crowded, folder, { recursive: true });
  return folder;
}

test("a copy that is killed leaves the target empty, in either direction, and runs again", async () => {
  const original = await folderWithCrowd();
  const { url, drop } = await freshStoreDatabase();
  const back = freshFolder();
  const killed = async (
    from: string,
    to: string,
    isWriting: () => Promise<boolean>,
    openTarget: () => Promise<Store>,
  ) => {
    for (let kill = 0; kill < budget("copyKills"); kill++) {
      const { child, ended } = startTriptych(home.path, ["copy", "--from", from, "--to", to]);
      await until(async () => {
        assert.equal(child.exitCode, null, "it ended before it was killed");
        return isWriting();
      });
      child.kill("SIGKILL");
      await ended;
      const target = await openTarget();
      assert.equal(await target.isEmpty(), true);
      assert.deepEqual(await target.verify(), []);
      await target.close();
    }
    return succeeded(["copy", "--from", from, "--to", to, "--json"], {});
  };
  const client = new Client(url);
  await client.connect();
  // Rolled back rows still take room, so a table that changes its size is written to.
  let before: string | undefined;
  const hasGrown = async () => {
    const { rows } = await client.query<{ bytes: string }>("SELECT pg_relation_size('comments') AS bytes");
    const bytes = rows[0]?.bytes;
    const hasChanged = before !== undefined && bytes !== before;
    before = hasChanged ? undefined : bytes;
    return hasChanged;
  };
  const there = await killed(original, url, hasGrown, () =>
    openPostgresStore({ url, timeoutFactor: TEST_TIMEOUT_FACTOR }),
  );
  await client.end();
  await openSqliteStore(back).close();
  const file = new DatabaseSync(join(back, STORE_FILE), { timeout: 0 });
  let looks = 0;
  const isLocked = async () => {
    try {
      file.exec("BEGIN IMMEDIATE; ROLLBACK");
      looks = 0;
    } catch {
      looks++;
    }
    return looks > 5;
  };
  assert.equal(await killed(url, back, isLocked, async () => openSqliteStore(back)), there);
  file.close();
  await drop();
});

test("compact gives back the room of deleted records", async () => {
  const folder = await folderWithCrowd();
  const store = openSqliteStore(folder);
  await store.writer.deleteSource(CROWD.posts?.[0]?.source ?? "");
  await store.close();
  const stdout = await succeeded(["compact", "--json"], { DATA_DIR: folder, PEPPER_FILE });
  const { bytesBefore, bytes } = JSON.parse(stdout) as { bytesBefore: number; bytes: number };
  assert.ok(bytes * 10 < bytesBefore, stdout);
  const sizes = readdirSync(folder).filter((name) => name.startsWith(basename(STORE_FILE)));
  assert.equal(sizes.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) < bytesBefore / 10, true);
  const { url, drop } = await freshStoreDatabase();
  assert.match(await succeeded(["compact"], { DATA_DIR: folder, STORE_URL: url, PEPPER_FILE }), /^The store takes \d/);
  await drop();
});
