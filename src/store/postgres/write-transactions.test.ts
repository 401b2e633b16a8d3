/** A connection that is lost while a batch is written or committed: the batch is written exactly once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { freshDatabase } from "#tests/postgres/databases.ts";
import { ConnectionError } from "./connection-errors.ts";
import { Database, type PoolSettings } from "./database.ts";
import { OutageRetry } from "./outage-retry.ts";
import type { Sql } from "./sql.ts";
import { type Guard, WriteTransactions } from "./write-transactions.ts";

const LOST = () => new ConnectionError("unavailable", "connection lost");

/** Loses the connection of its first transaction, before the server has committed it or after. */
class LossyDatabase extends Database {
  #lose: "before commit" | "after commit" | null;

  constructor(settings: PoolSettings, lose: "before commit" | "after commit") {
    super(settings);
    this.#lose = lose;
  }

  override async transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    const lose = this.#lose;
    this.#lose = null;
    const result = await super.transaction(async (sql) => {
      const done = await work(sql);
      if (lose === "before commit") throw LOST();
      return done;
    });
    if (lose === "after commit") throw LOST();
    return result;
  }
}

async function writeThrough(lose: "before commit" | "after commit", createGuard: () => Guard) {
  const { url, drop } = await freshDatabase();
  const settings = {
    url,
    connections: 2,
    connectTimeoutMs: 5_000,
    statementTimeoutMs: 30_000,
    applicationName: "lossy",
  };
  const db = new LossyDatabase(settings, lose);
  try {
    await db.run("CREATE TABLE written (attempt bigint)");
    const transactions = new WriteTransactions(db, createGuard());
    let attempts = 0;
    const write = transactions.together(async (sql) => {
      await sql.run("INSERT INTO written (attempt) VALUES ($1)", ++attempts);
      return attempts;
    });
    const result = await write.catch((error: Error) => error.message);
    const rows = await db.all<{ attempt: number }>("SELECT attempt FROM written");
    return { result, rows: rows.map(({ attempt }) => attempt) };
  } finally {
    await db.close();
    await drop();
  }
}

test("a batch whose connection is lost before the commit is written again", async () => {
  let outages = 0;
  const retry = new OutageRetry({ maxMs: 60_000, onOutage: () => outages++ });
  const written = await writeThrough("before commit", () => (call) => retry.run(call));
  assert.deepEqual(written, { result: 2, rows: [2] });
  assert.equal(outages, 1);
});

test("a batch whose connection is lost after the commit is not written again", async () => {
  const retry = new OutageRetry({ maxMs: 60_000 });
  const written = await writeThrough("after commit", () => (call) => retry.run(call));
  assert.deepEqual(written, { result: 1, rows: [1] });
});

test("without an import to wait, the loss is reported", async () => {
  assert.deepEqual(await writeThrough("before commit", () => (call) => call()), {
    result: "connection lost",
    rows: [],
  });
});

test("an outage is waited for as long as allowed, and other failures are not repeated", async () => {
  let calls = 0;
  const call = (error: Error) => async () => {
    calls++;
    throw error;
  };
  await assert.rejects(new OutageRetry({ maxMs: 250 }).run(call(LOST())), /connection lost/);
  assert.ok(calls > 1, `${calls} calls`);
  calls = 0;
  await assert.rejects(new OutageRetry({ maxMs: 60_000 }).run(call(new Error("wrong statement"))), /wrong statement/);
  assert.equal(calls, 1);
});
