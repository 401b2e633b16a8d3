/**
 * Which deletions may have left bytes on disk. A deletion marks the state in its own transaction, so a process that is killed
 * before it has overwritten the bytes leaves the mark to the next one.
 */
import type { Sql, SqlSteps, Steps } from "#store/sql/sql.ts";

export interface PurgeState {
  /** Number of transactions that deleted something. */
  deletions: number;
  /** Time of the first of them whose bytes may be left, Unix milliseconds; null if none are. */
  pendingSince: number | null;
}

export function* markDeleted(sql: SqlSteps): Steps<void> {
  yield* sql.run(
    "UPDATE purge_state SET deletions = deletions + 1, pending_since = COALESCE(pending_since, $1)",
    Date.now(),
  );
}

export async function readPurgeState(sql: Sql): Promise<PurgeState> {
  const row = await sql.get<PurgeState>(`SELECT deletions, pending_since AS "pendingSince" FROM purge_state`);
  return { deletions: row?.deletions ?? 0, pendingSince: row?.pendingSince ?? null };
}

/** Later deletions stay pending. */
export async function markPurged(sql: Sql, deletions: number): Promise<void> {
  await sql.run("UPDATE purge_state SET pending_since = NULL WHERE deletions = $1", deletions);
}
