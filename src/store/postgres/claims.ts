/** Leases on the files of an import. Each operation is one statement, timed by the server's clock; none blocks another. */
import { ClaimLost, type ClaimOutcome, type ClaimRenewal } from "#domain/job.ts";
import type { Jobs } from "../jobs.ts";
import type { Sql } from "./sql.ts";

/** Unix milliseconds of the server's clock now, not at the start of the transaction. */
const NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/** A locked row is being renewed or claimed right now, so SKIP LOCKED treats it as claimed. */
const CLAIM = `
  WITH open AS (
    SELECT id FROM jobs WHERE id = $1 AND state = 'running'
  ), free AS (
    SELECT claim_group, path FROM job_claims
    WHERE claim_group = $2 AND path = $3 AND EXISTS (SELECT FROM open)
      AND CASE state WHEN 'running' THEN owner = $7 OR lease_until <= ${NOW} ELSE fingerprint <> $5 AND NOT $9::boolean END
    FOR UPDATE SKIP LOCKED
  ), taken AS (
    UPDATE job_claims claim SET fingerprint = $5, state = 'running', owner = $6, lease_until = ${NOW} + $8::bigint
    FROM free WHERE claim.claim_group = free.claim_group AND claim.path = free.path
    RETURNING claim.name
  ), begun AS (
    INSERT INTO job_claims (claim_group, path, name, fingerprint, state, owner, lease_until)
    SELECT $2, $3, $4, $5, 'running', $6, ${NOW} + $8::bigint FROM open
    ON CONFLICT (claim_group, path) DO NOTHING
    RETURNING name
  )
  SELECT EXISTS (SELECT FROM open) AS open, (SELECT name FROM begun) AS begun, (SELECT name FROM taken) AS taken,
    previous.state = 'done' AND (previous.fingerprint = $5 OR $9::boolean) AS done, previous.owner
  FROM (VALUES (1)) AS one (row) LEFT JOIN job_claims previous ON previous.claim_group = $2 AND previous.path = $3`;

interface ClaimResult {
  open: boolean;
  begun: string | null;
  taken: string | null;
  /** Of the previous claim; null if there was none. */
  done: boolean | null;
  owner: string | null;
}

type Claims = Pick<Jobs, "claimFile" | "renewClaims" | "finishClaim" | "releaseClaims">;

export function createClaims(db: Sql): Claims {
  return {
    async claimFile({ jobId, claimGroup, path, name, fingerprint, owner }, leaseMs, deadOwner = null) {
      const anyVersion = fingerprint === null;
      const values = [jobId, claimGroup, path, name, fingerprint ?? "", owner, deadOwner, leaseMs, anyVersion];
      return outcomeOf((await db.get<ClaimResult>(CLAIM, ...values)) as ClaimResult);
    },
    async renewClaims(claimGroup, owner, leaseMs) {
      const rows = await db.all<{ path: string }>(
        `UPDATE job_claims SET lease_until = ${NOW} + $3::bigint
         WHERE claim_group = $1 AND owner = $2 AND state = 'running' RETURNING path`,
        claimGroup,
        owner,
        leaseMs,
      );
      return rows.map(({ path }) => path);
    },
    async finishClaim({ claimGroup, path, owner }) {
      const ended = await db.run(
        `UPDATE job_claims SET state = 'done'
         WHERE claim_group = $1 AND path = $2 AND owner = $3 AND state = 'running'`,
        claimGroup,
        path,
        owner,
      );
      return ended > 0;
    },
    async releaseClaims(claimGroup, owner) {
      await db.run(
        "UPDATE job_claims SET lease_until = 0 WHERE claim_group = $1 AND owner = $2 AND state = 'running'",
        claimGroup,
        owner,
      );
    },
  };
}

function outcomeOf({ open, begun, taken, done, owner }: ClaimResult): ClaimOutcome {
  if (begun !== null) return { state: "acquired", name: begun };
  if (taken !== null) return { state: "taken over", name: taken };
  if (!open || done === true) return { state: "done" };
  return { state: "busy", owner: owner ?? "" };
}

/** Renews or ends a claim in the batch's transaction, so that nothing is written once the claim is lost. */
export async function renewClaim(sql: Sql, { claim, leaseMs, isLast: ends }: ClaimRenewal): Promise<void> {
  const renewed = await sql.run(
    `UPDATE job_claims SET lease_until = ${NOW} + $4::bigint, state = $5
     WHERE claim_group = $1 AND path = $2 AND owner = $3 AND state = 'running'`,
    claim.claimGroup,
    claim.path,
    claim.owner,
    leaseMs,
    ends ? "done" : "running",
  );
  if (renewed === 0) throw new ClaimLost(claim);
}

/** Closes a job unless one of its files is still claimed, and deletes its claims. True if the job is done. */
export async function closeJob(db: Sql, id: string, now: number): Promise<boolean> {
  const row = await db.get<{ done: boolean }>(
    `WITH closed AS (
       UPDATE jobs SET state = 'done', updated_at = greatest(updated_at, $2)
       WHERE id = $1 AND state = 'running' AND NOT EXISTS (
         SELECT FROM job_claims WHERE claim_group = $1 AND state = 'running' AND lease_until > ${NOW})
       RETURNING id
     ), dropped AS (
       DELETE FROM job_claims WHERE claim_group IN (SELECT id FROM closed)
     )
     SELECT EXISTS (SELECT FROM closed) OR EXISTS (SELECT FROM jobs WHERE id = $1 AND state = 'done') AS done`,
    id,
    now,
  );
  return row?.done === true;
}
