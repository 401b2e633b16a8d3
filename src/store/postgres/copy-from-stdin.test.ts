import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import * as fc from "fast-check";
import { ANY_CHARACTER } from "#testing/any-character.ts";
import { propertyBudget } from "#testing/budget.ts";
import { freshDatabase } from "#tests/postgres/databases.ts";
import { formatLines } from "./copy-lines.ts";
import { Database } from "./database.ts";

interface WordRow {
  number: number;
  word: string | null;
}

const COLUMNS = ["number", "word"] as const;

async function withTable(t: TestContext): Promise<Database> {
  const { url, drop } = await freshDatabase();
  const db = new Database({
    url,
    connections: 2,
    connectTimeoutMs: 60_000,
    statementTimeoutMs: 10_000,
    applicationName: "copies",
  });
  t.after(async () => {
    await db.close();
    await drop();
  });
  await db.run("CREATE TABLE words (number bigint PRIMARY KEY, word text)");
  return db;
}

const COPY = "COPY words (number, word) FROM STDIN";

function numbered(first: number, last: number): WordRow[] {
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    number: first + index,
    word: `word ${first + index}`,
  }));
}

async function countIn(db: Database): Promise<number> {
  return (await db.get<{ n: number }>("SELECT count(*) AS n FROM words"))?.n ?? 0;
}

test("any text comes back as it was copied", async (t) => {
  const db = await withTable(t);
  const texts = fc.array(fc.option(fc.string({ unit: ANY_CHARACTER })), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 7 }), async (words, chunkRows) => {
      const special = ["\\N", "\\.", "a\tb\r\nc\\", "\u0000\u0001"];
      const rows = [...special, ...words].map((word, number) => ({ number, word }));
      await db.run("DELETE FROM words");
      assert.equal(await db.copy(COPY, formatLines(COLUMNS, rows, chunkRows)), rows.length);
      const stored = await db.all<WordRow>("SELECT number, word FROM words ORDER BY number");
      assert.deepEqual(
        stored,
        rows.map(({ number, word }) => ({ number, word: word?.toWellFormed() ?? null })),
      );
    }),
    propertyBudget(30),
  );
});

test("statements issued together run in order, also behind a long COPY", async (t) => {
  const db = await withTable(t);
  const counts = await db.transaction((sql) => {
    const count = async () => (await sql.get<{ n: number }>("SELECT count(*) AS n FROM words"))?.n;
    return Promise.all([
      count(),
      sql.copy(COPY, formatLines(COLUMNS, numbered(1, 60_000), 1_000)),
      count(),
      sql.copy(COPY, formatLines(COLUMNS, numbered(60_001, 60_010), 3)),
      sql.run("DELETE FROM words WHERE number <= $1", 60_000),
      count(),
    ]);
  });
  assert.deepEqual(counts, [0, 60_000, 60_000, 10, 60_000, 10]);
});

test("a COPY that the server rejects, immediately or halfway, fails with the reason and writes nothing", async (t) => {
  const db = await withTable(t);
  await db.run("INSERT INTO words VALUES (5000, 'stored')");
  const rows = numbered(1, 20_000);
  await assert.rejects(db.copy("COPY nowhere FROM STDIN", formatLines(COLUMNS, rows, 500)), /"nowhere" does not exist/);
  const twice = db.transaction((sql) =>
    Promise.all([sql.run("DELETE FROM words WHERE number = $1", 1), sql.copy(COPY, formatLines(COLUMNS, rows, 500))]),
  );
  await assert.rejects(twice, /duplicate key/);
  assert.equal(await countIn(db), 1);
});

function* failing(): Generator<string> {
  yield "1\tone\n";
  throw new Error("no second chunk");
}

test("a failure to produce rows aborts the COPY, and nothing is written", async (t) => {
  const db = await withTable(t);
  await assert.rejects(
    db.transaction((sql) => sql.copy(COPY, failing())),
    /no second chunk/,
  );
  assert.equal(await countIn(db), 0);
});
