/**
 * One of several importers on one store, in a process of its own. It can be held before each step is kept: it says what
 * it is about to keep and waits for a word. All else is what `triptych import` does.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { importFiles } from "#import/import-files.ts";
import type { ReadFiles } from "#import/read-files.ts";
import type { ImportReport } from "#import/report.ts";
import { TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";
import { startParserThread } from "#serve/import/parser-thread.ts";

export interface ImporterOptions {
  /** A database's address, or null for the file in `dataDir`. */
  url: string | null;
  dataDir: string;
  paths: string[];
  leaseMs: number;
  /** Of another machine, as far as others can tell. */
  owner?: string;
  held: boolean;
}

export type ImporterMessage = { keeping: string; position: number } | { frozen: true } | { report: ImportReport };

const orders = JSON.parse(process.argv[2] ?? "") as ImporterOptions;
const say = (word: ImporterMessage) => process.stdout.write(`${JSON.stringify(word)}\n`);
const words = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
let { held } = orders;
const reading = startParserThread({ store: null, importTimeoutS: 60 });

const read: ReadFiles = async function* (request) {
  for await (const step of reading.read(request)) {
    if (held && "file" in step) {
      say({ keeping: step.file, position: step.position });
      let word: unknown = (await words.next()).value;
      if (word === "freeze") {
        freeze();
        word = (await words.next()).value;
      }
      held = word !== "all";
    }
    yield step;
  }
};

/** Stands still, timers included, but never within a transaction, as a signal might. */
function freeze(): void {
  say({ frozen: true });
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync(join(orders.dataDir, "wake"))) Atomics.wait(never, 0, 0, 20);
}

const { url, dataDir, paths, leaseMs, owner } = orders;
// Only the one that is used is loaded.
const store =
  url === null
    ? (await import("#store/sqlite/store.ts")).openSqliteStore(dataDir, "small")
    : await (await import("#store/postgres/store.ts")).openPostgresStore({ url, timeoutFactor: TEST_TIMEOUT_FACTOR });
const services = { store, read, dataDir, leaseMs, ...(owner === undefined ? {} : { owner }) };
say({ report: await importFiles(services, { paths, origin: "command", capturedAt: Date.UTC(2025, 4, 1) }) });
await store.close();
process.exit();
