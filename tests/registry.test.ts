/** The tree is the API: files, endpoint lists and routes are the same paths, 23 of platforms and 2 that span them. */
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { operationsOf } from "#contract/platform.ts";
import { OPERATIONS, PLATFORMS } from "#platforms";

const SOURCE = resolve(import.meta.dirname, "../src");
const SLICES = join(SOURCE, "platforms");

const ACROSS = OPERATIONS.filter(({ group }) => group.name === "across");

function endpointFiles(slice: string): string[] {
  return globSync("**/*.ts", { cwd: join(slice, "endpoints") })
    .filter((file) => !file.endsWith(".test.ts"))
    .map((file) => file.replace(/\.ts$/, ""))
    .toSorted();
}

for (const platform of PLATFORMS) {
  test(`${platform.name}: a file for every endpoint, an endpoint for every file`, () => {
    assert.deepEqual(platform.endpoints.map(({ path }) => path).toSorted(), endpointFiles(join(SLICES, platform.name)));
  });
}

test("across platforms: a file for every endpoint, an endpoint for every file", () => {
  assert.deepEqual(ACROSS.map(({ endpoint }) => endpoint.path).toSorted(), endpointFiles(join(SOURCE, "across")));
});

test("a folder for every platform, a platform for every folder", () => {
  assert.deepEqual(PLATFORMS.map(({ name }) => name).toSorted(), globSync("*", { cwd: SLICES }).toSorted());
});

test("platforms have 23 operations, each reading its own; 2 span them and read all", () => {
  const own = operationsOf(PLATFORMS);
  assert.equal(own.length, 23);
  for (const { group, name, path, reads } of own) {
    assert.deepEqual(reads, [group.name], name);
    assert.equal(path, `/api/${name}`);
    assert.ok(name.startsWith(`${group.name}/`), name);
  }
  assert.deepEqual(
    ACROSS.map(({ name, path, id, reads }) => ({ name, path, id, reads })),
    ["search", "history"].map((name) => ({
      name,
      path: `/api/${name}`,
      id: name,
      reads: PLATFORMS.map((platform) => platform.name),
    })),
  );
});

test("operation ids and paths are unique", () => {
  assert.equal(OPERATIONS.length, 25);
  assert.equal(new Set(OPERATIONS.map(({ id }) => id)).size, 25);
  assert.equal(new Set(OPERATIONS.map(({ path }) => path)).size, 25);
});

test("no platform is named like an operation that spans them", () => {
  const taken = new Set(ACROSS.map(({ name }) => name.split("/")[0]));
  assert.deepEqual(
    PLATFORMS.filter(({ name }) => taken.has(name)),
    [],
  );
});
