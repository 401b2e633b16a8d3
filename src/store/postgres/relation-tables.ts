/** Subtitles, follows and chart entries of one batch. */
import type { SubtitleLine } from "#domain/subtitle.ts";
import { subtitleDocument } from "#search/documents.ts";
import { compositeKey } from "#store/undo/port.ts";
import {
  mergeChartEntry,
  mergeFollow,
  mergeRelationImage,
  mergeSubtitles,
  relationImage,
  type RelationKind,
} from "#store/write/relation-rows.ts";
import { subtitleDocId } from "#store/search/doc-ids.ts";
import type { Scalar, Table } from "../sql/table.ts";
import { parseChartName } from "#store/charts/name.postgres.ts";
import type { NewDocument, SearchIndexWriter } from "#store/search/postgres.ts";
import { CHART_ENTRIES } from "#store/charts/tables.ts";
import { FOLLOWS } from "#store/follows/tables.ts";
import { type SubtitleRow, SUBTITLES } from "#store/subtitles/tables.ts";
import { type BatchOrder, type PlatformRow, readByKey, VersionedRows } from "./versioned-rows.ts";

/** Rows that captures are merged into as rows. */
type RelationRows<Row extends PlatformRow & Record<keyof Row, Scalar>> = VersionedRows<Row, Row, { row: Row }, Row>;

function createRows<Row extends PlatformRow & Record<keyof Row, Scalar>>(
  table: Table<Row>,
  kind: RelationKind,
  merge: (stored: Row | undefined, incoming: Row) => Row | null,
  touchKeyOf: (row: Row) => string,
  order: BatchOrder,
): RelationRows<Row> {
  return new VersionedRows(
    {
      table,
      kindOf: () => kind,
      keyOf: (row) => table.key.map((column) => String(row[column])),
      fromRow: (row) => ({ row }),
      merge(current, incoming) {
        const row = merge(current?.row, incoming);
        return row === null ? null : { row };
      },
      read: (sql, rows) => readByKey(sql, table, rows),
      touchKeyOf,
      imageOf: (row) => relationImage(kind, row),
      mergeImage: (image, incoming) => mergeRelationImage(kind, image, incoming, merge),
    },
    order,
  );
}

export function createRelationTables(order: BatchOrder) {
  return {
    subtitles: createRows(
      SUBTITLES.postgres,
      "subtitles",
      mergeSubtitles,
      ({ post_id, language, automatic }) => compositeKey(post_id, language, automatic),
      order,
    ),
    follows: createRows(
      FOLLOWS.postgres,
      "follow",
      mergeFollow,
      ({ account_id, follower_id }) => compositeKey(account_id, follower_id),
      order,
    ),
    charts: createRows(
      CHART_ENTRIES.postgres,
      "chart",
      mergeChartEntry,
      ({ platform, chart, day, rank }) => {
        const { country, section } = parseChartName(platform, chart);
        return compositeKey(country, section, day, rank);
      },
      order,
    ),
  };
}

/** After they were written. */
export function indexSubtitles(index: SearchIndexWriter, subtitles: RelationRows<SubtitleRow>): void {
  for (const { stored, value } of subtitles.changed()) {
    const { row } = value as { row: SubtitleRow };
    if (stored?.row.lines === row.lines) continue;
    const document = subtitleDocument({ lines: JSON.parse(row.lines) as SubtitleLine[], language: row.language });
    index.put(row.platform, "subtitle", docIdOf(row), document, "stored");
  }
}

/** The documents of tracks that are not in the index yet. */
export function newSubtitleDocuments(subtitles: RelationRows<SubtitleRow>): NewDocument[] {
  return subtitles.added().map(({ order, value }) => {
    const { row } = value as { row: SubtitleRow };
    return { order, platform: row.platform, kind: "subtitle", id: docIdOf(row) };
  });
}

function docIdOf({ post_id, language, automatic }: SubtitleRow): string {
  return subtitleDocId(post_id, language, automatic);
}
