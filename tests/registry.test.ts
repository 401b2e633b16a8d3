/** The tree is the API: files, endpoint lists and routes are the same 23 paths. */
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { operationsOf } from "#contract/platform.ts";
import { PLATFORMS } from "#platforms";

const SLICES = resolve(import.meta.dirname, "../src/platforms");

for (const platform of PLATFORMS) {
  test(`${platform.name}: a file for every endpoint, an endpoint for every file`, () => {
    const files = globSync("**/*.ts", { cwd: join(SLICES, platform.name, "endpoints") })
      .filter((file) => !file.endsWith(".test.ts"))
      .map((file) => file.replace(/\.ts$/, ""));
    assert.deepEqual(platform.endpoints.map(({ path }) => path).toSorted(), files.toSorted());
  });
}

test("a folder for every platform, a platform for every folder", () => {
  assert.deepEqual(PLATFORMS.map(({ name }) => name).toSorted(), globSync("*", { cwd: SLICES }).toSorted());
});

test("operation ids and paths are unique", () => {
  const operations = operationsOf(PLATFORMS);
  assert.equal(operations.length, 23);
  assert.equal(new Set(operations.map(({ id }) => id)).size, 23);
  assert.equal(new Set(operations.map(({ path }) => path)).size, 23);
});
