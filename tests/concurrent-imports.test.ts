/**
 * Several importers on one folder and one store: every file is read once, whichever dies or hangs, and the result is that
 * of a single import. Each is a process: the test's own is one of them, and whatever is killed or frozen is another.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { ImportReport } from "#import/report.ts";
import { budget, IS_FULL, TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { zipOf } from "#testing/sample-archives.ts";
import { openPostgresStore } from "#store/postgres/store.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import type { Store } from "#store/store.ts";
import { until } from "#testing/until.ts";
import { temporaryFolder } from "./test-server.ts";
import { aPostObject, startTriptych, BIN, commentLine, environment, pushedLine, writeLines } from "./spawn-import.ts";
import { Importer, LEASE_MS, LocalImporter } from "./importer-process.ts";
import { freshStoreDatabase } from "./postgres/databases.ts";

/** Long enough for a machine that is busy with other tests, and short enough to wait for. */
const SHORT_LEASE_MS = 2_500;

interface World {
  store: Store;
  url: string | null;
  dataDir: string;
  close: () => Promise<void>;
}

const home = temporaryFolder();
let worlds = 0;

async function onFile(): Promise<World> {
  const dataDir = join(home.path, `data${++worlds}`);
  mkdirSync(dataDir);
  const store = openSqliteStore(dataDir);
  return { store, url: null, dataDir, close: () => store.close() };
}

async function onPostgres(): Promise<World> {
  const dataDir = join(home.path, `data${++worlds}`);
  const { url, drop } = await freshStoreDatabase();
  const store = await openPostgresStore({ url, timeoutFactor: TEST_TIMEOUT_FACTOR });
  return {
    store,
    url,
    dataDir,
    async close() {
      await store.close();
      await drop();
    },
  };
}

const PLAIN_FILES = 12;
/** Three batches, of which the last is small: few comments, but long ones, which end a batch by their length. */
const LONG_FILE_COMMENTS = 100;
const LONG_COMMENT = "-".repeat(50_000);
const LONG_FILE_KEPT = LONG_FILE_COMMENTS - 1;

/** Files that share people, an archive, something to pass over, and refused lines. */
function manyFiles(): string {
  const folder = join(home.path, "many");
  mkdirSync(folder);
  const lines = (file: number, count: number) =>
    Array.from({ length: count }, (_, index) => commentLine(file * 1_000 + index, index === 5));
  for (let file = 0; file < PLAIN_FILES; file++) writeLines(join(folder, `part-${file}.ndjson`), lines(file, 60));
  const entry = (file: number) => ({ name: `inner-${file}.ndjson`, data: lines(file, 40).join("\n") });
  writeFileSync(join(folder, "archive.zip"), zipOf([entry(50), entry(51)]));
  writeFileSync(join(folder, "picture.jpg"), "");
  return folder;
}

/** One file of several batches, so that an importer can be caught in the middle of it. */
function longFile(): string {
  const lastIndex = LONG_FILE_COMMENTS - 1;
  const lines = Array.from({ length: LONG_FILE_COMMENTS }, (_, index) =>
    commentLine(index, index === lastIndex, LONG_COMMENT),
  );
  return writeLines(join(home.path, "long.ndjson"), lines);
}

/** What a store holds and what its job tells, apart from the order of things. */
async function stateOf({ store }: World): Promise<unknown> {
  const [job, ...others] = await store.jobs.listJobs(9);
  assert.ok(job !== undefined && others.length === 0, "one job for all");
  const files = await store.jobs.listJobFiles(job.id);
  const rejects = await store.jobs.listRejects(job.id, 0, 1_000);
  assert.deepEqual(await store.verify(), []);
  return {
    job: job.state,
    files: files.map(({ name, state, position }) => `${name} ${state} ${position}`).toSorted(),
    rejects: rejects.map(({ file, line }) => `${file} ${line}`).toSorted(),
    records: (await store.summary()).records,
  };
}

/** How the importers that share a folder begin: on a file as processes of one machine, on a server as three machines. */
type Start = (world: World, paths: string[], at: number) => Importer | LocalImporter;

const STORES: [name: string, open: () => Promise<World>, start: Start][] = [
  [
    "SQLite",
    onFile,
    (world, paths, at) =>
      at === 0 ? new LocalImporter(world, paths, { held: true }) : new Importer(world, paths, { held: true }),
  ],
  [
    "PostgreSQL",
    onPostgres,
    (world, paths, at) =>
      at === 0
        ? new Importer(world, paths, { held: true })
        : new LocalImporter(world, paths, { held: true, owner: `machine-${at}:1:other` }),
  ],
];

let many: string;
let long: string;
/** By a single importer: what all must come to, on either store. */
const alone = { many: {} as unknown, long: {} as unknown, total: {} as ImportReport["total"] };
before(async () => {
  many = manyFiles();
  long = longFile();
  for (const kind of ["many", "long"] as const) {
    const world = await onFile();
    const { total } = await new LocalImporter(world, [kind === "many" ? many : long]).report();
    alone[kind] = await stateOf(world);
    if (kind === "many") alone.total = total;
    await world.close();
  }
});
after(() => {
  for (const { child } of Importer.started) child.kill("SIGKILL");
  home.remove();
});

