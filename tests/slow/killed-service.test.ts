/**
 * A service that receives uploads, killed with SIGKILL at many random moments and started again each time. In the end every
 * upload that it acknowledged is imported, and no post was written twice.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { budget } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { makeNode } from "#testing/service-nodes.ts";
import { countImports, createIngestToken, push, readPost } from "../ingest-client.ts";
import { postId } from "../spawn-import.ts";
import { temporaryFolder, TEST_TOKEN } from "../test-server.ts";

const KILLS = budget("serviceKills");
const POSTS_PER_UPLOAD = 5;
/** Between two uploads of a client at most. A backlog that takes minutes to import would prove no more. */
const MAX_PAUSE_MS = 100;
/** Kills come this long after the first acknowledgement of a start at the latest. */
const MAX_RUN_MS = 400;

test(`uploads survive ${KILLS} kills of the service: none that was acknowledged is lost, none is doubled`, async () => {
  const home = temporaryFolder();
  const dataDir = join(home.path, "data");
  const token = await createIngestToken(dataDir);
  const node = await makeNode("killed", {
    DATA_DIR: dataDir,
    API_TOKEN: TEST_TOKEN,
    DEMO: "off",
    LOG_LEVEL: "silent",
    SEARCH_THREADS: "0",
  });
  const acknowledged = new Map<string, number[]>();
  let uploads = 0;

  /** Pushes until the service is gone. */
  async function pushOn(onAcknowledged: () => void): Promise<void> {
    for (;;) {
      const first = 1 + POSTS_PER_UPLOAD * uploads++;
      const numbers = Array.from({ length: POSTS_PER_UPLOAD }, (_, index) => first + index);
      try {
        const { key, status } = await push(node.address, token, numbers);
        // The number of uploads at a time is limited: retry a little later.
        if (status === 429) await pause(50);
        else {
          assert.equal(status, 200);
          acknowledged.set(key as string, numbers);
          onAcknowledged();
          await pause(MAX_PAUSE_MS * Math.random());
        }
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        return;
      }
    }
  }

  try {
    for (let kill = 0; kill < KILLS; kill++) {
      await node.start();
      const first = Promise.withResolvers<void>();
      const pushing = [1, 2].map(() => pushOn(first.resolve));
      await Promise.race([first.promise, ...pushing]);
      await pause(MAX_RUN_MS * Math.random());
      await node.kill();
      await Promise.all(pushing);
    }
    await node.start();
    const keys = [...acknowledged.keys()];
    const counts = await countImports(dataDir, keys);
    const posts = [...acknowledged.values()].flat();
    assert.ok(keys.length >= KILLS, `${keys.length} uploads`);
    assert.deepEqual(counts, { fresh: posts.length, again: 0 });
    for (const numbers of acknowledged.values()) assert.equal(await readPost(node.address, numbers[0] as number), 200);
    await node.stop();
    const store = openSqliteStore(dataDir);
    const stored = await store.reader("shortvideo").getPosts(posts.map(postId));
    assert.equal(stored.length, posts.length, "posts are lost");
    assert.deepEqual(await store.verify(), []);
    await store.close();
    const left = existsSync(join(dataDir, "uploads")) ? readdirSync(join(dataDir, "uploads")) : [];
    assert.deepEqual(
      left.filter((key) => acknowledged.has(key)),
      [],
    );
    reportClaim(
      "uploads that were acknowledged are imported once, however often the service is killed",
      `${KILLS} kills, ${keys.length} uploads with ${posts.length.toLocaleString("en")} posts: 0 lost, 0 doubled`,
    );
  } finally {
    await node.kill();
    home.remove();
  }
});
