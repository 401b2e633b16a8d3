/** Who has which name: a name belongs to the account that was captured last under it. */
import type { PlatformName } from "#domain/record.ts";
import type { EncodedRecord } from "../store.ts";
import type { Sql } from "./sql.ts";
import { RowCache } from "./row-cache.ts";
import { type Table, upsert } from "./upsert.ts";

interface NameRow {
  name: string;
  platform: PlatformName;
  id: string;
  captured_at: number;
}

interface Renaming {
  platform: PlatformName;
  id: string;
  /** Folded; null for none. */
  from: string | null;
  to: string | null;
  capturedAt: number;
}

const TABLE: Table<NameRow> = {
  name: "account_names",
  key: ["name", "platform"],
  columns: [
    { name: "name", type: "text", of: (row) => row.name },
    { name: "platform", type: "text", of: (row) => row.platform },
    { name: "id", type: "text", of: (row) => row.id },
    { name: "captured_at", type: "bigint", of: (row) => row.captured_at },
  ],
};

export class AccountNames {
  /** In the order they were met: the names they touch are read when all are known. */
  readonly #renamings: Renaming[] = [];

  put(platform: PlatformName, { id, name, capturedAt }: EncodedRecord, from: string | null): void {
    this.#renamings.push({ platform, id, from, to: name, capturedAt });
  }

  async flush(sql: Sql): Promise<void> {
    const touched = this.#renamings.flatMap(({ from, to }) => [from, to].filter((name) => name !== null));
    if (touched.length === 0) return;
    const rows = new RowCache<NameRow | null>();
    const held = await sql.all<NameRow>(
      "SELECT name, platform, id, captured_at FROM account_names WHERE name = ANY($1)",
      [...new Set(touched)],
    );
    for (const row of held) rows.load([row.platform, row.name], row);
    for (const renaming of this.#renamings) rename(rows, renaming);

    const changed = rows.takeChanged();
    const kept = changed.filter((row) => row !== null);
    const left = held.filter(({ platform, name }) => rows.get([platform, name]) === null);
    for (const { name, platform } of left) {
      await sql.run("DELETE FROM account_names WHERE name = $1 AND platform = $2", name, platform);
    }
    await upsert(sql, TABLE, kept);
  }
}

function rename(rows: RowCache<NameRow | null>, { platform, id, from, to, capturedAt }: Renaming): void {
  if (from !== null && from !== "" && from !== to && rows.get([platform, from])?.id === id) {
    rows.put([platform, from], null);
  }
  if (to === null || to === "") return;
  const held = rows.get([platform, to]);
  if (held != null && held.captured_at > capturedAt) return;
  rows.put([platform, to], { name: to, platform, id, captured_at: capturedAt });
}
