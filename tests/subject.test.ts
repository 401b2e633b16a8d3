/** `triptych subject`: everything that is stored about a person, and only about that person. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { SubjectReport } from "#privacy/subject.ts";
import { replace, toChanges } from "#store/write/batch-changes.ts";
import type { Batch } from "#store/write/port.ts";
import { runCommand } from "./run-command.ts";
import { startTestServer, temporaryFolder, type TestServer } from "./test-server.ts";
import { aComment, anAccount, aPost, aSound, CAPTURED_AT } from "./world.ts";

const TRACK = {
  postId: "200001",
  language: "en",
  automatic: false,
  lines: [{ startS: 0, durationS: 1, text: "spoken" }],
  capturedAt: 3_000,
  source: "tool",
};

const BATCH: Batch = {
  accounts: [anAccount("100001", "mirel.tasse", { displayName: "Mirel Tasse" }), anAccount("100002", "other.one")],
  posts: [
    aPost("200006", { text: "without an id", native: { author: { nickname: "Mirel Tasse" } } }),
    aPost("200007", { text: "unrelated too", native: { author: { nickname: "Mirel" } } }),
    aPost("200001", { authorId: "100001", text: "my own", counters: { views: 5 } }),
    aPost("200002", { authorId: "100002", text: "with @mirel.tasse today" }),
    aPost("200003", { authorId: "100002", text: "tagged", taggedIds: ["100001"] }),
    aPost("200004", { authorId: "100002", text: "unrelated", counters: { views: 6 } }),
    aPost("200005", { authorId: "100002", coauthorIds: ["100001"], text: "ours" }),
  ],
  comments: [
    aComment("300001", "200004", { authorId: "100001", text: "I was here" }),
    aComment("300004", "200004", { text: "me too", native: { user: { nickname: "mirel tasse" } } }),
    aComment("300002", "200001", { authorId: "100002", text: "nice" }),
    aComment("300003", "200004", { authorId: "100002", text: "hello @Mirel.Tasse" }),
  ],
  sounds: [
    aSound("400001", { artistId: "100001", title: "my song", counters: { posts: 7 } }),
    aSound("400002", { artistId: "100002" }),
  ],
  chartEntries: ["200001", "200004", "200001"].map((postId, index) => ({
    country: "US",
    section: "now",
    day: "2026-01-01",
    rank: index + 1,
    postId,
    capturedAt: 4_000,
    source: "chart",
  })),
  follows: [
    { accountId: "100003", followerId: "100001", since: 5, capturedAt: 0, source: "tool" },
    { accountId: "100004", followerId: "100001", since: 5, capturedAt: 0, source: "undated tool" },
    { accountId: "100002", followerId: "100001", since: 5, capturedAt: 1_000, source: "tool" },
    { accountId: "100001", followerId: "100002", since: 5, capturedAt: 2_000, source: "tool" },
  ],
  subtitles: [TRACK],
};

/** What an import has replaced, from files of which one is named after the person. */
async function importLater(server: TestServer): Promise<void> {
  const job = { id: "j1", fingerprint: "", origin: "command" as const, label: "", owner: "" };
  const later = { capturedAt: CAPTURED_AT + 1_000 };
  const batch: Batch = {
    posts: [
      aPost("200001", { authorId: "100001", text: "my own, edited", ...later }),
      aPost("200004", { authorId: "100002", text: "not related", ...later }),
    ],
    comments: [aComment("300001", "200004", { authorId: "100001", text: "I was there", ...later })],
    sounds: [aSound("400001", { artistId: "100001", title: "my tune", ...later })],
    follows: [{ accountId: "100001", followerId: "100002", since: 6, capturedAt: 2_500, source: "tool" }],
    chartEntries: [
      {
        country: "US",
        section: "now",
        day: "2026-01-01",
        rank: 1,
        postId: "200004",
        capturedAt: 4_500,
        source: "chart",
      },
    ],
    subtitles: [{ ...TRACK, lines: [{ startS: 0, durationS: 1, text: "said" }], capturedAt: 3_500 }],
  };
  const store = await server.openStore();
  await store.jobs.writeJob({ ...job, state: "done", createdAt: 1, updatedAt: 1 });
  const files = { "all.ndjson": batch, "Mirel.Tasse_posts.ndjson": {}, "a video [200001].json": {} };
  for (const [name, part] of Object.entries(files)) {
    const report = { formats: {}, records: {}, refused: {}, skipped: {} };
    await store.writer.write([
      {
        changes: [toChanges("shortvideo", part)],
        merge: replace,
        checkpoint: () => ({
          file: { jobId: "j1", name, fingerprint: "", state: "done", position: 0, report },
          rejects: [],
          restarted: false,
        }),
      },
    ]);
  }
  await store.close();
}

