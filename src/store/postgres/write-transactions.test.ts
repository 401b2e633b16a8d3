/** A connection that is lost while a batch is written or committed: the batch is written exactly once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "#testing/until.ts";
import { freshStoreDatabase } from "#tests/postgres/databases.ts";
import { ConnectionError } from "./connection-errors.ts";
import { Database, type PoolSettings } from "./database.ts";
import { OutageRetry } from "./outage-retry.ts";
import type { Value } from "../sql/sql.ts";
import type { Sql } from "./sql.ts";
import { type Guard, WriteTransactions } from "./write-transactions.ts";

const LOST = () => new ConnectionError("unavailable", "connection lost");

const SETTINGS = { connections: 2, connectTimeoutMs: 5_000, statementTimeoutMs: 30_000, applicationName: "lossy" };

type Loss = "before commit" | "during commit" | "after commit" | "with the primary";

/** Loses the connection of its first transaction; from then on its statements go to the database that is `next`. */
class LossyDatabase extends Database {
  #lose: Loss | null;
  readonly #next: Database;

  constructor(settings: PoolSettings, lose: Loss, next: Database) {
    super(settings);
    this.#lose = lose;
    this.#next = next;
  }

  override get<Row>(text: string, ...values: Value[]): Promise<Row | undefined> {
    return this.#next.get(text, ...values);
  }

  override async transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    const lose = this.#lose;
    if (lose === null) return this.#next.transaction(work);
    this.#lose = null;
    await new Promise<void>((resolve, reject) => {
      super
        .transaction(async (sql) => {
          await work(sql);
          if (lose === "before commit") throw LOST();
          if (lose !== "during commit") return;
          resolve();
          await until(() => this.#isSomebodyWaiting());
        })
        .then(resolve, reject);
    });
    throw LOST();
  }

  async #isSomebodyWaiting(): Promise<boolean> {
    const waiting =
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' LIMIT 1";
    return (await this.all(waiting)).length > 0;
  }
}

async function writeThrough(lose: Loss, createGuard: () => Guard) {
  const primary = await freshStoreDatabase();
  // A standby without the lost transaction. Ids of transactions are those of the server, which both databases are on: the
  // standby knows the id, of a transaction that was committed.
  const standby = lose === "with the primary" ? await freshStoreDatabase() : null;
  const next = new Database({ ...SETTINGS, url: (standby ?? primary).url });
  const db = new LossyDatabase({ ...SETTINGS, url: primary.url }, lose, next);
  try {
    for (const database of standby === null ? [db] : [db, next]) {
      await database.run("CREATE TABLE written (attempt bigint)");
    }
    const transactions = new WriteTransactions(db, createGuard());
    let attempts = 0;
    const write = transactions.together(async (sql) => {
      await sql.run("INSERT INTO written (attempt) VALUES ($1)", ++attempts);
      return attempts;
    });
    const result = await write.catch((error: Error) => error.message);
    const rows = await next.all<{ attempt: number }>("SELECT attempt FROM written");
    return { result, rows: rows.map(({ attempt }) => attempt) };
  } finally {
    await db.close();
    await next.close();
    await primary.drop();
    await standby?.drop();
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

test("a batch that is being committed when its connection is lost is waited for", async () => {
  const retry = new OutageRetry({ maxMs: 60_000 });
  const written = await writeThrough("during commit", () => (call) => retry.run(call));
  assert.deepEqual(written, { result: 1, rows: [1] });
});

test("a batch that a standby does not have when it takes over is written again, even if another transaction has its id", async () => {
  const retry = new OutageRetry({ maxMs: 60_000 });
  const written = await writeThrough("with the primary", () => (call) => retry.run(call));
  assert.deepEqual(written, { result: 2, rows: [2] });
});

test("outcomes are kept of the last transaction only, and those of writers that have ended for a day", async () => {
  const { url, drop } = await freshStoreDatabase();
  const db = new Database({ ...SETTINGS, url });
  try {
    const noted = async () => (await db.all<{ id: string }>("SELECT id FROM write_outcomes")).map(({ id }) => id);
    const write = async (transactions: WriteTransactions) => {
      await transactions.together(async () => undefined);
      return noted();
    };
    const createWriter = () => new WriteTransactions(db, (call) => call());
    const [ended, running] = [createWriter(), createWriter()];
    const [last] = await write(ended);
    await write(running);
    const both = await write(running);
    assert.deepEqual([both.length, both.includes(last as string)], [2, true]);
    await db.run("UPDATE write_outcomes SET at = at - interval '25 hours' WHERE id = $1", last as string);
    const one = await write(running);
    assert.deepEqual([one.length, one.includes(last as string)], [1, false]);
  } finally {
    await db.close();
    await drop();
  }
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
