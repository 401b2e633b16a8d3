/** The number of each search partition (a platform and a kind), which prefixes its tokens. Numbers never change. */
import type { SearchKind } from "#domain/record.ts";
import type { Lookup, SearchPartition } from "#search/engine.ts";
import type { Changes } from "#store/write/port.ts";
import type { Sql } from "#store/postgres/sql.ts";

interface PartitionRow {
  partition: number;
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
  #count = 0;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** On a replica the numbers of documents run ahead, so that `newest` may not grow with the first of a partition. */
  noteCount(count: number): void {
    this.#count = count;
  }

  /** Undefined for a partition without documents. */
  async get(lookups: readonly Pick<Lookup, "platform" | "kind" | "newest">[]): Promise<(number | undefined)[]> {
    const newest = Math.max(...lookups.map((lookup) => lookup.newest));
    const isMissing = lookups.some((lookup) => !this.#numbers.has(partitionKey(lookup)));
    // A partition appears with its first document, so unless there are new ones it still does not exist.
    const mayHaveNew = this.#newest === null || newest > this.#newest || this.#count > this.#numbers.size;
    if (isMissing && mayHaveNew) {
      const rows = await this.#sql.all<PartitionRow & SearchPartition>(
        "SELECT platform, kind, partition FROM search_partitions",
      );
      this.#numbers = new Map(rows.map((row) => [partitionKey(row), row.partition]));
      this.#newest = newest;
    }
    return lookups.map((lookup) => this.#numbers.get(partitionKey(lookup)));
  }
}

/** The number is that of whichever transaction creates it first; a second one waits for it. */
export async function getOrCreatePartition(sql: Sql, { platform, kind }: SearchPartition): Promise<number> {
  for (;;) {
    const existing = await sql.get<PartitionRow>(
      "SELECT partition FROM search_partitions WHERE platform = $1 AND kind = $2",
      platform,
      kind,
    );
    if (existing !== undefined) return existing.partition;
    await sql.run(
      `INSERT INTO search_partitions (platform, kind, partition)
       SELECT $1, $2, coalesce(max(partition), 0) + 1 FROM search_partitions ON CONFLICT DO NOTHING`,
      platform,
      kind,
    );
  }
}

/**
 * Creates partitions before the transactions that need them: no writer waits until another has created one, and a search
 * that knows of a document finds its partition.
 */
export class PartitionCreator {
  readonly #db: Sql;
  readonly #created = new Set<string>();

  constructor(db: Sql) {
    this.#db = db;
  }

  async create(partitions: Iterable<SearchPartition>): Promise<void> {
    for (const partition of partitions) {
      const key = partitionKey(partition);
      if (this.#created.has(key)) continue;
      await getOrCreatePartition(this.#db, partition);
      this.#created.add(key);
    }
  }

  async createFor(changes: readonly Changes[]): Promise<void> {
    for (const { platform, records, subtitles } of changes) {
      const kinds = new Set<SearchKind>(records.map(({ kind }) => kind));
      if (subtitles.length > 0) kinds.add("subtitle");
      await this.create([...kinds].map((kind) => ({ platform, kind })));
    }
  }
}
