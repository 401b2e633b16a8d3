/** Instagram counts views and plays of a video: plays count where they are known, and no history has both. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type ImportedServer, startImportedServer } from "#tests/import-fixtures.ts";

const [CODE, ID] = ["C4iLtETgARX", "3324270950463046743"];
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.parse("2026-03-01T12:00:00Z");

const owner = { id: "5501002003", username: "mira.holm" };
/** Pages until 2024 and tools that read them: views alone. */
const viewsOnly = (views: number) => ({
  __typename: "GraphVideo",
  id: ID,
  shortcode: CODE,
  is_video: true,
  taken_at_timestamp: 1_710_500_000,
  video_view_count: views,
  owner,
});
const byApify = (views: number, plays: number) => [
  {
    id: ID,
    shortCode: CODE,
    type: "Video",
    url: `https://www.instagram.com/p/${CODE}/`,
    ownerUsername: owner.username,
    ownerId: owner.id,
    videoViewCount: views,
    videoPlayCount: plays,
  },
];

interface History {
  points: { captured_at: string; counters: object }[];
  growth: { counters: { views?: { change: number } } };
}

/** Imports the files one after the other, each as captured that many days after the first day. */
async function withCaptures(
  captures: (readonly [day: number, value: unknown])[],
  check: (imported: ImportedServer) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "triptych-"));
  const files = await Promise.all(
    captures.map(async ([day, value], index) => {
      const file = join(folder, `capture-${index}.json`);
      await writeFile(file, JSON.stringify(value));
      return { file, capturedAt: FIRST_DAY + day * DAY_MS };
    }),
  );
  const [first, ...later] = files as [(typeof files)[0], ...typeof files];
  const imported = await startImportedServer([first.file], { capturedAt: first.capturedAt });
  try {
    for (const { file, capturedAt } of later) await imported.importMore([file], { capturedAt });
    await check(imported);
  } finally {
    await imported.server.close();
    await rm(folder, { recursive: true });
  }
}

const history = ({ server }: ImportedServer) =>
  server.json<History>(`/api/history?platform=photoshare&kind=post&id=${ID}`);
const views = async ({ server }: ImportedServer) => {
  const { post } = await server.json<{ post: { counters: { views?: number } } }>(
    `/api/post?platform=photoshare&id=${ID}`,
  );
  return post.counters.views;
};

test("plays count where a file has plays and views", () =>
  withCaptures([[0, byApify(1_174_051, 6_086_315)]], async (imported) => {
    assert.equal(await views(imported), 6_086_315);
    assert.deepEqual(
      (await history(imported)).points.map(({ counters }) => counters),
      [{ views: 6_086_315 }],
    );
  }));

const CAPTURES = [
  [0, viewsOnly(1_100_000)],
  [1, byApify(1_174_051, 6_086_315)],
  [2, viewsOnly(1_180_000)],
  [3, byApify(1_190_000, 6_100_000)],
] as const;

for (const [order, indexes] of Object.entries({
  "as captured": [0, 1, 2, 3],
  backwards: [3, 2, 1, 0],
  "views first": [0, 2, 1, 3],
  "plays first": [1, 3, 0, 2],
})) {
  test(`a history never goes from views to plays, imported ${order}`, () =>
    withCaptures(
      indexes.map((index) => CAPTURES[index] as (typeof CAPTURES)[number]),
      async (imported) => {
        const { points, growth } = await history(imported);
        assert.deepEqual(
          points.map(({ counters }) => counters),
          [{ views: 6_086_315 }, { views: 6_100_000 }],
        );
        assert.equal(growth.counters.views?.change, 13_685);
        assert.equal(await views(imported), 6_100_000);
      },
    ));
}

test("views alone keep their history", () =>
  withCaptures([CAPTURES[0], CAPTURES[2]], async (imported) => {
    assert.equal((await history(imported)).growth.counters.views?.change, 80_000);
    assert.equal(await views(imported), 1_180_000);
  }));

test("both numbers of one moment: the plays", () =>
  withCaptures(
    [
      [1, byApify(1_174_051, 6_086_315)],
      [1, viewsOnly(1_174_051)],
    ],
    async (imported) => {
      assert.equal(await views(imported), 6_086_315);
      assert.deepEqual(
        (await history(imported)).points.map(({ counters }) => counters),
        [{ views: 6_086_315 }],
      );
    },
  ));
