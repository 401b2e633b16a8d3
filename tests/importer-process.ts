/** An importer in a process of its own that can be stopped before each batch it writes: the program is spawn-importers.ts. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { ImportReport } from "#import/report.ts";
import type { ImporterOptions, ImporterMessage } from "./spawn-importers.ts";

const PROGRAM = join(import.meta.dirname, "spawn-importers.ts");
export const LEASE_MS = 60_000;

export class Importer {
  /** To be killed if a test fails. */
  static readonly started: Importer[] = [];
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  readonly #words: AsyncIterator<string>;
  #errors = "";

  constructor(world: Pick<ImporterOptions, "url" | "dataDir">, paths: string[], orders: Partial<ImporterOptions> = {}) {
    const { url, dataDir } = world;
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
  async keeping(): Promise<{ keeping: string; position: number }> {
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
