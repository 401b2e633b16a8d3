import type { UsageRow } from "#domain/usage.ts";
import type { Usage, UsageGrouping } from "./usage-port.ts";
import type { SqlDatabase } from "#store/sql/sql.ts";

const GROUPINGS: Readonly<Record<UsageGrouping, string>> = {
  day: "day, '' AS operation",
  operation: "'' AS day, operation",
  both: "day, operation",
};

export function createUsage({ sql, transaction }: SqlDatabase): Usage {
  return {
    async addUsage(rows) {
      // All writers in the same order, so that none waits for another that waits for it.
      const ordered = rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
      await transaction(function* (steps) {
        for (const { day, keyId, operation, requests, clientErrors, serverErrors } of ordered) {
          yield* steps.run(
            `INSERT INTO token_usage (key_id, day, operation, requests, client_errors, server_errors)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (key_id, day, operation) DO UPDATE SET
               requests = token_usage.requests + excluded.requests,
               client_errors = token_usage.client_errors + excluded.client_errors,
               server_errors = token_usage.server_errors + excluded.server_errors`,
            keyId,
            day,
            operation,
            requests,
            clientErrors,
            serverErrors,
          );
        }
      });
    },
    async listUsage({ since, keyId, by }) {
      const rows = await sql.all<UsageRow>(
        `SELECT day, "keyId", operation, CAST(sum(requests) AS bigint) AS requests,
           CAST(sum(client_errors) AS bigint) AS "clientErrors", CAST(sum(server_errors) AS bigint) AS "serverErrors"
         FROM (SELECT ${GROUPINGS[by]}, key_id AS "keyId", requests, client_errors, server_errors
           FROM token_usage WHERE day >= $1 ${keyId === null ? "" : "AND key_id = $2"}) AS counted
         GROUP BY "keyId", day, operation ORDER BY "keyId", day, operation`,
        since,
        ...(keyId === null ? [] : [keyId]),
      );
      return rows.map((row) => ({ ...row }));
    },
    async deleteUsageBefore(day) {
      await sql.run("DELETE FROM token_usage WHERE day < $1", day);
    },
  };
}

function keyOf({ keyId, day, operation }: UsageRow): string {
  return `${keyId} ${day} ${operation}`;
}
