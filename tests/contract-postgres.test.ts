/** What is promised over HTTP holds whatever store is below: the suites that prove it on a file are run on PostgreSQL. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { describe, test } from "node:test";

const SUITES = [
  "contract",
  "pagination",
  "pagination-writes",
  "pagination-worlds",
  "page-tokens",
  "not-held",
  "across-search",
  "history",
  "http",
  "fields",
  "parameters",
  "refusals",
  "errors",
  "access",
  "limits",
];

/** Not a part of this run: a test file that believes so reports to the wrong place and runs nothing. */
function environment(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return { ...env, TEST_STORE: "postgres" };
}

function runSuite(name: string): Promise<{ code: number; output: string }> {
  const file = join(import.meta.dirname, `${name}.test.ts`);
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ["--test", "--test-reporter=tap", file],
      { env: environment(), maxBuffer: 1 << 26 },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}

/** Says which store a test house opens when it is asked for one on PostgreSQL. */
const NAMING_PROGRAM = `
  import { openTestHouse } from "./house.ts";
  const house = await openTestHouse([]);
  console.log(house.env.STORE_URL);
  await house.close();
`;

describe("on PostgreSQL", () => {
  test("is where a test house stands that is told so", async () => {
    const stdout = await new Promise<string>((resolve, reject) => {
      execFile(
        process.execPath,
        ["--input-type=module", "--eval", NAMING_PROGRAM],
        { env: environment(), cwd: import.meta.dirname },
        (error, output) => (error === null ? resolve(output) : reject(error)),
      );
    });
    assert.match(stdout, /^postgres:\/\//);
  });

  for (const name of SUITES) {
    test(`${name} passes`, async () => {
      const { code, output } = await runSuite(name);
      assert.equal(code, 0, output.slice(-20_000));
      const passed = Number(/^# pass (\d+)$/m.exec(output)?.[1] ?? 0);
      assert.ok(passed >= 5, `a suite that ran has tests that passed: ${passed}`);
      assert.match(output, /^# skipped 0$/m);
    });
  }
});
