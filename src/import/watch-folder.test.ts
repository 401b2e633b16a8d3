import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { watchFolder } from "./watch-folder.ts";

const POLL_MS = 20;

let folder: string;
let stop: AbortController;
let arrivals: AsyncGenerator<string[]>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "triptych-watch-"));
  stop = new AbortController();
  // Ends a watch that never sees what a test waits for.
  arrivals = watchFolder(folder, AbortSignal.any([stop.signal, AbortSignal.timeout(10_000)]), POLL_MS);
});

afterEach(async () => {
  stop.abort();
  await arrivals.return(undefined);
  await rm(folder, { recursive: true });
});

async function nextNames(): Promise<string[]> {
  const { value, done } = await arrivals.next();
  assert.notEqual(done, true, "nothing arrived within 10 s");
  return (value as string[]).map((path) => path.slice(folder.length + 1));
}

test("existing files come first, in order, then new ones, also in new folders; each once", async () => {
  await writeFile(join(folder, "b.json"), "{}");
  await writeFile(join(folder, "a.json"), "{}");
  assert.deepEqual(await nextNames(), ["a.json", "b.json"]);
  await mkdir(join(folder, "later"));
  await writeFile(join(folder, "later", "c.json"), "{}");
  assert.deepEqual(await nextNames(), ["later/c.json"]);
});

test("a file that is being written is yielded once two polls find it unchanged", async () => {
  const growing = join(folder, "growing.ndjson");
  let lines = 0;
  // In the watch's own thread, so that something is written between any two polls, however slow the machine is.
  const writer = setInterval(() => {
    appendFileSync(growing, "line\n");
    if (++lines === 50) clearInterval(writer);
  }, 1);
  assert.deepEqual(await nextNames(), ["growing.ndjson"]);
  assert.equal(lines, 50, "yielded while it was being written");
});

test("a file that changes is yielded again; hidden files never are", async () => {
  await writeFile(join(folder, ".hidden"), "x");
  await writeFile(join(folder, "a.json"), "{}");
  assert.deepEqual(await nextNames(), ["a.json"]);
  await appendFile(join(folder, "a.json"), " ");
  assert.deepEqual(await nextNames(), ["a.json"]);
});

test("a signal ends the watch immediately, also between polls", async () => {
  const waiting = arrivals.next();
  stop.abort();
  assert.deepEqual(await waiting, { value: undefined, done: true });
});

test("a missing folder is an error that names it", async () => {
  await assert.rejects(watchFolder(join(folder, "gone")).next(), { code: "ENOENT", path: join(folder, "gone") });
});