for (const [name, open, start] of STORES) {
  describe(`importers together on ${name}`, () => {
    // On a file each is a process of its own.
    const counts = IS_FULL ? [2, 3] : [name === "SQLite" ? 2 : 3];
    for (const count of counts) {
      test(`${count} importers share the files of a folder: each is read once, and the totals are one importer's`, async () => {
        const world = await open();
        // Named in two ways: it is the same folder.
        const paths = (at: number) => [at % 2 === 0 ? many : join(many, "..", "many")];
        const importers = Array.from({ length: count }, (_, at) => start(world, paths(at), at));
        // None continues before each has claimed a file.
        const first = await Promise.all(importers.map((importer) => importer.keeping()));
        assert.equal(new Set(first.map(({ keeping }) => keeping)).size, count);
        for (const importer of importers) importer.goOn("all");
        const reports = await Promise.all(importers.map((importer) => importer.report()));
        const read = reports.flatMap(({ own }) => own.files);
        assert.deepEqual(read.toSorted(), reports[0]?.files.map((file) => file.name).toSorted());
        for (const { own, total, elsewhere } of reports) {
          assert.ok(own.files.length > 0);
          assert.deepEqual(total.records.comment, alone.total.records.comment);
          assert.deepEqual(total.refused, alone.total.refused);
          assert.deepEqual(total.skipped, alone.total.skipped);
          assert.deepEqual(elsewhere, []);
        }
        const kept = reports.reduce((sum, { own }) => sum + (own.records.comment?.new ?? 0), 0);
        assert.equal(kept, alone.total.records.comment?.new);
        assert.deepEqual(await stateOf(world), alone.many);
        await world.close();
      });
    }

    // What decides this stands above the stores: between releases each store proves one of the two.
    const killedOwners = IS_FULL ? [undefined, "north:77:gone"] : [name === "SQLite" ? undefined : "north:77:gone"];
    test("a killed importer's file is taken over where it was: at once on its machine, after its lease from elsewhere", async () => {
      for (const owner of killedOwners) {
        const world = await open();
        const killed = new Importer(world, [long], {
          held: true,
          leaseMs: SHORT_LEASE_MS,
          ...(owner === undefined ? {} : { owner }),
        });
        await killed.keeping();
        killed.goOn("one");
        const { position } = await killed.keeping();
        const heir = new LocalImporter(world, [long], { leaseMs: owner === undefined ? LEASE_MS : SHORT_LEASE_MS });
        await killed.kill();
        const { own, total } = await heir.report();
        assert.deepEqual(total.records.comment, { new: LONG_FILE_KEPT, updated: 0, unchanged: 0, erased: 0 });
        const kept = own.records.comment?.new ?? 0;
        assert.ok(kept > 0 && kept < LONG_FILE_KEPT && position < LONG_FILE_COMMENTS, `${kept} were kept by the heir`);
        assert.deepEqual(await stateOf(world), alone.long);
        await world.close();
      }
    });

    test("an importer that stood still longer than its lease keeps nothing more of its file when it wakes", async () => {
      const world = await open();
      const frozen = new Importer(world, [long], { held: true, leaseMs: SHORT_LEASE_MS });
      await frozen.keeping();
      frozen.goOn("one");
      await frozen.keeping();
      await frozen.freeze();
      const heir = new LocalImporter(world, [long], { leaseMs: SHORT_LEASE_MS, held: true });
      // It has the file, has read on from where the other stood, and is still at it when the other wakes.
      await heir.keeping();
      mkdirSync(world.dataDir, { recursive: true });
      writeFileSync(join(world.dataDir, "wake"), "");
      frozen.goOn("all");
      heir.goOn("one");
      await heir.keeping();
      heir.goOn("all");
      const [woken, whole] = await Promise.all([frozen.report(), heir.report()]);
      assert.deepEqual(woken.own.files, [], "the file is no longer its own");
      const kept = (woken.own.records.comment?.new ?? 0) + (whole.own.records.comment?.new ?? 0);
      assert.equal(kept, LONG_FILE_KEPT);
      for (const { total } of [woken, whole]) {
        assert.deepEqual(total.records.comment, { new: LONG_FILE_KEPT, updated: 0, unchanged: 0, erased: 0 });
      }
      assert.deepEqual(await stateOf(world), alone.long);
      await world.close();
    });
  });
}

/** How often each post was found new and found again, over all jobs. */
async function postCounts(store: Store): Promise<{ fresh: number; again: number; unfinished: number }> {
  const sum = { fresh: 0, again: 0, unfinished: 0 };
  for (const { id, state } of await store.jobs.listJobs(1_000)) {
    if (state === "running") sum.unfinished++;
    for (const { report } of await store.jobs.listJobFiles(id)) {
      sum.fresh += report.records.post?.new ?? 0;
      sum.again += (report.records.post?.unchanged ?? 0) + (report.records.post?.updated ?? 0);
    }
  }
  return sum;
}

