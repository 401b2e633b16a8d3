/** `triptych import` and `triptych jobs` as people meet them: real files, real processes, and what HTTP serves after. */
import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, beforeEach, test } from "node:test";
import { gzipSync } from "node:zlib";
import type { FileReport, Reject } from "#domain/job.ts";
import { type RefusalCode, REFUSALS } from "#api/refusals.ts";
import { DAY_MS } from "#domain/time.ts";
import { exitCodeFor, type ImportRequest } from "#import/import-files.ts";
import type { ImportReport } from "#import/report.ts";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { until } from "#testing/until.ts";
import { startTestServer, temporaryFolder, type TestServer } from "./test-server.ts";
import { importInto } from "./import-fixtures.ts";
import { runCommand } from "./run-command.ts";
import {
  aPostObject,
  startTriptych,
  CAPTURED_AT,
  commentLine,
  environment,
  fixtureOf,
  type Outcome,
  postId,
  pushedLine,
  triptych,
  writeLines,
} from "./spawn-import.ts";

const POSTS = fixtureOf("shortvideo", "zeeschuimer/zeeschuimer-export-tiktok.com-2024-09-06T120000.ndjson");
const ELSEWHERE = fixtureOf("shortvideo", "zeeschuimer/zeeschuimer-export-elsewhere-2024-09-06T121000.ndjson");
const FOLLOWERS = fixtureOf("photoshare", "takeout/followers_1.json");

const home = temporaryFolder();
let number = 0;
/** A folder of its own for each test. */
let folder: string;
let dataDir: string;

beforeEach(() => {
  folder = join(home.path, String(++number));
  dataDir = join(folder, "data");
  mkdirSync(folder);
});
after(() => home.remove());

type Reported = ImportReport & { code: number | null };

/** In a process of its own. */
const run = (...args: string[]) => triptych(dataDir, args);

async function reported(...args: string[]): Promise<Reported> {
  const { code, stdout, stderr } = await run("import", "--json", ...args);
  assert.equal(stderr.replace(`created a new store in ${dataDir}\n`, ""), "");
  return { code, ...(JSON.parse(stdout) as ImportReport) };
}

/** A command in this process: for those that import nothing. */
const runHere = (...args: string[]) => runCommand(args, environment(dataDir));

/** What the command does once it has read its arguments, without its process and threads. */
async function importedHere(paths: string[], request: Partial<ImportRequest> = {}): Promise<Reported> {
  mkdirSync(dataDir, { recursive: true });
  const report = await importInto(dataDir, paths, request);
  return { code: exitCodeFor(report), ...report };
}

interface ListedJob {
  id: string;
  state: string;
  origin: string;
  label: string;
  files: (FileReport & { name: string; state: string; position: number })[];
}

async function jobs(): Promise<ListedJob[]> {
  return JSON.parse((await runHere("jobs", "--json")).stdout) as ListedJob[];
}

function assertSentence({ code, stdout, stderr }: Outcome, expectedCode: number, sentence: RegExp): void {
  assert.equal(code, expectedCode, stderr);
  assert.match(stderr, /^triptych: [^\n]+\n$/);
  assert.match(stderr, sentence);
  assert.equal(stdout, "");
}

/** Records with their versions, and every point of every history. */
function heldRows(): unknown[] {
  const db = new DatabaseSync(join(dataDir, STORE_FILE), { readOnly: true });
  try {
    return [
      ...db
        .prepare("SELECT platform, kind, id, version, header, native FROM records ORDER BY platform, kind, id")
        .all(),
      ...db.prepare("SELECT * FROM counter_points ORDER BY platform, kind, id, captured_at").all(),
    ];
  } finally {
    db.close();
  }
}

