/** Copies that are cut off: killed without warning, they go on where they were. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { Client } from "pg";
import { DAY_MS } from "#domain/time.ts";
import type { CopyReport } from "#store/copy/copy-store.ts";
import { openPostgresStore } from "#store/postgres/store.ts";
import type { SearchKind } from "#domain/record.ts";
import { openSqliteStore, STORE_FILE } from "#store/sqlite/store.ts";
import type { CopyProgress } from "#store/table-copy.ts";
import type { Batch } from "#store/writer.ts";
import { budget } from "#testing/budget.ts";
import { until } from "#testing/until.ts";
import { startCopy, copied, folderWith, freshFolder } from "./spawn-copy.ts";
import { freshDatabase } from "./postgres/databases.ts";
import { aComment, anAccount, aPost } from "./world.ts";

const KILLS = budget("copyKills");

/** Enough for some dozens of steps. */
const CROWD: Batch = {
  accounts: Array.from({ length: 4_000 }, (_, index) => anAccount(`a${index}`, `guest.${index}`)),
  posts: Array.from({ length: 6_000 }, (_, index) =>
    aPost(`p${index}`, {
      counters: { views: index },
      text: "lantern",
      hashtags: [`h${index % 5}`],
      capturedAt: Date.now() - DAY_MS,
    }),
  ),
  comments: Array.from({ length: 20_000 }, (_, index) =>
    aComment(`c${index}`, `p${index % 40}`, { text: `word${index}` }),
  ),
};

/** Kills the program each time some rows more are in the target, so many times; then lets it end. */
async function copiedWithKills(
  from: string,
  to: string,
  kills: number,
  progress: () => Promise<string[]>,
): Promise<CopyReport> {
  for (let killed = 0; killed < kills; killed++) {
    const before = rowsIn(await progress());
    const [child, ended] = startCopy(from, to);
    await until(async () => {
      assert.equal(child.exitCode, null, "it ended before it was killed");
      return rowsIn(await progress()) > before;
    });
    // Each time at another moment of the step that follows.
    for (let look = 0; look < killed; look++) await progress();
    child.kill("SIGKILL");
    await ended;
  }
  const report = await copied(from, to);
  const rows = report.parts.reduce((sum, { source }) => sum + source.rows, 0);
  assert.ok(report.copied > 0 && report.copied < rows, "the last run started over, or had nothing to do");
  return report;
}

function rowsIn(lines: string[]): number {
  const totals = lines.flatMap((line) => Object.values((JSON.parse(line) as CopyProgress).checksums));
  return totals.reduce((sum, { rows }) => sum + rows, 0);
}

/** Of what is derived: as much as shows whether anything was left out or counted twice. */
async function derivedIn(folder: string): Promise<unknown[]> {
  const store = openSqliteStore(folder);
  const reader = store.reader("shortvideo");
  const search = (kind: SearchKind, text: string) =>
    store.search({ sources: [{ platform: "shortvideo", kind }], text, limit: 30, now: 1 });
  const derived = [
    await store.verify(),
    (await store.summary()).records,
    (await search("post", "lantern")).hits.map(({ record }) => record),
    (await search("comment", "word19999")).hits.length,
    await reader.countPosts("hashtag", "h3"),
    await reader.countComments("p7"),
    await reader.listTrends("hashtag", { country: null, days: 7, offset: 0, limit: 10 }),
  ];
  await store.close();
  return derived;
}

test("a copy that is killed repeatedly resumes where it was, in either direction", async () => {
  const original = await folderWith([{ platform: "shortvideo", batch: CROWD }]);
  const { url, drop } = await freshDatabase();
  await (await openPostgresStore({ url })).close();
  const client = new Client(url);
  await client.connect();
  const there = await copiedWithKills(original, url, KILLS, async () => {
    const { rows } = await client.query<{ progress: string }>("SELECT progress FROM copy_progress");
    return rows.map(({ progress }) => progress);
  });
  await client.end();

  const back = freshFolder();
  await openSqliteStore(back).close();
  const file = new DatabaseSync(join(back, STORE_FILE), { readOnly: true });
  const again = await copiedWithKills(url, back, KILLS, async () =>
    file
      .prepare("SELECT progress FROM copy_progress")
      .all()
      .map(({ progress }) => String(progress)),
  );
  file.close();
  assert.deepEqual(again.parts, there.parts);
  assert.deepEqual(await derivedIn(back), await derivedIn(original));
  await drop();
});
