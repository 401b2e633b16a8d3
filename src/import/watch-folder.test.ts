import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
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

const skip = process.platform === "linux" ? false : "only Linux has folders whose names are no text";

test("a subfolder that cannot be read is left out, and its files come once it can", { skip }, async () => {
  // Listed under a name that no folder has: as if it were deleted between the listing and reading it.
  const unreadable = Buffer.concat([Buffer.from(`${folder}/`), Buffer.of(0xff)]);
  await mkdir(unreadable);
  await writeFile(join(folder, "a.json"), "{}");
  assert.deepEqual(await nextNames(), ["a.json"]);
  await rename(unreadable, join(folder, "later"));
  await writeFile(join(folder, "later", "b.json"), "{}");
  assert.deepEqual(await nextNames(), ["later/b.json"]);
});

test("a watched folder that goes away is watched again once it is back, and its files are not yielded again", async () => {
  await writeFile(join(folder, "a.json"), "{}");
  assert.deepEqual(await nextNames(), ["a.json"]);
  const away = `${folder}-away`;
  await rename(folder, away);
  const next = nextNames();
  next.catch(() => undefined);
  await pause(3 * POLL_MS);
  await writeFile(join(away, "b.json"), "{}");
  await rename(away, folder);
  assert.deepEqual(await next, ["b.json"]);
});

test("a signal ends the watch immediately, also between polls", async () => {
  const waiting = arrivals.next();
  stop.abort();
  assert.deepEqual(await waiting, { value: undefined, done: true });
});

test("a missing folder is an error that names it", async () => {
  await assert.rejects(watchFolder(join(folder, "gone")).next(), { code: "ENOENT", path: join(folder, "gone") });
});
