/** The number of each search partition (a platform and a kind), which prefixes its tokens. Numbers never change. */
import type { SearchPartition } from "#search/engine.ts";
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