test("files and standard input (-) that are read whole end with 0, and the report counts every kind", async () => {
  const capture = writeLines(join(folder, "tides.ndjson"), [
    pushedLine(aPostObject(1)),
    pushedLine(aPostObject(2)),
    pushedLine(aPostObject(2), 1),
  ]);
  const input = `${pushedLine(aPostObject(3))}\n${pushedLine(aPostObject(4))}\n`;
  const { code, stdout, stderr } = await triptych(dataDir, ["import", capture, "-", "--verbose"], input);
  assert.equal(code, 0, stdout);
  assert.equal(stderr, `created a new store in ${dataDir}\n`);
  const lines = stdout.split("\n");
  assert.ok(lines[0]?.startsWith(`${capture}: zeeschuimer; `), lines[0]);
  assert.match(stdout, /^standard input: zeeschuimer; /m);
  assert.ok(lines.includes("  post: 4 new, 1 updated, 0 unchanged"), stdout);
  assert.match(stdout, /^Imported from 2 files \(job [\w-]+\):$/m);
  assert.doesNotMatch(stdout, /refused/);
});

test("what is refused ends with 1 and stands in the rejects file with its file, line and reason; input may be compressed", async () => {
  const capture = writeLines(join(folder, "tides.ndjson"), [
    pushedLine(aPostObject(1)),
    '{"id": "742200000000',
    pushedLine(aPostObject(2)),
    '{"weather": "fog"}',
  ]);
  const input = gzipSync(`${pushedLine(aPostObject(3))}\n`);
  const { code, stdout } = await triptych(dataDir, ["import", "-", capture], input);
  assert.equal(code, 1);
  assert.match(stdout, /^ {2}post: 3 new, 0 updated, 0 unchanged$/m);
  const path = /^ {2}refused records are listed in (.+)$/m.exec(stdout)?.[1];
  assert.ok(path !== undefined && path.startsWith(join(dataDir, "rejects")), stdout);
  if (process.platform !== "win32")
    assert.deepEqual(
      [path, dirname(path)].map((each) => statSync(each).mode & 0o777),
      [0o600, 0o700],
    );
  const rejects = readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Reject & { code: string });
  assert.deepEqual(
    rejects.map(({ file, line }) => [file, line]),
    [
      [capture, 2],
      [capture, 4],
    ],
  );
  assert.deepEqual(
    rejects.map(({ code: reason }) => reason),
    ["cut_short", "unknown_format"],
  );
  assert.equal(rejects[0]?.reason, `${REFUSALS.cut_short} (the JSON ends too early)`);
  assert.equal(rejects[1]?.reason, REFUSALS.unknown_format);
  for (const reject of rejects) assert.deepEqual(Object.keys(reject), ["file", "line", "code", "reason"]);
});

test("a path that does not exist is an error, and no import", async () => {
  const missing = await runHere("import", join(folder, "gone.ndjson"));
  assertSentence(missing, 2, /no such file or directory: .*gone\.ndjson; nothing was imported/);
  assert.match((await runHere("jobs")).stderr, /no store in/, "not even a store");
});

test("where nothing could be done the end is 2: a page without data, junk, a link in a circle", async () => {
  const noise = join(folder, "noise.bin");
  writeFileSync(noise, Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7919) % 251)));
  symlinkSync(join(folder, "circle"), join(folder, "circle"));
  const page = join(folder, "export.csv");
  writeFileSync(page, "<!DOCTYPE html><html><body>Sign in, to export your posts</body></html>");
  const wanted: [string, RefusalCode][] = [
    [page, "page_without_data"],
    [noise, "not_text"],
    [join(folder, "circle"), "link_loop"],
  ];
  for (const [path, reason] of wanted) {
    const { code, total, files } = await importedHere([path]);
    assert.equal(code, 2, path);
    assert.deepEqual(total.records, {});
    assert.deepEqual(
      files.map(({ name }) => name),
      [path],
    );
    assert.deepEqual(Object.keys(total.refused), [reason]);
  }
});

test("empty standard input ends with 2: the program before the pipe failed", async () => {
  const { code, stdout } = await triptych(dataDir, ["import", "-"]);
  assert.equal(code, 2, stdout);
  assert.match(stdout, /^ {2}skipped 1: the file is empty$/m);
});

