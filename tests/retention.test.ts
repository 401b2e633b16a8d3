/** Retention through the front door: rules, what is due, what a running service deletes, and what exports leave out. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setImmediate as nextTick } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import * as fc from "fast-check";
import type { Account } from "#domain/account.ts";
import type { Post } from "#domain/post.ts";
import { daysFor, type Expiry, listExpiries, type RetentionRule } from "#domain/retention.ts";
import { DAY_MS, DAY_S } from "#domain/time.ts";
import { merge } from "#import/merge.ts";
import { undoImport } from "#import/undo.ts";
import { readConfig } from "#config";
import { previewSweep, readExpiries, sweep, withoutExpired } from "#privacy/retention.ts";
import { scheduleRetentionSweep } from "#serve/retention-sweep.ts";
import { toChanges, toUnit } from "#store/write/batch-changes.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import type { Store } from "#store/store.ts";
import type { Batch } from "#store/write/port.ts";
import { propertyBudget } from "#testing/budget.ts";
import { programEnvironment } from "#testing/program-environment.ts";
import { until } from "#testing/until.ts";
import { freshStoreDatabase } from "./postgres/databases.ts";
import { openFreshStore } from "./postgres/fresh-store.ts";
import { runCommand } from "./run-command.ts";
import { startTestServer, temporaryFolder } from "./test-server.ts";
import { bearerHeader, openTokenIssuer } from "./test-tokens.ts";
import { aComment, anAccount, aPost } from "./world.ts";

const NOW = Date.now();

function captured<Item extends { capturedAt: number; source: string }>(item: Item, days: number, source: string): Item {
  return { ...item, capturedAt: NOW - days * DAY_MS, source };
}

const WORLD: { platform: string; batch: Batch }[] = [
  {
    platform: "shortvideo",
    batch: {
      accounts: [
        captured(anAccount("100001", "old.timer", { displayName: "Old Timer" }), 400, "tool"),
        captured(anAccount("100002", "new.comer", { displayName: "New Comer" }), 3, "tool"),
      ],
      posts: [
        captured(aPost("200001", { authorId: "100001", text: "ancient lantern", counters: { views: 5 } }), 400, "tool"),
        captured(aPost("200002", { authorId: "100002", text: "fresh lantern" }), 3, "tool"),
        captured(
          aPost("200003", { authorId: "100001", text: "archived lantern", counters: { views: 7 } }),
          400,
          "archive",
        ),
      ],
      comments: [
        captured(aComment("300001", "200002", { text: "old words" }), 40, "tool"),
        captured(aComment("300002", "200002", { text: "new words" }), 3, "tool"),
      ],
      follows: [
        { accountId: "100002", followerId: "100001", since: 5, capturedAt: NOW - 400 * DAY_MS, source: "tool" },
      ],
      subtitles: [
        { postId: "200002", language: "en", automatic: false, lines: [], capturedAt: NOW, source: "transcripts" },
      ],
    },
  },
];

async function withStore(kind: "SQLite" | "PostgreSQL", work: (store: Store) => Promise<void>): Promise<void> {
  const folder = temporaryFolder();
  const { store, close } =
    kind === "PostgreSQL"
      ? await openFreshStore(() => NOW)
      : { store: openSqliteStore(folder.path, "full", () => NOW), close: null };
  try {
    await work(store);
  } finally {
    await (close?.() ?? store.close());
    folder.remove();
  }
}

/** A job of its own that ended some days ago. */
async function importBatch(store: Store, id: string, batch: Batch, days = 0): Promise<void> {
  const at = NOW - days * DAY_MS;
  const job = { id, fingerprint: id, origin: "command" as const, label: "", owner: "", state: "done" as const };
  const report = { formats: {}, records: {}, refused: {}, skipped: {} };
  const file = { jobId: id, name: "f", fingerprint: "", state: "done" as const, position: 0, report };
  await store.jobs.writeJob({ ...job, createdAt: at, updatedAt: at });
  await store.writer.write([
    { changes: [toChanges("shortvideo", batch)], merge, checkpoint: () => ({ file, rejects: [], restarted: false }) },
  ]);
  // The checkpoint has the time of the clock.
  await store.jobs.writeJob({ ...job, createdAt: at, updatedAt: at });
}

async function fetchBatch(store: Store, batch: Batch, source = "api"): Promise<void> {
  await store.writer.write([{ changes: [toChanges("shortvideo", batch)], merge, fetchedFrom: source }]);
}

/** One capture of a post. */
function aCapture(days: number, source: string, more: Partial<Post> = {}): Batch {
  return { posts: [captured(aPost("200001", more), days, source)] };
}

/** The terms of a source. */
const TERMS = { defaultDays: null, duties: [{ source: "api", days: 30 }] };

/** What is stored of the post, and its views by the days since they were captured. */
async function readPost(store: Store) {
  const reader = store.reader("shortvideo");
  const post = await reader.getPost("200001");
  const points = await reader.listCounters("post", "200001");
  const views = points.map(({ capturedAt, counters }) => [(NOW - capturedAt) / DAY_MS, counters.views]);
  return { post: post === null ? null : [post.text, post.placeId, post.source], views };
}

function listTouches({ tables }: Store) {
  return tables.snapshot(async (reader) => (await Array.fromAsync(reader.read("job_records"))).flat());
}

/** As a backup and its restore do. */
function copyWithoutExpired(from: Store, to: Store, expiries: readonly Expiry[]): Promise<void> {
  return from.tables.snapshot(async (tables) => {
    const reader = await withoutExpired(tables, expiries);
    await to.tables.fill(async (writer) => {
      for (const table of ["jobs", "job_files", "records", "comments", "counter_points", "job_records"] as const)
        for await (const rows of reader.read(table)) await writer.write({ table, rows });
    });
  });
}

async function succeed(args: string[], env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runCommand(args, env);
  assert.equal(code, 0, stderr);
  return stdout;
}

interface ExportedPost {
  id: string;
  author_id: string;
  author_name: string | null;
  author_display_name: string | null;
}

function postsIn(ndjson: string): ExportedPost[] {
  const posts = ndjson
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as ExportedPost);
  return posts
    .map(({ id, author_id, author_name, author_display_name }) => ({ id, author_id, author_name, author_display_name }))
    .toSorted((a, b) => Number(a.id) - Number(b.id));
}

