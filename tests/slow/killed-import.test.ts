/**
 * One import, killed with SIGKILL at 200 random moments and begun again each time by the same command. In the end every
 * record is there, none was counted twice, and every refused line is listed once.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createReadStream, createWriteStream, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { openSqliteStore, STORE_FILE } from "#store/sqlite/store.ts";
import { temporaryFolder } from "../house.ts";

const KILLS = 200;
const COMMENTS = 300_000;
const POSTS = 50;
/** Every line of this number is cut short, as in a file that was damaged. */
const BROKEN_EVERY = 9_973;

const MAIN = resolve(import.meta.dirname, "../../src/surfaces/cli/main.ts");

function line(number: number): string {
  const text = JSON.stringify({
    cid: `7${String(number).padStart(18, "0")}`,
    aweme_id: `6${String(number % POSTS).padStart(18, "0")}`,
    text: `comment ${number}`,
    create_time: 1_750_000_000 + number,
    digg_count: number % 100,
    reply_id: "0",
    user: { uid: `8${number % 1_000}`, unique_id: `person.${number % 1_000}`, nickname: `Person ${number % 1_000}` },
  });
  return number % BROKEN_EVERY === 0 ? text.slice(0, 40) : text;
}

async function writeCapture(path: string): Promise<void> {
  const file = createWriteStream(path);
  for (let number = 1; number <= COMMENTS; number++) {
    if (!file.write(`${line(number)}\n`)) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
}

/** Deterministic, so that a failure can be looked at again. */
function* randomShares(): Generator<number, never> {
  let state = 20_261_115;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** Documents of the capture that are dealt with, as the store has it. */
function positionIn(dataDir: string): number {
  if (!existsSync(join(dataDir, STORE_FILE))) return 0;
  const db = new DatabaseSync(join(dataDir, STORE_FILE), { readOnly: true });
  try {
    const row = db.prepare("SELECT max(position) AS position FROM job_files").get() as { position: number | null };
    return row.position ?? 0;
  } catch {
    // Killed before its tables were made.
    return 0;
  } finally {
    db.close();
  }
}

async function timeOf(
  begin: (file: string, into: string) => ChildProcess,
  file: string,
  into: string,
): Promise<number> {
  writeFileSync(file, `${line(1)}\n`);
  const began = performance.now();
  const child = begin(file, into);
  child.stdout?.resume();
  await once(child, "exit");
  return performance.now() - began;
}

test(`an import survives ${KILLS} kills: nothing lost, nothing doubled`, { timeout: 900_000 }, async () => {
  const folder = temporaryFolder();
  const capture = join(folder.path, "capture.ndjson");
  const dataDir = join(folder.path, "data");
  await writeCapture(capture);
  const dataDirOf = (name: string) => join(folder.path, name);
  const begin = (file: string, into: string) =>
    spawn(process.execPath, [MAIN, "import", file, "--json"], {
      env: { ...process.env, DATA_DIR: into },
      stdio: ["ignore", "pipe", "inherit"],
    });

  // How long a start takes on this machine: kills fall before, at and after the first commits of a run.
  const startMs = await timeOf(begin, join(folder.path, "one.ndjson"), dataDirOf("calibration"));
  const shares = randomShares();
  const positions = new Set<number>();
  let kills = 0;
  let runMs = startMs;
  while (kills < KILLS) {
    const position = positionIn(dataDir);
    positions.add(position);
    // Steered so that the import lasts through all the kills, however fast the machine is just then.
    const ahead = position / COMMENTS > (kills / KILLS) * 0.85;
    runMs = ahead ? startMs * (0.3 + 0.7 * shares.next().value) : Math.min(runMs * 1.1, startMs + 2_000);
    const child = begin(capture, dataDir);
    child.stdout.resume();
    const ended = once(child, "exit");
    await Promise.race([ended, pause(ahead ? runMs : startMs + (runMs - startMs + 150) * shares.next().value)]);
    assert.equal(child.exitCode, null, `the import was done after ${kills} kills`);
    child.kill("SIGKILL");
    await ended;
    kills++;
  }

  const last = begin(capture, dataDir);
  const output: Buffer[] = [];
  last.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  const [code] = (await once(last, "exit")) as [number];
  assert.equal(code, 1, "some lines were refused");
  const report = JSON.parse(Buffer.concat(output).toString()) as {
    rejects: string;
    total: { records: Record<string, Record<string, number>> };
  };

  const broken = Math.floor(COMMENTS / BROKEN_EVERY);
  const kept = COMMENTS - broken;
  assert.deepEqual(report.total.records["comment"], { new: kept, updated: 0, unchanged: 0, erased: 0 });
  const rejects = readFileSync(report.rejects, "utf8")
    .trim()
    .split("\n")
    .map((text) => (JSON.parse(text) as { line: number }).line);
  assert.deepEqual(
    rejects,
    Array.from({ length: broken }, (_, index) => (index + 1) * BROKEN_EVERY),
  );

  const store = openSqliteStore(dataDir);
  assert.deepEqual(await store.verify(), []);
  assert.equal((await store.summary()).records["shortvideo"]?.comment, kept);
  const held = new Set<string>();
  for (let number = 0; number < POSTS; number++) {
    const postId = `6${String(number).padStart(18, "0")}`;
    let after;
    for (;;) {
      const page: Awaited<ReturnType<ReturnType<typeof store.of>["listComments"]>> = await store
        .of("shortvideo")
        .listComments(postId, "newest", { limit: 1_000, after });
      for (const { id } of page.items) held.add(id);
      if (!page.more) break;
      after = page.last;
    }
  }
  let number = 0;
  for await (const text of createInterface({ input: createReadStream(capture) })) {
    number++;
    if (number % BROKEN_EVERY !== 0)
      assert.ok(held.has((JSON.parse(text) as { cid: string }).cid), `line ${number} is lost`);
  }
  await store.close();
  assert.ok(positions.size > 20, `kills fell between only ${positions.size} commits`);
  console.log(
    `${kills} kills at ${positions.size} positions, ${kept} records kept, ${broken} refused: 0 lost, 0 doubled`,
  );
  folder.remove();
});
