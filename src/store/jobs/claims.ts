/** Leases on the files of an import, timed by the store's clock. Each operation is one statement that never waits long. */
import { ClaimLost, type ClaimOutcome, type ClaimRenewal } from "#domain/job.ts";
import type { Jobs } from "./port.ts";
import type { Dialect } from "#store/sql/dialect.ts";
import type { Sql, SqlSteps, Steps } from "#store/sql/sql.ts";

type Claims = Pick<Jobs, "claimFile" | "renewClaims" | "finishClaim" | "releaseClaims">;

/** The claim on a file of a running job; all null if there is none. */
interface CurrentClaim {
  name: string | null;
  state: "running" | "done" | null;
  owner: string | null;
  free: boolean | number | null;
}

export function createClaims(sql: Sql, { now, skipLocked }: Dialect): Claims {
  const isFree = (fingerprint: string, deadOwner: string) =>
    `CASE claim.state WHEN 'running' THEN claim.lease_until <= ${now} OR claim.owner = ${deadOwner}
       ELSE claim.fingerprint <> ${fingerprint} END`;
  const get = `SELECT claim.name, claim.state, claim.owner, ${isFree("$4", "$5")} AS free
    FROM jobs LEFT JOIN job_claims claim ON claim.claim_group = $2 AND claim.path = $3
    WHERE jobs.id = $1 AND jobs.state = 'running'`;
  const take = `UPDATE job_claims SET fingerprint = coalesce($3, ''), state = 'running', owner = $4,
      lease_until = ${now} + $5, job_id = $7
    WHERE claim_group = $1 AND path = $2 AND path = (SELECT path FROM job_claims claim
      WHERE claim.claim_group = $1 AND claim.path = $2 AND ${isFree("$3", "$6")} ${skipLocked})`;
  const begin = `INSERT INTO job_claims (claim_group, path, name, fingerprint, state, owner, lease_until, job_id)
    SELECT $2, $3, $4, coalesce($5, ''), 'running', $6, ${now} + $7, id FROM jobs WHERE id = $1 AND state = 'running'
    ON CONFLICT (claim_group, path) DO NOTHING`;

  return {
    async claimFile({ jobId, claimGroup, path, name, fingerprint, owner }, leaseMs, deadOwner = null) {
      const read = () => sql.get<CurrentClaim>(get, jobId, claimGroup, path, fingerprint, deadOwner);
      const current = await read();
      if (current === undefined) return { state: "done" };
      if (current.name === null) {
        const begun = await sql.run(begin, jobId, claimGroup, path, name, fingerprint, owner, leaseMs);
        if (begun > 0) return { state: "acquired", name };
      } else {
        if (!current.free) return refusalOf(current);
        const taken = await sql.run(take, claimGroup, path, fingerprint, owner, leaseMs, deadOwner, jobId);
        if (taken > 0) return { state: "taken over", name: current.name };
      }
      // Another process was faster.
      return refusalOf(await read());
    },
    async renewClaims(claimGroup, owner, leaseMs) {
      const rows = await sql.all<{ path: string }>(
        `UPDATE job_claims SET lease_until = ${now} + $3
         WHERE claim_group = $1 AND owner = $2 AND state = 'running' RETURNING path`,
        claimGroup,
        owner,
        leaseMs,
      );
      return rows.map(({ path }) => path);
    },
    async finishClaim({ claimGroup, path, owner }) {
      const finished = await sql.run(
        `UPDATE job_claims SET state = 'done'
         WHERE claim_group = $1 AND path = $2 AND owner = $3 AND state = 'running'`,
        claimGroup,
        path,
        owner,
      );
      return finished > 0;
    },
    async releaseClaims(claimGroup, owner) {
      await sql.run(
        "UPDATE job_claims SET lease_until = 0 WHERE claim_group = $1 AND owner = $2 AND state = 'running'",
        claimGroup,
        owner,
      );
    },
  };
}

function refusalOf(claim: CurrentClaim | undefined): ClaimOutcome {
  return claim === undefined || claim.state === "done"
    ? { state: "done" }
    : { state: "busy", owner: claim.owner ?? "" };
}

/** Renews or ends a claim in the batch's transaction, so that nothing is written once the claim is lost. */
export function* renewClaim(
  sql: SqlSteps,
  { now }: Dialect,
  { claim: claimed, leaseMs, isLast }: ClaimRenewal,
): Steps<void> {
  const renewed = yield* sql.run(
    `UPDATE job_claims SET lease_until = ${now} + $4, state = $5
     WHERE claim_group = $1 AND path = $2 AND owner = $3 AND state = 'running'`,
    claimed.claimGroup,
    claimed.path,
    claimed.owner,
    leaseMs,
    isLast ? "done" : "running",
  );
  if (renewed === 0) throw new ClaimLost(claimed);
}
