/** What the benches ask with: the same corpus every time, and draws that follow the law they are named after. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import * as fc from "fast-check";
import { type Ids, writeCaptures } from "../bench/corpus.ts";
import { drawPlaces, harmonicSums, PATTERNS, rankAt } from "../bench/load-patterns.ts";
import { readRequests, writeRequests } from "../bench/load-requests.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "triptych-corpus-"));
after(() => rmSync(FOLDER, { recursive: true }));

interface Written {
  ids: Ids;
  digests: string[];
}

async function write(posts: number): Promise<Written> {
  const folder = mkdtempSync(join(FOLDER, "captures-"));
  const ids = await writeCaptures(folder, posts);
  const digests = readdirSync(folder).map(
    (name) =>
      `${name} ${createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex")}`,
  );
  return { ids, digests };
}

test("a corpus is the same every time it is written", async () => {
  const first = await write(2_000);
  assert.equal(first.digests.length, 6);
  assert.deepEqual(await write(2_000), first);
});

test("a corpus has the posts it was asked for, each id once, and lists that are long enough", async () => {
  const { ids } = await write(5_000);
  assert.equal(ids.posts.length + ids.videos.length, 4_500);
  for (const [name, list] of Object.entries(ids)) {
    assert.ok(list.length > 0, name);
    if (name !== "keywords") assert.equal(new Set(list).size, list.length, name);
  }
  assert.equal(ids.posts.length / ids.sounds.length, 100);
  assert.equal(ids.commented.length, 100);
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
    for (const place of drawPlaces(pattern, 50, draws)) counts[place] = (counts[place] as number) + 1;
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
    assert.deepEqual(drawPlaces(pattern, 1_000, 100), drawPlaces(pattern, 1_000, 100));
    assert.notDeepEqual(drawPlaces(pattern, 1_000, 100, 2), drawPlaces(pattern, 1_000, 100));
  }
});

test("requests come back from their file as they were, from any place on and round to the beginning", () => {
  const file = join(FOLDER, "requests.tsv");
  const requests = [
    { path: "/a?x=1", etag: 'W/"abc"' },
    { path: "/b", body: "name=mira&amount=12" },
    { path: "/c?x=%09" },
  ];
  writeRequests(file, requests);
  assert.deepEqual(readRequests({ file, start: 0 }), requests);
  assert.deepEqual(readRequests({ file, start: 4 }, 2), [requests[1], requests[2]]);
});
