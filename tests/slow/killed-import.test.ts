/**
 * One import, killed with SIGKILL at many random moments and begun again each time by the same command. In the end every
 * record is there, none was counted twice, and every refused line is listed once.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createReadStream, createWriteStream, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { budget } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { temporaryFolder } from "../test-server.ts";
import { programEnvironment } from "#testing/program-environment.ts";

const KILLS = budget("importKills");
const COMMENTS = budget("importLines");
const POSTS = 50;
/** Every third kill waits for a commit; what the import does after that commit is repeated by its next start. */
const COMMIT_EVERY = 3;
/** Every line of this number is cut short, as in a file that was damaged. */
const BROKEN_EVERY = 3_989;

const BIN = resolve(import.meta.dirname, "../../bin/triptych.mjs");

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

/** How many documents of the capture are dealt with, as the store has it. One connection, since it is asked often. */
class Position {
  readonly #file: string;
  #db: DatabaseSync | null = null;
  #select: StatementSync | null = null;

  constructor(dataDir: string) {
    this.#file = join(dataDir, STORE_FILE);
  }

  get(): number {
    if (this.#db === null && !existsSync(this.#file)) return 0;
    this.#db ??= new DatabaseSync(this.#file, { readOnly: true });
    try {
      this.#select ??= this.#db.prepare("SELECT max(position) AS position FROM job_files");
      return (this.#select.get() as { position: number | null }).position ?? 0;
    } catch {
      // Its tables do not exist yet.
      return 0;
    }
  }

  close(): void {
    this.#db?.close();
  }
}

interface Report {
  rejects: string;
  total: { records: Record<string, Record<string, number>> };
}

function positionIn(dataDir: string): number {
  const position = new Position(dataDir);
  try {
    return position.get();
  } finally {
    position.close();
  }
}

/** The real program. */
class Importing {
  readonly child: ChildProcess;
  readonly #position: Position;
  readonly #output: Buffer[] = [];
  readonly #ended: Promise<unknown>;

  constructor(capture: string, dataDir: string) {
    this.#position = new Position(dataDir);
    this.child = spawn(process.execPath, [BIN, "import", capture, "--json"], {
      env: programEnvironment({ DATA_DIR: dataDir }),
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.child.stdout?.on("data", (chunk: Buffer) => this.#output.push(chunk));
    this.#ended = once(this.child, "close");
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null;
  }

  async kill(): Promise<void> {
    // The next one finds the store as a killed process leaves it: with nobody else who has it open.
    this.#position.close();
    this.child.kill("SIGKILL");
    await this.#ended;
  }

  /** Resolves after the time, or as soon as it has come farther than that, or has ended. */
  async runFor(milliseconds: number, position: number): Promise<void> {
    const end = performance.now() + milliseconds;
    while (performance.now() < end && !this.hasEnded && this.#position.get() <= position) await pause(10);
  }

  async end(): Promise<void> {
    this.#position.close();
    await this.#ended;
  }

  async report(): Promise<Report> {
    await this.end();
    assert.equal(this.child.exitCode, 1, "some lines were refused");
    return JSON.parse(Buffer.concat(this.#output).toString()) as Report;
  }
}

/**
 * Only a process that ends by itself leaves what it compiled to the next one: without one, all that are killed would compile
 * every source again, and take longer to their first commit than those of a warm machine.
 */
async function warmCompileCache(folder: string): Promise<void> {
  const capture = join(folder, "one line.ndjson");
  writeFileSync(capture, `${line(1)}\n`);
  const importing = new Importing(capture, join(folder, "warm"));
  await importing.end();
  assert.equal(importing.child.exitCode, 0);
}

test(`an import survives ${KILLS} kills: nothing lost, nothing doubled`, { timeout: 900_000 }, async () => {
  const folder = temporaryFolder();
  const capture = join(folder.path, "capture.ndjson");
  await writeCapture(capture);
  // How long the first run takes to its first commit: later kills fall before, at and after the first commits of a run.
  let startMs = 0;
  const shares = randomShares();
  const positions = new Set<string>();
  let imports = 1;
  let kills = 0;
  const dataDir = () => join(folder.path, `data ${imports}`);
  await warmCompileCache(folder.path);
  while (kills < KILLS) {
    const from = positionIn(dataDir());
    positions.add(`${imports} ${from}`);
    const began = performance.now();
    const importing = new Importing(capture, dataDir());
    // Held back, so that one import lasts through all the kills: where it is further than its share of them, it is killed
    // before or in its next commit.
    const farthest = COMMENTS * 0.85 * ((kills + 1) / KILLS);
    const isAhead = from > farthest;
    // The import advances on a machine of any speed.
    if (kills % COMMIT_EVERY === 0 && !isAhead) await importing.runFor(Number.POSITIVE_INFINITY, from);
    else await importing.runFor(startMs * (0.3 + (isAhead ? 0.7 : 1) * shares.next().value), Math.max(from, farthest));
    if (startMs === 0) startMs = performance.now() - began;
    // Between two commits, or in the middle of one.
    await pause(40 * shares.next().value);
    if (importing.hasEnded) {
      assertComplete(await importing.report());
      await assertWhole(capture, dataDir());
      imports++;
      continue;
    }
    await importing.kill();
    kills++;
  }
  assertComplete(await new Importing(capture, dataDir()).report());
  await assertWhole(capture, dataDir());
  assert.ok(positions.size > KILLS / 10, `kills fell between only ${positions.size} commits`);
  reportClaim(
    "an import that is killed at any moment loses and doubles nothing",
    `${kills} kills between ${positions.size} commits, ${(imports * COMMENTS).toLocaleString("en")} lines: 0 lost, 0 doubled`,
  );
  folder.remove();
});

const BROKEN = Math.floor(COMMENTS / BROKEN_EVERY);

/** The report counts what all runs of the import have done. */
function assertComplete(report: Report): void {
  assert.deepEqual(report.total.records["comment"], { new: COMMENTS - BROKEN, updated: 0, unchanged: 0, erased: 0 });
  const rejects = readFileSync(report.rejects, "utf8")
    .trim()
    .split("\n")
    .map((text) => (JSON.parse(text) as { line: number }).line);
  assert.deepEqual(
    rejects,
    Array.from({ length: BROKEN }, (_, index) => (index + 1) * BROKEN_EVERY),
  );
}

/** The store holds every line that can be read, once. */
async function assertWhole(capture: string, dataDir: string): Promise<void> {
  const store = openSqliteStore(dataDir);
  assert.deepEqual(await store.verify(), []);
  assert.equal((await store.summary()).records["shortvideo"]?.comment, COMMENTS - BROKEN);
  const held = new Set<string>();
  for (let number = 0; number < POSTS; number++) {
    const postId = `6${String(number).padStart(18, "0")}`;
    let after;
    for (;;) {
      const page: Awaited<ReturnType<ReturnType<typeof store.reader>["listComments"]>> = await store
        .reader("shortvideo")
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
}
