/** The numbers of what is searched apart: a platform and a kind. A number never changes, so it is remembered. */
import type { PlatformName, SearchKind } from "#domain/record.ts";
import type { Sql } from "./sql.ts";

export class SearchScopes {
  readonly #numbers = new Map<string, number>();

  async find(sql: Sql, platform: PlatformName, kind: SearchKind): Promise<number | undefined> {
    const key = `${platform}/${kind}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const row = await sql.get<{ partition: number }>(
      "SELECT partition FROM search_partitions WHERE platform = $1 AND kind = $2",
      platform,
      kind,
    );
    if (row !== undefined) this.#numbers.set(key, row.partition);
    return row?.partition;
  }

  /** By a writer in its turn, which must forget the number with its transaction: that may be taken back. */
  async make(sql: Sql, platform: PlatformName, kind: SearchKind): Promise<number> {
    const known = await this.find(sql, platform, kind);
    if (known !== undefined) return known;
    const row = await sql.get<{ partition: number }>(
      `INSERT INTO search_partitions (platform, kind, partition)
       SELECT $1, $2, coalesce(max(partition), 0) + 1 FROM search_partitions RETURNING partition`,
      platform,
      kind,
    );
    const { partition } = row as { partition: number };
    this.#numbers.set(`${platform}/${kind}`, partition);
    return partition;
  }
}