test("two watchers of one folder import what arrives once, and nothing again after a restart", async () => {
  const { store, dataDir, close } = await onFile();
  const watched = join(home.path, "watched");
  mkdirSync(watched);
  const arrive = (number: number) => writeLines(join(watched, `${number}.ndjson`), [pushedLine(aPostObject(number))]);
  for (const number of [1, 2, 3]) arrive(number);
  const watchers = [1, 2].map(() => startTriptych(dataDir, ["import", "--watch", watched]));
  try {
    await until(async () => (await postCounts(store)).fresh === 3, 60_000);
    for (const number of [4, 5]) arrive(number);
    await until(async () => (await postCounts(store)).fresh === 5, 60_000);
    watchers[0]?.child.kill("SIGINT");
    await watchers[0]?.ended;
    watchers.push(startTriptych(dataDir, ["import", "--watch", watched]));
    arrive(6);
    // The one that came last has looked at all files by the time it has a job of its own. Others may begin one at any time.
    const counts = await until(async () => {
      const found = await postCounts(store);
      const isDone = found.fresh === 6 && found.unfinished === 0;
      return isDone && (await store.jobs.listJobs(99)).some(({ label }) => /1\..*6\./.test(label)) && found;
    }, 60_000);
    assert.equal(counts.again, 0);
  } finally {
    for (const { child } of watchers) child.kill("SIGINT");
    await Promise.all(watchers.map(({ ended }) => ended));
    await close();
  }
});

test("nodes that share a folder of uploads import each of them once", async () => {
  const { store, dataDir, close } = await onFile();
  const uploads = ["one", "two", "three"];
  for (const [at, key] of uploads.entries()) {
    mkdirSync(join(dataDir, "uploads", key), { recursive: true });
    writeLines(join(dataDir, "uploads", key, "zeeschuimer-export-tiktok.com.ndjson"), [pushedLine(aPostObject(at))]);
    const job = { id: key, fingerprint: key, origin: "push" as const, label: key, state: "running" as const };
    await store.jobs.writeJob({ ...job, createdAt: 1, updatedAt: 1, owner: "north:1:gone" });
  }
  // Another node is receiving this one: it has no job yet and must not be touched.
  mkdirSync(join(dataDir, "uploads", "coming"));
  const nodes = [1, 2].map(() => spawn(process.execPath, [BIN, "serve", "--no-demo"], { env: environment(dataDir) }));
  const ended = nodes.map((node) => once(node, "exit"));
  try {
    await until(async () => (await postCounts(store)).unfinished === 0, 60_000);
    await until(async () => readdirSync(join(dataDir, "uploads")).length === 1, 60_000);
    assert.deepEqual(readdirSync(join(dataDir, "uploads")), ["coming"]);
    assert.deepEqual(await postCounts(store), { fresh: uploads.length, again: 0, unfinished: 0 });
    assert.equal((await store.jobs.listJobs(99)).length, uploads.length);
  } finally {
    for (const node of nodes) node.kill("SIGKILL");
    await Promise.all(ended);
    await close();
  }
});

const KILLS = budget("importersKills");

test(`two importers that write side by side lose and double nothing, killed in turn ${KILLS} times`, async (t) => {
  const folder = join(home.path, "killed in turn");
  mkdirSync(folder);
  const files = 2 * KILLS + 8;
  for (let file = 0; file < files; file++) {
    const lines = Array.from({ length: 20 }, (_, index) => commentLine(file * 100 + index, index === 7));
    writeLines(join(folder, `part-${file}.ndjson`), lines);
  }
  const world = await onPostgres();
  t.after(() => world.close());
  const start = () => new Importer(world, [folder], { held: true });
  const importers: [Importer, Importer] = [start(), start()];
  for (let kill = 0; kill < KILLS; kill++) {
    // Both are about to write a batch; one of them is killed before, within or after its transaction.
    await Promise.all(importers.map((importer) => importer.keeping()));
    for (const importer of importers) importer.goOn("one");
    await pause(Math.random() * 80);
    const victim = kill % 2 === 0 ? 0 : 1;
    await importers[victim].kill();
    importers[victim] = start();
  }
  await Promise.all(importers.map((importer) => importer.keeping()));
  for (const importer of importers) importer.goOn("all");
  const [report] = await Promise.all(importers.map((importer) => importer.report()));
  assert.deepEqual(report?.total.records.comment, { new: 19 * files, updated: 0, unchanged: 0, erased: 0 });
  const [job, ...others] = await world.store.jobs.listJobs(9);
  assert.deepEqual([job?.state, others], ["done", []]);
  const rejects = await world.store.jobs.listRejects(job?.id ?? "", 0, 1_000);
  assert.deepEqual(
    rejects.map(({ file, line }) => `${file} ${line}`).toSorted(),
    Array.from({ length: files }, (_, file) => `${join(folder, `part-${file}.ndjson`)} 8`).toSorted(),
  );
  assert.equal((await world.store.summary()).records["shortvideo"]?.comment, 19 * files);
  assert.deepEqual(await world.store.verify(), []);
  reportClaim(
    "two importers that write side by side lose and double nothing when they are killed in turn",
    `${KILLS} kills, ${files} files: 0 lost, 0 doubled`,
  );
});
