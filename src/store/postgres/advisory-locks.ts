/** Advisory locks shared by all processes on one database. */
import type { Sql } from "./sql.ts";

/** "Trip" in ASCII: the first key of all our locks. */
const NAMESPACE = 0x54726970;

const KEYS = {
  migration: 1,
  write: 2,
  jobStart: 3,
  trendRefresh: 4,
  wordCounts: 5,
  searchRebuild: 6,
  audit: 7,
  sources: 8,
};

type LockName = keyof typeof KEYS;

/** Released when the transaction ends. */
export async function lockInTransaction(sql: Sql, name: LockName): Promise<void> {
  await sql.get(lockStatement(name));
}

/** A lock that is released when the transaction ends. */
export function lockStatement(name: LockName): string {
  return `SELECT pg_advisory_xact_lock(${NAMESPACE}, ${KEYS[name]})`;
}

/** Any number of transactions share it; it excludes those that lock the same name by `lockInTransaction`. */
export async function shareLockInTransaction(sql: Sql, name: LockName): Promise<void> {
  await sql.get("SELECT pg_advisory_xact_lock_shared($1, $2)", NAMESPACE, KEYS[name]);
}

/** False if another transaction has the lock. */
export async function tryLockInTransaction(sql: Sql, name: LockName): Promise<boolean> {
  const row = await sql.get<{ locked: boolean }>(
    "SELECT pg_try_advisory_xact_lock($1, $2) AS locked",
    NAMESPACE,
    KEYS[name],
  );
  return row?.locked === true;
}

/** Runs the work while this connection has the lock. After a failure the connection is closed, which releases it. */
export async function withLock(sql: Sql, name: LockName, work: () => Promise<void>): Promise<void> {
  await sql.get("SELECT pg_advisory_lock($1, $2)", NAMESPACE, KEYS[name]);
  await work();
  await sql.get("SELECT pg_advisory_unlock($1, $2)", NAMESPACE, KEYS[name]);
}
