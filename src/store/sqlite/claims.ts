/** Who reads which file of an import. The write lock is taken only where there is something to take. */
import { ClaimLost, type ClaimOutcome, type ClaimRenewal, type FileClaim } from "#domain/job.ts";
import type { Jobs } from "../store.ts";
import type { Database } from "./database.ts";

interface Held {
  name: string;
  stamp: string;
  state: "running" | "done";
  owner: string;
  expired: 0 | 1;
}

/** Unix milliseconds by the store's own clock. */
const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

type Claims = Pick<Jobs, "claimFile" | "renewClaims" | "finishClaim" | "releaseClaims">;

export function createClaims(db: Database): Claims {
  return {
    async claimFile(claim, leaseMs, deadOwner = null) {
      const refusal = refusalOf(db, claim, deadOwner);
      if (refusal !== null) return refusal;
      // Asked again under the lock: another process may have been quicker.
      return withRelaxedSync(db, () => refusalOf(db, claim, deadOwner) ?? take(db, claim, leaseMs));
    },
    async renewClaims(scope, owner, leaseMs) {
      return db
        .all<{ path: string }>(
          `UPDATE job_claims SET lease_until = ${NOW} + ? WHERE scope = ? AND owner = ? AND state = 'running' RETURNING path`,
          leaseMs,
          scope,
          owner,
        )
        .map(({ path }) => path);
    },
    async finishClaim({ claimGroup: scope, path, owner }) {
      const { changes } = db.run(
        "UPDATE job_claims SET state = 'done' WHERE scope = ? AND path = ? AND owner = ? AND state = 'running'",
        scope,
        path,
        owner,
      );
      return changes > 0;
    },
    async releaseClaims(scope, owner) {
      db.run("UPDATE job_claims SET lease_until = 0 WHERE scope = ? AND owner = ? AND state = 'running'", scope, owner);
    },
  };
}

/** A power cut may undo it. It ends those who hold claims too, and a folder of many small files is claimed much faster. */
function withRelaxedSync<Result>(db: Database, work: () => Result): Result {
  db.exec("PRAGMA synchronous = NORMAL");
  try {
    return db.transaction(work);
  } finally {
    db.exec("PRAGMA synchronous = FULL");
  }
}

/** Why the file is not to be had; null when it is. */
function refusalOf(db: Database, claim: FileClaim, deadOwner: string | null): ClaimOutcome | null {
  if (db.get("SELECT 1 FROM jobs WHERE id = ? AND state = 'running'", claim.jobId) === undefined)
    return { state: "done" };
  const held = find(db, claim);
  if (held === undefined) return null;
  if (held.state === "done")
    return claim.fingerprint === null || claim.fingerprint === held.stamp ? { state: "done" } : null;
  return held.expired === 1 || held.owner === deadOwner ? null : { state: "held", owner: held.owner };
}

function find(db: Database, { claimGroup: scope, path }: FileClaim): Held | undefined {
  return db.get<Held>(
    `SELECT name, stamp, state, owner, lease_until <= ${NOW} AS expired FROM job_claims WHERE scope = ? AND path = ?`,
    scope,
    path,
  );
}

function take(db: Database, claim: FileClaim, leaseMs: number): ClaimOutcome {
  const before = find(db, claim);
  db.run(
    `INSERT INTO job_claims (scope, path, name, stamp, state, owner, lease_until) VALUES (?, ?, ?, ?, 'running', ?, ${NOW} + ?)
     ON CONFLICT (scope, path) DO UPDATE SET stamp = excluded.stamp, state = excluded.state, owner = excluded.owner,
       lease_until = excluded.lease_until`,
    claim.claimGroup,
    claim.path,
    claim.name,
    claim.fingerprint ?? "",
    claim.owner,
    leaseMs,
  );
  return before === undefined ? { state: "begun", name: claim.name } : { state: "taken", name: before.name };
}

/** Within the transaction of the batch: what was lost must not be written to any more. */
export function renewClaim(db: Database, { claim, leaseMs, ends }: ClaimRenewal): void {
  const { changes } = db.run(
    `UPDATE job_claims SET lease_until = ${NOW} + ?, state = ? WHERE scope = ? AND path = ? AND owner = ? AND state = 'running'`,
    leaseMs,
    ends ? "done" : "running",
    claim.claimGroup,
    claim.path,
    claim.owner,
  );
  if (changes === 0) throw new ClaimLost(claim);
}

/** Whether anybody reads a file of it, or did so until just now. */
export function isBeingRead(db: Database, scope: string): boolean {
  return (
    db.get(`SELECT 1 FROM job_claims WHERE scope = ? AND state = 'running' AND lease_until > ${NOW} LIMIT 1`, scope) !==
    undefined
  );
}

/** Of a job that is done: it gives no more claims, whatever it is asked for. */
export function dropClaims(db: Database, scope: string): void {
  db.run("DELETE FROM job_claims WHERE scope = ?", scope);
}
