import { select } from "#store/sql/select.ts";
import { AUDIT, AUDIT_HEAD } from "./tables.ts";
import { AuditLogMissing, type AuditTable } from "./port.ts";
import type { Dialect } from "#store/sql/dialect.ts";
import type { MaybePromise, SqlDatabase } from "#store/sql/sql.ts";

const ENTRY = ["number", "at", "actor", "action", "details", "seal"] as const;

export function createAuditTable(
  { sql: db, transaction }: SqlDatabase,
  { locks, isMissingTable }: Dialect,
): AuditTable {
  async function withTables<Result>(work: () => MaybePromise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!isMissingTable(error)) throw error;
      throw new AuditLogMissing(
        "a table of the audit log was removed from the store; restore a backup (docs/backup.md)",
        {
          cause: error,
        },
      );
    }
  }

  return {
    async append(create) {
      return withTables(() =>
        transaction(function* (sql) {
          if (locks !== null) yield* sql.get(locks.audit);
          const last = yield* sql.get(select(AUDIT, ENTRY, "ORDER BY number DESC LIMIT 1"));
          const { entry, head } = create((last?.number ?? 0) + 1, last?.seal ?? "");
          yield* sql.run(
            `INSERT INTO audit (${ENTRY.join(", ")}) VALUES ($1, $2, $3, $4, $5, $6)`,
            entry.number,
            entry.at,
            entry.actor,
            entry.action,
            entry.details,
            entry.seal,
          );
          yield* sql.run("DELETE FROM audit_head");
          yield* sql.run("INSERT INTO audit_head (number, seal) VALUES ($1, $2)", head.number, head.seal);
          return entry;
        }),
      );
    },
    async list(after, limit) {
      const rows = await withTables(() =>
        db.all(select(AUDIT, ENTRY, "WHERE number > $1 ORDER BY number LIMIT $2"), after, limit),
      );
      return rows.map((row) => ({ ...row }));
    },
    async listNewest(limit, action) {
      const where = action === null ? "" : "WHERE action = $2";
      const rows = await withTables(() =>
        db.all(
          select(AUDIT, ENTRY, `${where} ORDER BY number DESC LIMIT $1`),
          limit,
          ...(action === null ? [] : [action]),
        ),
      );
      return rows.map((row) => ({ ...row }));
    },
    async getHead() {
      const row = await withTables(() => db.get(select(AUDIT_HEAD, ["number", "seal"], "")));
      return row === undefined ? null : { ...row };
    },
  };
}
