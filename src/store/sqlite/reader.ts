/** Reads one platform's records from SQLite. */
import type { ProjectionRegistry } from "#domain/projection.ts";
import type { PlatformName } from "#domain/record.ts";
import { cacheCounts } from "../count-cache.ts";
import type { Natives } from "../natives.ts";
import type { Reader } from "../reader.ts";
import { renderingReader } from "../rendering-reader.ts";
import type { PostListDialect } from "../sql/dialect.ts";
import { createSqlReader } from "../sql/reader.ts";
import { createChartReads } from "./chart-reads.ts";
import type { Database } from "./database.ts";
import { createRenderedReads } from "./rendered-reads.ts";
import { createSearchEngine } from "./search-engine.ts";
import { shareSql } from "./shared-sql.ts";

const LIST_NEWEST = `SELECT d.id, d.engagement FROM post_lists l
  JOIN search_partitions p ON p.platform = l.platform AND p.kind = 'post'
  JOIN search_docs d ON d.partition = p.partition AND d.id = l.post_id
  WHERE l.key = ? AND l.platform = ? AND l.list = ? ORDER BY l.at DESC, l.post_id LIMIT ?`;

function createLists(db: Database): PostListDialect {
  return {
    at: "at",
    isAt: "at = $4",
    // `at <= $4` bounds the index range; the clause in brackets only breaks ties at its start.
    isAfter: "at <= $4 AND (at < $4 OR post_id > $5)",
    order: "at DESC, post_id",
    listNewest: (...values) => db.all(LIST_NEWEST, ...values),
  };
}

/** Rendered reads use the JSON of these projections; with null, they return objects. */
export function createReader<N extends Natives>(
  db: Database,
  platform: PlatformName,
  projections: ProjectionRegistry | null,
): Reader<N> {
  const reader = createSqlReader<N>(platform, {
    sql: shareSql(db).sql,
    lists: createLists(db),
    charts: createChartReads(db, platform),
    engine: createSearchEngine(db),
    render: (reads) =>
      projections === null ? renderingReader(reads, "object") : createRenderedReads(db, platform, projections, reads),
  });
  return cacheCounts(reader, { dataVersion: () => db.dataVersion() });
}
