/** The numbers of what is searched apart: a platform and a kind. A number never changes, so it is remembered. */
import type { PlatformName, SearchKind } from "#domain/record.ts";
import type { Sql } from "./sql.ts";

export class SearchScopes {
  readonly #numbers = new Map<string, number>();

  async find(sql: Sql, platform: PlatformName, kind: SearchKind): Promise<number | undefined> {
    const key = `${platform}/${kind}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const row = await sql.get<{ scope: number }>(
      "SELECT scope FROM search_scopes WHERE platform = $1 AND kind = $2",
      platform,
      kind,
    );
    if (row !== undefined) this.#numbers.set(key, row.scope);
    return row?.scope;
  }

  /** By a writer in its turn, which must forget the number with its transaction: that may be taken back. */
  async make(sql: Sql, platform: PlatformName, kind: SearchKind): Promise<number> {
    const known = await this.find(sql, platform, kind);
    if (known !== undefined) return known;
    const row = await sql.get<{ scope: number }>(
      `INSERT INTO search_scopes (platform, kind, scope)
       SELECT $1, $2, coalesce(max(scope), 0) + 1 FROM search_scopes RETURNING scope`,
      platform,
      kind,
    );
    const { scope } = row as { scope: number };
    this.#numbers.set(`${platform}/${kind}`, scope);
    return scope;
  }
}