test("a person's data are exported whole, from every table, with their sources", async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const server = await startTestServer([{ platform: "shortvideo", batch: BATCH }]);
  t.after(() => server.close());
  await importLater(server);
  const file = join(folder.path, "subject.json");
  for (const name of [file, `${file}.partial`]) writeFileSync(name, "of everybody", { mode: 0o666 });
  const existing = await runCommand(["subject", "shortvideo", "@Mirel.Tasse", "-o", file], server.env);
  assert.deepEqual(
    [existing.code, existing.stderr, readFileSync(file, "utf8")],
    [2, `triptych: ${file} exists; name another file, or add --force to replace it\n`, "of everybody"],
  );
  const outcome = await runCommand(["subject", "shortvideo", "@Mirel.Tasse", "-o", file, "--force"], server.env);
  assert.equal(outcome.code, 0, outcome.stderr);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder.path), ["subject.json"]);
  const report = JSON.parse(readFileSync(file, "utf8")) as SubjectReport;
  const refused = await runCommand(["subject", "shortvideo", "@Mirel.Tasse", "-o", folder.path], server.env);
  assert.deepEqual([refused.code, refused.stderr], [2, `triptych: ${folder.path} is a directory; name a file\n`]);
  assert.equal(report.id, "100001");
  assert.equal(report.profile?.["id"], "100001");
  const ids = (rows: SubjectReport["posts"]) => rows.map((row) => String(row["id"])).toSorted();
  assert.deepEqual(ids(report.posts), ["200001", "200005", "200006"]);
  assert.deepEqual(ids(report.comments), ["300001", "300004"]);
  assert.deepEqual(ids(report.mentions), ["200002", "200003", "300003"]);
  assert.deepEqual([report.follows.length, report.followers.length, report.subtitles.length], [3, 1, 1]);
  assert.deepEqual(ids(report.sounds), ["400001"]);
  assert.deepEqual(
    report.history.map(({ id, counters }) => [id, counters]),
    [
      ["200001", { views: 5 }],
      ["400001", { posts: 7 }],
    ],
  );
  assert.deepEqual(
    report.charts.map(({ post_id: id, rank }) => [id, rank]),
    [["200001", 3]],
  );
  assert.deepEqual(
    report.earlier.map(({ kind, key }) => [kind, key]),
    [
      ["chart", '["US","now","2026-01-01",1]'],
      ["comment", '["200004","300001"]'],
      ["follow", '["100001","100002"]'],
      ["post", "200001"],
      ["sound", "400001"],
      ["subtitles", '["200001","en",false]'],
    ],
  );
  assert.match(JSON.stringify(report.earlier), /I was here.*my own.*my song.*spoken/);
  assert.deepEqual(
    report.imports.map(({ file: name }) => name),
    ["Mirel.Tasse_posts.ndjson", "a video [200001].json"],
  );
  assert.deepEqual(report.sources["tool"], {
    rows: 4,
    firstCapturedAt: "1970-01-01T00:00:01.000Z",
    lastCapturedAt: "1970-01-01T00:00:03.500Z",
  });
  assert.deepEqual(report.sources["undated tool"], { rows: 1, firstCapturedAt: null, lastCapturedAt: null });
  assert.equal(report.follows.find((row) => row["account_id"] === "100003")?.["capturedAt"], null);
  assert.doesNotMatch(readFileSync(file, "utf8"), /(?:un|not )related|nice/);

  assert.deepEqual(report.watches, []);
  assert.deepEqual(report.names, ["mirel.tasse", "Mirel Tasse"]);

  const nobody = await runCommand(["subject", "shortvideo", "nobody.here"], server.env);
  assert.deepEqual([nobody.code, nobody.stderr], [1, "triptych: nothing is stored about nobody.here on shortvideo\n"]);
  assert.equal((await runCommand(["subject", "tiktok", "x"], server.env)).code, 2);
  const url = await runCommand(["subject", "shortvideo", "https://www.tiktok.com/@mirel.tasse"], server.env);
  assert.equal((JSON.parse(url.stdout) as SubjectReport).id, "100001");
  const ofPost = await runCommand(
    ["subject", "shortvideo", "https://tiktok.com/@x/video/7300000000000000001"],
    server.env,
  );
  assert.equal(ofPost.code, 2);
  assert.match(ofPost.stderr, /^triptych: the account must be the id of an account, its name or its URL/);
  const erased = await runCommand(["erase", "shortvideo", "account", "mirel.tasse", "--yes"], server.env);
  assert.equal(erased.code, 0);
  assert.equal((await runCommand(["subject", "shortvideo", "mirel.tasse"], server.env)).code, 1);
  assert.equal((await runCommand(["subject", "shortvideo", "100001"], server.env)).code, 1);
});

