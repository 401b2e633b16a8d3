import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import * as fc from "fast-check";
import { propertyBudget } from "#testing/budget.ts";
import { freshDatabase } from "#tests/postgres/databases.ts";
import { type Field, linesOf } from "./copy-lines.ts";
import { Database } from "./database.ts";

const COLUMNS = [{ of: ([number]: Field[]) => number as Field }, { of: ([, word]: Field[]) => word as Field }];

async function withTable(t: TestContext): Promise<Database> {
  const { url, drop } = await freshDatabase();
  const db = new Database({
    url,
    connections: 2,
    connectTimeoutMs: 5_000,
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

function numbered(first: number, last: number): Field[][] {
  return Array.from({ length: last - first + 1 }, (_, index) => [first + index, `word ${first + index}`]);
}

async function countIn(db: Database): Promise<number> {
  return (await db.get<{ n: number }>("SELECT count(*) AS n FROM words"))?.n ?? 0;
}

test("whatever a text holds comes back as it was copied", async (t) => {
  const db = await withTable(t);
  const texts = fc.array(fc.option(fc.string({ unit: "binary" })), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 7 }), async (words, atOnce) => {
      const rows = ["\\N", "\\.", "a\tb\r\nc\\", "\u0000\u0001", ...words].map((word, number): Field[] => [
        number,
        word,
      ]);
      await db.run("DELETE FROM words");
      assert.equal(await db.copy(COPY, linesOf(COLUMNS, rows, atOnce)), rows.length);
      const kept = await db.all<{ number: number; word: string | null }>(
        "SELECT number, word FROM words ORDER BY number",
      );
      assert.deepEqual(
        kept.map(({ number, word }) => [number, word]),
        rows.map(([number, word]) => [number, typeof word === "string" ? word.toWellFormed() : word]),
      );
    }),
    propertyBudget(30),
  );
});

test("statements that are asked for at once go in their order, however long rows are on their way", async (t) => {
  const db = await withTable(t);
  const counts = await db.transaction((sql) => {
    const count = async () => (await sql.get<{ n: number }>("SELECT count(*) AS n FROM words"))?.n;
    return Promise.all([
      count(),
      sql.copy(COPY, linesOf(COLUMNS, numbered(1, 60_000), 1_000)),
      count(),
      sql.copy(COPY, linesOf(COLUMNS, numbered(60_001, 60_010), 3)),
      sql.run("DELETE FROM words WHERE number <= $1", 60_000),
      count(),
    ]);
  });
  assert.deepEqual(counts, [0, 60_000, 60_000, 10, 60_000, 10]);
});

test("a copy that the server refuses, at once or halfway, fails with its reason and keeps nothing", async (t) => {
  const db = await withTable(t);
  await db.run("INSERT INTO words VALUES (5000, 'held')");
  const rows = numbered(1, 20_000);
  await assert.rejects(db.copy("COPY nowhere FROM STDIN", linesOf(COLUMNS, rows, 500)), /"nowhere" does not exist/);
  const twice = db.transaction((sql) =>
    Promise.all([sql.run("DELETE FROM words WHERE number = $1", 1), sql.copy(COPY, linesOf(COLUMNS, rows, 500))]),
  );
  await assert.rejects(twice, /duplicate key/);
  assert.equal(await countIn(db), 1);
});

function* failing(): Generator<string> {
  yield "1\tone\n";
  throw new Error("no second part");
}

test("rows that cannot be made end the copy, and nothing of it is kept", async (t) => {
  const db = await withTable(t);
  await assert.rejects(
    db.transaction((sql) => sql.copy(COPY, failing())),
    /no second part/,
  );
  assert.equal(await countIn(db), 0);
});
