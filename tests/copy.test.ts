/** `triptych copy` through the front door: real folders, a real PostgreSQL, the real program. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DAY_MS } from "#domain/time.ts";
import { copyStore, type CopyReport } from "#store/copy/copy-store.ts";
import { openPostgresStore } from "#store/postgres/store.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import type { Batch } from "#store/writer.ts";
import { formatCopyProgress } from "#cli/format/progress.ts";
import { copied, copyCommand, folderWith, freshFolder, home } from "./spawn-copy.ts";
import { startTestServer } from "./test-server.ts";
import { triptych } from "./spawn-import.ts";
import { execute, freshDatabase } from "./postgres/databases.ts";
import { PASSWORD, USER } from "./postgres/server.ts";
import { requestOperation, OPERATIONS } from "./http-client.ts";
import { aPost, GOOD_REQUESTS, TALKED_ABOUT, WORLD } from "./world.ts";

async function refused(from: string, to: string, pattern: RegExp): Promise<void> {
  const { code, stdout, stderr } = await copyCommand(from, to);
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, pattern);
  assert.match(stderr, /^triptych: [^\n]+\n$/, "one sentence");
  assert.doesNotMatch(stderr, /secret/);
}

/** What is the time of the call, or signed with it: such tokens name search documents by number. */
const OF_THE_CALL = /^(?:now|logid|impr_id|(?:pagination|continuation)_token)$/;

/** A cursor that is a number says where a page ends; one that is a text is signed. */
function withoutCall(key: string, value: unknown): unknown {
  return OF_THE_CALL.test(key) || (key === "cursor" && typeof value === "string") ? "" : value;
}

/** What a service on that store answers to every operation, to the letter. */
async function answersOf(env: Record<string, string>): Promise<Record<string, string>> {
  const server = await startTestServer([], env);
  try {
    const responses: Record<string, string> = {};
    for (const { name } of OPERATIONS) {
      const { status, text } = await requestOperation(server.url, name, GOOD_REQUESTS[name] ?? {}, {
        "x-request-id": "one",
      });
      assert.equal(status, 200, `${name}: ${text}`);
      responses[name] = JSON.stringify(JSON.parse(text, withoutCall));
    }
    return responses;
  } finally {
    await server.close();
  }
}

/** Posts that grew in the last days, for rankings. */
const GROWN: Batch = {
  posts: Array.from({ length: 30 }, (_, index) =>
    aPost(`74000000000000000${index}`, {
      authorId: "6800000000000000001",
      hashtags: [`h${index % 4}`],
      soundId: `71000000000000099${index % 3}`,
      counters: { views: 1_000 + index * 10 },
      capturedAt: Date.now() - DAY_MS,
    }),
  ),
  history: Array.from({ length: 30 }, (_, index) => ({
    kind: "post" as const,
    id: `74000000000000000${index}`,
    points: [{ capturedAt: Date.now() - 3 * DAY_MS, counters: { views: 500 } }],
  })),
};

test("a store goes from a file to PostgreSQL and back with the same checksums and the same answers", async () => {
  const original = await folderWith([...WORLD, { platform: "shortvideo", batch: GROWN }]);
  const { url, drop } = await freshDatabase();
  const back = freshFolder();
  const there = await copied(original, url);
  const again = await copied(url, `file:${back}`);
  assert.deepEqual(again.parts, there.parts);
  const rows = Object.fromEntries(there.parts.map(({ part, source }) => [part, source.rows]));
  assert.deepEqual([rows["posts"], rows["comments"], rows["tokens"], rows["erased ids"]], [173, 91, 1, 2]);
  assert.equal(
    there.copied,
    Object.values(rows).reduce((sum, count) => sum + count, 0),
  );

  const expected = await answersOf({ DATA_DIR: original });
  const ranked = JSON.parse(expected["shortvideo/trending/videos"] ?? "") as { data: { videos: unknown[] } };
  assert.equal(ranked.data.videos.length, 20, "the rankings are tried with nothing");
  for (const [folder, address] of [
    [original, url],
    [back, ""],
  ] as const) {
    const responses = await answersOf({ DATA_DIR: folder, STORE_URL: address });
    for (const { name } of OPERATIONS) assert.ok(responses[name] === expected[name], `${name} is answered otherwise`);
  }
  await drop();
});

test("a target that holds anything is refused, and so is what is no store", async () => {
  const original = await folderWith(WORLD);
  const other = await folderWith([{ platform: "shortvideo", batch: { posts: [aPost("1")] } }]);
  await refused(
    original,
    other,
    /the target is not empty \(it has erased\); choose an empty data directory or database for --to/,
  );
  await refused(original, original, /--from and --to are the same store/);
  const nothing = join(home.path, "nothing");
  await refused(nothing, freshFolder(), /--from: no store in /);
  assert.equal(existsSync(nothing), false);
  await refused("mysql://me:secret@db/x", original, /--from must be a directory, file:\/path or postgres:/);
  await refused(
    original,
    "postgres://me:secret@127.0.0.1:1/x",
    /--to: PostgreSQL at 127\.0\.0\.1:1\/x refused the connection/,
  );
});

