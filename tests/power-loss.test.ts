/**
 * A write-ahead log that a power cut left shorter than it was, or with a torn end: what had been acknowledged before the cut is
 * there, and nothing of a write is there by halves. tests/slow/power-loss.test.ts replays what reaches a disk.
 */
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { toUnit } from "#store/write/batch-changes.ts";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { budget } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { temporaryFolder } from "./test-server.ts";
import { aPost } from "./world.ts";

const CUTS = budget("logCuts");
const WRITES = 24;
const POSTS_PER_WRITE = 5;
const WAL = `${STORE_FILE}-wal`;

const idOf = (write: number, post: number) => `74220000000${String(write * POSTS_PER_WRITE + post).padStart(8, "0")}`;
const idsOf = (write: number) => Array.from({ length: POSTS_PER_WRITE }, (_, post) => idOf(write, post));

test(`a write-ahead log that is cut at ${CUTS} places keeps what was acknowledged, and all or nothing of the rest`, async () => {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  const store = openSqliteStore(dataDir);
  /** After each write the length of the log; the file beside it is the same until the next checkpoint. */
  const lengths: number[] = [];
  for (let write = 0; write < WRITES; write++) {
    const posts = idsOf(write).map((id) => aPost(id, { text: `Tide table ${id}` }));
    await store.writer.write([toUnit("shortvideo", { posts })]);
    lengths.push(statSync(join(dataDir, WAL)).size);
  }
  // A power cut leaves no process that could tidy up: these are copied while the store is open.
  for (const file of [STORE_FILE, WAL]) copyFileSync(join(dataDir, file), join(folder.path, file));
  await store.close();
  const log = readFileSync(join(folder.path, WAL));
  const growing = lengths.findLastIndex((length, index) => length <= (lengths[index - 1] ?? 0)) + 1;
  assert.ok(WRITES - growing > 10, `a checkpoint began the log again before write ${growing}`);
  assert.equal(log.length, lengths.at(-1));

  for (let cut = 0; cut < CUTS; cut++) {
    const write = growing + Math.floor(Math.random() * (WRITES - growing - 1));
    const [from = 0, to = 0] = lengths.slice(write);
    // At the acknowledged length itself, anywhere within the next write, and last, to show that a loss is seen, before it.
    const isBefore = cut === CUTS - 1;
    const length = isBefore ? from - 1 : cut < 2 ? from : from + Math.floor(Math.random() * (to - from));
    const left = Buffer.from(log.subarray(0, length));
    // Every other end is torn.
    if (cut % 2 === 1) left.fill(0, Math.max(from, length - 512));
    const place = join(folder.path, `cut-${cut}`);
    mkdirSync(place, { mode: 0o700 });
    copyFileSync(join(folder.path, STORE_FILE), join(place, STORE_FILE));
    writeFileSync(join(place, WAL), left);
    const restored = openSqliteStore(place);
    assert.deepEqual(await restored.verify(), []);
    const where = `cut at ${length}, after ${write + 1} writes`;
    for (let number = 0; number < WRITES; number++) {
      const found = (await restored.reader("shortvideo").getPosts(idsOf(number))).length;
      assert.equal(
        found,
        number < write || (number === write && !isBefore) ? POSTS_PER_WRITE : 0,
        `${where}: write ${number}`,
      );
    }
    await restored.close();
  }
  reportClaim(
    "a cut write-ahead log keeps what was acknowledged",
    `${CUTS - 1} cuts at and after ${WRITES - growing} acknowledged lengths: 0 lost, 0 by halves`,
  );
  folder.remove();
});