/**
 * Imports and fetches of one post, one every ten days; what is fetched is captured then, what is imported some tens of days
 * before. Then some of the imports are undone, the newest first.
 */
const turns = fc.record({
  steps: fc.array(
    fc.record({
      isFetched: fc.boolean(),
      tensAgo: fc.nat(6),
      text: fc.constantFrom(null, "tea", "coffee"),
      placeId: fc.constantFrom(null, "700001", "700002"),
      views: fc.integer({ min: 1, max: 6 }),
    }),
    { minLength: 2, maxLength: 6 },
  ),
  undone: fc.nat(2),
  isUndoneFirst: fc.boolean(),
});

/** The same of an account and its follower: some captures know its name only, until its id is learnt. */
const namedTurns = fc.record({
  steps: fc.array(
    fc.record({
      isFetched: fc.boolean(),
      isByName: fc.boolean(),
      isLearnt: fc.boolean(),
      tensAgo: fc.nat(6),
      bio: fc.constantFrom(null, "tea", "coffee"),
      displayName: fc.constantFrom(null, "Ada", "Ada L."),
    }),
    { minLength: 2, maxLength: 6 },
  ),
  undone: fc.nat(3),
  isUndoneFirst: fc.boolean(),
});

test("the time of the last sweep starts with the service, advances with nothing due, and stays when a sweep fails; it is tried again in a minute", async (t) => {
  const folder = temporaryFolder();
  const store = openSqliteStore(folder.path);
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: NOW });
  const errors: unknown[] = [];
  const sweeper = scheduleRetentionSweep(readConfig({ DATA_DIR: folder.path }), store, (error) => errors.push(error));
  const sweptAt = () => {
    const name = "triptych_retention_last_sweep_timestamp_seconds";
    return sweeper.families().find((family) => family.name === name)?.samples[name];
  };
  const later = async (ms: number) => {
    await nextTick();
    t.mock.timers.tick(ms);
    await nextTick();
  };
  const anHourLater = () => later(3_600_000);
  try {
    assert.equal(sweptAt(), NOW / 1000);
    await anHourLater();
    assert.deepEqual([sweptAt(), errors.length], [NOW / 1000 + 3_600, 0]);
    await store.close();
    await anHourLater();
    assert.deepEqual([sweptAt(), errors.length], [NOW / 1000 + 3_600, 1]);
    await later(60_000);
    assert.equal(errors.length, 2);
  } finally {
    await sweeper.stop();
    folder.remove();
  }
});

test("the most specific rule counts, and the terms of a source count even more", () => {
  const rules: RetentionRule[] = [
    { source: "", kind: "", days: 365 },
    { source: "", kind: "comment", days: 30 },
    { source: "archive", kind: "", days: null },
    { source: "archive", kind: "comment", days: 7 },
  ];
  assert.deepEqual(
    [daysFor(rules, "tool", "post"), daysFor(rules, "tool", "comment"), daysFor(rules, "archive", "post")],
    [365, 30, null],
  );
  assert.equal(daysFor(rules, "archive", "comment"), 7);
  const duties = ["archive", "api"].map((source) => ({ source, days: 90 }));
  const expiries = listExpiries(rules, duties, 365 * DAY_MS);
  const of = (kind: string) => expiries.filter((expiry) => expiry.kind === kind);
  assert.deepEqual(of("post"), [
    { kind: "post", source: "archive", except: [], before: 275 * DAY_MS },
    { kind: "post", source: "api", except: [], before: 275 * DAY_MS },
    { kind: "post", source: null, except: ["archive", "api"], before: 0 },
  ]);
  // Counters have no source: a rule for one source deletes none of another's.
  assert.deepEqual(of("history"), [{ kind: "history", source: null, except: [], before: 0 }]);
});

test("a sweep continues until nothing is due, and a rule for everything replaces RETENTION_DAYS", async () => {
  let left = 1_007;
  const writer = {
    listLiveSources: async () => [],
    deleteExpired: async ({ kind, before }: Expiry, limit: number) => {
      assert.equal(before, NOW - 9 * DAY_MS);
      const deleted = kind === "post" ? Math.min(left, limit) : 0;
      left -= deleted;
      return deleted;
    },
  };
  const retention = { list: async () => [{ source: "", kind: "", days: 9 }], hasSource: async () => false };
  const settings = { defaultDays: 5, duties: [] };
  assert.deepEqual(await sweep({ writer, retention } as never, settings, { now: NOW }), { post: 1_007 });
});

test("subtitles and comments that came later do not postpone what is due of their video", async () => {
  const folder = temporaryFolder();
  const env = programEnvironment({ DATA_DIR: join(folder.path, "data") });
  const write = (name: string, text: string) => {
    writeFileSync(join(folder.path, name), text);
    return join(folder.path, name);
  };
  const epoch = NOW / 1000 - 400 * DAY_S;
  const files = [
    write(
      "Lantern [Qb7_lantern].info.json",
      JSON.stringify({
        id: "Qb7_lantern",
        title: "Lantern",
        view_count: 900,
        epoch,
        extractor: "youtube",
        extractor_key: "Youtube",
        webpage_url: "https://www.youtube.com/watch?v=Qb7_lantern",
        _type: "video",
      }),
    ),
    write("Lantern [Qb7_lantern].en.vtt", "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nLight\n"),
    write(
      "videoinfo_Qb7_lantern_2026_comments.csv",
      'id,replyCount,likeCount,publishedAt,authorName,text,isReplyTo\nUgxLantern0000000000001,0,1,2026-01-02 10:00:00,Ada,"Bright",\n',
    ),
  ];
  try {
    for (const file of files) await succeed(["import", file], env);
    await succeed(["retention", "set", "30", "--source", "yt-dlp"], env);
    assert.match(await succeed(["retention"], env), /^Due now: 1 post\.$/m);
  } finally {
    folder.remove();
  }
});

