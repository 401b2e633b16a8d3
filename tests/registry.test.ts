/** The tree is the API: files, endpoint lists and routes are the same paths. */
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { operationsOf } from "#api/platform.ts";
import { PLATFORM_RECORDS } from "#platforms/records.ts";
import { OPERATIONS, PLATFORMS } from "#platforms/registry.ts";
import { NUMBERED_OPERATIONS, PAGED_OPERATIONS } from "./paged-lists.ts";
import { BEHAVIOUR } from "./spec-tables.ts";

const SLICES = resolve(import.meta.dirname, "../src/platforms");

const CROSS_PLATFORM = OPERATIONS.filter(({ group }) => group.name === "cross-platform");

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
  assert.deepEqual(
    CROSS_PLATFORM.map(({ endpoint }) => endpoint.path).toSorted(),
    endpointFiles(join(SLICES, "cross-platform")),
  );
});

test("imports know every platform", () => {
  assert.deepEqual(
    PLATFORM_RECORDS.map(({ name }) => name),
    PLATFORMS.map(({ name }) => name),
  );
});

test("a folder for every platform, a platform for every folder", () => {
  assert.deepEqual(
    PLATFORMS.map(({ name }) => name).toSorted(),
    globSync("*/", { cwd: SLICES })
      .map((name) => name.replace(/\/$/, ""))
      .filter((name) => name !== "cross-platform")
      .toSorted(),
  );
});

test("the operations of a platform read its own records; those that span platforms read all", () => {
  for (const { group, name, path, reads } of operationsOf(PLATFORMS)) {
    assert.deepEqual(reads, [group.name], name);
    assert.equal(path, `/api/${name}`);
    assert.ok(name.startsWith(`${group.name}/`), name);
  }
  for (const { name, path, reads } of CROSS_PLATFORM) {
    assert.equal(path, `/api/${name}`);
    assert.deepEqual(
      reads,
      PLATFORMS.map((platform) => platform.name),
      name,
    );
  }
});

test("operation ids and paths are unique", () => {
  assert.equal(new Set(OPERATIONS.map(({ id }) => id)).size, OPERATIONS.length);
  assert.equal(new Set(OPERATIONS.map(({ path }) => path)).size, OPERATIONS.length);
});

test("no platform is named like an operation that spans them", () => {
  const taken = new Set(CROSS_PLATFORM.map(({ name }) => name.split("/")[0]));
  assert.deepEqual(
    PLATFORMS.filter(({ name }) => taken.has(name)),
    [],
  );
});

test("every list says how it is paged, as tests/spec does", () => {
  const paged = OPERATIONS.filter(({ endpoint }) => endpoint.pages !== undefined);
  assert.deepEqual(
    paged.map(({ name }) => name).toSorted(),
    [...PAGED_OPERATIONS, ...NUMBERED_OPERATIONS].map(({ name }) => name).toSorted(),
  );
  for (const { name, endpoint } of paged) {
    const { ids, ...rest } = BEHAVIOUR[name]?.pages ?? assert.fail(`tests/spec does not say how ${name} is paged`);
    assert.deepEqual(endpoint.pages, { items: ids.split("[]")[0], ...rest }, name);
  }
});
