/** Importers that can be stopped before each batch they write, in a process of their own or in the test's. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { AsyncQueue } from "#import/async-queue.ts";
import { importFiles } from "#import/import-files.ts";
import { readFiles, type ReadFiles } from "#import/read-files.ts";
import type { ImportReport } from "#import/report.ts";
import { PLATFORM_RECORDS } from "#platforms/records.ts";
import { openPostgresStore } from "#store/postgres/store.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";
import { CAPTURED_AT } from "./spawn-import.ts";
import type { ImporterOptions, ImporterMessage } from "./spawn-importers.ts";

const PROGRAM = join(import.meta.dirname, "spawn-importers.ts");
export const LEASE_MS = 60_000;

type Place = Pick<ImporterOptions, "url" | "dataDir">;

interface Batch {
  keeping: string;
  position: number;
}

/** What runs there is spawn-importers.ts. */
export class Importer {
  /** To be killed if a test fails. */
  static readonly started: Importer[] = [];
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  readonly #words: AsyncIterator<string>;
  #errors = "";

  constructor({ url, dataDir }: Place, paths: string[], orders: Partial<ImporterOptions> = {}) {
    const all: ImporterOptions = { url, dataDir, paths, leaseMs: LEASE_MS, held: false, ...orders };
    this.child = spawn(process.execPath, [PROGRAM, JSON.stringify(all)], { stdio: ["pipe", "pipe", "pipe"] });
    this.child.stderr?.on("data", (chunk: Buffer) => (this.#errors += chunk.toString()));
    this.#words = createInterface({ input: this.child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
    this.ended = once(this.child, "close");
    Importer.started.push(this);
  }

  async #word(): Promise<ImporterMessage> {
    const { value, done } = await this.#words.next();
    assert.ok(done !== true, `the importer ended: ${this.#errors}`);
    return JSON.parse(value) as ImporterMessage;
  }

  /** What it is about to keep; it stands there until it is told to go on. */
  async keeping(): Promise<Batch> {
    const word = await this.#word();
    assert.ok("keeping" in word, "it was not held");
    return word;
  }

  /** It stands still until a file `wake` is in its data directory. */
  async freeze(): Promise<void> {
    this.child.stdin?.write("freeze\n");
    assert.ok("frozen" in (await this.#word()), "it was not held");
  }

  goOn(word: "one" | "all"): void {
    this.child.stdin?.write(`${word}\n`);
  }

  async report(): Promise<ImportReport> {
    const word = await this.#word();
    assert.ok("report" in word, "it was held");
    await this.ended;
    return word.report;
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.ended;
  }
}

/**
 * In the test's own process, with a connection of its own: for importers that are neither killed nor frozen. A process
 * is one importer on its machine; several of them need names of other machines.
 */
export class LocalImporter {
  readonly #steps = new AsyncQueue<Batch>();
  readonly #words = new AsyncQueue<"one" | "all">();
  readonly #report: Promise<ImportReport>;

  constructor(place: Place, paths: string[], orders: Partial<ImporterOptions> = {}) {
    this.#report = this.#run({ leaseMs: LEASE_MS, held: false, ...place, ...orders, paths });
    this.#report.catch((error: unknown) => this.#steps.fail(error));
  }

  keeping(): Promise<Batch> {
    return this.#steps.next();
  }

  goOn(word: "one" | "all"): void {
    this.#words.push(word);
  }

  report(): Promise<ImportReport> {
    return this.#report;
  }

  async #run({ url, dataDir, paths, leaseMs, owner, held }: ImporterOptions): Promise<ImportReport> {
    const store =
      url === null
        ? openSqliteStore(dataDir, "small")
        : await openPostgresStore({ url, timeoutFactor: TEST_TIMEOUT_FACTOR });
    const hold = async ({ file: keeping, position }: { file: string; position: number }) => {
      if (!held) return;
      this.#steps.push({ keeping, position });
      held = (await this.#words.next()) !== "all";
    };
    const read: ReadFiles = async function* (request) {
      for await (const step of readFiles(PLATFORM_RECORDS, store.encoder, request)) {
        if ("file" in step) await hold(step);
        yield step;
      }
    };
    const services = { store, read, dataDir, leaseMs, ...(owner === undefined ? {} : { owner }) };
    try {
      return await importFiles(services, { paths, origin: "command", capturedAt: CAPTURED_AT });
    } finally {
      await store.close();
    }
  }
}
