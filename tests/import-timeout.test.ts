/** A file that keeps its reader busy, or takes all its memory, is refused with a reason: others are imported. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { after, test } from "node:test";
import { REFUSALS } from "#api/refusals.ts";
import type { ImportReport } from "#import/report.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { budget } from "#testing/budget.ts";
import { until } from "#testing/until.ts";
import { temporaryFolder, TEST_TOKEN } from "./test-server.ts";
import { createIngestToken } from "./ingest-client.ts";
import { aPostObject, BIN, environment, type Outcome, postId, pushedLine } from "./spawn-import.ts";
import { bearerHeader } from "./test-tokens.ts";

const home = temporaryFolder();
after(() => home.remove());

const BOUNDED = { timeout: 120_000 };

/** 430 bytes that make an expression backtrack over comments. */
const MANY_COMMENTS = `${"<!---->".repeat(60)}x`;

/** A thread that parses this never comes back. */
const ENDLESS = '{"id":"never ends"}\n';
/** A thread that parses this ends as one that has no memory left: to fill a real one takes minutes. */
const GREEDY = '{"id":"takes all memory"}\n';
const HANG = `
  import { isMainThread } from "node:worker_threads";
  const parse = JSON.parse;
  const outOfMemory = Object.assign(new Error("heap out of memory"), { code: "ERR_WORKER_OUT_OF_MEMORY" });
  if (!isMainThread)
    JSON.parse = (text, reviver) => {
      if (String(text).includes("never ends")) for (;;);
      if (String(text).includes("takes all memory")) queueMicrotask(() => { throw outOfMemory; });
      return parse(text, reviver);
    };`;
const HANGING = ["--import", `data:text/javascript,${encodeURIComponent(HANG)}`];

const line = (number: number) => `${pushedLine(aPostObject(number))}\n`;

function folderOf(name: string, files: Record<string, string>): string {
  const folder = join(home.path, name);
  mkdirSync(folder);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
}

function beginHanging(dataDir: string, args: string[]) {
  const env = { ...environment(dataDir), API_TOKEN: TEST_TOKEN, IMPORT_TIMEOUT_S: "1" };
  const child = spawn(process.execPath, [...HANGING, BIN, ...args], { env });
  const shown = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (shown.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (shown.err += text));
  const ended = once(child, "close").then(([code]): Outcome => ({
    code: code as number | null,
    stdout: shown.out,
    stderr: shown.err,
  }));
  return { child, shown, ended };
}

const refusedIn = (report: ImportReport, file: string) =>
  report.files.find(({ name }) => name.endsWith(file))?.refused ?? {};

const postsIn = ({ total }: ImportReport) => total.records.post;

test(
  "a file that never ends is refused, with the reason, and not tried again; the others of its import are kept",
  BOUNDED,
  async () => {
    const dataDir = join(home.path, "data-stuck");
    const files = { "a.ndjson": line(1), "b.ndjson": line(2) + ENDLESS, "c.ndjson": line(3), "d.json": ENDLESS };
    const captures = folderOf("stuck", { ...files, "e.ndjson": line(5), "f.html": MANY_COMMENTS });
    // Cut off after the first refusal.
    const cut = beginHanging(dataDir, ["import", captures, "--verbose"]);
    await until(async () => cut.shown.out.includes(REFUSALS.too_slow));
    cut.child.kill("SIGKILL");
    await cut.ended;
    const { code, stdout, stderr } = await beginHanging(dataDir, ["import", captures, "--json"]).ended;
    assert.equal(code, 1, stderr);
    const report = JSON.parse(stdout) as ImportReport;
    assert.deepEqual(
      report.files.map(({ name, refused }) => [basename(name), refused["too_slow"] ?? 0]),
      [
        ["a.ndjson", 0],
        ["b.ndjson", 1],
        ["c.ndjson", 0],
        ["d.json", 1],
        ["e.ndjson", 0],
        ["f.html", 0],
      ],
    );
    assert.equal(postsIn(report)?.new, 3);
    assert.ok(!report.own.files.includes(join(captures, "b.ndjson")), "it was tried again");
    assert.ok(report.own.files.includes(join(captures, "d.json")));
    // 430 bytes that once kept an expression busy for ever are refused for what they are.
    assert.deepEqual(Object.values(refusedIn(report, "f.html")), [1]);
  },
);

