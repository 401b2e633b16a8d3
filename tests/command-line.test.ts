/** How commands print and complete: formats of `get`, help, suggestions, verbosity, completion. On a small world. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { rmSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import papaparse from "papaparse";
import { OPERATIONS } from "#platforms/registry.ts";
import { openStore } from "#serve/open-store.ts";
import { readConfig } from "#config";
import { programEnvironment } from "#testing/program-environment.ts";
import { PAGED_OPERATIONS } from "./paged-lists.ts";
import { type CommandOutcome, runCommand } from "./run-command.ts";
import { temporaryFolder } from "./test-server.ts";
import { AMARA, anAccount, aPost, GOOD_REQUESTS, LONG_VIDEO, WORLD } from "./world.ts";
import { toUnit } from "#store/write/batch-changes.ts";

const FOLDER = temporaryFolder();
const ENV = { DATA_DIR: join(FOLDER.path, "data"), LOG_LEVEL: "silent" };

/** A caption that a spreadsheet would run and a terminal would obey, and a counter that nobody captured. */
const HOSTILE = aPost("7300000000000099999", {
  authorId: "6800000000000099999",
  text: '=HYPERLINK("https://evil.example")\u001b[2J\nsecond line',
});

before(async () => {
  const store = await openStore(readConfig(ENV));
  try {
    for (const { platform, batch } of WORLD) await store.writer.write([toUnit(platform, batch)]);
    await store.writer.write([
      toUnit("shortvideo", {
        accounts: [anAccount("6800000000000099999", "mallory.ng")],
        posts: [HOSTILE],
      }),
    ]);
    await store.writer.refreshTrends();
  } finally {
    await store.close();
  }
});

after(() => FOLDER.remove());

const onTerminal = (...args: string[]) => runCommand(args, ENV, 100);
const inPipe = (...args: string[]) => runCommand(args, ENV);

function assertUsage({ code, stdout, stderr }: CommandOutcome, sentence: RegExp): void {
  assert.equal(code, 2, stdout);
  assert.match(stderr, /^triptych: [^\n]+\n$/);
  assert.match(stderr, sentence);
}

function requestArguments(name: string): string[] {
  return Object.entries(GOOD_REQUESTS[name] ?? {}).map(([key, value]) => `${key}=${value}`);
}

test("every operation prints a table on a terminal, JSON in a pipe, and CSV with a header", async () => {
  for (const { name, endpoint } of OPERATIONS) {
    const request = ["get", name, ...requestArguments(name)];
    const table = await onTerminal(...request);
    assert.equal(table.code, 0, `${name}: ${table.stderr}`);
    assert.ok(!table.stdout.startsWith("{") && !table.stdout.startsWith("["), name);
    JSON.parse((await inPipe(...request)).stdout);
    const { data } = papaparse.parse<string[]>((await inPipe(...request, "--csv")).stdout, { skipEmptyLines: true });
    const [header = [], ...rows] = data;
    assert.ok(header.length > 0, name);
    for (const row of rows) assert.equal(row.length, header.length, name);
    if (endpoint.pages !== undefined && rows.length > 0) assert.ok(table.stdout.split("\n").length > 2, name);
  }
});

test("a ranking is a list of its entries, not one cell", async () => {
  for (const [name, column] of [
    ["hashtag", "hashtag_name"],
    ["songs", "song_id"],
    ["videos", "item_id"],
  ] as const) {
    const { stdout } = await inPipe("get", `shortvideo/trending/${name}`, "--csv");
    assert.ok(stdout.split("\r\n")[0]?.split(",").includes(column), stdout);
  }
});

test("a table of comments has their text", async () => {
  for (const name of ["longvideo/video/comments", "shortvideo/post/comments"]) {
    const { stdout } = await onTerminal("get", name, ...requestArguments(name));
    assert.match(stdout.split("\n")[0] ?? "", / text\b/, name);
  }
});

