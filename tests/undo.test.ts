/** Imports that are taken out again: what remains is what a store answers that never had them. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import * as fc from "fast-check";
import { blankRecord } from "#domain/blank-record.ts";
import type { Job } from "#domain/job.ts";
import { merge } from "#import/merge.ts";
import { type UndoCounts, undoImport } from "#import/undo.ts";
import { toChanges, toUnit } from "#store/write/batch-changes.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import type { Store } from "#store/store.ts";
import type { Batch, Checkpoint } from "#store/write/port.ts";
import { listAllResults } from "#testing/all-store-results.ts";
import { propertyBudget } from "#testing/budget.ts";
import { batchesOf, IDS, SOURCES } from "#testing/random-batches.ts";
import { account, comment, NOW, PLATFORM, post } from "#testing/sample-records.ts";
import { openFreshStore } from "./postgres/fresh-store.ts";
import { requestOperation } from "./http-client.ts";
import { runCommand } from "./run-command.ts";
import { aPostObject, pushedLine, writeLines } from "./spawn-import.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { WORLD } from "./world.ts";

function writeJob({ jobs }: Store, id: string, state: Job["state"]): Promise<void> {
  const now = NOW;
  const job = { id, fingerprint: id, origin: "command" as const, label: id, createdAt: now, updatedAt: now, owner: "" };
  return jobs.writeJob({ ...job, state });
}

function checkpointOf(jobId: string, position: number): Checkpoint {
  const report = { formats: {}, records: {}, refused: {}, skipped: {} };
  return {
    file: { jobId, name: "file", fingerprint: "", state: "done", position, report },
    rejects: [],
    restarted: false,
  };
}

/** One import with a transaction per batch. */
async function runJob(store: Store, id: string, batches: readonly Batch[]): Promise<void> {
  await writeJob(store, id, "running");
  for (const [position, batch] of batches.entries()) {
    await store.writer.write([
      { changes: [toChanges(PLATFORM, batch)], merge, checkpoint: () => checkpointOf(id, position) },
    ]);
  }
  await store.jobs.finishJob(id, NOW);
}

async function undo(store: Store, jobId: string): Promise<UndoCounts> {
  const planned = await undoImport(store, { jobId, dryRun: true });
  const outcome = await undoImport(store, { jobId, dryRun: false });
  assert.equal((await store.jobs.getJob(jobId))?.state, outcome.state === "undone" ? "undone" : "done");
  if (outcome.state !== "undone" || planned.state !== "undone") {
    assert.deepEqual([planned.state, outcome.state], ["nothing to undo", "nothing to undo"]);
    return { removed: {}, restored: {}, kept: {}, keptFor: {}, points: 0 };
  }
  assert.deepEqual(planned.counts, outcome.counts, "a dry run counts what the undo does");
  return outcome.counts;
}

async function resultsOf(store: Store, ids: readonly string[]): Promise<unknown> {
  await store.writer.refreshTrends();
  return withoutNumbering(await listAllResults(store, ids));
}

/** How many documents the index ever had, which page tokens tell, and whether trends were ever computed, is nobody's business. */
function withoutNumbering(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNumbering);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).filter(([name]) => name !== "state" && name !== "day");
  return Object.fromEntries(entries.map(([name, member]) => [name, withoutNumbering(member)]));
}

/** What undoing imports would need. */
function listTouches({ tables }: Store) {
  return tables.snapshot(async (reader) => (await Array.fromAsync(reader.read("job_records"))).flat());
}

interface TwoStores {
  one: Store;
  other: Store;
  close(): Promise<void>;
}

const STORES: Record<string, () => Promise<TwoStores>> = {
  async sqlite() {
    const folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), "triptych-undo-")));
    const [one, other] = folders.map((folder) => openSqliteStore(folder, "full", () => NOW)) as [Store, Store];
    return {
      one,
      other,
      async close() {
        await one.close();
        await other.close();
        for (const folder of folders) rmSync(folder, { recursive: true });
      },
    };
  },
  async postgres() {
    const stores = [await openFreshStore(() => NOW), await openFreshStore(() => NOW)] as const;
    return {
      one: stores[0].store,
      other: stores[1].store,
      async close() {
        for (const store of stores) await store.close();
      },
    };
  },
};