test("a backup has what was imported before a live source changed it, if the answer of the source is due", async () => {
  const folder = temporaryFolder();
  const store = openSqliteStore(folder.path);
  await store.writer.write([
    toUnit("longvideo", { posts: [captured(aPost("Qb7_lantern", { text: "owned" }), 400, "tool")] }),
  ]);
  const fetched = { posts: [captured(aPost("Qb7_lantern", { text: "fetched" }), 40, "youtube-data-api")] };
  await store.writer.write([{ changes: [toChanges("longvideo", fetched)], merge, fetchedFrom: "youtube-data-api" }]);
  await store.close();
  try {
    const file = join(folder.path, "now.backup");
    await succeed(["backup", file], programEnvironment({ DATA_DIR: folder.path }));
    const saved = gunzipSync(readFileSync(file)).toString();
    assert.match(saved, /owned/);
    assert.doesNotMatch(saved, /fetched/);
  } finally {
    folder.remove();
  }
});

test("a reader of what is not due gets a turn where no row matches, and where all rows are due", () =>
  withStore("SQLite", async (store) => {
    const accounts = Array.from({ length: 4_000 }, (_, index) =>
      captured(anAccount(`${index}`, `a${index}`), 400, "tool"),
    );
    await store.writer.write([toUnit("shortvideo", { accounts })]);
    await store.retention.write({ source: "tool", kind: "account", days: 365 });
    const expiries = await readExpiries(store.retention, { defaultDays: null, duties: [] }, NOW);
    await store.tables.snapshot(async (tables) => {
      const reader = await withoutExpired(tables, expiries);
      for (const platform of ["photoshare", "shortvideo"] as const) {
        const batches = await Array.fromAsync(reader.read("records", { platforms: [platform] }));
        assert.deepEqual(batches.flat(), []);
        assert.ok(batches.length > 1, `${batches.length} batches of ${platform}`);
      }
    });
  }));

