/**
 * Power cuts at random moments of imports, an undo and an erasure: the real commands run under strace, and each store is put
 * together from what they had written to its files and flushed by then. Everything after the last flush of a file is dropped.
 */
import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { budget } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { signal } from "#testing/processes.ts";
import { createIngestToken, push } from "../ingest-client.ts";
import { BIN, commentId, commentLine, environment, postId, writeLines } from "../spawn-import.ts";
import { childrenOf } from "../spawn-workers.ts";
import { temporaryFolder, TEST_TOKEN } from "../test-server.ts";

const CUTS = budget("powerCuts");
const COMMENTS = 200;
const UPLOADS = 20;
/** Who wrote the first comment of each import: see `commentLine`. */
const PERSON = "81";
const WAL = `${STORE_FILE}-wal`;
const FILES: ReadonlySet<string> = new Set([STORE_FILE, WAL]);
const TRACED = "pwrite64,ftruncate,fsync,fdatasync,unlink,write,writev";

const HAS_STRACE = spawnSync("strace", ["--version"]).error === undefined;
const WITHOUT_STRACE = "strace is not installed: apt-get install strace";

const execute = promisify(execFile);

interface Event {
  at: number;
  call: string;
  file: string;
  data: Buffer;
  /** Place of a write, or the length that a truncation leaves. */
  place: number;
}

const decode = (hex: string) => Buffer.from(hex.replaceAll("\\x", ""), "hex");

/** A line such as `1795123534.36 pwrite64(33<path>, "bytes", length, place) = length`, whose path and bytes are in hex. */
function parseEvent(line: string): Event | null {
  const [, at, call = "", first = "", rest = ""] = /^([\d.]+) (\w+)\(([^,)]+)(.*)\) += \d+$/.exec(line) ?? [];
  if (at === undefined) return null;
  const [, descriptor, name = ""] = /^(?:(\d+)<|")((?:\\x[\da-f]{2})*)[">]/.exec(first) ?? [];
  const isOutput = descriptor === "1" && call.startsWith("write");
  const file = basename(decode(name).toString());
  if (!isOutput && !FILES.has(file)) return null;
  const data = decode(/^, "((?:\\x[\da-f]{2})*)"/.exec(rest)?.[1] ?? "");
  return { at: Number(at), call: isOutput ? "output" : call, file, data, place: Number(/, (\d+)$/.exec(rest)?.[1]) };
}

async function trace(place: string, dataDir: string, args: string[]): Promise<{ events: Event[]; stdout: string }> {
  const { stdout } = await execute("strace", straceArgs(place, args), {
    env: environment(dataDir),
    maxBuffer: 2 ** 26,
  });
  return { events: readTrace(place), stdout };
}

function straceArgs(place: string, args: string[]): string[] {
  mkdirSync(place);
  const options = ["-ff", "-ttt", "-y", "-xx", "-s", "100000", "-e", `trace=${TRACED}`, "-o", join(place, "thread")];
  return [...options, process.execPath, BIN, ...args, "--json"];
}

/** In the order of their beginnings. A flush covers what was written before it began. */
function readTrace(place: string): Event[] {
  const lines = globSync(join(place, "thread.*")).flatMap((file) => readFileSync(file, "latin1").split("\n"));
  const events = lines.map(parseEvent).filter((event) => event !== null);
  return events.toSorted((one, other) => one.at - other.at);
}

/** A disk that keeps what was flushed. */
class Disk {
  readonly #files = new Map<string, { written: Buffer; flushed: Buffer }>();

  apply({ call, file, data, place }: Event): void {
    const { written, flushed } = this.#files.get(file) ?? { written: Buffer.alloc(0), flushed: Buffer.alloc(0) };
    if (call === "unlink") this.#files.delete(file);
    else if (call === "fsync" || call === "fdatasync") this.#files.set(file, { written, flushed: written });
    else if (call === "ftruncate") this.#files.set(file, { written: written.subarray(0, place), flushed });
    else if (call === "pwrite64") {
      const longer = Buffer.alloc(Math.max(written.length, place + data.length));
      written.copy(longer);
      data.copy(longer, place);
      this.#files.set(file, { written: longer, flushed });
    }
  }

