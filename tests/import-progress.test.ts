/** Progress of a long import: a bar on a terminal, plain lines in a log. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { formatImportProgress } from "#cli/format/progress.ts";
import { ProgressLine } from "#cli/progress-line.ts";
import type { Terminal } from "#cli/terminal.ts";

const GIB = 1024 ** 3;
/** Back to the start of the line, and wipe it. */
const CLEAR = "\r\u001b[K";

test("a progress line has share, bytes, records, speed, time left and the file", () => {
  const line = formatImportProgress(
    { file: "/captures/long.ndjson", bytesRead: GIB / 4, bytesTotal: GIB, records: 50_000 },
    10,
  );
  assert.equal(
    line,
    `${"█".repeat(6)}${"░".repeat(18)}  25 %  256 MiB of 1.0 GiB  50000 records  5000 records/s  30 s left  long.ndjson`,
  );
});

test("without a known size there is no bar and no time left", () => {
  const line = formatImportProgress({ file: "standard input", bytesRead: 2_048, bytesTotal: null, records: 7 }, 0);
  assert.equal(line, "standard input  2.0 KiB  7 records  0 records/s");
  assert.match(formatImportProgress({ file: "a", bytesRead: 900, bytesTotal: 0, records: 0 }, 1), /^a {2}900 B /);
});

test("progress never exceeds 100 %, not even for an archive that is read twice", () => {
  assert.match(
    formatImportProgress({ file: "a", bytesRead: 300, bytesTotal: 100, records: 1 }, 1),
    /^█{24} {2}100 % .* 0 s left/,
  );
  assert.match(formatImportProgress({ file: "a", bytesRead: GIB, bytesTotal: 100 * GIB, records: 1 }, 2), / 1 %/);
  assert.match(formatImportProgress({ file: "a", bytesRead: 999, bytesTotal: 1000, records: 1 }, 1), / 99 %/);
});

test("the time left is told from a hundredth on, and bytes with a decimal below ten", () => {
  const line = formatImportProgress({ file: "a", bytesRead: 10 * 1024, bytesTotal: 1024 * 1024, records: 1 }, 1);
  assert.match(line, / 0 % {2}10 KiB of 1\.0 MiB {2}1 records {2}1 records\/s {2}a$/);
});

test("times over a minute are in minutes", () => {
  assert.match(
    formatImportProgress({ file: "a", bytesRead: GIB, bytesTotal: 4 * GIB, records: 1 }, 100),
    /5 min 0 s left/,
  );
});

function createLine(
  width: number | null,
  verbosity: Terminal["verbosity"] = "normal",
): { text: string; progress: ProgressLine } {
  const printed = { text: "" };
  const terminal: Terminal = {
    env: {},
    out: () => undefined,
    err: (text) => void (printed.text += text),
    width,
    columns: null,
    style: (_style, text) => text,
    verbosity,
    exitCode: 0,
  };
  return Object.assign(printed, { progress: new ProgressLine(terminal) });
}

test("in a log there is a whole line every few seconds, without control characters", (t) => {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const log = createLine(null);
  for (; now <= 12_000; now += 100) log.progress.show(() => `${now} ms`);
  log.progress.clear();
  assert.equal(log.text, "5000 ms\n10000 ms\n");
  now = 0;
  const quiet = createLine(null, "quiet");
  for (; now <= 12_000; now += 100) quiet.progress.show(() => `${now} ms`);
  assert.equal(quiet.text, "");
});

test("on a terminal the line is redrawn within its width and erased before other text", (t) => {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const terminal = createLine(40);
  const line = formatImportProgress({ file: "a.ndjson", bytesRead: 1, bytesTotal: 2, records: 1 }, 1);
  // The line is not drawn within its first 100 ms.
  for (; now <= 150; now += 50) terminal.progress.show(() => line);
  terminal.progress.clear();
  const [before, drawn, rest] = terminal.text.split(CLEAR);
  assert.deepEqual([before, rest], ["", ""]);
  assert.match(drawn ?? "", /^[^\r\n]{1,39}$/);
  // Some programs that show a terminal do not know its width.
  now = 0;
  const unknown = createLine(0);
  for (; now <= 100; now += 50) unknown.progress.show(() => line);
  assert.equal(unknown.text, `${CLEAR}${line.slice(0, 20)}`);
});
