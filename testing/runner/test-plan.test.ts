/** Every test file is run, in the process and on the stores that it needs. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ROOT } from "#testing/import-graph.ts";
import { listTestFiles, readTestFile } from "./test-files.ts";
import {
  IN_FULL_ONLY,
  MEASURED_ALONE,
  ON_BOTH_STORES,
  ON_BOTH_STORES_IN_FULL,
  planJobs,
  STARTED_FIRST,
} from "./test-plan.ts";

const ALL = globSync("**/*.test.ts", { cwd: ROOT, exclude: ["node_modules/**"] }).toSorted();

describe("the plan of a run", () => {
  test("has every test file once, and those of both stores twice; in a full run more of them", () => {
    for (const [isFull, files, onBoth] of [
      [false, ALL.filter((path) => !IN_FULL_ONLY.has(path)), ON_BOTH_STORES],
      [true, ALL, ON_BOTH_STORES.union(ON_BOTH_STORES_IN_FULL)],
    ] as const) {
      const jobs = planJobs({ patterns: [], inProcessOnly: false, claimsOnly: false, isFull });
      const first = jobs.filter(({ isRepeat }) => !isRepeat).flatMap((job) => job.files);
      assert.deepEqual(first.toSorted(), files);
      const again = jobs.filter(({ isRepeat }) => isRepeat);
      const repeated = again.flatMap((job) => job.files);
      assert.deepEqual(repeated.toSorted(), [...onBoth].toSorted());
      for (const { env, maySkip } of again) assert.deepEqual([env, maySkip], [{ TEST_STORE: "postgres" }, false]);
    }
    assert.ok(ON_BOTH_STORES.isDisjointFrom(ON_BOTH_STORES_IN_FULL));
  });

  test("names only files that exist", () => {
    const sets = [STARTED_FIRST, ON_BOTH_STORES, ON_BOTH_STORES_IN_FULL, IN_FULL_ONLY, MEASURED_ALONE];
    for (const path of sets.flatMap((set) => [...set])) assert.ok(ALL.includes(path), path);
  });

  test("for between edits starts no process and no PostgreSQL, and is most of the files", () => {
    const jobs = planJobs({ patterns: [], inProcessOnly: true, claimsOnly: false, isFull: false });
    assert.ok(jobs.every(({ needs }) => !needs.includes("postgres")));
    const files = jobs.flatMap(({ files: ofJob }) => ofJob);
    assert.ok(files.length > ALL.length / 2, `${files.length} of ${ALL.length}`);
    for (const file of listTestFiles().map(readTestFile))
      assert.equal(files.includes(file.path), !file.usesProcesses, file.path);
  });

  test("of what is promised has the files that report a claim, on every store that they run on", () => {
    const jobs = planJobs({ patterns: [], inProcessOnly: false, claimsOnly: true, isFull: true });
    const files = new Set(jobs.flatMap(({ files: ofJob }) => ofJob));
    const importsClaims = /^import .* from "#testing\/claims\.ts";$/m;
    const claiming = ALL.filter((path) => importsClaims.test(readFileSync(join(ROOT, path), "utf8")));
    assert.deepEqual([...files].toSorted(), claiming);
    assert.ok(claiming.includes("tests/slow/killed-import.test.ts"));
    const page = readFileSync(join(ROOT, "docs/promises.md"), "utf8");
    for (const [, path = ""] of page.matchAll(/`(tests\/[\w/-]+\.test\.ts)`/g))
      assert.ok(claiming.includes(path), path);
    const alone = jobs.filter(({ runsAlone }) => runsAlone).flatMap(({ files: ofJob }) => ofJob);
    assert.deepEqual(new Set(alone), MEASURED_ALONE);
  });

  test("has no place for a pattern that fits no file", () => {
    const options = { inProcessOnly: false, claimsOnly: false, isFull: false };
    for (const pattern of ["tests/nosuch", "docs/pictures"]) {
      assert.throws(() => planJobs({ patterns: ["tests/cli", pattern], ...options }), {
        message: `No test file has ${pattern} in its path.`,
      });
    }
  });

  test("tells from its imports what a file needs", () => {
    const needs = (path: string) => {
      const { provesClaims: _, path: _path, ...needed } = readTestFile(path);
      return Object.keys(needed).filter((name) => needed[name as keyof typeof needed]);
    };
    assert.deepEqual(needs("src/search/tokens.test.ts"), ["canShareProcess"]);
    assert.deepEqual(needs("tests/http.test.ts"), ["usesServices", "canShareProcess"]);
    assert.deepEqual(needs("tests/relevance.test.ts"), ["usesDemo", "usesServices", "canShareProcess"]);
    assert.deepEqual(needs("tests/expressions.test.ts"), []);
    assert.deepEqual(needs("tests/cli.test.ts"), ["usesProcesses", "canShareProcess"]);
    assert.deepEqual(needs("tests/nodes.test.ts"), [
      "usesProcesses",
      "usesPostgres",
      "usesServices",
      "canShareProcess",
    ]);
  });
});