test("a record with lists has a table for each of them", async () => {
  const request = ["get", "photoshare/search", `search_query=${AMARA.name}`];
  const { stdout } = await onTerminal(...request);
  assert.match(stdout, /^rank_token +\S+\n\nsee_more\.list\nposition +keyword\.name /m);
  assert.match(stdout, new RegExp(`\n\nusers\nposition +user\\.username .*\n\\d+ +${AMARA.name} `));
  const selected = await onTerminal(...request, "--fields", "users(user(full_name))");
  assert.match(selected.stdout, /^\nusers\nuser\.full_name\n[^\n{]+\n$/);
});

test("--paginate prints the items of all pages in every format, with and without a selection", async () => {
  const request = ["get", "photoshare/get-posts", `username_or_url=${AMARA.name}`, "amount=5", "--paginate"];
  const { stdout } = await inPipe(...request);
  const items = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { node: { code: string } });
  assert.ok(items.length > 10, `${items.length} items`);
  const codes = items.map(({ node }) => node.code);
  assert.equal(new Set(codes).size, codes.length);
  assert.equal((await inPipe(...request, "--fields", "")).stdout, stdout);

  const csv = papaparse.parse<Record<string, string>>((await inPipe(...request, "--csv")).stdout, {
    header: true,
    skipEmptyLines: true,
  }).data;
  assert.deepEqual(
    csv.map((row) => row["node.code"]),
    codes,
  );
  const selected = await inPipe(...request, "--fields", "posts(node(code))");
  assert.deepEqual(
    selected.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown),
    codes.map((code) => ({ node: { code } })),
  );
  assertUsage(await inPipe("get", "longvideo/video/details", `video_id=${LONG_VIDEO}`, "--paginate"), /has no pages/);
});

test("a search says once that another spelling was searched, with one page and with all", async () => {
  for (const pages of [[], ["--paginate"]]) {
    const { stdout, stderr } = await inPipe("get", "search", "q=lanterm", "limit=20", ...pages);
    assert.match(stdout, /Lantern/);
    assert.equal(stderr, "Search-Corrected: lantern\n");
  }
});

test("CSV has the same columns on every page, however it is printed: those of the schema or of the selection", async () => {
  for (const { name, parameters, size } of PAGED_OPERATIONS) {
    const request = ["get", name, ...Object.entries(parameters).map(([key, value]) => `${key}=${value}`), "--csv"];
    const small = size === null ? [] : [`${size.parameter}=1`];
    const [header = [], ...rows] = parseRows((await inPipe(...request, ...small, "--paginate")).stdout);
    assert.ok(rows.length > 1, `${name}: ${rows.length} rows`);
    for (const row of rows) assert.equal(row.length, header.length, `${name}: ${row.join()}`);
    assert.deepEqual(parseRows((await inPipe(...request, ...small)).stdout)[0], header, name);
  }
  const selected = [
    "get",
    "search",
    "q=lantern",
    "--csv",
    "--fields",
    "results(counters(likes,views),start_s,platform)",
  ];
  for (const pages of [[], ["--paginate", "limit=1"]]) {
    const [header] = parseRows((await inPipe(...selected, ...pages)).stdout);
    assert.deepEqual(header, ["platform", "start_s", "counters.views", "counters.likes"]);
  }
});

function parseRows(csv: string): string[][] {
  return papaparse.parse<string[]>(csv, { skipEmptyLines: true }).data;
}

