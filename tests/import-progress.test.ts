/** What people see while a long import runs: a bar on a terminal, plain lines in a log. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ImportProgress, progressLine } from "#cli/import-progress.ts";

const GIB = 1024 ** 3;
/** Back to the start of the line, and wipe it. */
const CLEAR = "\r\u001b[K";

test("a line of progress tells share, bytes, records, speed, time left and the file", () => {
  const line = progressLine(
    { file: "/captures/long.ndjson", bytesRead: GIB / 4, bytesTotal: GIB, records: 50_000 },
    10,
  );
  assert.equal(
    line,
    `${"█".repeat(6)}${"░".repeat(18)}  25 %  256 MiB of 1.0 GiB  50000 records  5000 records/s  30 s left  long.ndjson`,
  );
});

test("what has no known size has no bar and no end in sight", () => {
  const line = progressLine({ file: "standard input", bytesRead: 2_048, bytesTotal: null, records: 7 }, 0);
  assert.equal(line, "standard input  2.0 KiB  7 records  0 records/s");
  assert.match(progressLine({ file: "a", bytesRead: 900, bytesTotal: 0, records: 0 }, 1), /^a {2}900 B /);
});

test("the end is never passed: an archive that is read twice stays at 100 %", () => {
  assert.match(
    progressLine({ file: "a", bytesRead: 300, bytesTotal: 100, records: 1 }, 1),
    /^█{24} {2}100 % .* 0 s left/,
  );
  assert.match(progressLine({ file: "a", bytesRead: GIB, bytesTotal: 100 * GIB, records: 1 }, 2), / 1 %/);
});

test("more than a minute is told in minutes", () => {
  assert.match(progressLine({ file: "a", bytesRead: GIB, bytesTotal: 4 * GIB, records: 1 }, 100), /5 min 0 s left/);
});

function shown(width: number | null): { text: string; progress: ImportProgress } {
  const written = { text: "" };
  const terminal = {
    env: {},
    out: () => undefined,
    err: (text: string) => void (written.text += text),
    width,
    exitCode: 0,
  };
  return Object.assign(written, { progress: new ImportProgress(terminal) });
}

test("elsewhere than on a terminal there are whole lines, now and then, and no control characters", () => {
  const log = shown(null);
  for (let records = 1; records <= 1_000; records++)
    log.progress.show({ file: "a.ndjson", bytesRead: records, bytesTotal: 1_000, records });
  log.progress.clear();
  assert.ok(log.text.split("\n").length <= 2, log.text);
  assert.ok(!log.text.includes("\r") && !log.text.includes(CLEAR));
});

test("on a terminal the line redraws itself within its width and is gone before other text", () => {
  const terminal = shown(40);
  const progress = { file: "a.ndjson", bytesRead: 1, bytesTotal: 2, records: 1 };
  // The first look may come too early after the start of the process to be drawn.
  const end = performance.now() + 500;
  while (terminal.text === "" && performance.now() < end) terminal.progress.show(progress);
  terminal.progress.clear();
  const [before, drawn, rest] = terminal.text.split(CLEAR);
  assert.deepEqual([before, rest], ["", ""]);
  assert.match(drawn ?? "", /^[^\r\n]{1,39}$/);
});
