/** The tables of the database as rows for another store: which columns they are kept in, and in which order. */
import type { CopyTableName, CopyRow } from "../table-copy.ts";
import { copyTable } from "../table-copy.ts";
import { chartName } from "./chart-name.ts";
import type { Column, Table } from "./upsert.ts";

type Physical = Record<string, string | number | boolean | null>;

/** How rows of one table lie in the database: to be added, and to be read again. */
export interface KeptTable extends Table<CopyRow> {
  rowOf: (physical: Physical) => CopyRow;
}

/** Every key begins with what the table would be distributed by, which is not how other stores begin theirs. */
const KEYS: Record<CopyTableName, readonly string[]> = {
  erased: ["id", "platform", "kind"],
  tokens: ["key_id"],
  jobs: ["id"],
  job_files: ["job_id", "name"],
  job_rejects: ["job_id", "number"],
  counter_points: ["id", "platform", "kind", "captured_at"],
  records: ["id", "platform", "kind"],
  account_names: ["name", "platform"],
  comments: ["post_id", "platform", "id"],
  subtitles: ["post_id", "platform", "language", "automatic"],
  follows: ["account_id", "platform", "follower_id"],
  chart_entries: ["chart", "day", "rank"],
};

export function keptTable(name: CopyTableName): KeptTable {
  if (name === "chart_entries") return CHARTS;
  const { columns } = copyTable(name);
  return {
    name,
    key: KEYS[name],
    columns: columns.map((column, place): Column<CopyRow> => {
      if (column.name === "automatic") return { name: "automatic", type: "boolean", of: (row) => row[place] === 1 };
      return { name: column.name, type: column.type === "text" ? "text" : "bigint", of: valueAt(place) };
    }),
    rowOf: (physical) => columns.map((column) => plain(physical[column.name])),
  };
}

function valueAt(place: number): (row: CopyRow) => string | number | null {
  return (row) => row[place] ?? null;
}

function plain(value: Physical[string] | undefined): string | number | null {
  return typeof value === "boolean" ? Number(value) : (value ?? null);
}

const CHARTS: KeptTable = {
  name: "chart_entries",
  key: KEYS.chart_entries,
  columns: [
    {
      name: "chart",
      type: "text",
      of: ([platform, country, section]) => chartName(...([platform, country, section] as Name)),
    },
    { name: "day", type: "text", of: valueAt(3) },
    { name: "rank", type: "bigint", of: valueAt(4) },
    { name: "platform", type: "text", of: valueAt(0) },
    { name: "post_id", type: "text", of: valueAt(5) },
    { name: "captured_at", type: "bigint", of: valueAt(6) },
    { name: "source", type: "text", of: valueAt(7) },
  ],
  rowOf: ({ chart, day, rank, platform, post_id, captured_at, source }) =>
    [...nameParts(platform as string, chart as string), day, rank, post_id, captured_at, source].map(plain),
};

type Name = [platform: string, country: string, section: string];

/** The parts that `chartName` made one text of. */
function nameParts(platform: string, chart: string): Name {
  const rest = chart.slice(platform.length + 1);
  const slash = rest.indexOf("/");
  const country = rest.slice(0, slash).replaceAll("%2F", "/").replaceAll("%25", "%");
  return [platform, country, rest.slice(slash + 1)];
}