test("records of an unknown format are refused, even if a place inside them is recognised", async () => {
  const where = { pk: 880099, name: "Old quay", lat: 55.6, lng: 12.9, has_public_page: true };
  const profile = (id: number) => ({
    profile_id: id,
    handle: "quay.walker",
    fans: 5,
    home: "Sandhamn",
    places: [where],
  });
  const lines = writeLines(
    join(folder, "vendor.ndjson"),
    [profile(1), profile(2)].map((line) => JSON.stringify(line)),
  );
  const array = join(folder, "vendor.json");
  writeFileSync(array, JSON.stringify([profile(1), profile(2)]));
  for (const path of [lines, array]) {
    const { code, total } = await importedHere([path]);
    assert.deepEqual([code, total.refused, Object.keys(total.records)], [1, { main_content_unknown: 2 }, ["place"]]);
  }
  const inEnvelope = join(folder, "vendor-result.json");
  writeFileSync(
    inEnvelope,
    JSON.stringify({ status: "ok", result: { id: 7, caption: "Tide", kind: "photo", at: 1725530400, where } }),
  );
  assert.deepEqual((await importedHere([inEnvelope])).total.refused, { main_content_unknown: 1 });
  const envelope = join(folder, "search.json");
  writeFileSync(
    envelope,
    JSON.stringify({ places: [{ position: 0, place: { location: where, title: "Old quay" } }], status: "ok" }),
  );
  assert.deepEqual((await importedHere([envelope])).total.refused, {});
});

test("a response of a recording is an envelope of any shape: the accounts in it are read, and nothing is refused", async () => {
  const user = { pk: "123456", id: "123456", username: "ann.loom", full_name: "Ann", is_private: false };
  const tray = [{ id: "123456", latest_reel_media: 1_700_000_000, seen: 0, can_reply: true, user }];
  const content = { mimeType: "application/json", text: JSON.stringify({ tray, status: "ok" }) };
  const request = { url: "https://www.instagram.com/api/v1/feed/reels_tray/" };
  const har = join(folder, "tray.har");
  writeFileSync(har, JSON.stringify({ log: { entries: [{ request, response: { content } }] } }));
  const { code, total } = await importedHere([har]);
  assert.deepEqual([code, total.refused, Object.keys(total.records)], [0, {}, ["account"]]);
});

test("a file that is too large to read whole is read to its end, and refused only if nothing in it is known", async () => {
  const padding = "x".repeat(3 * 1024 * 1024);
  const large = (record: (id: number) => object) => [1, 2, 3].map((id) => ({ ...record(id), padding }));
  const importedAs = async (name: string, response: object) => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(response));
    const { code, total } = await importedHere([path]);
    return [code, total.records.post?.new, total.refused];
  };
  const web = { itemList: large(aPostObject), hasMore: false, statusCode: 0, log_pb: { impr_id: "1" } };
  assert.deepEqual(await importedAs("web.json", web), [0, 3, {}]);
  const statistics = { play_count: 5, digg_count: 1 };
  const mobile = { aweme_list: large((id) => ({ aweme_id: postId(id + 3), statistics })), has_more: 0, status_code: 0 };
  assert.deepEqual(await importedAs("mobile.json", mobile), [0, 3, {}]);
  const user = { pk: "5501002003", username: "mira.holm" };
  const feed = {
    items: large((id) => ({ pk: `36000000000000000${id}`, media_type: 1, taken_at: 1_770_000_000, user })),
  };
  assert.deepEqual(await importedAs("feed.json", { ...feed, more_available: false, status: "ok" }), [0, 3, {}]);
  const videos = large((id) => ({
    type: "video",
    title: "Tide",
    videoId: `harbourW0${id}k`,
    author: "Ann",
    lengthSeconds: 5,
  }));
  assert.deepEqual(await importedAs("search.json", { results: videos }), [0, 3, {}]);
  assert.deepEqual(await importedAs("other.json", { rows: large((id) => ({ id })) }), [
    2,
    undefined,
    { unknown_format: 1 },
  ]);
});

