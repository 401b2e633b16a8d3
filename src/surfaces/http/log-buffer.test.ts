import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pino } from "pino";
import { LogBuffer, type LogDestination } from "./log-buffer.ts";

/** What it was given, and how much of that it was told to write out. */
class Pages implements LogDestination {
  readonly pieces: string[] = [];
  flushed = 0;

  write(text: string): void {
    this.pieces.push(text);
  }

  flush(): void {
    this.flushed = this.pieces.length;
  }

  flushSync(): void {
    this.flush();
  }
}

function open(t: TestContext, pieceLength?: number) {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const pages = new Pages();
  const buffer = new LogBuffer(pages, pieceLength);
  t.after(() => buffer.close());
  return { pages, buffer };
}

test("lines wait until there are enough of them, and go on in one piece of no more than its length", (t: TestContext) => {
  const { pages, buffer } = open(t, 10);
  buffer.add("one\n");
  buffer.add("two\n");
  assert.deepEqual(pages.pieces, []);
  buffer.add("three\n");
  buffer.add("four\n");
  assert.deepEqual(pages.pieces, ["one\ntwo\n", "three\n"]);
});

test("a line is written out within a quarter of a second, however few there are", (t: TestContext) => {
  const { pages, buffer } = open(t);
  buffer.add("one\n");
  t.mock.timers.tick(249);
  assert.equal(pages.flushed, 0);
  t.mock.timers.tick(1);
  assert.deepEqual([pages.pieces, pages.flushed], [["one\n"], 1]);
});

test("what the destination still keeps is written out as well", (t: TestContext) => {
  const { pages, buffer } = open(t, 5);
  buffer.add("one\n");
  buffer.add("two\n");
  assert.deepEqual([pages.pieces, pages.flushed], [["one\n"], 0]);
  t.mock.timers.tick(250);
  assert.equal(pages.flushed, 2);
});

test("a line of the logger is written out at once, after all that came before it", (t: TestContext) => {
  const { pages, buffer } = open(t);
  const logger = pino({ base: null, timestamp: false }, buffer);
  buffer.add("one\n");
  logger.warn("the disk is nearly full");
  assert.equal(pages.pieces.join(""), 'one\n{"level":40,"msg":"the disk is nearly full"}\n');
  assert.equal(pages.flushed, pages.pieces.length);
});

test("closing writes out what waits, and what comes later waits no more", (t: TestContext) => {
  const { pages, buffer } = open(t);
  const listeners = process.listenerCount("exit");
  buffer.add("one\n");
  buffer.close();
  assert.deepEqual([pages.pieces, pages.flushed], [["one\n"], 1]);
  buffer.add("two\n");
  assert.deepEqual([pages.pieces, pages.flushed], [["one\n", "two\n"], 2]);
  assert.equal(process.listenerCount("exit"), listeners - 1);
});

function inFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "triptych-log-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, "triptych.log");
}

test("into a real file, every line arrives once, whole and in order", async (t: TestContext) => {
  const file = inFolder(t);
  const destination = pino.destination({ dest: file, sync: false, minLength: 1_024, maxWrite: 65_536 });
  const buffer = new LogBuffer(destination, 1_024);
  const lines = Array.from({ length: 2_000 }, (_, number) => `line ${number} ${"é".repeat(number % 40)}\n`);
  for (const [number, line] of lines.entries()) {
    if (number % 7 === 0) buffer.write(line);
    else buffer.add(line);
    if (number % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  buffer.close();
  destination.end();
  await once(destination, "close");
  assert.equal(readFileSync(file, "utf8"), lines.join(""));
});

test("a process that ends without a word loses no line", (t: TestContext) => {
  const file = inFolder(t);
  const program = `
    const { pino } = await import(${JSON.stringify(import.meta.resolve("pino"))});
    const { LogBuffer } = await import(${JSON.stringify(new URL("log-buffer.ts", import.meta.url).href)});
    const destination = pino.destination({ dest: ${JSON.stringify(file)}, sync: false, minLength: 65536, maxWrite: 1048576 });
    destination.once("ready", () => {
      const buffer = new LogBuffer(destination);
      for (let number = 0; number < 100; number++) buffer.add("line " + number + "\\n");
      process.exit(0);
    });
  `;
  execFileSync(process.execPath, ["--input-type=module", "--eval", program]);
  assert.equal(readFileSync(file, "utf8"), Array.from({ length: 100 }, (_, number) => `line ${number}\n`).join(""));
});
