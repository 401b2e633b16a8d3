/** The runner itself, on test files made for it: what fails, never ends or stays behind is named, and nothing is left. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { openToServer } from "#tests/postgres/binaries.ts";
import { listProcesses, signal } from "#testing/processes.ts";

const RUNNER = join(import.meta.dirname, "run-tests.ts");

function start(args: string[], temporary: string): { child: ChildProcess; ended: Promise<[number, string]> } {
  const child = spawn(process.execPath, [RUNNER, ...args], { env: { ...process.env, TMPDIR: temporary } });
  let output = "";
  for (const pipe of [child.stdout, child.stderr]) pipe.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return { child, ended: once(child, "close").then(([code]) => [code as number, output]) };
}

describe("a test run", () => {
  const home = mkdtempSync(join(tmpdir(), "triptych runner "));
  openToServer(home);
  after(() => rmSync(home, { recursive: true }));
  let runs = 0;

  /** The temporary folder that the run is given, with the files inside that it is to run. */
  function prepare(files: Record<string, string>): { temporary: string; paths: string[] } {
    const folder = join(home, String(++runs));
    const temporary = join(folder, "tmp");
    mkdirSync(temporary, { recursive: true });
    for (const path of [folder, temporary]) openToServer(path);
    const paths = Object.entries(files).map(([name, body]) => {
      const path = join(folder, `${name}.test.ts`);
      writeFileSync(path, `import assert from "node:assert/strict";\nimport { test } from "node:test";\n${body}\n`);
      return path;
    });
    return { temporary, paths };
  }

  /** Files for the processes of a run to share. */
  const harmless = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [name, 'test("does nothing", () => undefined);']));

  /** How a test file of the next run imports a file of testing/. */
  const fromTest = (name: string) => relative(join(home, "any"), join(import.meta.dirname, "..", name));

  async function run(files: Record<string, string>, ...args: string[]): Promise<[number, string]> {
    const { temporary, paths } = prepare(files);
    const outcome = await start([...paths, ...args], temporary).ended;
    assert.deepEqual(readdirSync(temporary), [], outcome[1]);
    return outcome;
  }

  test("that passes ends with its totals and 0", async () => {
    const [code, output] = await run({ one: 'test("adds", () => assert.equal(1 + 1, 2));' });
    assert.equal(code, 0, output);
    assert.match(output, /^1 passed, 0 failed$/m);
  });

  test("names what fails, with its error and what the file printed", async () => {
    const [code, output] = await run({
      wrong: 'console.log("seen before"); test("adds wrongly", () => assert.equal(1 + 1, 3));',
      broken: 'throw new Error("does not even load");',
      empty: "",
    });
    assert.equal(code, 1);
    assert.match(output, /adds wrongly[\s\S]*2 !== 3/);
    assert.match(output, /seen before/);
    assert.match(output, /does not even load/);
    assert.match(output, /ran no test\n {2}at .*empty\.test\.ts$/m);
    assert.match(output, /^0 passed, 3 failed$/m);
  });

  test("names why tests were skipped, once for each file and reason", async () => {
    const [code, output] = await run({
      divided: `
        import { describe } from "node:test";
        describe("division", { skip: "this machine cannot" }, () => test("divides", () => assert.fail()));
        test("divides again", { skip: "this machine cannot" }, () => assert.fail());`,
    });
    assert.equal(code, 0);
    assert.match(output, /^skip {2}.*divided\.test\.ts: this machine cannot\n\n1 jobs/m);
    assert.match(output, /^0 passed, 0 failed, 2 skipped$/m);
  });

  test("of what is promised runs the files with claims in full, and prints each claim that held", async () => {
    const [code, output] = await run(
      {
        proved: `
import { reportClaim } from "${fromTest("claims.ts")}";
import { IS_FULL } from "${fromTest("budget.ts")}";
          test("adds", () => reportClaim("sums of two numbers", IS_FULL ? "all right" : "not all tried"));
          test("subtracts", () => { assert.equal(2 - 1, 0); reportClaim("differences", "all right"); });
          test("divides", { skip: "this machine cannot" }, () => reportClaim("quotients", "all right"));`,
        unproved: 'test("is not run", () => assert.fail());',
      },
      "--hard",
    );
    assert.equal(code, 1);
    assert.match(
      output,
      /^ok {4}sums of two numbers: all right\nskip {2}divides: this machine cannot\nFAIL {2}subtracts, at .*proved\.test\.ts:\d+$/m,
    );
    assert.match(output, /^1 passed, 1 failed, 1 skipped$/m);
  });

  test("cuts a test that never ends and the file that it keeps open, and names both", async () => {
    const [code, output] = await run(
      { endless: 'test("waits for ever", () => new Promise(() => setInterval(() => {}, 1_000)));' },
      "--test-limit=1",
      "--file-limit=3",
    );
    assert.equal(code, 1);
    assert.match(output, /waits for ever[\s\S]*test timed out after 1000ms/);
    assert.match(output, /endless\.test\.ts: was cut off after 3 s/);
  });

  test("cuts a test that never lets go of the processor, and names it", async () => {
    const [code, output] = await run(
      { busy: 'test("turns in circles", async () => { await undefined; for (;;); });' },
      "--test-limit=1",
      "--file-limit=2",
    );
    assert.equal(code, 1);
    assert.match(output, /was cut off after 2 s[\s\S]*Running: turns in circles$/m);
  });

  test("names and ends processes that a file leaves, also detached ones", async () => {
    const leave = (detached: boolean) => `
      import { spawn } from "node:child_process";
      test("leaves a process", () => spawn("sleep", ["987"], { detached: ${detached}, stdio: "ignore" }).unref());`;
    const [code, output] = await run(
      { attached: leave(false), ...harmless("one"), detached: leave(true) },
      "--cleanup-limit=1",
    );
    assert.equal(code, 1);
    assert.match(output, /2 test files of units, process 1: 2 passed, 2 failed/);
    for (const file of ["attached", "detached"]) {
      assert.match(output, new RegExp(`left a process running: \\d+ sleep 987\n {2}at .*/${file}\\.test\\.ts$`, "m"));
    }
    const pids = [...output.matchAll(/left a process running: (\d+) sleep 987$/gm)].map(([, pid]) => Number(pid));
    assert.equal(new Set(pids).size, 2, output);
    assert.deepEqual(
      listProcesses().filter(({ pid }) => pids.includes(pid)),
      [],
    );
  });

  test("names what a file leaves in its temporary folder, which is not that of others", async () => {
    const [code, output] = await run({
      untidy: `
        import { mkdtempSync } from "node:fs";
        import { tmpdir } from "node:os";
        test("leaves a folder", () => void mkdtempSync(tmpdir() + "/forgotten-"));`,
      ...harmless("one", "two"),
    });
    assert.equal(code, 1);
    assert.match(output, /left in its temporary folder: forgotten-\w+\n {2}at .*untidy\.test\.ts$/m);
  });

  test("names the file that keeps the process of several open", async () => {
    const [code, output] = await run(
      {
        ...harmless("one", "two"),
        opens: `
          import { createServer } from "node:net";
          test("opens a server", (_, done) => void createServer().listen(0, done));`,
        ...harmless("three", "four"),
      },
      "--linger-limit=1",
    );
    assert.equal(code, 1);
    assert.match(output, /tests were over 1 s ago/);
    assert.deepEqual(
      [...output.matchAll(/Open after .*?(\w+)\.test\.ts and not before: (.*)/g)].map(([, ...found]) => found),
      [["opens", "TCPServerWrap"]],
    );
  });

  test("names the files that were still to come when a process of several ended", async () => {
    const [code, output] = await run({ ends: 'test("ends", () => process.exit(0));', ...harmless("one", "two") });
    assert.equal(code, 1);
    assert.match(output, /ran no test\n {2}at .*ends\.test\.ts$/m);
    assert.match(output, /ran no test\n {2}at .*two\.test\.ts$/m);
    assert.match(output, /^1 passed, 2 failed$/m);
  });

  test("keeps hooks to the tests of their file, and waits for it, whatever keeps a process, before it loads the next", async () => {
    const hooks = (name: string) => `
      import { after, before, beforeEach } from "node:test";
      assert.deepEqual(process.argv.slice(4), []);
      before(() => void process.argv.push("${name}"));
      beforeEach((context) => assert.match(context.fullName, / > of ${name}$/));
      test("of ${name}", async () => {
        assert.deepEqual(process.argv.slice(4), ["${name}"]);
        await new Promise((resolve) => setTimeout(resolve, 50).unref());
      });
      after(() => void process.argv.pop());`;
    const names = ["one", "two", "three", "four"];
    const [code, output] = await run(Object.fromEntries(names.map((name) => [name, hooks(name)])));
    assert.equal(code, 0, output);
    assert.match(output, /^4 passed, 0 failed$/m);
    for (const process of [1, 2])
      assert.match(output, new RegExp(`2 test files of units, process ${process}: 2 passed`));
  });

  for (const [name, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    test(`that gets ${name} ends its processes, leaves no folder and exits with ${code}`, async () => {
      const { temporary, paths } = prepare({
        endless: `
          import { spawn } from "node:child_process";
          import { writeFileSync } from "node:fs";
          import { tmpdir } from "node:os";
          test("waits for ever", () => new Promise(() => {
            const child = spawn("sleep", ["986"], { stdio: "ignore" });
            writeFileSync(${JSON.stringify(join(home, name))}, String(child.pid));
          }));`,
      });
      const { child, ended } = start(paths, temporary);
      const told = join(home, name);
      while (!existsSync(told) || readFileSync(told, "utf8") === "") await delay(20);
      const pid = Number(readFileSync(told, "utf8"));
      assert.ok(signal(pid, 0));
      child.kill(name);
      const [exitCode, output] = await ended;
      assert.equal(exitCode, code, output);
      assert.deepEqual(readdirSync(temporary), []);
      assert.deepEqual(
        listProcesses().filter((left) => left.pid === pid),
        [],
      );
    });
  }
});
