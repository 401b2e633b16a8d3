/** Account names of one batch: a name belongs to the account captured most recently with it. */
import type { PlatformName } from "#domain/record.ts";
import type { EncodedRecord } from "../encoded-record.ts";
import type { Sql } from "./sql.ts";
import { RowCache } from "./row-cache.ts";
import { ACCOUNT_NAMES, type AccountNameRow } from "./tables.ts";
import { upsert } from "./upsert.ts";

interface Renaming {
  platform: PlatformName;
  id: string;
  /** Folded; null if it had none. */
  from: string | null;
  to: string | null;
  capturedAt: number;
}

export class AccountNames {
  /** In the order they came; the affected names are read together on flush. */
  readonly #renamings: Renaming[] = [];

  put(platform: PlatformName, { id, name, capturedAt }: EncodedRecord, from: string | null): void {
    this.#renamings.push({ platform, id, from, to: name, capturedAt });
  }

  async flush(sql: Sql): Promise<void> {
    const affected = this.#renamings.flatMap(({ from, to }) => [from, to].filter((name) => name !== null));
    if (affected.length === 0) return;
    const rows = new RowCache<AccountNameRow | null>();
    const stored = await sql.all<AccountNameRow>(
      "SELECT name, platform, id, captured_at FROM account_names WHERE name = ANY($1)",
      [...new Set(affected)],
    );
    for (const row of stored) rows.load([row.platform, row.name], row);
    for (const renaming of this.#renamings) rename(rows, renaming);

    for (const { name, platform } of stored) {
      if (rows.get([platform, name]) !== null) continue;
      await sql.run("DELETE FROM account_names WHERE name = $1 AND platform = $2", name, platform);
    }
    await upsert(
      sql,
      ACCOUNT_NAMES,
      rows.takeChanged().filter((row) => row !== null),
    );
  }
}

function rename(rows: RowCache<AccountNameRow | null>, { platform, id, from, to, capturedAt }: Renaming): void {
  if (from !== null && from !== "" && from !== to && rows.get([platform, from])?.id === id) {
    rows.put([platform, from], null);
  }
  if (to === null || to === "") return;
  const stored = rows.get([platform, to]);
  if (stored != null && stored.captured_at > capturedAt) return;
  rows.put([platform, to], { name: to, platform, id, captured_at: capturedAt });
}
