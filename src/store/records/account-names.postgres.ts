/** Writes the names of the accounts that a batch changed. */
import type { Sql } from "#store/postgres/sql.ts";
import { ACCOUNT_NAMES } from "./tables.ts";
import { upsert } from "#store/postgres/upsert.ts";
import type { NamedAccount } from "./account-name.ts";

export async function writeNames(sql: Sql, accounts: readonly NamedAccount[]): Promise<void> {
  const renamed = accounts.filter(({ before, now }) => before !== null && before !== now);
  const named = accounts.flatMap(({ platform, id, now, namedAt }) =>
    now === null ? [] : [{ name: now, platform, id, captured_at: namedAt }],
  );
  await Promise.all([
    ...renamed.map(({ platform, id, before }) =>
      sql.run("DELETE FROM account_names WHERE name = $1 AND platform = $2 AND id = $3", before, platform, id),
    ),
    upsert(sql, ACCOUNT_NAMES, named),
  ]);
}
