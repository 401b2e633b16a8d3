/** Reads one platform's records from SQLite. */
import type { ProjectionRegistry } from "#domain/projection.ts";
import type { PlatformName } from "#domain/record.ts";
import { cacheCounts } from "#store/sql/count-cache.ts";
import type { Natives } from "#store/records/port.ts";
import type { Reader } from "#store/store.ts";
import { renderingReader } from "#store/rendered/rendering-reader.ts";
import { createListDialect } from "#store/lists/sqlite.ts";
import { createSqlReader } from "../sql/reader.ts";
import { createChartReads } from "#store/charts/sqlite.ts";
import type { Database } from "./database.ts";
import { createRenderedReads } from "#store/rendered/reads.sqlite.ts";
import { createSearchEngine } from "#store/search/engine.sqlite.ts";
import { shareSql } from "./shared-sql.ts";

/** Rendered reads use the JSON of these projections; with null, they return objects. */
export function createReader<N extends Natives>(
  db: Database,
  platform: PlatformName,
  projections: ProjectionRegistry | null,
): Reader<N> {
  const reader = createSqlReader<N>(platform, {
    sql: shareSql(db).sql,
    lists: createListDialect(db),
    charts: createChartReads(db, platform),
    engine: createSearchEngine(db),
    render: (reads) =>
      projections === null ? renderingReader(reads, "object") : createRenderedReads(db, platform, projections, reads),
  });
  return cacheCounts(reader, { dataVersion: () => db.dataVersion() });
}