/** `history` is not part of an import. */
const imports = fc.shuffledSubarray(IDS, { minLength: 3, maxLength: 3 }).chain((ids) =>
  fc.record({
    ids: fc.constant(ids),
    jobs: fc.array(fc.array(batchesOf(ids), { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 4 }),
    order: fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
    without: fc.nat(),
  }),
);

/** Of one post, in the order of import; each is an import of its own. */
const captures = fc.record({
  captured: fc.uniqueArray(
    fc.record({ at: fc.nat(5), views: fc.constantFrom(12_300, 12_345, 12_349, 12_400), likes: fc.nat(1) }),
    { selector: ({ at }) => at, minLength: 2, maxLength: 4 },
  ),
  undone: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 1 }),
});

/** Of one account, in the order of import: some know its name only, until its id is learnt. Some imports have several. */
const namedCaptures = fc.record({
  captured: fc.array(fc.record({ job: fc.nat(3), at: fc.nat(9), isByName: fc.boolean(), isLearnt: fc.boolean() }), {
    minLength: 2,
    maxLength: 6,
  }),
  undone: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 1 }),
});

for (const [name, openStores] of Object.entries(STORES)) {
  describe(`undo on ${name}`, () => {
    let stores: TwoStores;
    before(async () => {
      stores = await openStores();
    });
    after(() => stores.close());

    test("undone imports leave what a store answers that never had them", async () => {
      const { one, other } = stores;
      let run = 0;
      await fc.assert(
        fc.asyncProperty(imports, async ({ ids, jobs, order, without }) => {
          run++;
          // A run that failed left its records behind.
          for (const store of [one, other]) for (const source of SOURCES) await store.writer.deleteSource(source);
          const names = jobs.map((_, index) => `job ${run}.${index}`);
          // The newest first: after each, the store is as it was before that import.
          const states: unknown[] = [];
          for (const [index, batches] of jobs.entries()) {
            states.push(await resultsOf(one, ids));
            await runJob(one, names[index] as string, batches);
          }
          for (const [index, state] of [...states.entries()].toReversed()) {
            const { kept } = await undo(one, names[index] as string);
            assert.deepEqual(kept, {});
            assert.deepEqual(await resultsOf(one, ids), state);
          }
          // Any of them: the same, unless a later import touched the same records.
          const left = without % jobs.length;
          for (const [index, batches] of jobs.entries()) await runJob(other, names[index] as string, batches);
          const { kept } = await undo(other, names[left] as string);
          if (Object.keys(kept).length === 0) {
            const others = names.filter((_, index) => index !== left);
            for (const id of others) await runJob(one, `${id} again`, jobs[names.indexOf(id)] as Batch[]);
            assert.deepEqual(await resultsOf(other, ids), await resultsOf(one, ids));
            for (const id of others.toReversed()) await undo(one, `${id} again`);
            assert.deepEqual(await resultsOf(one, ids), states[0]);
          }
          // All of them, in any order: nothing remains.
          const shuffled = names
            .filter((_, index) => index !== left)
            .toSorted((a, b) => (order[names.indexOf(a)] as number) - (order[names.indexOf(b)] as number));
          for (const id of shuffled) await undo(other, id);
          assert.deepEqual(await resultsOf(other, ids), states[0]);
        }),
        propertyBudget(name === "sqlite" ? 60 : 10),
      );
    });

    test("a history without undone imports, in any order, is what the other imports captured", async () => {
      const { one, other } = stores;
      const rounded = [0, 1].map((at) => ({ at, views: 12_300, likes: 0 }));
      const exact = { at: 2, views: 12_345, likes: 0 };
      let run = 0;
      await fc.assert(
        fc.asyncProperty(captures, async ({ captured, undone }) => {
          const id = `p${++run}`;
          const names = captured.map((_, index) => `${id} ${index}`);
          const capture = (store: Store, job: string) => {
            const { at, ...counters } = captured[names.indexOf(job)] as (typeof captured)[number];
            return runJob(store, job, [{ posts: [post(id, { counters, capturedAt: NOW + at })] }]);
          };
          const gone = undone.flatMap((index) => names[index] ?? []);
          const left = names.filter((job) => !gone.includes(job));
          for (const job of names) await capture(one, job);
          for (const job of gone) await undo(one, job);
          for (const job of left) await capture(other, job);
          const histories = [one, other].map((store) => store.reader(PLATFORM).listCounters("post", id));
          assert.deepEqual(await histories[0], await histories[1]);
          for (const store of [one, other]) {
            for (const job of left) await undo(store, job);
            assert.deepEqual(await store.reader(PLATFORM).listCounters("post", id), []);
          }
        }),
        {
          ...propertyBudget(name === "sqlite" ? 300 : 60),
          examples: [
            [{ captured: [...rounded, exact], undone: [0] }],
            [{ captured: [...rounded, exact], undone: [0, 2] }],
            [{ captured: [0, 2, 1].map((at) => ({ at, views: 12_345, likes: 1 })), undone: [0, 2] }],
            // The last one undone, of counts that came back.
            [{ captured: [0, 3, 2, 5].map((at) => ({ at, views: 12_345, likes: at === 2 ? 1 : 0 })), undone: [3] }],
          ],
        },
      );
    });

    test("a history of an account that was known by name is what the imports captured that were not undone", async () => {
      const { other: store } = stores;
      let run = 0;
      await fc.assert(
        fc.asyncProperty(namedCaptures, async ({ captured, undone }) => {
          run++;
          await store.writer.deleteSource("test");
          const nameOf = (job: number) => `named ${run}.${job}`;
          const learn = () => store.writer.mergePlaceholder(PLATFORM, "@ada", "1", merge);
          // No two captures are of the same instant or have the same counters.
          const points = captured.map(({ job, at }, index) => ({
            job,
            capturedAt: NOW + at * 10 + index,
            counters: { followers: index + 1 },
          }));
          for (const [index, { job, isByName, isLearnt }] of captured.entries()) {
            const { capturedAt, counters } = points[index] as (typeof points)[number];
            const id = isByName ? "@ada" : "1";
            await runJob(store, nameOf(job), [{ accounts: [account(id, { name: "ada", capturedAt, counters })] }]);
            if (isLearnt) await learn();
          }
          await learn();
          for (const job of undone) {
            if (captured.some((one) => one.job === job)) await undo(store, nameOf(job));
          }
          assert.deepEqual(
            await store.reader(PLATFORM).listCounters("account", "1"),
            points
              .filter(({ job }) => !undone.includes(job))
              .toSorted((a, b) => a.capturedAt - b.capturedAt)
              .map(({ capturedAt, counters }) => ({ capturedAt, counters })),
          );
        }),
        propertyBudget(name === "sqlite" ? 300 : 60),
      );
    });

    test("says what stays because another import brought it too, and what the other then owns", async () => {
      const { one: store } = stores;
      const reader = store.reader(PLATFORM);
      const capture = (capturedAt: number, views: number, text: string) =>
        post("p", { capturedAt, text, counters: { views } });
      await runJob(store, "first", [{ posts: [capture(NOW, 10, "old")], accounts: [account("1", { name: "ada" })] }]);
      await runJob(store, "second", [{ posts: [capture(NOW + 2_000, 10, "new")], comments: [comment("c")] }]);
      const counts = await undo(store, "first");
      assert.deepEqual(counts, {
        removed: { account: 1 },
        restored: {},
        kept: { post: 1 },
        keptFor: { second: 1 },
        points: 1,
      });
      assert.equal((await reader.getPost("p"))?.text, "new");
      // The second import saw the same counters, which were not stored again; now they are its own.
      assert.deepEqual(await reader.listCounters("post", "p"), [{ capturedAt: NOW + 2_000, counters: { views: 10 } }]);
      assert.deepEqual((await undo(store, "second")).removed, { post: 1, comment: 1 });
      assert.equal(await store.isEmpty(), true);
    });

    test("an import that changed nothing leaves to later ones what they replaced", async () => {
      const { one: store } = stores;
      const capture = (capturedAt: number, text: string) => ({ posts: [post("p", { capturedAt, text })] });
      await runJob(store, "first", [capture(NOW, "old")]);
      await runJob(store, "same", [capture(NOW, "old")]);
      await runJob(store, "second", [capture(NOW + 2_000, "new")]);
      await undo(store, "same");
      assert.deepEqual((await undo(store, "second")).restored, { post: 1 });
      assert.equal((await store.reader(PLATFORM).getPost("p"))?.text, "old");
      await undo(store, "first");
      assert.equal(await store.isEmpty(), true);
    });

    test("gives back the counters between two equal ones that an import replaced", async () => {
      const { one: store } = stores;
      const history = () => store.reader(PLATFORM).listCounters("post", "p");
      const capture = (at: number, counters: object) => ({ posts: [post("p", { capturedAt: NOW + at, counters })] });
      await runJob(store, "first", [capture(-5, { views: 1 }), capture(5, { views: 1 }), capture(0, { views: 2 })]);
      const stored = await history();
      assert.deepEqual(
        stored.map(({ capturedAt }) => capturedAt),
        [NOW - 5, NOW, NOW + 5],
      );
      await runJob(store, "second", [capture(0, { views: 3 })]);
      await undo(store, "second");
      assert.deepEqual(await history(), stored);
      await undo(store, "first");
    });

    test("gives back the counters that an import completed at the same instant", async () => {
      const { one: store } = stores;
      const history = () => store.reader(PLATFORM).listCounters("post", "p");
      const capture = (counters: object) => ({ posts: [post("p", { counters })] });
      await runJob(store, "first", [capture({ views: 900, likes: 40 })]);
      const stored = await history();
      await runJob(store, "second", [capture({ comments: 3 }), capture({ likes: 41 })]);
      assert.deepEqual(await history(), [{ capturedAt: NOW, counters: { views: 900, likes: 41, comments: 3 } }]);
      await undo(store, "second");
      assert.deepEqual(await history(), stored);
      await undo(store, "first");
    });

    test("gives back the rounded counts that an import made exact, before and after its own", async () => {
      const { one: store } = stores;
      const history = () => store.reader(PLATFORM).listCounters("post", "p");
      const capture = (at: number, views: number, likes: number) => ({
        posts: [post("p", { counters: { views, likes }, capturedAt: NOW + at })],
      });
      await runJob(store, "rounded", [capture(-5, 1_700_000, 3), capture(0, 1_700_000, 4), capture(10, 1_700_000, 5)]);
      const stored = await history();
      await runJob(store, "exact", [capture(5, 1_749_000, 4)]);
      assert.deepEqual(new Set((await history()).map(({ counters }) => counters.views)), new Set([1_749_000]));
      await undo(store, "exact");
      assert.deepEqual(await history(), stored);
      await undo(store, "rounded");
      assert.deepEqual(await history(), []);
    });

    test("says what stays of counters that a later import completed at the same instant", async () => {
      const { one: store } = stores;
      const history = () => store.reader(PLATFORM).listCounters("post", "p");
      const capture = (counters: object, at: number) => ({ posts: [post("p", { counters, capturedAt: NOW + at })] });
      await runJob(store, "base", [capture({ views: 950, likes: 50 }, 5)]);
      const stored = await history();
      await runJob(store, "older", [capture({ views: 900 }, 0)]);
      await runJob(store, "same instant", [capture({ likes: 40 }, 0)]);
      const { kept } = await undo(store, "older");
      assert.deepEqual(kept, { post: 1 });
      await undo(store, "same instant");
      assert.deepEqual(await history(), stored);
      await undo(store, "base");
    });

    test("gives back the source of a record that an import changed and changed back", async () => {
      const { one: store } = stores;
      const capture = (source: string, text: string) => ({ posts: [post("p", { text, source })] });
      const read = async () => (await store.reader(PLATFORM).getPost("p"))?.source;
      await runJob(store, "first", [capture("one", "tea")]);
      await runJob(store, "second", [capture("two", "coffee"), capture("two", "tea")]);
      assert.equal(await read(), "two");
      await undo(store, "second");
      assert.equal(await read(), "one");
      await undo(store, "first");
    });

    test("an import that shows nothing but a post's id changes no time or source, and can be undone in any order", async () => {
      const { one: store } = stores;
      const id = "p";
      const jobs: Record<string, Batch> = {
        full: { posts: [post(id, { source: "yt-dlp", counters: { views: 900 } })] },
        mention: { posts: [{ ...blankRecord("post"), id, native: {}, capturedAt: NOW + 5, source: "subtitles" }] },
      };
      const read = async () => {
        const stored = await store.reader(PLATFORM).getPost(id);
        return stored === null ? null : [stored.capturedAt, stored.source, stored.counters.views];
      };
      const full = [NOW, "yt-dlp", 900];
      const mention = [NOW + 5, "subtitles", undefined];
      for (const { order, afterFirst } of [
        { order: ["full", "mention"], afterFirst: full },
        { order: ["mention", "full"], afterFirst: mention },
      ]) {
        for (const undone of [order, order.toReversed()]) {
          for (const job of order) await runJob(store, job, [jobs[job] as Batch]);
          assert.deepEqual(await read(), full);
          await undo(store, undone[0] as string);
          // An older import leaves what a later one brought or saw.
          assert.deepEqual(await read(), undone === order ? full : afterFirst);
          await undo(store, undone[1] as string);
          assert.equal(await read(), null);
        }
      }
    });

    test("gives back the capture time of subtitles and charts that an import captured again", async () => {
      const { one: store } = stores;
      const reader = store.reader(PLATFORM);
      const capture = (capturedAt: number, source: string): Batch => {
        const lines = [{ startS: 0, durationS: 1, text: "tea" }];
        return {
          subtitles: [{ postId: "p", language: "en", automatic: false, lines, capturedAt, source }],
          chartEntries: [
            { country: "US", section: "now", day: "2026-11-15", rank: 1, postId: "p", capturedAt, source },
          ],
        };
      };
      const read = async () => {
        const captured = [await reader.getSubtitles("p", "en"), await reader.getChart("US", "now")];
        return captured.map((one) => [one?.capturedAt, one?.source]);
      };
      await runJob(store, "first", [capture(NOW, "one")]);
      await runJob(store, "second", [capture(NOW + 5, "two")]);
      assert.deepEqual(
        await read(),
        [NOW + 5, NOW + 5].map((at) => [at, "two"]),
      );
      assert.deepEqual((await undo(store, "second")).restored, { subtitles: 1, chart: 1 });
      assert.deepEqual(
        await read(),
        [NOW, NOW].map((at) => [at, "one"]),
      );
      await undo(store, "first");
      assert.deepEqual(
        await read(),
        [1, 2].map(() => [undefined, undefined]),
      );
    });

    test("a name that an import changed and changed back stays findable", async () => {
      const { one: store } = stores;
      const called = (handle: string) => ({ accounts: [account("1", { name: handle })] });
      await runJob(store, "first", [called("ada")]);
      await runJob(store, "second", [called("ADA"), called("ada")]);
      await undo(store, "second");
      assert.equal((await store.reader(PLATFORM).getAccountByName("ada"))?.id, "1");
      await undo(store, "first");
    });

    test("a name belongs to the account captured last of those that have it, whatever was undone", async () => {
      const { one: store } = stores;
      const called = (id: string, handle: string, at: number) => ({
        accounts: [account(id, { name: handle, capturedAt: NOW + at })],
      });
      const findAda = async () => (await store.reader(PLATFORM).getAccountByName("ada"))?.id;
      // The older capture comes later.
      await runJob(store, "newer", [called("1", "ada", 5)]);
      await runJob(store, "older", [called("2", "ada", 0)]);
      await runJob(store, "newest", [called("3", "ada", 9), called("3", "bo", 10)]);
      assert.equal(await findAda(), "1");
      await undo(store, "newer");
      assert.equal(await findAda(), "2");
      await undo(store, "newest");
      assert.equal(await findAda(), "2");
      await undo(store, "older");
      assert.equal(await findAda(), undefined);
    });

    test("gives a name back to the account that an import took it from", async () => {
      const { one: store } = stores;
      const reader = store.reader(PLATFORM);
      await runJob(store, "mine", [{ accounts: [account("1", { name: "ada" })] }]);
      await runJob(store, "wrong", [{ accounts: [account("2", { name: "ada", capturedAt: NOW + 1 })] }]);
      assert.equal((await reader.getAccountByName("ada"))?.id, "2");
      await undo(store, "wrong");
      assert.equal((await reader.getAccountByName("ada"))?.id, "1");
      await undo(store, "mine");
    });

    test("gives a name back as of the time before the import, which had captured it again before it took it away", async () => {
      const { one: store } = stores;
      const named = (id: string, called: string, capturedAt: number) => account(id, { name: called, capturedAt });
      const accounts = [named("1", "ada", NOW + 9), named("1", "bo", NOW + 9)];
      for (const batches of [[{ accounts }], accounts.map((one) => ({ accounts: [one] }))]) {
        await runJob(store, "mine", [{ accounts: [named("1", "ada", NOW)] }]);
        await runJob(store, "renamed", batches);
        await undo(store, "renamed");
        assert.equal((await store.reader(PLATFORM).getAccountByName("ada"))?.id, "1");
        await runJob(store, "later", [{ accounts: [named("2", "ada", NOW + 5)] }]);
        assert.equal((await store.reader(PLATFORM).getAccountByName("ada"))?.id, "2");
        for (const id of ["later", "mine"]) await undo(store, id);
      }
    });

    test("an account that has got its id since is undone under that id", async () => {
      const { one: store } = stores;
      const reader = store.reader(PLATFORM);
      await runJob(store, "by name", [
        {
          accounts: [account("@ada", { name: "ada" })],
          posts: [post("p", { authorId: "@ada", text: "before" })],
          follows: [{ accountId: "@ada", followerId: "2", since: null, capturedAt: NOW, source: "test" }],
        },
      ]);
      await runJob(store, "changed", [
        { posts: [post("p", { authorId: "@ada", text: "after", capturedAt: NOW + 1 })] },
      ]);
      await store.writer.mergePlaceholder(PLATFORM, "@ada", "1", merge);
      await runJob(store, "by id", [{ accounts: [account("1", { name: "ada", bio: "tea" })] }]);
      await undo(store, "changed");
      const restored = await reader.getPost("p");
      assert.deepEqual([restored?.text, restored?.authorId], ["before", "1"]);
      await undo(store, "by id");
      assert.equal((await reader.getAccount("1"))?.bio, null);
      await undo(store, "by name");
      assert.equal(await store.isEmpty(), true);
      assert.equal(await reader.countFollowers("1"), 0);
    });

    test("an erased person does not come back with an undone import", async () => {
      const { one: store } = stores;
      const reader = store.reader(PLATFORM);
      const entry = (postId: string) => ({ country: "US", section: "now", day: "2026-11-15", rank: 1, postId });
      const captured = { capturedAt: NOW, source: "test" };
      await runJob(store, "base", [
        { posts: [post("p", { authorId: "7" }), post("q")], chartEntries: [{ ...entry("p"), ...captured }] },
      ]);
      await runJob(store, "later", [
        {
          posts: [post("p", { authorId: "7", text: "changed", capturedAt: NOW + 1 })],
          chartEntries: [{ ...entry("q"), capturedAt: NOW + 1, source: "test" }],
        },
      ]);
      await store.writer.erase(PLATFORM, "account", "7");
      await undo(store, "later");
      assert.equal(await reader.getPost("p"), null);
      assert.equal((await reader.getChart("US", "now"))?.postIds.includes("p") ?? false, false);
      await undo(store, "base");
      assert.equal(await store.isEmpty(), true);
    });

    test("nothing that an undo could need tells of somebody erased", async () => {
      const { one: store } = stores;
      const named = (called: string, capturedAt: number) => account("700001", { name: called, capturedAt });
      await runJob(store, "base", [{ accounts: [named("old.name", NOW)] }]);
      for (const job of ["later", "unchanged"]) await runJob(store, job, [{ accounts: [named("new.name", NOW + 1)] }]);
      await store.writer.erase(PLATFORM, "account", "700001");
      assert.deepEqual(await listTouches(store), []);
      // The former name is kept out as well.
      await runJob(store, "again", [{ accounts: [account("@old.name", { name: "old.name" })] }]);
      assert.equal(await store.isEmpty(), true);
    });

    test("an erased post is in no chart that an undone import gives back", async () => {
      const { one: store } = stores;
      const chart = (postId: string, capturedAt: number) => ({
        posts: [post(postId)],
        chartEntries: [
          { country: "US", section: "now", day: "2026-11-15", rank: 1, postId, capturedAt, source: "test" },
        ],
      });
      await runJob(store, "base", [chart("charted", NOW)]);
      await runJob(store, "later", [chart("next", NOW + 1)]);
      await store.writer.erase(PLATFORM, "post", "charted");
      assert.doesNotMatch(JSON.stringify(await listTouches(store)), /charted/);
      await undo(store, "later");
      assert.equal(await store.reader(PLATFORM).getChart("US", "now"), null);
    });

    test("what was of somebody erased before an import changed it goes when that import is undone", async () => {
      const { one: store } = stores;
      const reader = store.reader(PLATFORM);
      const capture = (authorId: string, charted: string, capturedAt: number) => ({
        posts: [post("moved", { authorId, text: `by ${authorId}`, capturedAt }), post(charted, { authorId })],
        chartEntries: [
          { country: "US", section: "now", day: "2026-11-15", rank: 1, postId: charted, capturedAt, source: "test" },
        ],
      });
      await runJob(store, "base", [capture("600001", "charted", NOW)]);
      await runJob(store, "later", [capture("800001", "other", NOW + 1)]);
      await store.writer.erase(PLATFORM, "account", "600001");
      assert.equal((await reader.getPost("moved"))?.text, "by 800001");
      assert.doesNotMatch(JSON.stringify(await listTouches(store)), /600001|charted/);
      await undo(store, "later");
      assert.equal(await reader.getPost("moved"), null);
      assert.equal(await reader.getChart("US", "now"), null);
      await undo(store, "base");
      assert.equal(await store.isEmpty(), true);
      // It was of the other person as well, and may come again.
      await runJob(store, "again", [{ posts: [post("moved", { authorId: "800001" })] }]);
      assert.notEqual(await reader.getPost("moved"), null);
      await undo(store, "again");
    });

    test("what a transaction removes again of somebody erased leaves nothing for an undo", async () => {
      const { one: store } = stores;
      await store.writer.erase(PLATFORM, "account", "700009");
      const said = (text: string, capturedAt: number) =>
        comment("c", { postId: "hers", authorId: "2", text, capturedAt });
      await store.writer.write([toUnit(PLATFORM, { comments: [said("before", NOW)] })]);
      const batches: Batch[] = [
        { comments: [said("after", NOW + 1), comment("d", { postId: "hers", authorId: "2" })] },
        { posts: [post("hers", { authorId: "700009" })] },
      ];
      await writeJob(store, "j", "running");
      await store.writer.write(
        batches.map((batch, position) => ({
          changes: [toChanges(PLATFORM, batch)],
          merge,
          checkpoint: () => checkpointOf("j", position),
        })),
      );
      assert.deepEqual(await listTouches(store), []);
      assert.equal((await store.reader(PLATFORM).countComments("hers")).comments, 0);
    });

    test("an import that shows whose a name was leaves nothing of somebody erased for an undo", async () => {
      const store = stores.one;
      const dinner = post("dinner", { authorId: "2", text: "dinner", taggedIds: ["777000777"] });
      await runJob(store, "tagging", [{ posts: [dinner] }]);
      await store.writer.erase(PLATFORM, "account", "@quux.name");
      const shown = account("777000777", { name: "quux.name" });
      await runJob(store, "showing", [
        { accounts: [shown], posts: [{ ...dinner, text: "dinner, edited", taggedIds: [], capturedAt: NOW + 1 }] },
      ]);
      assert.doesNotMatch(JSON.stringify(await listTouches(store)), /777000777/);
      await undo(store, "showing");
      const restored = await store.reader(PLATFORM).getPost("dinner");
      assert.deepEqual([restored?.text, restored?.taggedIds], ["dinner", []]);
    });

    test("an import from a watched folder cannot be undone while it runs", async () => {
      const { one: store } = stores;
      const jobId = "watching";
      await writeJob(store, jobId, "running");
      const claim = { jobId, claimGroup: "watch folder", path: "/f", name: "f", fingerprint: "", owner: "importer" };
      await store.jobs.claimFile(claim, 600_000);
      const write = (id: string) =>
        store.writer.write([
          {
            changes: [toChanges(PLATFORM, { posts: [post(id)] })],
            merge,
            checkpoint: () => ({
              ...checkpointOf(jobId, 0),
              claim: { claim, leaseMs: 600_000, isLast: false },
            }),
          },
        ]);
      await write("watched");
      assert.equal((await undoImport(store, { jobId, dryRun: false })).state, "running");
      assert.notEqual(await store.reader(PLATFORM).getPost("watched"), null);
      await store.jobs.releaseClaims("watch folder", "importer");
      await undo(store, jobId);
      await assert.rejects(write("later"), /another process took over/);
      assert.deepEqual(await store.reader(PLATFORM).getPosts(["watched", "later"]), []);
    });

    test("an import that is too old cannot be undone", async () => {
      const { other: store } = stores;
      await runJob(store, "old", [{ posts: [post("p")] }]);
      await runJob(store, "interrupted", [{ posts: [post("q")] }]);
      await writeJob(store, "interrupted", "running");
      assert.equal(await store.jobs.canUndo("old"), true);
      await store.jobs.forgetUndo(Date.now() + 1);
      assert.equal(await store.jobs.canUndo("interrupted"), true);
      assert.deepEqual((await undoImport(store, { jobId: "old", dryRun: false })).state, "nothing to undo");
      assert.notEqual(await store.reader(PLATFORM).getPost("p"), null);
    });
  });
}

