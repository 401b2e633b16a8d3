import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { type TestContext, test } from "node:test";
import * as fc from "fast-check";
import { propertyBudget, TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";
import { freshStoreDatabase } from "#tests/postgres/databases.ts";
import { replace, toUnit } from "#store/write/batch-changes.ts";
import { encodeRecord } from "#store/write/row-encoder.ts";
import { PLATFORM, post, SECOND } from "#testing/sample-records.ts";
import type { Store } from "#store/store.ts";
import type { Changes, Checkpoint } from "#store/write/port.ts";
import { Database } from "#store/postgres/database.ts";
import { openPostgresStore } from "#store/postgres/store.ts";
import { countPendingWords, WordCounts } from "./word-counts.postgres.ts";

const MANY = 2_500;

async function openStore(t: TestContext): Promise<{ store: Store; db: Database }> {
  const { url, drop } = await freshStoreDatabase();
  const store = await openPostgresStore({ url, timeoutFactor: TEST_TIMEOUT_FACTOR });
  const settings = { connections: 2, connectTimeoutMs: 60_000, statementTimeoutMs: 30_000, applicationName: "words" };
  const db = new Database({ url, ...settings });
  t.after(async () => {
    await db.close();
    await store.close();
    await drop();
  });
  return { store, db };
}

function numbered(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `word${first + index}`);
}

async function countsIn(db: Database): Promise<Map<string, number>> {
  const rows = await db.all<{ kind: string; word: string; docs: number }>("SELECT kind, word, docs FROM search_words");
  return new Map(rows.map(({ kind, word, docs }) => [`${kind} ${word}`, docs]));
}

async function countPending(db: Database): Promise<number> {
  return (
    (await db.get<{ size: number }>("SELECT coalesce(sum(size), 0)::bigint AS size FROM search_pending"))?.size ?? 0
  );
}

