import type { RenderMode } from "#domain/projection.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Natives } from "#store/records/port.ts";
import type { Reader } from "#store/store.ts";
import { renderingReader } from "#store/rendered/rendering-reader.ts";
import { createListDialect } from "#store/lists/postgres.ts";
import { createSqlReader } from "../sql/reader.ts";
import { createChartReads } from "#store/charts/postgres.ts";
import type { Database } from "./database.ts";
import { createSearchEngine } from "#store/search/engine.postgres.ts";

export function createReader<N extends Natives = Natives>(
  db: Database,
  platform: PlatformName,
  mode: RenderMode,
): Reader<N> {
  return createSqlReader<N>(platform, {
    sql: db,
    lists: createListDialect(db),
    charts: createChartReads(db, platform),
    engine: createSearchEngine(db),
    render: (reads) => renderingReader(reads, mode),
  });
}