test("watches of somebody of whom nothing else is stored are exported", async (t) => {
  const server = await startTestServer([]);
  t.after(() => server.close());
  for (const what of ["shortvideo account", "shortvideo search", "photoshare account"]) {
    const watch = await runCommand(["watch", "add", ...what.split(" "), "mirel.tasse"], server.env);
    assert.equal(watch.code, 0, watch.stderr);
    assert.match(watch.stdout, /\nWith these settings no live source of \w+ is on; LIVE_SOURCES/);
  }
  const { code, stdout } = await runCommand(["subject", "shortvideo", "mirel.tasse"], server.env);
  const { watches } = JSON.parse(stdout) as SubjectReport;
  assert.deepEqual([code, watches.map(({ platform, kind }) => [platform, kind])], [0, [["shortvideo", "account"]]]);
});

test("what is stored under a former name is exported too, as an erasure would find it", async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const stamp = { capturedAt: CAPTURED_AT, source: "tool" };
  const lines = [
    { startS: 0, durationS: 1, text: "thanks to @mirel.new" },
    { startS: 1, durationS: 1, text: "and goodbye" },
  ];
  const batch: Batch = {
    accounts: [
      anAccount("100001", "mirel.new"),
      anAccount("100002", "other.one"),
      anAccount("@mirel.old", "mirel.old"),
    ],
    posts: [
      aPost("200001", { authorId: "100001", authorNames: ["mirel.old", "Mirel"] }),
      aPost("200002", { authorId: "100002", text: "with @mirel.old today" }),
      aPost("200003", { authorId: "@mirel.old", text: "under the old name" }),
    ],
    comments: [aComment("300001", "200002", { authorId: "@mirel.old" })],
    follows: [{ accountId: "100002", followerId: "@mirel.old", since: null, ...stamp }],
    subtitles: [{ postId: "200002", language: "en", automatic: true, lines, ...stamp }],
  };
  const server = await startTestServer([{ platform: "shortvideo", batch }]);
  t.after(() => server.close());
  const watch = await runCommand(["watch", "add", "shortvideo", "account", "mirel.old", "--every", "6h"], server.env);
  assert.equal(watch.code, 0, watch.stderr);
  const { stdout } = await runCommand(["subject", "shortvideo", "100001"], server.env);
  const report = JSON.parse(stdout) as SubjectReport;
  assert.deepEqual(report.names.toSorted(), ["Mirel", "mirel.new", "mirel.old"]);
  const ids = (rows: SubjectReport["posts"]) => rows.map((row) => String(row["id"] ?? row["text"])).toSorted();
  assert.deepEqual(ids(report.formerProfiles), ["@mirel.old"]);
  assert.deepEqual(ids(report.posts), ["200001", "200003"]);
  assert.deepEqual(ids(report.comments), ["300001"]);
  assert.equal(report.follows.length, 1);
  assert.deepEqual(ids(report.mentions), ["200002", "thanks to @mirel.new"]);
  assert.deepEqual(
    report.watches.map(({ target }) => target),
    ["@mirel.old"],
  );
});
