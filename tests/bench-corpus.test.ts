/** The corpus of the benches is the same in every run, and access patterns follow the law they are named after. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import * as fc from "fast-check";
import { drawIndices, harmonicSums, PATTERNS, rankAt } from "../bench/access-patterns.ts";
import { type Keys, writeCaptures } from "../bench/corpus.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "triptych-corpus-"));
after(() => rmSync(FOLDER, { recursive: true }));

interface Written {
  keys: Keys;
  digests: string[];
}

async function write(posts: number): Promise<Written> {
  const folder = mkdtempSync(join(FOLDER, "captures-"));
  const keys = await writeCaptures(folder, posts);
  const digests = readdirSync(folder).map(
    (name) =>
      `${name} ${createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex")}`,
  );
  return { keys, digests };
}

test("a corpus is the same every time it is written", async () => {
  const first = await write(2_000);
  assert.equal(first.digests.length, 6);
  assert.deepEqual(await write(2_000), first);
});

test("a corpus has the posts it was asked for, each id once, and lists that are long enough", async () => {
  const { keys } = await write(5_000);
  assert.equal(keys.posts.length + keys.videos.length, 4_500);
  for (const [name, list] of Object.entries(keys)) {
    assert.ok(list.length > 0, name);
    assert.equal(new Set(list).size, list.length, name);
  }
  assert.equal(keys.posts.length / keys.sounds.length, 100);
  assert.equal(keys.commented.length, 100);
});

test("Zipf's law: the rank drawn is the one whose share of the harmonic sum holds the number drawn", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 500 }),
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      (size, part) => {
        const sums = harmonicSums(size);
        const drawn = part * (sums[size - 1] as number);
        const rank = rankAt(drawn, sums);
        assert.ok((sums[rank] as number) > drawn);
        assert.ok(rank === 0 || (sums[rank - 1] as number) <= drawn);
      },
    ),
  );
});

test("under Zipf's law the first is drawn twice as often as the second, and all of them are drawn alike without it", () => {
  const draws = 200_000;
  const times = (pattern: (typeof PATTERNS)[number]) => {
    const counts = new Uint32Array(50);
    for (const index of drawIndices(pattern, 50, draws)) counts[index] = (counts[index] as number) + 1;
    return counts.toSorted().toReversed();
  };
  const [first = 0, second = 0, third = 0] = times("zipf");
  assert.ok(Math.abs(first / second - 2) < 0.1, `${first} / ${second}`);
  assert.ok(Math.abs(first / third - 3) < 0.2, `${first} / ${third}`);
  const even = times("uniform");
  assert.ok((even[0] as number) / (even[49] as number) < 1.15);
});

test("draws are the same every time, and others with another seed", () => {
  for (const pattern of PATTERNS) {
    assert.deepEqual(drawIndices(pattern, 1_000, 100), drawIndices(pattern, 1_000, 100));
    assert.notDeepEqual(drawIndices(pattern, 1_000, 100, 2), drawIndices(pattern, 1_000, 100));
  }
});
