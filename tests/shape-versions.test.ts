/**
 * Stores keep rendered JSON and rebuild it only when a projection's version is raised. So a projection that renders
 * differently needs a new version: this compares each version with what it renders of the demo data.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { demoWorld } from "#import/demo-world.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import { MAX_STORED_PROJECTIONS, type Projection } from "#domain/projection.ts";
import { digestOf } from "#store/rendered/render.ts";
import type { Batch } from "#store/write/port.ts";

const FILE = join(import.meta.dirname, "shape-versions.json");
const NOW = Date.UTC(2026, 10, 15, 12);

const LISTS = {
  account: "accounts",
  post: "posts",
  comment: "comments",
  sound: "sounds",
  hashtag: "hashtags",
  place: "places",
} as const satisfies Record<string, keyof Batch>;

/** `platform/kind/name@version` to a digest of all that it draws. */
function drawnNow(): Record<string, string> {
  const world = [...demoWorld(NOW)];
  const drawn: Record<string, string> = {};
  for (const { name: platform, shapes } of PLATFORMS) {
    for (const [kind, kept] of Object.entries(shapes)) {
      const records = world
        .filter((part) => part.platform === platform)
        .flatMap(({ batch }) => (batch[LISTS[kind as keyof typeof LISTS]] ?? []) as object[]);
      assert.ok(records.length > 0, `the demo world has no ${kind} of ${platform}`);
      assert.ok(kept.length <= MAX_STORED_PROJECTIONS);
      for (const shape of kept as readonly Projection<object>[]) {
        const texts = records.map((record) => shape.renderJson(structuredClone(record)));
        drawn[`${platform}/${kind}/${shape.name}@${shape.version}`] = digestOf(texts.join("\n"));
      }
    }
  }
  return drawn;
}

test("a shape that draws otherwise than before has a new version", () => {
  assert.deepEqual(
    drawnNow(),
    JSON.parse(readFileSync(FILE, "utf8")),
    `what is drawn has changed: raise the shape's version, then write the new digests to ${FILE}`,
  );
});