test(
  "a file that takes all memory of its reader is refused, and the others of its import are kept",
  BOUNDED,
  async () => {
    const files = { "a.ndjson": line(1) + GREEDY, "b.ndjson": line(2) };
    const captures = folderOf("greedy", files);
    const importing = beginHanging(join(home.path, "data-greedy"), ["import", captures, "--json"]);
    const { code, stdout, stderr } = await importing.ended;
    assert.equal(code, 1, stderr);
    const report = JSON.parse(stdout) as ImportReport;
    assert.deepEqual(
      [refusedIn(report, "a.ndjson"), refusedIn(report, "b.ndjson"), postsIn(report)?.new],
      [{ too_much_memory: 1 }, {}, 1],
    );
  },
);

// Each file that never ends takes a core for its whole limit. What an import does about one is the same for every input.
const STDIN_RUNS = [["--dry-run"], []].slice(0, budget("endlessInputs"));

test("standard input that never ends is refused too, also in a dry run", BOUNDED, async () => {
  for (const options of STDIN_RUNS) {
    const { child, ended } = beginHanging(join(home.path, "data-input"), ["import", "-", ...options]);
    child.stdin.end(ENDLESS);
    const { code, stdout } = await ended;
    assert.equal(code, 2);
    assert.ok(stdout.includes(REFUSALS.too_slow), stdout);
  }
});

test("uploads behind one that never ends are imported, and a restart finds none of it", BOUNDED, async () => {
  const dataDir = join(home.path, "data-uploads");
  const token = await createIngestToken(dataDir);
  const upload = async (address: string, name: string, text: string) => {
    const body = new FormData();
    body.set("file", new Blob([text]), name);
    const response = await fetch(`${address}/ingest/files`, { method: "POST", headers: bearerHeader(token), body });
    assert.equal(response.status, 202);
    return ((await response.json()) as { job: string }).job;
  };
  const isServed = async (address: string, number: number) => {
    const path = `/api/shortvideo/post/detail?videoId=${postId(number)}`;
    return (await fetch(address + path, { headers: bearerHeader(TEST_TOKEN) })).status === 200;
  };
  const serve = async () => {
    const service = beginHanging(dataDir, ["serve", "--no-demo"]);
    const address = await until(async () => /http:\/\/[\w.:[\]]+/.exec(service.shown.out)?.[0] ?? null);
    return { ...service, address };
  };
  const first = await serve();
  let jobs: string[];
  try {
    jobs = [
      await upload(first.address, "comments.html", MANY_COMMENTS),
      await upload(first.address, "endless.ndjson", line(1) + ENDLESS),
      await upload(first.address, "good.ndjson", line(2)),
    ];
    await until(() => isServed(first.address, 2), 60_000);
    await until(async () => readdirSync(join(dataDir, "uploads")).length === 0);
  } finally {
    first.child.kill("SIGTERM");
    await first.ended;
  }
  const store = openSqliteStore(dataDir);
  const states = await Promise.all(jobs.map(async (id) => (await store.jobs.getJob(id))?.state));
  const endless = await store.jobs.listJobFiles(jobs[1] ?? "");
  await store.close();
  assert.deepEqual(states, ["done", "done", "done"]);
  assert.deepEqual(
    endless.map(({ state, report }) => [state, report.refused]),
    [["done", { too_slow: 1 }]],
  );
  const second = await serve();
  try {
    await upload(second.address, "next.ndjson", line(3));
    await until(() => isServed(second.address, 3));
  } finally {
    second.child.kill("SIGTERM");
    await second.ended;
  }
});