test("cells are safe for spreadsheets and terminals, and what is unknown is empty and not 0", async () => {
  const request = ["get", "shortvideo/post/detail", `videoId=${HOSTILE.id}`];
  const { stdout } = await inPipe(...request, "--csv");
  const [row = {}] = papaparse.parse<Record<string, string>>(stdout, { header: true, skipEmptyLines: true }).data;
  assert.match(row["itemInfo.itemStruct.desc"] ?? "", /^'=HYPERLINK/);
  assert.equal(row["itemInfo.itemStruct.stats.playCount"], "");
  const table = await onTerminal(...request);
  assert.ok(!table.stdout.includes("\u001b"));
  assert.match(table.stdout, /itemInfo\.itemStruct\.desc +=HYPERLINK\("https:\/\/evil\.example"\) \[2J second line\n/);
});

test("--help on an operation shows its parameters, and a wrong one gets a suggestion", async () => {
  for (const { name, endpoint } of OPERATIONS) {
    const { code, stdout } = await inPipe("get", name, "--help");
    assert.equal(code, 0);
    assert.ok(stdout.startsWith(`Usage: triptych get ${name}`));
    for (const parameter of Object.keys(endpoint.input.properties))
      assert.match(stdout, new RegExp(`^  ${parameter} `, "m"));
  }
  assert.deepEqual(
    await inPipe("help", "get", "longvideo/trending"),
    await inPipe("get", "longvideo/trending", "--help"),
  );
  assert.match((await inPipe("get", "--help")).stdout, /--paginate/);
  assertUsage(await inPipe("get", "longvideo/trendin"), /did you mean longvideo\/trending/);
  assertUsage(await inPipe("get", "longvideo/trending", "cuontry=US"), /no parameter cuontry; did you mean country\?/);
  assertUsage(await inPipe("get", "longvideo/trending", "--csv", "--json"), /choose one of/);
});

test("an unknown command or help topic exits with 2 and says what is near", async () => {
  assertUsage(await inPipe("imprt"), /Did you mean import\?\)$/m);
  assertUsage(
    await inPipe("token", "create"),
    /'--label <text>' not specified; see "npx triptych token create --help"$/m,
  );
  assertUsage(await inPipe("undo"), /missing required argument 'job'; see "npx triptych undo --help"$/m);
  assertUsage(await inPipe("jobs", "2026"), /got 1: 2026; see "npx triptych jobs --help"$/m);
  assertUsage(
    await inPipe("--data-dir", "x", "doctor"),
    /unknown option '--data-dir'; options go after the command; see "npx triptych --help"$/m,
  );
  assertUsage(await inPipe("audit", "verfy"), /unknown command verfy; did you mean verify\?/);
  assertUsage(
    await inPipe("retention", "unset", "--source", "demo"),
    /unknown command unset; (?:did you mean|there are) set/,
  );
  assertUsage(await inPipe("help", "imprt"), /no help on imprt; did you mean import\?/);
  assertUsage(await inPipe("help", "token", "creat"), /no help on creat; did you mean create\?/);
  assertUsage(await inPipe("help", "zzzzzzzzzz"), /there are serve, token, /);
  assert.match((await inPipe("help", "token", "create")).stdout, /^Usage: triptych token create/);
  assert.match((await inPipe("token", "help", "create")).stdout, /^Usage: triptych token create/);
});

test("import prints a summary, with --verbose a line per file, with --quiet the problems", async () => {
  const captures = join(FOLDER.path, "captures");
  mkdirSync(captures);
  for (const id of ["plainVideo1", "plainVideo2"]) {
    const video = { id, title: id, extractor_key: "Youtube", _type: "video", webpage_url: `https://youtu.be/${id}` };
    writeFileSync(join(captures, `${id}.info.json`), JSON.stringify(video));
  }
  writeFileSync(join(captures, "notes.json"), '{"nothing": "of ours"}');
  const summary = await inPipe("import", captures);
  assert.equal(summary.code, 1);
  assert.match(
    summary.stdout,
    /^Imported from 3 files \(job [\w-]+\):\n {2}refused 1: unknown format, .*\n {4}in 1 file: notes\.json\n {2}refused records .*\n {2}formats: /,
  );
  const verbose = await inPipe("import", captures, "--verbose", "--dry-run");
  assert.equal(verbose.stdout.split("\n").filter((line) => /^\S+\.json: /.test(line)).length, 3, verbose.stdout);
  const quiet = await inPipe("--quiet", "import", captures);
  assert.deepEqual([quiet.code, quiet.stdout], [1, ""]);
  assert.match(
    quiet.stderr,
    /^ {2}refused 1: unknown format, .*\n {4}in 1 file: notes\.json\n {2}refused records .*\n$/,
  );
  rmSync(join(captures, "notes.json"));
  assert.deepEqual(await inPipe("--quiet", "import", captures), { code: 0, stdout: "", stderr: "" });
  assertUsage(await inPipe("import", captures, "--quiet", "--verbose"), /choose one of --quiet and --verbose/);
});

test("an import without a file to read is a usage error, and a picture is skipped, not unknown", async () => {
  const empty = join(FOLDER.path, "empty");
  mkdirSync(empty);
  assertUsage(await inPipe("import", empty), /^triptych: no files in .*empty; nothing was imported$/m);
  writeFileSync(join(empty, "cover.png"), "\u0089PNG");
  const { code, stdout } = await inPipe("import", empty);
  assert.deepEqual([code, stdout.split("\n").slice(1)], [0, ["  no records", "  skipped 1: media", ""]]);
});

test("jobs lists as many imports as --limit says, and notes that there are older ones", async () => {
  for (const name of ["older", "newer"]) {
    writeFileSync(join(FOLDER.path, `${name}.json`), '{"nothing": "of ours"}');
    await inPipe("import", join(FOLDER.path, `${name}.json`));
  }
  const all = JSON.parse((await inPipe("jobs", "--json")).stdout) as { id: string }[];
  assert.ok(all.length >= 2);
  const newest = await inPipe("jobs", "--limit", "1", "--json");
  assert.deepEqual(JSON.parse(newest.stdout), all.slice(0, 1));
  for (const format of [[], ["--json"]]) {
    const { stderr } = await inPipe("jobs", "--limit", "1", ...format);
    assert.equal(stderr, "There are older imports; --limit prints more of them.\n");
    assert.equal((await inPipe("jobs", "--limit", String(all.length), ...format)).stderr, "");
  }
  assertUsage(await inPipe("jobs", "--limit", "0"), /--limit must be a whole number from 1/);
});

test("completion offers commands, options, operations, parameters and their values", async () => {
  const words = async (line: string) =>
    (await inPipe("completion", "--line", line)).stdout
      .split("\n")
      .filter((text) => text !== "")
      .map((text) => text.split("\t")[0]);
  assert.deepEqual(await words("triptych im"), ["import"]);
  assert.deepEqual(await words("triptych token r"), ["revoke", "rotate"]);
  assert.deepEqual(await words("triptych help token r"), ["revoke", "rotate"]);
  assert.deepEqual(await words("triptych token create --la"), ["--label"]);
  assert.deepEqual(await words("triptych token create --label "), []);
  assert.deepEqual(await words("triptych export posts --format c"), ["csv"]);
  assert.deepEqual(await words("triptych --quiet completion f"), ["fish"]);
  assert.deepEqual(await words("triptych get longvideo/video/comments sort="), ["sort=newest", "sort=top"]);
  assert.deepEqual(await words("triptych get longvideo/video/comments vid"), ["video_id="]);
  assert.deepEqual(await words("triptych import ca"), []);
  assert.equal((await words("triptych get ")).length, OPERATIONS.length);
  for (const shell of ["bash", "zsh", "fish"]) {
    assert.match((await inPipe("completion", shell)).stdout, /triptych completion --line/, shell);
  }
  assertUsage(await inPipe("completion", "tcsh"), /name a shell: bash, zsh, fish, not tcsh/);
});

test("the script of bash completes in bash, also behind an equals sign", () => {
  const bin = join(import.meta.dirname, "..", "bin", "triptych.mjs");
  const script = `
    triptych() { "${process.execPath}" "${bin}" "$@"; }
    source <(triptych completion bash)
    COMP_LINE="triptych get longvideo/video/comments sort=t" COMP_POINT=44
    _triptych
    echo "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", script], {
    encoding: "utf8",
    env: { ...programEnvironment(), PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` },
  });
  assert.deepEqual([stdout, stderr], ["top\n", ""]);
});