test("a target that an unfinished copy of another store is in is refused", async () => {
  const target = freshFolder();
  const store = openSqliteStore(target);
  await store.tableCopy.write(
    [],
    { table: "erased", source: "another", pageToken: null, done: true, checksums: {} },
    null,
  );
  await store.close();
  await refused(await folderWith(WORLD), target, /incomplete copy of another store/);
  await refused(target, freshFolder(), /the source is an incomplete copy/);
});

test("a password can be left out of the address and come from the environment", async () => {
  const { url, drop } = await freshDatabase();
  const bare = new URL(url);
  bare.password = "";
  const original = await folderWith(WORLD);
  const wrong = await copyCommand(original, bare.href, { PGPASSWORD: "not it" });
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /rejected user or password/);
  const { code, stderr } = await copyCommand(original, bare.href, { PGPASSWORD: PASSWORD });
  assert.equal(code, 0, stderr);
  assert.equal(bare.username, USER);
  await drop();
});

/** Copied in full and not checked yet: what a kill just before the check leaves behind. */
async function unchecked(from: string, url: string): Promise<void> {
  const source = openSqliteStore(from);
  const target = await openPostgresStore({ url });
  await copyStore(source.tableCopy, { ...target.tableCopy, finish: async () => undefined });
  await source.close();
  await target.close();
}

async function withUnchecked(work: (from: string, url: string) => Promise<void>): Promise<void> {
  const from = await folderWith(WORLD);
  const { url, drop } = await freshDatabase();
  await unchecked(from, url);
  await work(from, url);
  await drop();
}

test("the check finds a row that was changed, one that is missing and one too many, and names them", async () => {
  await withUnchecked(async (from, url) => {
    await execute(
      url,
      `UPDATE records SET header = replace(header, 'Lantern market', 'Lantern  market') WHERE id = '${TALKED_ABOUT}'`,
      "DELETE FROM comments WHERE id = 'UgComment0007'",
      "INSERT INTO follows SELECT 'x', platform, follower_id, at, since, captured_at, source FROM follows LIMIT 1",
    );
    const { code, stdout, stderr } = await copyCommand(from, url);
    assert.equal(code, 1);
    const { copied: rows, parts, same, changedMeanwhile } = JSON.parse(stdout) as CopyReport;
    assert.deepEqual([rows, same, changedMeanwhile], [0, false, []]);
    const differing = parts.filter((part) => !part.same);
    assert.deepEqual(
      differing.map(({ part, source, target }) => [part, target.rows - source.rows]),
      [
        ["posts", 0],
        ["comments", -1],
        ["follows", 1],
      ],
    );
    assert.match(stderr, new RegExp(`the posts differ: shortvideo/post/${TALKED_ABOUT} is not the same\n`));
    assert.match(stderr, /the comments differ: longvideo\/world0000001\/UgComment0007 is missing in the target\n/);
    assert.match(stderr, /the follows differ: photoshare\/x\/\w+ is in the target only\n/);
  });
});

test("a source that was written to meanwhile is found out", async () => {
  await withUnchecked(async (from, url) => {
    const store = openSqliteStore(from);
    await store.writer.write("shortvideo", { posts: [aPost("7399", { text: "late" })] });
    await store.close();
    const { code, stderr } = await copyCommand(from, url);
    assert.equal(code, 1);
    assert.match(stderr, /the posts differ: shortvideo\/post\/7399 is missing in the target\n/);
    assert.match(stderr, /the source changed during the copy \(posts\)/);
  });
});

test("a copy that was checked is done: the target is a store like any other", async () => {
  await withUnchecked(async (from, url) => {
    assert.equal((await copied(from, url)).copied, 0);
    await refused(from, url, /the target is not empty/);
  });
});

test("a progress line of a copy does not count the rows of an earlier run", () => {
  const stage = { doing: "copying", table: "counter_points", rows: 600, rowsTotal: 1_000 } as const;
  assert.equal(
    formatCopyProgress(stage, 200, 2),
    `${"█".repeat(14)}${"░".repeat(10)}  60 %  600 of 1000 rows  100 rows/s  4 s left  copying counter points`,
  );
  assert.match(formatCopyProgress({ ...stage, rows: 0, rowsTotal: 0 }, 0, 0), /100 %  0 of 0 rows  copying/);
});

test("without --json a table is printed, and a copy without --to is a usage error", async () => {
  const from = await folderWith(WORLD);
  const { code, stdout } = await triptych(home.path, ["copy", "--from", from, "--to", freshFolder()]);
  assert.equal(code, 0);
  assert.match(stdout, /^posts +143 +([0-9a-f]{16}) +143 +\1 +same$/m);
  assert.match(stdout, /^Copied \d+ rows; both stores are identical\.$/m);
  assert.equal((await triptych(home.path, ["copy", "--from", from])).code, 2);
});
