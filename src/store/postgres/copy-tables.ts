/** Maps the rows of a table copy to the tables of this database, whose keys and chart columns differ from other stores. */
import { copyTable, type CopyRow, type CopyTableName } from "../table-copy.ts";
import { chartName, parseChartName } from "./chart-name.ts";
import type { ColumnType, Scalar, Table } from "../sql/table.ts";
import { ACCOUNT_NAMES, CHART_ENTRIES, COMMENTS, COUNTER_POINTS, FOLLOWS, RECORDS, SUBTITLES } from "./tables.ts";

export type DatabaseRow = Record<string, Scalar>;

export interface DatabaseTable extends Table<DatabaseRow> {
  fromCopyRow: (row: CopyRow) => DatabaseRow;
  toCopyRow: (row: DatabaseRow) => CopyRow;
}

const KEYS: Record<CopyTableName, readonly string[]> = {
  erased: ["id", "platform", "kind"],
  tokens: ["key_id"],
  jobs: ["id"],
  job_files: ["job_id", "name"],
  job_rejects: ["job_id", "number"],
  counter_points: COUNTER_POINTS.key,
  records: RECORDS.key,
  account_names: ACCOUNT_NAMES.key,
  comments: COMMENTS.key,
  subtitles: SUBTITLES.key,
  follows: FOLLOWS.key,
  chart_entries: CHART_ENTRIES.key,
};

export function databaseTable(name: CopyTableName): DatabaseTable {
  if (name === "chart_entries") return CHARTS;
  const { columns } = copyTable(name);
  const typeOf = (column: (typeof columns)[number]): ColumnType => {
    if (column.name === "automatic") return "boolean";
    return column.type === "text" ? "text" : "bigint";
  };
  return {
    name,
    key: KEYS[name],
    columns: Object.fromEntries(columns.map((column) => [column.name, typeOf(column)])),
    fromCopyRow: (row) =>
      Object.fromEntries(
        columns.map((column, index) => {
          const value = row[index] ?? null;
          return [column.name, typeOf(column) === "boolean" ? value === 1 : value];
        }),
      ),
    toCopyRow: (row) => columns.map((column) => toCopyValue(row[column.name])),
  };
}

function toCopyValue(value: Scalar | undefined): string | number | null {
  return typeof value === "boolean" ? Number(value) : (value ?? null);
}

const CHARTS: DatabaseTable = {
  ...CHART_ENTRIES,
  fromCopyRow: ([platform, country, section, day, rank, postId, capturedAt, source]) => ({
    chart: chartName(platform as string, country as string, section as string),
    day: day ?? null,
    rank: rank ?? null,
    platform: platform ?? null,
    post_id: postId ?? null,
    captured_at: capturedAt ?? null,
    source: source ?? null,
  }),
  toCopyRow: ({ chart, day, rank, platform, post_id, captured_at, source }) => {
    const { country, section } = parseChartName(platform as string, chart as string);
    return [platform, country, section, day, rank, post_id, captured_at, source].map(toCopyValue);
  },
};
