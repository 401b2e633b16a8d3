/**
 * Reads one platform's records. Each look-up and each page reads one key, and so, with Citus, one machine. Every list is an
 * index range, so a later page costs as much as the first.
 */
import type { PlatformName } from "#domain/record.ts";
import type { SearchEngine } from "#search/engine.ts";
import type { ChartReader } from "#store/charts/port.ts";
import { createCommentReads } from "#store/comments/statements.ts";
import { createCounterReads } from "#store/counters/statements.ts";
import { createFollowReads } from "#store/follows/statements.ts";
import { createListReads, type ListDialect } from "#store/lists/statements.ts";
import type { Natives } from "#store/records/port.ts";
import { createRecordReads, RecordTableReads } from "#store/records/statements.ts";
import type { RecordReads, RenderedReads } from "#store/rendered/rendering-reader.ts";
import { createSearchReader } from "#store/search/queries.ts";
import { createRecordLoader } from "#store/search/record-loader.ts";
import type { Reader } from "#store/store.ts";
import { createSubtitleReads } from "#store/subtitles/statements.ts";
import { createTrendReads } from "#store/trends/list-trends.ts";
import type { Sql } from "./sql.ts";

/** What a store has of its own. */
export interface ReaderParts<N extends Natives> {
  sql: Sql;
  lists: ListDialect;
  charts: ChartReader;
  engine: SearchEngine;
  render: (reads: RecordReads<N>) => RenderedReads<N>;
}

export function createSqlReader<N extends Natives>(
  platform: PlatformName,
  { sql, lists, charts, engine, render }: ReaderParts<N>,
): Reader<N> {
  const records = new RecordTableReads(sql, platform);
  const reads = {
    ...createRecordReads<N>(sql, platform, records),
    ...createListReads<N>(sql, platform, lists, records),
    ...createCommentReads<N>(sql, platform),
    ...createFollowReads(sql, platform),
  };
  return {
    ...reads,
    ...render(reads),
    ...createSubtitleReads(sql, platform),
    ...charts,
    ...createCounterReads(sql, platform),
    ...createSearchReader<N>(engine, platform, createRecordLoader(sql)),
    ...createTrendReads<N>(sql, platform, records),
  };
}