for (const kind of ["SQLite", "PostgreSQL"] as const) {
  describe(`retention on ${kind}`, () => {
    test("a rule counts for a source of which only comments or follows are left, and no more is deleted than asked for", () =>
      withStore(kind, async (store) => {
        await store.writer.write([
          toUnit("shortvideo", {
            posts: ["200001", "200002"].map((id) => captured(aPost(id), 3, "other")),
            comments: [
              captured(aComment("300001", "200001"), 40, "tool"),
              captured(aComment("300002", "200001"), 40, "api"),
              ...["300003", "300004"].map((id) => captured(aComment(id, "200001"), 3, "other")),
            ],
            follows: [
              captured({ accountId: "1", followerId: "2", since: null, capturedAt: 0, source: "" }, 40, "tool"),
            ],
          }),
        ]);
        await store.retention.write({ source: "tool", kind: "", days: 30 });
        const settings = {
          defaultDays: null,
          duties: [
            { source: "api", days: 30 },
            { source: "unused", days: 30 },
          ],
        };
        assert.deepEqual(await sweep(store, settings, { now: NOW }), { comment: 2, follow: 1 });

        for (const dueKind of ["post", "comment"] as const) {
          const deleteSome = (days: number, limit: number) =>
            store.writer.deleteExpired({ kind: dueKind, source: null, except: [], before: NOW - days * DAY_MS }, limit);
          assert.deepEqual([await deleteSome(3, 9), await deleteSome(2, 1), await deleteSome(2, 9)], [0, 1, 1]);
        }
      }));

    test("subtitles and charts that were captured again unchanged are as old as their last capture", () =>
      withStore(kind, async (store) => {
        for (const days of [40, 1]) {
          const stamp = { capturedAt: NOW - days * DAY_MS, source: "tool" };
          const lines = [{ startS: 0, durationS: 1, text: "lantern" }];
          await store.writer.write([
            toUnit("shortvideo", {
              subtitles: [{ postId: "200001", language: "en", automatic: true, lines, ...stamp }],
              chartEntries: [{ country: "US", section: "now", day: "2026-01-01", rank: 1, postId: "200001", ...stamp }],
            }),
          ]);
        }
        await store.retention.write({ source: "", kind: "", days: 30 });
        assert.deepEqual(await sweep(store, { defaultDays: null, duties: [] }, { now: NOW }), {});
        await store.retention.write({ source: "", kind: "", days: 0 });
        const deleted = await sweep(store, { defaultDays: null, duties: [] }, { now: NOW });
        assert.deepEqual(deleted, { subtitles: 1, chart: 1 });
      }));

    test("a backup has nothing of what is due that undoing an import would need", () =>
      withStore(kind, async (store) => {
        const captures = [402, 401].map((days): Batch => {
          const stamp = { capturedAt: NOW - days * DAY_MS, source: "tool" };
          return {
            accounts: [captured(anAccount("100001", `name${days}`), days, "tool")],
            comments: [captured(aComment("300001", "200001", { text: `text${days}` }), days, "tool")],
            subtitles: [true, false].map((automatic) => ({
              postId: "200001",
              language: "en",
              automatic,
              lines: [],
              ...stamp,
            })),
            follows: [{ accountId: "100001", followerId: "100002", since: null, ...stamp }],
            chartEntries: [{ country: "US", section: "now", day: "2025-01-01", rank: 1, postId: `${days}`, ...stamp }],
          };
        });
        for (const [number, batch] of captures.entries()) await importBatch(store, `job ${number}`, batch);
        await store.retention.write({ source: "", kind: "", days: 365 });
        const expiries = await readExpiries(store.retention, { defaultDays: null, duties: [] }, NOW);
        await store.tables.snapshot(async (tables) => {
          const left = await Array.fromAsync((await withoutExpired(tables, expiries)).read("job_records"));
          assert.deepEqual(left.flat(), []);
        });
      }));

    test("a backup has nothing of an import that is due, also while a live source keeps the record", () =>
      withStore(kind, async (store) => {
        await store.retention.write({ source: "tool", kind: "", days: 30 });
        await importBatch(store, "j1", aCapture(400, "tool", { text: "owned" }), 400);
        await fetchBatch(store, aCapture(3, "api", { text: "fetched" }));
        await store.jobs.forgetUndo(NOW - 30 * DAY_MS);
        const expiries = await readExpiries(store.retention, TERMS, NOW);
        await store.tables.snapshot(async (tables) => {
          const left = await Array.fromAsync((await withoutExpired(tables, expiries)).read("job_records"));
          assert.deepEqual(
            left.flat().map(([, , , , jobId, image]) => [jobId, image]),
            [["live source api", null]],
          );
        });
      }));

    test("a backup has no image of what is due, and what is restored from it can be undone and deleted as before", () =>
      withStore(kind, async (store) => {
        await store.retention.write({ source: "tool", kind: "", days: 30 });
        await importBatch(store, "j1", aCapture(400, "tool", { text: "owned" }));
        await fetchBatch(store, aCapture(5, "api", { text: "fetched" }));
        await importBatch(store, "j2", aCapture(300, "tool", { text: "owned later" }));
        await fetchBatch(store, aCapture(3, "api", { text: "fetched again" }));
        const comment = (days: number, source: string, text: string): Batch => ({
          comments: [captured(aComment("300001", "200001", { text }), days, source)],
        });
        await importBatch(store, "j3", comment(400, "tool", "owned"));
        await importBatch(store, "j4", comment(3, "other", "kept"));
        const expiries = await readExpiries(store.retention, TERMS, NOW);
        for (const jobIds of [["j2", "j4"], ["j1", "j2", "j3", "j4"], []]) {
          await withStore("SQLite", async (restored) => {
            await copyWithoutExpired(store, restored, expiries);
            assert.doesNotMatch(JSON.stringify(await listTouches(restored)), /owned/);
            for (const jobId of jobIds) {
              const outcome = await undoImport(restored, { jobId, dryRun: false });
              assert.equal(outcome.state, "undone");
            }
            const comments = await restored.tables.snapshot((reader) => Array.fromAsync(reader.read("comments")));
            assert.equal(comments.flat().length, jobIds.length === 0 ? 1 : 0);
            assert.equal((await readPost(restored)).post?.[0], "fetched again");
            const due = await previewSweep(restored, TERMS, NOW + 30 * DAY_MS);
            assert.deepEqual(due, { post: 1 });
            assert.deepEqual(await sweep(restored, TERMS, { now: NOW + 30 * DAY_MS }), due);
            assert.equal((await readPost(restored)).post, null);
          });
        }
      }));

    test("undoing in a restored store takes the same observations as in the one that was backed up", async () => {
      for (const order of [
        ["j1", "j2"],
        ["j2", "j1"],
      ]) {
        await withStore(kind, (store) =>
          withStore(kind, async (restored) => {
            const importViews = (id: string, days: number, counters: Post["counters"]) =>
              importBatch(store, id, aCapture(days, "tool", { text: id, counters }), days);
            await store.retention.write({ source: "tool", kind: "", days: 35 });
            await importViews("final", 40, { views: 1 });
            await store.jobs.forgetUndo(NOW - 30 * DAY_MS);
            await importViews("j1", 5, {});
            await importViews("j2", 3, { views: 2 });
            await importViews("j3", 1, { views: 3 });
            await copyWithoutExpired(store, restored, await readExpiries(store.retention, TERMS, NOW));
            for (const one of [store, restored]) {
              for (const jobId of order) await undoImport(one, { jobId, dryRun: false });
              const { post, views } = await readPost(one);
              assert.equal(post?.[0], "j3");
              assert.deepEqual(views, [
                [40, 1],
                [1, 3],
              ]);
            }
            // What was before is due.
            await undoImport(restored, { jobId: "j3", dryRun: false });
            assert.deepEqual(await readPost(restored), { post: null, views: [] });
          }),
        );
      }
    });

    test("what a live source fetched again gets back what was captured before, and only the source's answer goes", () =>
      withStore(kind, async (store) => {
        const capture = (days: number, source: string, text: string): Batch => {
          const stamp = { capturedAt: NOW - days * DAY_MS, source };
          return {
            accounts: [captured(anAccount("100001", text), days, source)],
            posts: [captured(aPost("200001", { text, counters: { views: 1000 - days } }), days, source)],
            comments: [captured(aComment("300001", "200001", { text }), days, source)],
            subtitles: [
              {
                postId: "200001",
                language: "en",
                automatic: true,
                lines: [{ startS: 0, durationS: 1, text }],
                ...stamp,
              },
            ],
            follows: [{ accountId: "100001", followerId: "100002", since: null, ...stamp }],
            chartEntries: [{ country: "US", section: "now", day: "2025-01-01", rank: 1, postId: text, ...stamp }],
          };
        };
        const fetch = (batch: Batch) =>
          store.writer.write([{ changes: [toChanges("shortvideo", batch)], merge, fetchedFrom: "api" }]);
        const readAll = () =>
          store.tables.snapshot(async (tables) => {
            const names = ["records", "comments", "subtitles", "follows", "chart_entries", "counter_points"] as const;
            const rows = [...names, "account_names" as const].map((table) => Array.fromAsync(tables.read(table)));
            const [records = [], ...others] = (await Promise.all(rows)).map((batches) => batches.flat());
            // Each write has a version of its own.
            return [records.map((row) => row.slice(0, -1)), ...others];
          });
        const settings = { defaultDays: null, duties: [{ source: "api", days: 30 }] };

        await store.writer.write([toUnit("shortvideo", capture(400, "tool", "owned"))]);
        const owned = await readAll();
        await fetch(capture(50, "api", "fetched"));
        await fetch(capture(40, "api", "again"));
        await fetch({ posts: [captured(aPost("200002", { counters: { views: 1 } }), 40, "api")] });
        assert.notDeepEqual(await readAll(), owned);
        assert.deepEqual(await previewSweep(store, settings, NOW), { post: 1 });
        assert.deepEqual(await sweep(store, settings, { now: NOW }), { post: 1 });
        assert.deepEqual(await readAll(), owned);
        assert.deepEqual(await previewSweep(store, settings, NOW), {});

        // What is not due yet stays, and so does what was captured otherwise since.
        await fetch(capture(20, "api", "fresh"));
        assert.deepEqual(await sweep(store, settings, { now: NOW }), {});
        assert.equal((await store.reader("shortvideo").getPost("200001"))?.text, "fresh");
        await store.writer.write([{ changes: [toChanges("shortvideo", capture(10, "tool", "newest"))], merge }]);
        await sweep(store, settings, { now: NOW + 60 * DAY_MS });
        assert.equal((await store.reader("shortvideo").getPost("200001"))?.text, "newest");

        // An older capture that only adds something does not make it the tool's.
        await fetch(capture(5, "api", "latest"));
        const place = { ...aPost("200001"), placeId: "700001" };
        await store.writer.write([
          { changes: [toChanges("shortvideo", { posts: [captured(place, 300, "tool")] })], merge },
        ]);
        await sweep(store, settings, { now: NOW + 60 * DAY_MS });
        assert.equal((await store.reader("shortvideo").getPost("200001"))?.text, "newest");

        await fetch(capture(4, "api", "fetched"));
        await store.writer.erase("shortvideo", "account", "100001");
        await sweep(store, settings, { now: NOW + 60 * DAY_MS });
        assert.equal(await store.reader("shortvideo").getAccount("100001"), null);
      }));

    test("of two live sources that changed a record in turn, both answers go", () =>
      withStore(kind, async (store) => {
        const posts = (text: string, days: number, source: string) => [
          toChanges("shortvideo", { posts: [captured(aPost("200001", { text }), days, source)] }),
        ];
        await store.writer.write([{ changes: posts("owned", 400, "tool"), merge }]);
        await store.writer.write([{ changes: posts("first", 50, "api"), merge, fetchedFrom: "api" }]);
        await store.writer.write([{ changes: posts("second", 40, "other api"), merge, fetchedFrom: "other api" }]);
        await store.writer.write([{ changes: posts("third", 35, "api"), merge, fetchedFrom: "api" }]);
        await store.writer.write([toUnit("shortvideo", { posts: [captured(aPost("200002"), 40, "api")] })]);
        const duties = ["api", "other api"].map((source) => ({ source, days: 30 }));
        assert.deepEqual(await sweep(store, { defaultDays: null, duties }, { now: NOW }), { post: 1 });
        assert.equal((await store.reader("shortvideo").getPost("200001"))?.text, "owned");
      }));

    test("what became what imports alone say of it is undone as if no live source had fetched it", () =>
      withStore(kind, async (store) => {
        await importBatch(store, "j1", aCapture(45, "tool", { text: "owned", counters: { views: 10 } }));
        await fetchBatch(store, aCapture(44, "no terms", { text: "first", counters: { views: 11 } }), "no terms");
        await fetchBatch(store, aCapture(40, "api", { text: "second", counters: { views: 12 } }));
        assert.deepEqual(await sweep(store, TERMS, { now: NOW }), {});
        const views = [
          [45, 10],
          [44, 11],
        ];
        assert.deepEqual(await readPost(store), { post: ["owned", null, "tool"], views });
        const outcome = await undoImport(store, { jobId: "j1", dryRun: false });
        assert.ok(outcome.state === "undone");
        assert.deepEqual([outcome.counts.removed, outcome.counts.kept], [{ post: 1 }, {}]);
        assert.deepEqual(await readPost(store), { post: null, views: [] });
        assert.deepEqual(await listTouches(store), []);
      }));

    test("an undone import leaves what a live source fetched later, until that is due", () =>
      withStore(kind, async (store) => {
        const owned = aCapture(400, "tool", { text: "owned" });
        await importBatch(store, "j1", owned);
        await fetchBatch(store, owned);
        assert.equal((await listTouches(store)).length, 1, "an answer that changes nothing is not noted");
        await fetchBatch(store, aCapture(3, "api", { text: "fetched" }));
        const outcome = await undoImport(store, { jobId: "j1", dryRun: false });
        assert.ok(outcome.state === "undone");
        assert.deepEqual([outcome.counts.kept, outcome.counts.keptFor], [{ post: 1 }, { "live source api": 1 }]);
        assert.equal((await store.reader("shortvideo").getPost("200001"))?.text, "fetched");
        const now = NOW + 60 * DAY_MS;
        assert.deepEqual(await previewSweep(store, TERMS, now), { post: 1 });
        assert.deepEqual(await sweep(store, TERMS, { now }), { post: 1 });
        assert.equal(await store.reader("shortvideo").getPost("200001"), null);
      }));

    test("what stays of a record is the last import, however often imports and a live source took turns", () =>
      withStore(kind, async (store) => {
        for (const turn of [1, 2, 3]) {
          const days = 200 - turn * 40;
          await importBatch(store, `j${turn}`, aCapture(days, "tool", { text: `import ${turn}` }), days);
          await fetchBatch(store, aCapture(days - 5, "api", { text: `fetch ${turn}` }));
        }
        await store.jobs.forgetUndo(NOW - 30 * DAY_MS);
        assert.equal((await listTouches(store)).length, 1);
        assert.deepEqual(await sweep(store, TERMS, { now: NOW }), {});
        assert.deepEqual((await readPost(store)).post, ["import 3", null, "tool"]);
        assert.deepEqual(await listTouches(store), []);
      }));

    test("an import of an older capture than the answer of a live source outlives it, and can be undone before and after", () =>
      withStore(kind, async (store) => {
        const older = aCapture(60, "tool", { text: "mine", placeId: "700001", counters: { views: 20 } });
        const mine = { post: ["mine", "700001", "tool"], views: [[60, 20]] };
        const fetched = aCapture(40, "api", { text: "fetched", counters: { views: 30 } });
        // Only the source had brought it.
        await fetchBatch(store, fetched);
        await importBatch(store, "j1", older);
        assert.deepEqual((await readPost(store)).post, ["fetched", "700001", "api"]);
        assert.deepEqual(await previewSweep(store, TERMS, NOW), {});
        assert.deepEqual(await sweep(store, TERMS, { now: NOW }), {});
        assert.deepEqual(await readPost(store), mine);
        await undoImport(store, { jobId: "j1", dryRun: false });
        assert.deepEqual(await readPost(store), { post: null, views: [] });

        // An import had brought it.
        await importBatch(store, "j2", aCapture(100, "tool", { text: "first", counters: { views: 10 } }));
        await fetchBatch(store, fetched);
        await importBatch(store, "j3", older);
        await fetchBatch(store, aCapture(35, "api", { text: "again", counters: { views: 40 } }));
        const outcome = await undoImport(store, { jobId: "j3", dryRun: false });
        assert.ok(outcome.state === "undone");
        assert.deepEqual([outcome.counts.kept, outcome.counts.keptFor["live source api"]], [{ post: 1 }, 1]);
        await importBatch(store, "j4", aCapture(100, "tool", { text: "first", counters: { views: 10 } }));
        await importBatch(store, "j4", aCapture(70, "tool", { text: "between", counters: {} }));
        const { posts = [] } = aCapture(65, "tool", { text: "later", counters: {} });
        await importBatch(store, "j4", { posts: [...posts, ...(older.posts ?? [])] });
        await sweep(store, TERMS, { now: NOW });
        const first = [100, 10];
        assert.deepEqual(await readPost(store), { ...mine, views: [first, ...mine.views] });
        await undoImport(store, { jobId: "j4", dryRun: false });
        assert.deepEqual(await readPost(store), { post: ["first", null, "tool"], views: [first] });
      }));

    test("without the answers of a live source, records and histories are what the imports alone make of them", () =>
      withStore(kind, (store) =>
        withStore("SQLite", async (other) => {
          let run = 0;
          await fc.assert(
            fc.asyncProperty(turns, async ({ steps, undone, isUndoneFirst }) => {
              const name = `run ${++run}`;
              for (const one of [store, other])
                for (const source of ["api", "tool"]) await one.writer.deleteSource(source);
              const jobs: { id: string; batch: Batch }[] = [];
              for (const [step, { isFetched, tensAgo, views, ...more }] of steps.entries()) {
                const days = 100 - step * 10 + (isFetched ? 0 : tensAgo * 10 + step + 1);
                // Which of two equal counts of imports is left out depends on what came between them.
                const counters = { views: isFetched ? views : step + 1 };
                const batch = aCapture(days, isFetched ? "api" : "tool", { ...more, counters });
                if (isFetched) await fetchBatch(store, batch);
                else {
                  jobs.push({ id: `${name} ${jobs.length}`, batch });
                  await importBatch(store, `${name} ${jobs.length - 1}`, batch);
                }
              }
              const left = jobs.slice(0, Math.max(0, jobs.length - undone));
              const undo = async () => {
                for (const { id } of jobs.slice(left.length).toReversed())
                  await undoImport(store, { jobId: id, dryRun: false });
              };
              if (isUndoneFirst) await undo();
              // What an import captured last is the import's, with what the source had added.
              fc.pre((await readPost(store)).post?.[2] === "api");
              const now = NOW + 400 * DAY_MS;
              const due = await previewSweep(store, TERMS, now);
              assert.deepEqual(await sweep(store, TERMS, { now }), due);
              if (!isUndoneFirst) await undo();
              for (const { id, batch } of left) await importBatch(other, id, batch);
              assert.deepEqual(await readPost(store), await readPost(other));
              assert.deepEqual(
                (await listTouches(store)).filter(([, , , , jobId]) => jobId.startsWith("live")),
                [],
              );
            }),
            propertyBudget(kind === "SQLite" ? 200 : 30),
          );
        }),
      ));

    test("observations of a live source leave the history, whenever imports captured the record", () =>
      withStore(kind, async (store) => {
        const views = (count: number) => ({ counters: { views: count } });
        await fetchBatch(store, aCapture(90, "api", { ...views(10) }));
        await importBatch(store, "j1", aCapture(60, "tool", { text: "mine", ...views(20) }));
        await fetchBatch(store, aCapture(50, "api", views(30)));
        await importBatch(store, "j2", aCapture(70, "tool", views(15)));
        await fetchBatch(store, aCapture(40, "api", views(40)));
        await sweep(store, TERMS, { now: NOW });
        const own = [
          [70, 15],
          [60, 20],
        ];
        assert.deepEqual(await readPost(store), { post: ["mine", null, "tool"], views: own });
      }));

    test("what was imported before a live source changed it goes too if a rule makes it due, and is counted before", () =>
      withStore(kind, async (store) => {
        await importBatch(store, "j1", aCapture(20, "tool"));
        await fetchBatch(store, aCapture(12, "api"));
        await store.retention.write({ source: "", kind: "", days: 10 });
        assert.deepEqual(await previewSweep(store, TERMS, NOW), { post: 1 });
        assert.deepEqual(await sweep(store, TERMS, { now: NOW }), { post: 1 });
        assert.equal((await readPost(store)).post, null);
      }));

    test("a touch of a live source that has no image says that imports say nothing yet", () =>
      withStore(kind, async (store) => {
        const touch = ["shortvideo", "post", "200001", 2, "live source api", "=", null];
        await store.tables.fill((writer) => writer.write({ table: "job_records", rows: [touch] }));
        await store.writer.write([
          { changes: [toChanges("shortvideo", aCapture(50, "api", { text: "fetched" }))], merge },
        ]);
        assert.deepEqual(await previewSweep(store, TERMS, NOW), { post: 1 });
        await importBatch(store, "j1", aCapture(60, "tool", { text: "owned" }));
        assert.deepEqual(await sweep(store, TERMS, { now: NOW }), {});
        assert.deepEqual((await readPost(store)).post, ["owned", null, "tool"]);
      }));

    test("what was imported outlives the answer of a live source that the rule for everything makes due", () =>
      withStore(kind, async (store) => {
        await store.retention.write({ source: "", kind: "", days: 30 });
        await store.retention.write({ source: "", kind: "history", days: null });
        await store.retention.write({ source: "tool", kind: "", days: null });
        await importBatch(store, "j1", aCapture(100, "tool", { text: "mine", counters: { views: 10 } }));
        const fetched = aCapture(40, "no terms", { text: "fetched", counters: { views: 20 } });
        await fetchBatch(store, fetched, "no terms");
        const settings = { defaultDays: null, duties: [] };
        assert.deepEqual(await previewSweep(store, settings, NOW), {});
        assert.deepEqual(await sweep(store, settings, { now: NOW }), {});
        assert.deepEqual(await readPost(store), { post: ["mine", null, "tool"], views: [[100, 10]] });
      }));

    test("while nothing of a live source is due, what it changed is not looked through", () =>
      withStore(kind, async (store) => {
        await importBatch(store, "j1", aCapture(20, "tool"));
        await fetchBatch(store, aCapture(12, "api"));
        const restoreImported = () => assert.fail();
        const watched = { ...store, writer: { ...store.writer, restoreImported } };
        assert.deepEqual(await sweep(watched, TERMS, { now: NOW }), {});
        assert.deepEqual(await previewSweep(watched, TERMS, NOW), {});
      }));

    test("an account that a live source knew by name only leaves what imports said of both its ids", () =>
      withStore(kind, async (store) => {
        const account = (id: string, days: number, source: string, more: Partial<Account>): Batch => ({
          accounts: [captured(anAccount(id, "ada", more), days, source)],
        });
        const read = async () => {
          const found = await store.reader("shortvideo").getAccount("100001");
          return found === null ? null : [found.bio, found.displayName, found.source];
        };
        await importBatch(store, "j1", account("100001", 400, "tool", { bio: "tea" }));
        await importBatch(store, "j2", account("@ada", 300, "tool", { displayName: "Ada" }));
        await fetchBatch(store, account("@ada", 40, "api", { bio: "fetched", displayName: "Fetched" }));
        await store.writer.mergePlaceholder("shortvideo", "@ada", "100001", merge);
        assert.deepEqual(await read(), ["fetched", "Fetched", "api"]);
        assert.deepEqual(await sweep(store, TERMS, { now: NOW }), {});
        assert.deepEqual(await read(), ["tea", "Ada", "tool"]);
      }));

    test("an import that knew the name only of an account that a live source brought can be undone before and after", () =>
      withStore(kind, async (store) => {
        for (const isUndoneFirst of [true, false]) {
          const jobId = `undone first: ${isUndoneFirst}`;
          const accounts = (id: string, days: number, source: string): Batch => ({
            accounts: [captured(anAccount(id, "ada", { bio: source }), days, source)],
          });
          await importBatch(store, jobId, accounts("@ada", 400, "tool"));
          await fetchBatch(store, accounts("100001", 40, "api"));
          await store.writer.mergePlaceholder("shortvideo", "@ada", "100001", merge);
          const undo = async () => {
            const outcome = await undoImport(store, { jobId, dryRun: false });
            assert.ok(outcome.state === "undone");
            return outcome.counts;
          };
          if (isUndoneFirst) assert.deepEqual((await undo()).keptFor, { "live source api": 1 });
          assert.deepEqual(await sweep(store, TERMS, { now: NOW }), isUndoneFirst ? { account: 1 } : {});
          if (!isUndoneFirst) assert.deepEqual((await undo()).removed, { account: 1 });
          assert.equal(await store.reader("shortvideo").getAccount("100001"), null);
        }
      }));

    test("without the answers of a live source, an account and its follows are what imports make of them, whenever its id is learnt", () =>
      withStore(kind, (store) =>
        withStore("SQLite", async (other) => {
          const readAll = ({ tables }: Store) =>
            tables.snapshot(async (reader) => {
              const accounts = (await Array.fromAsync(reader.read("records"))).flat();
              const follows = (await Array.fromAsync(reader.read("follows"))).flat();
              // Each write has a version of its own.
              return [accounts.map((row) => row.slice(0, -1)), follows];
            });
          const readHistory = async (one: Store) => {
            const points = await one.reader("shortvideo").listCounters("account", "100001");
            return points.map(({ capturedAt, counters }) => ({ days: (NOW - capturedAt) / DAY_MS, ...counters }));
          };
          let run = 0;
          await fc.assert(
            fc.asyncProperty(namedTurns, async ({ steps, undone, isUndoneFirst }) => {
              const name = `run ${++run}`;
              const both = [store, other];
              for (const one of both) for (const source of ["api", "tool"]) await one.writer.deleteSource(source);
              const learn = async () => {
                for (const one of both) await one.writer.mergePlaceholder("shortvideo", "@ada", "100001", merge);
              };
              const capture = (accountId: string, days: number, source: string, more: Partial<Account>): Batch => ({
                accounts: [captured(anAccount(accountId, "ada", more), days, source)],
                follows: [
                  captured({ accountId, followerId: "100002", since: null, capturedAt: 0, source }, days, source),
                ],
              });
              const jobs: string[] = [];
              const captures: { days: number; followers: number }[] = [];
              for (const [step, { isFetched, isByName, isLearnt, tensAgo, ...more }] of steps.entries()) {
                const days = 100 - step * 10 + (isFetched ? 0 : tensAgo * 10 + step + 1);
                const counters = { followers: step + 1 };
                const shown = { ...more, counters };
                const batch = capture(isByName ? "@ada" : "100001", days, isFetched ? "api" : "tool", shown);
                if (isFetched) await fetchBatch(store, batch);
                else {
                  jobs.push(`${name} ${jobs.length}`);
                  captures.push({ days, ...counters });
                  for (const one of both) await importBatch(one, jobs.at(-1) as string, batch);
                }
                if (isLearnt) await learn();
              }
              await learn();
              // What an import captured last is the import's, with what the source had added.
              await fetchBatch(store, capture("100001", 1, "api", { bio: "fetched" }));
              const left = Math.max(0, jobs.length - undone);
              const undo = async (one: Store) => {
                for (const jobId of jobs.slice(left).toReversed()) await undoImport(one, { jobId, dryRun: false });
              };
              if (isUndoneFirst) await undo(store);
              await sweep(store, TERMS, { now: NOW + 400 * DAY_MS });
              if (!isUndoneFirst) await undo(store);
              await undo(other);
              assert.deepEqual(await readAll(store), await readAll(other));
              const history = captures.slice(0, left).toSorted((a, b) => b.days - a.days);
              assert.deepEqual(await readHistory(store), history);
              assert.deepEqual(await readHistory(other), history);
            }),
            propertyBudget(kind === "SQLite" ? 100 : 20),
          );
        }),
      ));

    test("the pseudonym of a mention does not depend on an account that is due, and counters go with their post", () =>
      withStore(kind, async (store) => {
        for (const { platform, batch } of WORLD) await store.writer.write([toUnit(platform, batch)]);
        for (const due of ["account", "post"] as const)
          await store.retention.write({ source: "tool", kind: due, days: 365 });
        const expiries = await readExpiries(store.retention, { defaultDays: null, duties: [] }, NOW);
        await store.tables.snapshot(async (tables) => {
          const reader = await withoutExpired(tables, expiries);
          const ids = await reader.getAccountIds("shortvideo", ["old.timer", "new.comer"]);
          assert.deepEqual([...ids], [["new.comer", "100002"]]);
          const points = (await Array.fromAsync(reader.read("counter_points"))).flat();
          assert.deepEqual(
            points.map(([, , id]) => id),
            ["200003"],
          );
        });
      }));

    test("trends are computed again without the counters that went", () =>
      withStore(kind, async (store) => {
        const points = [3, 1].map((days) => ({ capturedAt: NOW - days * DAY_MS, counters: { views: 100 - days } }));
        await store.writer.write([
          toUnit("shortvideo", {
            posts: [aPost("200001", { counters: {} })],
            history: [{ kind: "post", id: "200001", points }],
          }),
        ]);
        await store.writer.refreshTrends();
        await store.retention.write({ source: "", kind: "history", days: 2 });
        assert.deepEqual(await sweep(store, { defaultDays: null, duties: [] }, { now: NOW }), { history: 1 });
        assert.equal(await store.hasStaleTrends(), true);
      }));

    test("what is due is in no export or backup, a service deletes it, and the rest stays", async (t) => {
      const outside = temporaryFolder();
      t.after(() => outside.remove());
      const database = kind === "SQLite" ? null : await freshStoreDatabase();
      t.after(() => database?.drop());
      const ofStore: Record<string, string> = database === null ? {} : { STORE_URL: database.url };
      const server = await startTestServer(WORLD, { METRICS: "public", ...ofStore });
      t.after(() => server.close());
      const { env } = server;
      const desk = await openTokenIssuer(server);
      const { token: exporter } = await desk.issue({ scopes: ["export", "read:shortvideo"] });
      await desk.close();
      assert.match(await succeed(["retention"], env), /^All else is kept for ever; .*\nDue now: nothing\.$/m);
      await succeed(["retention", "set", "365"], env);
      await succeed(["retention", "set", "30", "--kind", "comment"], env);
      for (const source of ["archive", "transcripts"]) {
        const kept = await runCommand(["retention", "set", "forever", "--source", source], env);
        assert.deepEqual([kept.stdout, kept.stderr], [`everything from ${source}: kept for ever.\n`, ""]);
      }
      const mistyped = await runCommand(["retention", "set", "1", "--source", "archiv"], env);
      assert.match(mistyped.stderr, /^nothing from archiv is stored/);
      assert.equal((await runCommand(["retention", "set", "1", "--source", "archiv", "--quiet"], env)).stderr, "");
      await succeed(["retention", "remove", "--source", "archiv"], env);
      assert.match(await succeed(["audit"], env), /retention\.set +source=archive days=forever$/m);
      const due = { account: 1, post: 1, comment: 1, follow: 1, history: 2 };
      assert.deepEqual((JSON.parse(await succeed(["retention", "--json"], env)) as { due: object }).due, due);
      assert.match(
        await succeed(["retention"], env),
        /^Due now: 1 account, 1 post, 1 comment, 1 follow, 2 points of counters\.$/m,
      );

      const file = join(outside.path, "posts.ndjson");
      await succeed(["export", "posts", "-o", file], env);
      const overHttp = await server.get("/api/export/posts", bearerHeader(exporter));
      for (const lines of [readFileSync(file, "utf8"), await overHttp.text()]) {
        assert.deepEqual(postsIn(lines), [
          { id: "200002", author_id: "100002", author_name: "new.comer", author_display_name: "New Comer" },
          { id: "200003", author_id: "100001", author_name: null, author_display_name: null },
        ]);
      }
      const backup = join(outside.path, "now.backup");
      await succeed(["backup", backup], env);
      const saved = gunzipSync(readFileSync(backup)).toString();
      for (const gone of ["old.timer", "Old Timer", "ancient", "old words", "200001"])
        assert.ok(!saved.includes(gone), gone);
      const copy = join(outside.path, "copy");
      const from = database === null ? (env["DATA_DIR"] as string) : database.url;
      await succeed(["copy", "--from", from, "--to", copy], env);
      const copied = openSqliteStore(copy);
      const posts = await copied.reader("shortvideo").getPosts(["200001", "200002", "200003"]);
      await copied.close();
      assert.deepEqual(
        posts.map(({ id }) => id),
        ["200002", "200003"],
      );
      assert.equal((await server.get("/api/shortvideo/post/detail?videoId=200001")).status, 200, "not deleted yet");

      // A second service on the same store sweeps when it starts.
      const { startService } = await import("#serve/start.ts");
      const config = readConfig({ ...env, PORT: "0", DEMO: "off", LOG_LEVEL: "silent", METRICS: "public" });
      const second = await startService(config);
      try {
        const { url } = second.startup;
        const readMetrics = async () => (await fetch(`${url}/metrics`)).text();
        // Counts are added when the sweep has ended.
        await until(async () => /^triptych_retention_deleted_total\{kind="post"\} 1$/m.test(await readMetrics()));
      } finally {
        await second.stop();
      }
      assert.equal((await server.get("/api/shortvideo/post/detail?videoId=200001")).status, 404);
      assert.equal((await server.get("/api/shortvideo/user/info-with-region?uniqueId=old.timer")).status, 404);
      assert.equal((await server.get("/api/shortvideo/post/detail?videoId=200003")).status, 200);
      const found = await server.json<{ data: { item: { desc: string } }[] }>(
        "/api/shortvideo/search/general?keyword=lantern",
      );
      assert.deepEqual(found.data.map(({ item }) => item.desc).toSorted(), ["archived lantern", "fresh lantern"]);
      assert.equal(await succeed(["retention", "run"], env), "Deleted: nothing.\n");
      await succeed(["retention", "remove", "--kind", "comment"], env);
      const { code, stderr } = await runCommand(["retention", "remove", "--kind", "comment"], env);
      assert.deepEqual([code, stderr], [1, 'triptych: there is no such rule; "npx triptych retention" lists them\n']);
    });
  });
}