test("an empty file and files of other platforms are no failure: they are skipped with the reason", async () => {
  const empty = writeLines(join(folder, "empty.ndjson"), []);
  const { code, total } = await importedHere([empty, ELSEWHERE]);
  assert.equal(code, 0);
  assert.deepEqual(total.records, {});
  assert.ok(Object.keys(total.skipped).some((reason) => /empty/.test(reason)));
  assert.equal(total.skipped["a capture of twitter.com, which is not supported"], 1);
});

test("one path that cannot be read does not stop the others", async () => {
  const { code, total } = await importedHere([join(folder, "gone"), POSTS, join(folder, "gone too")]);
  assert.equal(code, 1);
  assert.equal(total.records.post?.new, 3);
  assert.equal(total.refused["file_not_found"], 2);
});

/** A folder with five formats of three platforms, compressed and not. */
function mixedFolder(): string {
  const captures = join(folder, "captures");
  mkdirSync(join(captures, "video"), { recursive: true });
  copyFileSync(POSTS, join(captures, "a-posts.ndjson"));
  writeFileSync(join(captures, "b-posts.json.gz"), gzipSync(readFileSync(fixtureOf("photoshare", "web/items.json"))));
  copyFileSync(fixtureOf("photoshare", "web/profile.json"), join(captures, "c-profile.json"));
  const walk = "Harbour walk [harbourW01k].info.json";
  copyFileSync(fixtureOf("longvideo", `yt-dlp/${walk}`), join(captures, "video", walk));
  copyFileSync(fixtureOf("longvideo", "subtitles/harbourW01k.es.srv1"), join(captures, "video", "harbourW01k.es.srv1"));
  writeFileSync(join(captures, "video", "harbourW01k.mp4"), "not looked at");
  return captures;
}

/** The report of a folder of mixed formats, file by file. */
function assertMixed({ files, total, code }: Reported): void {
  assert.equal(code, 1);
  assert.deepEqual(
    files.map(({ name, formats }) => [name.slice(folder.length + 10), Object.keys(formats).join()]),
    [
      ["a-posts.ndjson", "zeeschuimer"],
      ["b-posts.json.gz", "photoshare web"],
      ["c-profile.json", "photoshare web"],
      ["video/Harbour walk [harbourW01k].info.json", "yt-dlp"],
      ["video/harbourW01k.es.srv1", "subtitles"],
      ["video/harbourW01k.mp4", ""],
    ],
  );
  assert.equal(total.skipped["media"], 1);
}

test("a rehearsal keeps nothing, and reports what the import then does, file by file", async () => {
  const captures = mixedFolder();
  const rehearsed = await importedHere([captures], { dryRun: true });
  assert.deepEqual(await jobs(), []);
  assert.deepEqual(heldRows(), []);
  assert.equal(rehearsed.rejects, null);
  const imported = await importedHere([captures]);
  assert.equal(imported.total.records.subtitles?.new, 2);
  assert.equal(rehearsed.code, imported.code);
  assert.deepEqual(rehearsed.files, imported.files);
  assert.deepEqual(rehearsed.total, imported.total);
});

test("a rehearsal where there is no store creates none, and counts as if there were an empty one", async () => {
  const input = `${pushedLine(aPostObject(1))}\n`;
  const { code, stdout, stderr } = await triptych(dataDir, ["import", "--dry-run", POSTS, "-"], input);
  assert.deepEqual([code, stderr], [1, ""], stdout);
  // Three of the file, and one of standard input.
  assert.match(stdout, /^ {2}post: 4 new, 1 updated, 0 unchanged$/m);
  assert.ok(!existsSync(dataDir));
});

test("two files that show the same records: a rehearsal counts them as the import does", async () => {
  const one = writeLines(join(folder, "one.ndjson"), [pushedLine(aPostObject(1))]);
  const other = writeLines(join(folder, "other.ndjson"), [pushedLine(aPostObject(1)), pushedLine(aPostObject(2))]);
  const rehearsed = await importedHere([one, other], { dryRun: true });
  const imported = await importedHere([one, other]);
  assert.deepEqual(imported.total.records.post, { new: 2, updated: 0, unchanged: 1, erased: 0 });
  assert.deepEqual(rehearsed.total.records, imported.total.records);
});

