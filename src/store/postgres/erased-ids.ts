/** The erased records among those of a batch. */
import type { PlatformName, RecordKind } from "#domain/record.ts";
import { erasedKey } from "../erased-key.ts";
import type { Sql } from "./sql.ts";
import { asStored } from "./storable-text.ts";

export class ErasedIds {
  readonly #erased = new Set<string>();

  /** Most stores have no erased records, which the first query finds out. */
  async load(sql: Sql, ids: Iterable<string>): Promise<void> {
    if ((await sql.get("SELECT 1 FROM erased LIMIT 1")) === undefined) return;
    const rows = await sql.all<{ platform: string; kind: RecordKind; id: string }>(
      "SELECT platform, kind, id FROM erased WHERE id = ANY($1)",
      [...ids].map(erasedKey),
    );
    for (const { platform, kind, id } of rows) this.#erased.add(keyOf(platform, kind, id));
  }

  has(platform: PlatformName, kind: RecordKind, id: string | null): boolean {
    return id !== null && this.#erased.size > 0 && this.#erased.has(keyOf(platform, kind, asStored(erasedKey(id))));
  }
}

function keyOf(platform: PlatformName, kind: RecordKind, key: string): string {
  return `${platform}/${kind}/${key}`;
}
