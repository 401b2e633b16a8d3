/** Leases on the files of an import. The write lock is taken only when a file may be free. */
import { ClaimLost, type ClaimOutcome, type ClaimRenewal, type FileClaim } from "#domain/job.ts";
import type { Jobs } from "../jobs.ts";
import type { Database } from "./database.ts";
import type { JobClaimsRow } from "./rows.ts";

/** Unix milliseconds by SQLite's clock. */
const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

type Claims = Pick<Jobs, "claimFile" | "renewClaims" | "finishClaim" | "releaseClaims">;

export function createClaims(db: Database): Claims {
  return {
    async claimFile(claim, leaseMs, deadOwner = null) {
      const refusal = refusalOf(db, claim, deadOwner);
      if (refusal !== null) return refusal;
      // Checked again under the lock: another process may have been faster.
      return withRelaxedSync(db, () => refusalOf(db, claim, deadOwner) ?? take(db, claim, leaseMs));
    },
    async renewClaims(claimGroup, owner, leaseMs) {
      return db
        .all<Pick<JobClaimsRow, "path">>(
          `UPDATE job_claims SET lease_until = ${NOW} + ? WHERE claim_group = ? AND owner = ? AND state = 'running'
           RETURNING path`,
          leaseMs,
          claimGroup,
          owner,
        )
        .map(({ path }) => path);
    },
    async finishClaim({ claimGroup, path, owner }) {
      const { changes } = db.run(
        "UPDATE job_claims SET state = 'done' WHERE claim_group = ? AND path = ? AND owner = ? AND state = 'running'",
        claimGroup,
        path,
        owner,
      );
      return changes > 0;
    },
    async releaseClaims(claimGroup, owner) {
      db.run(
        "UPDATE job_claims SET lease_until = 0 WHERE claim_group = ? AND owner = ? AND state = 'running'",
        claimGroup,
        owner,
      );
    },
  };
}

/**
 * Losing a claim to a power cut is harmless, since its owner is gone too. Without the sync, claiming many small files
 * is much faster.
 */
function withRelaxedSync<Result>(db: Database, work: () => Result): Result {
  db.exec("PRAGMA synchronous = NORMAL");
  try {
    return db.transaction(work);
  } finally {
    db.exec("PRAGMA synchronous = FULL");
  }
}

/** Why the file cannot be claimed; null if it can. */
function refusalOf(db: Database, claim: FileClaim, deadOwner: string | null): ClaimOutcome | null {
  if (db.get("SELECT 1 FROM jobs WHERE id = ? AND state = 'running'", claim.jobId) === undefined)
    return { state: "done" };
  const current = getClaim(db, claim);
  if (current === undefined) return null;
  if (current.state === "done")
    return claim.fingerprint === null || claim.fingerprint === current.fingerprint ? { state: "done" } : null;
  return current.expired === 1 || current.owner === deadOwner ? null : { state: "busy", owner: current.owner };
}

type CurrentClaim = Pick<JobClaimsRow, "name" | "fingerprint" | "state" | "owner"> & { expired: 0 | 1 };

function getClaim(db: Database, { claimGroup, path }: FileClaim): CurrentClaim | undefined {
  return db.get<CurrentClaim>(
    `SELECT name, fingerprint, state, owner, lease_until <= ${NOW} AS expired FROM job_claims
     WHERE claim_group = ? AND path = ?`,
    claimGroup,
    path,
  );
}

function take(db: Database, claim: FileClaim, leaseMs: number): ClaimOutcome {
  const before = getClaim(db, claim);
  db.run(
    `INSERT INTO job_claims (claim_group, path, name, fingerprint, state, owner, lease_until)
     VALUES (?, ?, ?, ?, 'running', ?, ${NOW} + ?)
     ON CONFLICT (claim_group, path) DO UPDATE SET fingerprint = excluded.fingerprint, state = excluded.state,
       owner = excluded.owner, lease_until = excluded.lease_until`,
    claim.claimGroup,
    claim.path,
    claim.name,
    claim.fingerprint ?? "",
    claim.owner,
    leaseMs,
  );
  return before === undefined ? { state: "acquired", name: claim.name } : { state: "taken over", name: before.name };
}

/** Called in the batch's transaction, so that an importer that lost its claim writes nothing more. */
export function renewClaim(db: Database, { claim, leaseMs, isLast }: ClaimRenewal): void {
  const { changes } = db.run(
    `UPDATE job_claims SET lease_until = ${NOW} + ?, state = ?
     WHERE claim_group = ? AND path = ? AND owner = ? AND state = 'running'`,
    leaseMs,
    isLast ? "done" : "running",
    claim.claimGroup,
    claim.path,
    claim.owner,
  );
  if (changes === 0) throw new ClaimLost(claim);
}

export function hasLiveClaim(db: Database, claimGroup: string): boolean {
  const row = db.get(
    `SELECT 1 FROM job_claims WHERE claim_group = ? AND state = 'running' AND lease_until > ${NOW} LIMIT 1`,
    claimGroup,
  );
  return row !== undefined;
}

export function deleteClaims(db: Database, claimGroup: string): void {
  db.run("DELETE FROM job_claims WHERE claim_group = ?", claimGroup);
}
