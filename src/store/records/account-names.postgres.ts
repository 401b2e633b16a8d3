/** The names of the accounts that a batch changed: each account has a row for its name. */
import type { PlatformName } from "#domain/record.ts";
import type { Sql } from "#store/postgres/sql.ts";
import { ACCOUNT_NAMES } from "./tables.ts";
import { upsert } from "#store/postgres/upsert.ts";

export interface NamedAccount {
  platform: PlatformName;
  id: string;
  /** Folded; null or empty if it had none. */
  before: string | null;
  now: string | null;
  /** When `now` was captured. */
  namedAt: number;
}

export async function writeNames(sql: Sql, accounts: readonly NamedAccount[]): Promise<void> {
  const renamed = accounts.filter(({ before, now }) => before !== null && before !== "" && before !== now);
  const named = accounts.flatMap(({ platform, id, now, namedAt }) =>
    now === null || now === "" ? [] : [{ name: now, platform, id, captured_at: namedAt }],
  );
  await Promise.all([
    ...renamed.map(({ platform, id, before }) =>
      sql.run("DELETE FROM account_names WHERE name = $1 AND platform = $2 AND id = $3", before, platform, id),
    ),
    upsert(sql, ACCOUNT_NAMES, named),
  ]);
}
