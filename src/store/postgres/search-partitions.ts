/** The number of each search partition (a platform and a kind), which prefixes its tokens. Numbers never change. */
import type { Lookup, SearchPartition } from "#search/engine.ts";
import type { Sql } from "./sql.ts";

interface PartitionRow {
  partition: number;
}

export async function getPartition(sql: Sql, { platform, kind }: SearchPartition): Promise<number | undefined> {
  const row = await sql.get<PartitionRow>(
    "SELECT partition FROM search_partitions WHERE platform = $1 AND kind = $2",
    platform,
    kind,
  );
  return row?.partition;
}

export function partitionKey({ platform, kind }: SearchPartition): string {
  return `${platform}/${kind}`;
}

/** The numbers that searches need, read together and cached. */
export class PartitionNumbers {
  readonly #sql: Sql;
  #numbers = new Map<string, number>();
  /** As of this document. */
  #newest: number | null = null;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Undefined for a partition without documents. */
  async get(lookups: readonly Pick<Lookup, "platform" | "kind" | "newest">[]): Promise<(number | undefined)[]> {
    const newest = Math.max(...lookups.map((lookup) => lookup.newest));
    const isMissing = lookups.some((lookup) => !this.#numbers.has(partitionKey(lookup)));
    // A partition appears with its first document, so unless there are new ones it still does not exist.
    if (isMissing && (this.#newest === null || newest > this.#newest)) {
      const rows = await this.#sql.all<PartitionRow & SearchPartition>(
        "SELECT platform, kind, partition FROM search_partitions",
      );
      this.#numbers = new Map(rows.map((row) => [partitionKey(row), row.partition]));
      this.#newest = newest;
    }
    return lookups.map((lookup) => this.#numbers.get(partitionKey(lookup)));
  }
}

/** Call it under the write lock. */
export async function getOrCreatePartition(sql: Sql, { platform, kind }: SearchPartition): Promise<number> {
  const existing = await getPartition(sql, { platform, kind });
  if (existing !== undefined) return existing;
  const created = await sql.get<PartitionRow>(
    `INSERT INTO search_partitions (platform, kind, partition)
     SELECT $1, $2, coalesce(max(partition), 0) + 1 FROM search_partitions RETURNING partition`,
    platform,
    kind,
  );
  return (created as PartitionRow).partition;
}