test("a list without --of is refused, and a rehearsal says in words what would be done and how to help it", async () => {
  const without = await importedHere([FOLLOWERS]);
  assert.equal(without.code, 2);
  assert.deepEqual(without.total.refused, { followers_without_owner: 2 });
  const { stdout } = await run("import", "--dry-run", mixedFolder(), FOLLOWERS);
  assert.match(stdout, /^Would import from 7 files \(job dry run\):$/m);
  assert.match(stdout, /--of <account name>/);
});

test("--of says whose followers a list holds; --captured-at dates what does not say when; no input is no failure", async () => {
  const bare = join(folder, "bare.json");
  writeFileSync(bare, JSON.stringify(aPostObject(1)));
  const dated = writeLines(join(folder, "dated.ndjson"), [pushedLine(aPostObject(2))]);
  const options = ["--of", "mira.holm", "--captured-at", "2024-02-03T04:05:06Z"];
  const { code, files, total } = await reported(FOLLOWERS, bare, dated, "-", ...options);
  assert.equal(code, 0);
  assert.equal(total.records.follow?.new, 2);
  assert.deepEqual(files.find(({ name }) => name === "standard input")?.records, {});
  const times = heldTimes();
  assert.equal(times[postId(1)], Date.UTC(2024, 1, 3, 4, 5, 6));
  assert.equal(times[postId(2)], Date.UTC(2025, 4, 1));
});

function heldTimes(): Record<string, number> {
  const db = new DatabaseSync(join(dataDir, STORE_FILE), { readOnly: true });
  try {
    const rows = db.prepare("SELECT id, captured_at FROM records WHERE kind = 'post'").all();
    return Object.fromEntries(rows.map((row) => [row["id"], row["captured_at"]])) as Record<string, number>;
  } finally {
    db.close();
  }
}

test("what --captured-at cannot mean is a usage error, and nothing is imported", async () => {
  const invented = [
    "05.03.2026",
    "05/03/2026",
    "1",
    "capture 7",
    "2024-02-30",
    "2024-02-30T04:05Z",
    "20240203",
    "2024-02-03T04:05",
  ];
  for (const wrong of ["yesterday", "", "2024-13-45", "25:00", "2024-05-01T25:00Z", ...invented]) {
    assertSentence(await runHere("import", POSTS, "--captured-at", wrong), 2, /--captured-at must be a time such as/);
  }
  assertSentence(await runHere("import"), 2, /name at least one file or directory/);
  const watched = join(folder, "nothing-yet");
  mkdirSync(watched);
  const watch = (...options: string[]) => runHere("import", "--watch", watched, ...options);
  assertSentence(await watch("--captured-at", "yesterday"), 2, /--captured-at must be a time such as/);
  assertSentence(await watch("--as", "shortvideo/pots"), 2, /--as must be one of/);
  const listed = await runHere("jobs", "--json");
  assert.ok(listed.code === 1 || listed.stdout === "[]\n", listed.stdout);
});

const ANSWERS = [
  "/api/shortvideo/post/detail?videoId=7411000000000000101",
  "/api/shortvideo/user/info-with-region?uniqueId=mara.quillfeather",
  "/api/shortvideo/music/posts?musicId=7411000000000000301",
  "/api/longvideo/video/details?video_id=harbourW01k",
  "/api/longvideo/video/comments?video_id=harbourW01k",
  "/api/longvideo/video/subtitles?video_id=harbourW01k",
  "/api/photoshare/get-profile?username_or_url=mira.holm",
];

async function answersOf(server: TestServer): Promise<string[]> {
  return Promise.all(ANSWERS.map(async (path) => JSON.stringify(await server.json(path))));
}

