/** Who reads which file of an import: one statement each, by the server's clock, and none waits for another. */
import { ClaimLost, type ClaimOutcome, type ClaimRenewal } from "#domain/job.ts";
import type { Jobs } from "../store.ts";
import type { Sql } from "./sql.ts";

/** Unix milliseconds by the server's clock at this very moment, not at the beginning of the transaction. */
const NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/** A row that is locked is being renewed or taken just now: it counts as held. */
const TAKE = `
  WITH open AS (
    SELECT id FROM jobs WHERE id = $1 AND state = 'running'
  ), free AS (
    SELECT scope, path FROM job_claims
    WHERE scope = $2 AND path = $3 AND EXISTS (SELECT FROM open)
      AND CASE state WHEN 'running' THEN owner = $7 OR lease_until <= ${NOW} ELSE stamp <> $5 AND NOT $9::boolean END
    FOR UPDATE SKIP LOCKED
  ), taken AS (
    UPDATE job_claims claim SET stamp = $5, state = 'running', owner = $6, lease_until = ${NOW} + $8::bigint
    FROM free WHERE claim.scope = free.scope AND claim.path = free.path
    RETURNING claim.name
  ), begun AS (
    INSERT INTO job_claims (scope, path, name, stamp, state, owner, lease_until)
    SELECT $2, $3, $4, $5, 'running', $6, ${NOW} + $8::bigint FROM open
    ON CONFLICT (scope, path) DO NOTHING
    RETURNING name
  )
  SELECT EXISTS (SELECT FROM open) AS open, (SELECT name FROM begun) AS begun, (SELECT name FROM taken) AS taken,
    held.state = 'done' AND (held.stamp = $5 OR $9::boolean) AS done, held.owner
  FROM (VALUES (1)) AS one (row) LEFT JOIN job_claims held ON held.scope = $2 AND held.path = $3`;

interface Taken {
  open: boolean;
  begun: string | null;
  taken: string | null;
  /** Of the claim as it was before; null where there was none. */
  done: boolean | null;
  owner: string | null;
}

type Claims = Pick<Jobs, "claimFile" | "renewClaims" | "endClaim" | "releaseClaims">;

export function createClaims(db: Sql): Claims {
  return {
    async claimFile({ jobId, claimGroup: scope, path, name, fingerprint: stamp, owner }, leaseMs, deadOwner = null) {
      const values = [jobId, scope, path, name, stamp ?? "", owner, deadOwner, leaseMs, stamp === null];
      return outcomeOf((await db.get<Taken>(TAKE, ...values)) as Taken);
    },
    async renewClaims(scope, owner, leaseMs) {
      const rows = await db.all<{ path: string }>(
        `UPDATE job_claims SET lease_until = ${NOW} + $3::bigint WHERE scope = $1 AND owner = $2 AND state = 'running' RETURNING path`,
        scope,
        owner,
        leaseMs,
      );
      return rows.map(({ path }) => path);
    },
    async endClaim({ claimGroup: scope, path, owner }) {
      const ended = await db.run(
        "UPDATE job_claims SET state = 'done' WHERE scope = $1 AND path = $2 AND owner = $3 AND state = 'running'",
        scope,
        path,
        owner,
      );
      return ended > 0;
    },
    async releaseClaims(scope, owner) {
      await db.run(
        "UPDATE job_claims SET lease_until = 0 WHERE scope = $1 AND owner = $2 AND state = 'running'",
        scope,
        owner,
      );
    },
  };
}

function outcomeOf({ open, begun, taken, done, owner }: Taken): ClaimOutcome {
  if (begun !== null) return { state: "begun", name: begun };
  if (taken !== null) return { state: "taken", name: taken };
  if (!open || done === true) return { state: "done" };
  return { state: "held", owner: owner ?? "" };
}

/** Within the transaction of the batch: what was lost must not be written to any more. */
export async function renewClaim(sql: Sql, { claim, leaseMs, ends }: ClaimRenewal): Promise<void> {
  const held = await sql.run(
    `UPDATE job_claims SET lease_until = ${NOW} + $4::bigint, state = $5
     WHERE scope = $1 AND path = $2 AND owner = $3 AND state = 'running'`,
    claim.claimGroup,
    claim.path,
    claim.owner,
    leaseMs,
    ends ? "done" : "running",
  );
  if (held === 0) throw new ClaimLost(claim);
}

/** What is being read keeps a job from ending; what was read or left needs no claim once it has. */
export async function closeJob(db: Sql, id: string, now: number): Promise<boolean> {
  const row = await db.get<{ done: boolean }>(
    `WITH closed AS (
       UPDATE jobs SET state = 'done', updated_at = greatest(updated_at, $2)
       WHERE id = $1 AND state = 'running' AND NOT EXISTS (
         SELECT FROM job_claims WHERE scope = $1 AND state = 'running' AND lease_until > ${NOW})
       RETURNING id
     ), dropped AS (
       DELETE FROM job_claims WHERE scope IN (SELECT id FROM closed)
     )
     SELECT EXISTS (SELECT FROM closed) OR EXISTS (SELECT FROM jobs WHERE id = $1 AND state = 'done') AS done`,
    id,
    now,
  );
  return row?.done === true;
}