test("every word is counted once per document, whichever transactions count and whichever only note their words", async (t) => {
  const { db } = await openStore(t);
  const transaction = fc.record({
    kind: fc.constantFrom("post", "account"),
    first: fc.integer({ min: 0, max: 3_000 }),
    size: fc.constantFrom(0, 3, MANY),
    when: fc.constantFrom("now", "later"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(transaction, { minLength: 2, maxLength: 6 }), async (transactions) => {
      await db.run("DELETE FROM search_words");
      const expected = new Map<string, number>();
      const finish = (kind: "post" | "account", words: string[], by: 1 | -1, when: "now" | "later") =>
        db.transaction((sql) => {
          const counts = new WordCounts();
          counts.add(PLATFORM, kind, words, by);
          for (const word of words) expected.set(`${kind} ${word}`, (expected.get(`${kind} ${word}`) ?? 0) + by);
          return when === "now" ? counts.apply(sql) : counts.note(sql);
        });
      for (const { kind, first, size, when } of transactions) await finish(kind, numbered(first, size), 1, when);
      // Removes the words of the first, some of which may still be pending.
      const [{ kind, first, size }] = transactions as [(typeof transactions)[number]];
      await finish(kind, numbered(first, size), -1, "later");
      await countPendingWords(db, "now");
      assert.equal(await countPending(db), 0);
      assert.deepEqual(await countsIn(db), new Map([...expected].filter(([, docs]) => docs > 0)));
    }),
    propertyBudget(12),
  );
});

test("within an import, pending words are counted when there are many, by one process", async (t) => {
  const { db } = await openStore(t);
  const pending: number[] = [];
  for (let first = 0; first < 150_000; first += 50_000) {
    await db.transaction((sql) => {
      const counts = new WordCounts();
      counts.add(PLATFORM, "post", numbered(first, 50_000), 1);
      return counts.note(sql);
    });
    if (first === 100_000) {
      await db.transaction(async (sql) => {
        // Another process is counting: this one continues its import.
        await sql.get("SELECT pg_advisory_xact_lock($1, 5)", 0x54726970);
        await countPendingWords(db, "many");
      });
      pending.push(await countPending(db));
    }
    await countPendingWords(db, "many");
    pending.push(await countPending(db));
  }
  assert.deepEqual(pending, [50_000, 100_000, 150_000, 0]);
  assert.equal((await countsIn(db)).size, 150_000);
});

function postWith(id: string, words: string[]): Changes {
  const incoming = encodeRecord("post", post(id, { text: words.join(" ") }));
  const records = [{ kind: "post" as const, postId: null, incoming, point: null }];
  return { platform: PLATFORM, records, subtitles: [], follows: [], chartEntries: [] };
}

function checkpointOf(state: "running" | "done"): () => Checkpoint {
  const report = { records: {}, refused: {}, skipped: {}, formats: {} };
  const file = { jobId: "j", name: "capture.ndjson", fingerprint: "", state, position: 1, report };
  return () => ({ file, rejects: [], restarted: false });
}

async function searchIds(store: Store, text: string): Promise<string[]> {
  const { items } = await store.reader(PLATFORM).searchPosts({ text, offset: 0, limit: 5, now: SECOND });
  return items.map(({ id }) => id).toSorted();
}

test("during an import, words are found as written; afterwards, also with typos", async (t) => {
  const { store, db } = await openStore(t);
  await store.writer.write([
    {
      changes: [postWith("p1", ["quokka", ...numbered(0, MANY)])],
      merge: replace,
      checkpoint: checkpointOf("running"),
    },
  ]);
  assert.ok((await countPending(db)) > MANY);
  assert.deepEqual(await searchIds(store, "quokka"), ["p1"]);
  assert.deepEqual(await searchIds(store, "quokke"), []);
  await store.writer.write([
    { changes: [postWith("p2", ["quokka"])], merge: replace, checkpoint: checkpointOf("done") },
  ]);
  assert.equal(await countPending(db), 0);
  assert.deepEqual(await searchIds(store, "quokke"), ["p1", "p2"]);
});

test("words that are too long for the index, as earlier versions noted and counted them, block nothing and are removed", async (t) => {
  const { store, db } = await openStore(t);
  const noted = randomBytes(2_700).toString("hex");
  // Compressed, it fits.
  const counted = "a".repeat(4_000);
  await store.writer.write([toUnit(PLATFORM, { posts: [post("p1")] })]);
  await db.run("UPDATE search_docs SET tags = $1", `${noted} ${counted}`);
  await db.run("INSERT INTO search_words (platform, kind, word, docs) VALUES ($1, 'post', $2, 2)", PLATFORM, counted);
  await db.run(
    "INSERT INTO search_pending (platform, kind, size, words, docs) VALUES ($1, 'post', 2, $2, '1 1')",
    PLATFORM,
    `${noted} tea`,
  );
  await store.writer.write([toUnit(PLATFORM, { posts: [post("p2", { text: "coffee" })] })]);
  assert.equal(await countPending(db), 0);
  await store.writer.erase(PLATFORM, "post", "p1");
  assert.deepEqual([...(await countsIn(db)).keys()].toSorted(), ["post coffee", "post tea"]);
});

test("an erasure leaves no words of the erased records, pending or counted", async (t) => {
  const { store, db } = await openStore(t);
  await store.writer.write([
    {
      changes: [postWith("p1", numbered(0, MANY)), postWith("p2", ["tea"])],
      merge: replace,
      checkpoint: checkpointOf("running"),
    },
  ]);
  await store.writer.erase(PLATFORM, "post", "p1");
  await store.writer.purgeErased();
  assert.deepEqual(await countsIn(db), new Map([["post tea", 1]]));
  const remaining = await db.get<{ bytes: number }>(
    `SELECT pg_relation_size(oid) + pg_relation_size(reltoastrelid) AS bytes
     FROM pg_class WHERE oid = 'search_pending'::regclass`,
  );
  assert.equal(remaining?.bytes, 0);
});