test("importing a folder of mixed formats again leaves all unchanged: the report, every version, every byte of the answers", async () => {
  const captures = mixedFolder();
  const server = await startTestServer([]);
  try {
    dataDir = server.dataDir;
    await importedHere([captures]);
    const [rows, responses] = [heldRows(), await answersOf(server)];
    const again = await reported(captures);
    assertMixed(again);
    for (const [kind, counts] of Object.entries(again.total.records))
      assert.deepEqual([kind, counts.new, counts.updated], [kind, 0, 0]);
    assert.deepEqual(heldRows(), rows);
    assert.deepEqual(await answersOf(server), responses);
  } finally {
    await server.close();
  }
});

test("get computes the trends of what was imported without a server", async () => {
  const today = Math.floor((Date.now() - CAPTURED_AT) / DAY_MS);
  const post = aPostObject(1, { createTime: (CAPTURED_AT + today * DAY_MS) / 1_000 - 3_600 });
  const capture = writeLines(join(folder, "today.ndjson"), [pushedLine(post, today)]);
  assert.equal((await importedHere([capture])).code, 0);
  const { stdout } = await runHere("get", "shortvideo/trending/videos", "period=7");
  const { data } = JSON.parse(stdout) as { data: { videos: { id: string }[] } };
  assert.deepEqual(
    data.videos.map(({ id }) => id),
    [postId(1)],
  );
});

test("jobs lists imports, newest first, in words and as JSON", async () => {
  const none = await runHere("jobs");
  assert.equal(none.code, 1);
  assert.match(none.stderr, /no store in/);
  await importedHere([POSTS], { dryRun: true });
  assert.match((await runHere("jobs")).stdout, /^No imports yet/);
  const first = await importedHere([POSTS]);
  const second = await importedHere([POSTS, ELSEWHERE]);
  // The label of an upload is the name of its file, which a terminal must not obey.
  const third = await importedHere([POSTS], { label: "a\u009b31mb\u202e.json" });
  const [upload, ...listed] = await jobs();
  assert.deepEqual([upload?.id, upload?.label], [third.job, "a\u009b31mb\u202e.json"]);
  assert.deepEqual(
    listed.map(({ id, state, origin, label }) => [id, state, origin, label]),
    [
      [second.job, "done", "command", `${POSTS} ${ELSEWHERE}`],
      [first.job, "done", "command", POSTS],
    ],
  );
  const [file] = listed[1]?.files ?? [];
  assert.deepEqual([file?.name, file?.state, file?.position], [POSTS, "done", 6]);
  assert.deepEqual(file?.records, first.total.records);
  const table = (await runHere("jobs")).stdout.split("\n");
  assert.match(table[0] ?? "", /^job +state +started \(UTC\) +label$/);
  assert.match(table[1] ?? "", / {2}a 31mb \.json$/);
  assert.match(table[3] ?? "", new RegExp(`^${first.job} +done +[\\d-]+ [\\d:]+ +1 files? +\\d+ records +${POSTS}$`));
});

test("an album of as many videos in as many sizes as the platform allows is stored whole", async () => {
  const addresses = (count: number, length: number) =>
    Array.from({ length: count }, (_, at) => ({
      url: `https://media.example/${at}?${"a".repeat(length)}`,
      width: 720,
      height: 900 + at,
    }));
  const part = (at: number) => ({
    pk: `360000000000000000${at}`,
    media_type: 2,
    image_versions2: { candidates: addresses(14, 640) },
    video_versions: addresses(3, 730),
    display_uri: `https://media.example/shown?${"a".repeat(640)}`,
    accessibility_caption: "A lake and a boat at dusk. ".repeat(5),
  });
  const album = {
    pk: "3700000000000000001",
    code: "DAlbum00001",
    media_type: 8,
    taken_at: 1_770_000_000,
    user: { pk: "5501002003", username: "mira.holm" },
    caption: { text: "Lake days. ".repeat(200) },
    carousel_media: Array.from({ length: 20 }, (_, at) => part(at)),
  };
  const capture = writeLines(join(folder, "album.json"), [JSON.stringify({ items: [album], status: "ok" })]);
  const { total } = await importedHere([capture]);
  assert.deepEqual([total.records.post?.new, total.refused], [1, {}]);
});

