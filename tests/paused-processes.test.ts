/**
 * SIGSTOP and SIGCONT at random moments for the primary, a worker and an importer, as suspended and starved machines have them:
 * nothing is lost, doubled or answered wrongly.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { budget } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { signal } from "#testing/processes.ts";
import { countImports, createIngestToken, push, readPost } from "./ingest-client.ts";
import { commentLine, postId, startTriptych, type Started, writeLines } from "./spawn-import.ts";
import { childrenOf, spawnService } from "./spawn-workers.ts";
import { temporaryFolder } from "./test-server.ts";

const PAUSES = budget("processPauses");
const POSTS_PER_UPLOAD = 5;
const COMMENTS_PER_IMPORT = 2_000;
/** Short of the five seconds after which a worker is replaced. */
const MAX_PAUSE_MS = 1_500;
const MAX_UPLOADS = 200;

test(`${PAUSES} pauses of a service, its workers and an importer lose, double and falsify nothing`, async () => {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, "data");
  const token = await createIngestToken(dataDir);
  const service = await spawnService({ DATA_DIR: dataDir, WORKERS: "2", SEARCH_THREADS: "0", RATE_LIMIT: "off" }, []);
  const acknowledged = new Map<string, number[]>();
  /** Posts that were served once. */
  const seen = new Set<number>();
  const over = new AbortController();
  let uploads = 0;
  let imports = 0;
  let reads = 0;
  let importer: Started | null = null;

  async function pushOn(): Promise<void> {
    while (!over.signal.aborted && uploads < MAX_UPLOADS) {
      const first = 1 + POSTS_PER_UPLOAD * uploads++;
      const numbers = Array.from({ length: POSTS_PER_UPLOAD }, (_, index) => first + index);
      const { key, status } = await push(service.url, token, numbers);
      if (status === 200) acknowledged.set(key as string, numbers);
      // Too many that wait, or a primary that was paused for long: neither was acknowledged.
      else assert.ok(status === 429 || status === 503, String(status));
      await pause(100 * Math.random());
    }
  }

  async function readOn(): Promise<void> {
    while (!over.signal.aborted) {
      for (const [number] of acknowledged.values()) {
        if (over.signal.aborted || number === undefined) break;
        const status = await readPost(service.url, number);
        reads++;
        assert.ok(status === 200 || (status === 404 && !seen.has(number)), `post ${number}: ${status}`);
        if (status === 200) seen.add(number);
      }
      await pause(20);
    }
  }

  async function importOn(): Promise<void> {
    while (!over.signal.aborted) {
      const first = 1 + COMMENTS_PER_IMPORT * imports++;
      const lines = Array.from({ length: COMMENTS_PER_IMPORT }, (_, index) => commentLine(first + index));
      const capture = writeLines(join(folder.path, `capture-${imports}.ndjson`), lines);
      importer = startTriptych(dataDir, ["import", capture, "--json"]);
      const { code, stdout, stderr } = await importer.ended;
      importer = null;
      assert.equal(code, 0, stderr);
      const { total } = JSON.parse(stdout) as { total: { records: Record<string, object> } };
      assert.deepEqual(total.records["comment"], { new: COMMENTS_PER_IMPORT, updated: 0, unchanged: 0, erased: 0 });
    }
  }

  async function pauseSome(): Promise<void> {
    const workers = childrenOf(service.pid);
    for (let count = 0; count < PAUSES; count++) {
      const kinds = [service.pid, ...workers.slice(0, 1), importer?.child.pid];
      const paused = kinds[count % kinds.length] ?? service.pid;
      signal(paused, "SIGSTOP");
      await pause(MAX_PAUSE_MS * Math.random());
      signal(paused, "SIGCONT");
      await pause(200 * Math.random());
    }
    assert.deepEqual(childrenOf(service.pid), workers);
    over.abort();
  }

  try {
    await Promise.all([pushOn(), readOn(), importOn(), pauseSome()]);
    const keys = [...acknowledged.keys()];
    const posts = [...acknowledged.values()].flat();
    assert.ok(keys.length > 0 && reads > 0);
    assert.deepEqual(await countImports(dataDir, keys), { fresh: posts.length, again: 0 });
    const store = openSqliteStore(dataDir);
    assert.equal((await store.reader("shortvideo").getPosts(posts.map(postId))).length, posts.length);
    assert.equal((await store.summary()).records["shortvideo"]?.comment, imports * COMMENTS_PER_IMPORT);
    assert.deepEqual(await store.verify(), []);
    await store.close();
    reportClaim(
      "pauses of the service, its workers and an importer lose and falsify nothing",
      `${PAUSES} pauses, ${keys.length} uploads, ${imports} imports, ${reads.toLocaleString("en")} reads: 0 lost, 0 doubled, 0 wrong`,
    );
  } finally {
    over.abort();
    signal((importer as Started | null)?.child.pid ?? service.pid, "SIGCONT");
    signal(service.pid, "SIGCONT");
    await service.stop();
    folder.remove();
  }
});
