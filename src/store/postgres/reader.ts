import type { RenderMode } from "#domain/projection.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Natives } from "../natives.ts";
import type { Reader } from "../reader.ts";
import { renderingReader } from "../rendering-reader.ts";
import type { PostListDialect } from "../sql/dialect.ts";
import { createSqlReader } from "../sql/reader.ts";
import { createChartReads } from "./chart-reads.ts";
import type { Database } from "./database.ts";
import { createSearchEngine } from "./search-engine.ts";

function createLists(db: Database): PostListDialect {
  return {
    at: "-sort_key",
    isAt: "sort_key = -$4::bigint",
    isAfter: "(sort_key, post_id) > (-$4::bigint, $5)",
    order: "sort_key, post_id",
    async listNewest(key, platform, ...values) {
      const newest = await db.all<{ post_id: string }>(
        `SELECT post_id FROM post_lists WHERE key = $1 AND platform = $2 AND list = $3
         ORDER BY sort_key, post_id LIMIT $4`,
        key,
        platform,
        ...values,
      );
      return db.all(
        "SELECT id, engagement FROM search_docs WHERE id = ANY($1) AND platform = $2 AND kind = 'post'",
        newest.map(({ post_id }) => post_id),
        platform,
      );
    },
  };
}

export function createReader<N extends Natives = Natives>(
  db: Database,
  platform: PlatformName,
  mode: RenderMode,
): Reader<N> {
  return createSqlReader<N>(platform, {
    sql: db,
    lists: createLists(db),
    charts: createChartReads(db, platform),
    engine: createSearchEngine(db),
    render: (reads) => renderingReader(reads, mode),
  });
}