test("numbers that are no counts are not taken for counts", async () => {
  const stats = { diggCount: -1, shareCount: 2.5, commentCount: "many", playCount: 12 };
  const capture = writeLines(join(folder, "odd.ndjson"), [pushedLine(aPostObject(1, { stats }))]);
  const server = await startTestServer([]);
  try {
    dataDir = server.dataDir;
    assert.equal((await importedHere([capture])).code, 0);
    const { itemInfo } = await server.json<{ itemInfo: { itemStruct: { stats: Record<string, string | null> } } }>(
      `/api/shortvideo/post/detail?videoId=${postId(1)}`,
      { prefer: "unknown=null" },
    );
    const { diggCount, shareCount, commentCount, playCount } = itemInfo.itemStruct.stats;
    assert.deepEqual([diggCount, shareCount, commentCount, playCount], [null, null, null, "12"]);
  } finally {
    await server.close();
  }
});

test("a database's wrappers of long integers are removed, also where a table was flattened from them", async () => {
  const wrap = (value: number | string) => ({ $numberLong: String(value) });
  const stats = { diggCount: wrap(11), shareCount: wrap(1), commentCount: wrap(2), playCount: wrap(101) };
  const post = { ...aPostObject(1), id: wrap(postId(1)), createTime: wrap(1_745_000_000), stats };
  writeFileSync(join(folder, "dump.json"), JSON.stringify([post]));
  writeLines(join(folder, "flattened.csv"), [
    "id,webVideoUrl,text,authorMeta.id,authorMeta.name,createTime.$numberLong,diggCount,shareCount,commentCount,playCount.$numberLong",
    `${postId(2)},https://www.tiktok.com/@pell.anders/video/${postId(2)},Tides,6922000000000000001,pell.anders,1745000000,11,1,2,101`,
  ]);
  const server = await startTestServer([]);
  try {
    dataDir = server.dataDir;
    assert.equal((await importedHere([folder])).code, 0);
    for (const id of [postId(1), postId(2)]) {
      const { itemInfo } = await server.json<{ itemInfo: { itemStruct: Record<string, unknown> } }>(
        `/api/shortvideo/post/detail?videoId=${id}`,
      );
      const counts = { diggCount: "11", shareCount: "1", commentCount: "2", playCount: "101", collectCount: "0" };
      assert.deepEqual([itemInfo.itemStruct["createTime"], itemInfo.itemStruct["stats"]], ["1745000000", counts]);
    }
  } finally {
    await server.close();
  }
});

test("--watch imports what is there and what arrives, until it is stopped", async () => {
  const watched = join(folder, "watched");
  mkdirSync(watched);
  writeLines(join(watched, "first.ndjson"), [pushedLine(aPostObject(1))]);
  const { child, ended } = startTriptych(dataDir, ["import", "--watch", watched, "--verbose"]);
  let shown = "";
  child.stdout?.on("data", (text: string) => (shown += text));
  try {
    await until(async () => /first\.ndjson: zeeschuimer[^]*Imported from 1 file/.test(shown));
    writeLines(join(watched, "second.ndjson"), [pushedLine(aPostObject(2)), commentLine(1, true)]);
    await until(async () => /second\.ndjson: zeeschuimer[^]*Imported from 1 file/.test(shown));
  } finally {
    child.kill("SIGINT");
  }
  const { stderr } = await ended;
  assert.match(stderr, /^watching .*; stop with Ctrl-C\ncreated a new store in .*\n$/);
  const listed = await jobs();
  assert.deepEqual(
    listed.map(({ state, label }) => [state, label]),
    [
      ["done", join(watched, "second.ndjson")],
      ["done", join(watched, "first.ndjson")],
    ],
  );
  for (const path of [join(folder, "gone"), join(watched, "first.ndjson")])
    assertSentence(await runHere("import", "--watch", path), 2, /no such directory to watch: .*(?:gone|first\.ndjson)/);
});
