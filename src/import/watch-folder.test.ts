import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { watchFolder } from "./watch-folder.ts";

const LOOK_MS = 20;

let folder: string;
let stop: AbortController;
let arrivals: AsyncGenerator<string[]>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "triptych-watch-"));
  stop = new AbortController();
  // Ends a watch that would never see what a test waits for.
  arrivals = watchFolder(folder, AbortSignal.any([stop.signal, AbortSignal.timeout(10_000)]), LOOK_MS);
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

test("what is there is given first, in order, then what arrives, folders included; each once", async () => {
  await writeFile(join(folder, "b.json"), "{}");
  await writeFile(join(folder, "a.json"), "{}");
  assert.deepEqual(await nextNames(), ["a.json", "b.json"]);
  await mkdir(join(folder, "later"));
  await writeFile(join(folder, "later", "c.json"), "{}");
  assert.deepEqual(await nextNames(), ["later/c.json"]);
});

test("a file that is still being written waits until two looks find it the same", async () => {
  const growing = join(folder, "growing.ndjson");
  let lines = 0;
  // In the watch's own thread, so that something is written between any two looks, however slow the machine is.
  const writer = setInterval(() => {
    appendFileSync(growing, "line\n");
    if (++lines === 50) clearInterval(writer);
  }, 1);
  assert.deepEqual(await nextNames(), ["growing.ndjson"]);
  assert.equal(lines, 50, "given while it was written");
});

test("a file that changes after it was given is given again; hidden ones never", async () => {
  await writeFile(join(folder, ".hidden"), "x");
  await writeFile(join(folder, "a.json"), "{}");
  assert.deepEqual(await nextNames(), ["a.json"]);
  await appendFile(join(folder, "a.json"), " ");
  assert.deepEqual(await nextNames(), ["a.json"]);
});

test("a signal ends the watch at once, also in the middle of waiting", async () => {
  const waiting = arrivals.next();
  stop.abort();
  assert.deepEqual(await waiting, { value: undefined, done: true });
});

test("a folder that is not there is an error that names it", async () => {
  await assert.rejects(watchFolder(join(folder, "gone")).next(), { code: "ENOENT", path: join(folder, "gone") });
});
