/** A store whose search documents are of another version rebuilds them when it is opened. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SEARCH_KINDS } from "#domain/record.ts";
import { DOCUMENTS_VERSION } from "#search/documents.ts";
import { TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";
import { comment, NOW, PLATFORM, post, SECOND } from "#testing/sample-records.ts";
import { freshStoreDatabase } from "#tests/postgres/databases.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import { Database } from "#store/postgres/database.ts";
import { openPostgresStore } from "#store/postgres/store.ts";

function openDatabase(url: string): Database {
  return new Database({
    url,
    connections: 1,
    connectTimeoutMs: 10_000,
    statementTimeoutMs: 60_000,
    applicationName: "test",
  });
}

const setVersion = (db: Database, version: number) =>
  db.run("UPDATE shared_settings SET value = $1 WHERE name = 'search documents'", String(version));

test("documents of a newer version are left as they are, and the store is refused", async () => {
  const { url, drop } = await freshStoreDatabase();
  const db = openDatabase(url);
  try {
    await (await openPostgresStore({ url, timeoutFactor: TEST_TIMEOUT_FACTOR })).close();
    await setVersion(db, DOCUMENTS_VERSION + 1);
    // The second as a worker opens it.
    for (const writeConnections of [4, 1]) {
      await assert.rejects(openPostgresStore({ url, timeoutFactor: TEST_TIMEOUT_FACTOR, writeConnections }), {
        name: "StoreOpenError",
        message: /written by a newer Triptych \(search documents version/,
      });
    }
    const row = await db.get<{ value: string }>("SELECT value FROM shared_settings WHERE name = 'search documents'");
    assert.equal(row?.value, String(DOCUMENTS_VERSION + 1));
  } finally {
    await db.close();
    await drop();
  }
});

test("documents of another version are rebuilt once, in pages, on one connection", async () => {
  const { url, drop } = await freshStoreDatabase();
  const written = await openPostgresStore({ url, timeoutFactor: TEST_TIMEOUT_FACTOR });
  await written.writer.write([
    toUnit(PLATFORM, {
      posts: Array.from({ length: 1_200 }, (_, index) => post(`p${index}`, { text: `soup number${index}` })),
      comments: [comment("c", { postId: "p1", text: "best soup" })],
      subtitles: [
        {
          postId: "p1",
          language: "en",
          automatic: true,
          lines: [{ startS: 4, durationS: 1, text: "stir the soup" }],
          capturedAt: NOW,
          source: "test",
        },
      ],
    }),
  ]);
  await written.close();
  const db = openDatabase(url);
  try {
    await db.run("DELETE FROM search_docs");
    await db.run("DELETE FROM search_words");
    await setVersion(db, 0);
    for (const opening of ["first", "second"]) {
      const store = await openPostgresStore({ url, timeoutFactor: TEST_TIMEOUT_FACTOR, writeConnections: 1 });
      const find = async (text: string) => {
        const sources = SEARCH_KINDS.map((kind) => ({ platform: PLATFORM, kind }));
        return (await store.search({ text, sources, limit: 9, now: SECOND })).hits.map(({ kind }) => kind).toSorted();
      };
      assert.deepEqual(await find("soup number1199"), ["post"], opening);
      assert.deepEqual(
        await find("number119"),
        Array.from({ length: 9 }, () => "post"),
        opening,
      );
      assert.deepEqual(await find("best "), ["comment"], opening);
      assert.deepEqual(await find("stir "), ["subtitle"], opening);
      await store.close();
    }
  } finally {
    await db.close();
    await drop();
  }
});
