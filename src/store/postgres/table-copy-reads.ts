/** Pages of the tables for another store, by key or in the order in which search documents were made. */
import type { RecordKind, SearchKind } from "#domain/record.ts";
import type { CopyTableName, CopyRow, CopyPage } from "../table-copy.ts";
import { commentAt, commentDoc, subtitleDoc, subtitlesAt } from "../search-doc-ids.ts";
import { keptTable } from "./copy-tables.ts";
import type { Sql } from "./sql.ts";
import type { Value } from "./statement.ts";

export async function readByKey(sql: Sql, name: CopyTableName, after: string | null, limit: number): Promise<CopyPage> {
  const { key, columns, rowOf } = keptTable(name);
  const values = after === null ? [] : (JSON.parse(after) as (string | number | boolean)[]);
  const places = key.map((_, index) => `$${index + 2}`);
  const later = after === null ? "" : `WHERE (${key.join(", ")}) > (${places.join(", ")})`;
  // Planned anew for each page: one plan for any number of rows might sort the whole table each time.
  const rows = await sql.allWithCustomPlan<Record<string, string | number | boolean | null>>(
    `SELECT ${columns.map((column) => column.name).join(", ")} FROM ${name} ${later} ORDER BY ${key.join(", ")} LIMIT $1`,
    limit,
    ...values,
  );
  const last = rows.length < limit ? undefined : rows.at(-1);
  return {
    rows: rows.map(rowOf),
    pageToken: last === undefined ? null : JSON.stringify(key.map((column) => last[column])),
  };
}

export type SearchedName = "records" | "comments" | "subtitles";

const KINDS: Record<SearchedName, readonly SearchKind[]> = {
  records: ["account", "post", "sound", "hashtag", "place"] satisfies RecordKind[],
  comments: ["comment"],
  subtitles: ["subtitle"],
};

export function isSearched(name: CopyTableName): name is SearchedName {
  return Object.hasOwn(KINDS, name);
}

interface Scope {
  platform: string;
  kind: SearchKind;
}

type Mark = [platform: string, kind: SearchKind, sortKey: number];

/**
 * Scope after scope, each from its best standing down and within one standing by number. A copy that is written in this
 * order gives equals in the order in which they stand here. There is an index for it, which there is none for numbers.
 */
export async function readAsMade(sql: Sql, name: SearchedName, after: string | null, limit: number): Promise<CopyPage> {
  const scopes = await sql.all<Scope>(
    "SELECT platform, kind FROM search_partitions WHERE kind = ANY($1) ORDER BY partition",
    KINDS[name],
  );
  const mark = after === null ? null : (JSON.parse(after) as Mark);
  const begun = mark === null ? 0 : scopes.findIndex(({ platform, kind }) => platform === mark[0] && kind === mark[1]);
  const rows: CopyRow[] = [];
  let wanted = limit;
  for (const scope of scopes.slice(begun)) {
    const { platform, kind } = scope;
    const docs = await sql.allWithCustomPlan<{ id: string; sort_key: number }>(
      "SELECT id, sort_key FROM search_docs WHERE platform = $1 AND kind = $2 AND sort_key > $3 ORDER BY sort_key LIMIT $4",
      platform,
      kind,
      mark !== null && scope === scopes[begun] ? mark[2] : 0,
      wanted,
    );
    rows.push(
      ...(await rowsOf(
        sql,
        name,
        scope,
        docs.map(({ id }) => id),
      )),
    );
    wanted -= docs.length;
    const last = docs.at(-1);
    if (wanted === 0 && last !== undefined) {
      return { rows, pageToken: JSON.stringify([platform, kind, last.sort_key] satisfies Mark) };
    }
  }
  return { rows, pageToken: null };
}

/** The rows that documents were made of, in the order of the documents. */
async function rowsOf(sql: Sql, name: SearchedName, { platform, kind }: Scope, docs: string[]): Promise<CopyRow[]> {
  if (docs.length === 0) return [];
  const { columns, rowOf } = keptTable(name);
  const [condition, values] = conditionFor(name, kind, docs);
  const found = await sql.all<Record<string, string | number | boolean | null>>(
    `SELECT ${columns.map((column) => column.name).join(", ")} FROM ${name} WHERE platform = $1 AND ${condition}`,
    platform,
    ...values,
  );
  const rows = new Map(found.map(rowOf).map((row) => [docOf(name, row), row]));
  return docs.flatMap((doc) => {
    const row = rows.get(doc);
    return row === undefined ? [] : [row];
  });
}

/** Texts that are compared one by one, since a server may hold each row elsewhere. */
function conditionFor(name: SearchedName, kind: SearchKind, docs: string[]): [condition: string, values: Value[]] {
  if (name === "records") return ["id = ANY($2) AND kind = $3", [docs, kind]];
  if (name === "subtitles") return ["post_id = ANY($2)", [distinct(docs.map((doc) => subtitlesAt(doc).postId))]];
  const comments = docs.map(commentAt);
  return [
    "post_id = ANY($2) AND id = ANY($3)",
    [distinct(comments.map(({ postId }) => postId)), distinct(comments.map(({ id }) => id))],
  ];
}

function distinct(texts: string[]): string[] {
  return [...new Set(texts)];
}

function docOf(name: SearchedName, row: CopyRow): string {
  if (name === "records") return row[2] as string;
  if (name === "comments") return commentDoc(row[1] as string, row[2] as string);
  return subtitleDoc(row[1] as string, row[2] as string, row[3] === 1);
}