describe("triptych undo", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer(WORLD);
  });
  after(() => server.close());

  const run = (...args: string[]) => runCommand(args, server.env);
  const statusOf = async (videoId: string) =>
    (await requestOperation(server.url, "shortvideo/post/detail", { videoId })).status;

  test("says what would change, undoes it beside a running service, and the file can be imported again", async () => {
    const post1 = aPostObject(1) as unknown as { id: string };
    const capture = writeLines(
      join(server.dataDir, "undo.ndjson"),
      [1, 2, 3].map((n) => pushedLine(aPostObject(n))),
    );
    const job = async () => (JSON.parse((await run("import", capture, "--json")).stdout) as { job: string }).job;
    const first = await job();
    assert.equal(await statusOf(post1.id), 200);
    const planned = await run("undo", first);
    assert.match(
      planned.stdout,
      /would delete: .*3 posts.*\n {2}would restore: nothing\nNothing was changed; add --yes/s,
    );
    assert.equal(await statusOf(post1.id), 200);
    const undone = await run("undo", first, "--yes");
    assert.match(undone.stdout, /^Undid import .*\n {2}deleted: .*3 posts/);
    assert.equal(await statusOf(post1.id), 404);
    assert.match((await run("jobs")).stdout, new RegExp(`${first} +undone`));
    const again = await run("undo", first, "--yes");
    assert.deepEqual([again.code, again.stderr], [1, `triptych: import ${first} was undone before\n`]);
    const second = await job();
    assert.notEqual(second, first);
    assert.equal(await statusOf(post1.id), 200);
    const json = JSON.parse((await run("undo", second, "--yes", "--json")).stdout) as UndoCounts & { undone: boolean };
    assert.deepEqual([json.undone, json.removed.post], [true, 3]);
    const entries = JSON.parse((await run("audit", "--json")).stdout) as {
      actor: string;
      action: string;
      details: object;
    }[];
    // Newest first; a dry run and an undo that does nothing change nothing.
    assert.deepEqual(
      entries.filter(({ action }) => action === "import.undo").map(({ actor, details }) => ({ actor, ...details })),
      [second, first].map((id) => ({ actor: "command", job: id })),
    );
  });

  test("an unknown import is a usage error", async () => {
    assert.equal((await run("undo", "2020-01-01-00000000")).code, 2);
  });
});