  restore(folder: string): void {
    for (const [file, { flushed }] of this.#files) writeFileSync(join(folder, file), flushed);
  }
}

const idsOf = (first: number) => Array.from({ length: COMMENTS }, (_, index) => commentId(first + index));
const capture = (path: string, first: number) =>
  writeLines(
    path,
    idsOf(first).map((_, index) => commentLine(first + index)),
  );

async function readComments(dataDir: string): Promise<Set<string>> {
  const store = openSqliteStore(dataDir);
  try {
    assert.deepEqual(await store.verify(), []);
    const { items } = await store.reader("shortvideo").listComments(postId(1), "newest", { limit: 10 * COMMENTS });
    return new Set(items.map(({ id }) => id));
  } finally {
    await store.close();
  }
}

test(`${CUTS} power cuts lose nothing that a command had acknowledged`, { timeout: 900_000 }, async (t) => {
  if (!HAS_STRACE) return t.skip(WITHOUT_STRACE);
  const folder = temporaryFolder();
  const dataDir = join(folder.path, "data");
  const first = capture(join(folder.path, "first.ndjson"), 1);
  const second = capture(join(folder.path, "second.ndjson"), 100_001);
  let commands = 0;
  const run = (...args: string[]) => trace(join(folder.path, `trace-${commands++}`), dataDir, args);

  const steps = [await run("import", first)];
  const imported = await run("import", second);
  steps.push(imported);
  const { job } = JSON.parse(imported.stdout) as { job: string };
  steps.push(await run("undo", job, "--yes"), await run("erase", "shortvideo", "account", PERSON, "--yes"));

  const events = steps.flatMap((step, number) => step.events.map((event) => ({ ...event, number })));
  // The moment of the report itself is one of them: the next byte may be the power cut.
  const acknowledged = steps.map((_, number) =>
    events.findLastIndex((event) => event.number === number && event.call === "output"),
  );
  assert.ok(acknowledged.every((index) => index > 0));
  const atRandom = Array.from({ length: Math.max(0, CUTS - steps.length) }, () =>
    Math.floor(Math.random() * events.length),
  );
  const cuts = [...acknowledged, ...atRandom].toSorted((one, other) => one - other);
  const disk = new Disk();
  let position = 0;
  for (const [number, cut] of cuts.entries()) {
    while (position <= cut) disk.apply(events[position++] as (typeof events)[number]);
    const restored = join(folder.path, `cut-${number}`);
    mkdirSync(restored, { mode: 0o700 });
    disk.restore(restored);
    const done = acknowledged.filter((index) => index <= cut).length;
    // The next command may leave any part of its own work.
    const hasBegun = (events[cut]?.number ?? 0) >= done;
    const held = await readComments(restored);
    const where = `cut ${cut} of ${events.length}, ${done} commands acknowledged`;
    const keeps = (ids: string[]) =>
      assert.deepEqual(
        ids.filter((id) => !held.has(id)),
        [],
        where,
      );
    const [erased = "", ...others] = idsOf(1);
    if (done >= 1) keeps(others);
    if (done >= 1 && (done < 3 || (done === 3 && !hasBegun))) keeps([erased]);
    if (done === 2 && !hasBegun) keeps(idsOf(100_001));
    if (done >= 3) assert.ok(!idsOf(100_001).some((id) => held.has(id)), where);
    if (done === 4) assert.ok(!held.has(erased), where);
  }
  reportClaim(
    "a power cut loses nothing that a command had acknowledged",
    `${cuts.length} cuts among ${events.length.toLocaleString("en")} writes and flushes of import, undo and erase: 0 lost`,
  );
  folder.remove();
});

test("a power cut right after the acknowledgement of an upload leaves its job", { timeout: 300_000 }, async (t) => {
  if (!HAS_STRACE) return t.skip(WITHOUT_STRACE);
  const folder = temporaryFolder();
  const dataDir = join(folder.path, "data");
  const token = await createIngestToken(dataDir);
  // Written before the trace begins.
  const disk = new Disk();
  const start = readFileSync(join(dataDir, STORE_FILE));
  disk.apply({ at: 0, call: "pwrite64", file: STORE_FILE, data: start, place: 0 });
  disk.apply({ at: 0, call: "fsync", file: STORE_FILE, data: start, place: 0 });
  const place = join(folder.path, "trace");
  const strace = spawn("strace", straceArgs(place, ["serve"]), {
    env: { ...environment(dataDir), DEMO: "off", API_TOKEN: TEST_TOKEN },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const acknowledged: { at: number; key: string }[] = [];
  try {
    const [line] = (await once(strace.stdout, "data")) as [Buffer];
    const { address } = JSON.parse(line.toString()) as { address: string };
    strace.stdout.resume();
    for (let upload = 0; upload < UPLOADS; upload++) {
      const { status, key } = await push(address, token, [upload + 1]);
      assert.equal(status, 200);
      acknowledged.push({ at: Date.now() / 1_000, key: key as string });
    }
  } finally {
    // A power cut leaves it no time to tidy up.
    for (const pid of childrenOf(strace.pid as number)) signal(pid, "SIGKILL");
    await once(strace, "close");
  }
  const events = readTrace(place);
  let position = 0;
  for (const [number, { at, key }] of acknowledged.entries()) {
    while (position < events.length && (events[position] as Event).at <= at) disk.apply(events[position++] as Event);
    const restored = join(folder.path, `cut-${number}`);
    mkdirSync(restored, { mode: 0o700 });
    disk.restore(restored);
    const store = openSqliteStore(restored);
    assert.deepEqual(await store.verify(), []);
    assert.notEqual(await store.jobs.getJob(key), null, `upload ${number + 1} of ${UPLOADS} is lost`);
    await store.close();
  }
  reportClaim("a power cut loses no acknowledged upload", `${UPLOADS} cuts at acknowledgements of a service: 0 lost`);
  folder.remove();
});
