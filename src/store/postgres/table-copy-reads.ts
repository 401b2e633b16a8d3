/** Pages of tables for a copy, by key or in the order of search documents. */
import type { RecordKind, SearchKind } from "#domain/record.ts";
import type { SearchPartition } from "#search/engine.ts";
import { commentDocId, parseCommentDocId, parseSubtitleDocId, subtitleDocId } from "../search-doc-ids.ts";
import type { CopyPage, CopyRow, CopyTableName } from "../table-copy.ts";
import { databaseTable, type DatabaseRow } from "./copy-tables.ts";
import type { Sql } from "./sql.ts";
import type { Value } from "../sql/sql.ts";
import { columnNames } from "../sql/table.ts";

export async function readByKey(sql: Sql, name: CopyTableName, after: string | null, limit: number): Promise<CopyPage> {
  const table = databaseTable(name);
  const key = table.key.join(", ");
  const values = after === null ? [] : (JSON.parse(after) as (string | number | boolean)[]);
  const parameters = table.key.map((_, index) => `$${index + 2}`);
  const condition = after === null ? "" : `WHERE (${key}) > (${parameters.join(", ")})`;
  // A generic plan for any number of rows might sort the whole table for each page.
  const rows = await sql.allWithCustomPlan<DatabaseRow>(
    `SELECT ${columnNames(table).join(", ")} FROM ${name} ${condition} ORDER BY ${key} LIMIT $1`,
    limit,
    ...values,
  );
  const last = rows.length < limit ? undefined : rows.at(-1);
  const nextPageToken = last === undefined ? null : JSON.stringify(table.key.map((column) => last[column]));
  return { rows: rows.map(table.toCopyRow), nextPageToken };
}

type SearchedTable = "records" | "comments" | "subtitles";

const KINDS: Record<SearchedTable, readonly SearchKind[]> = {
  records: ["account", "post", "sound", "hashtag", "place"] satisfies RecordKind[],
  comments: ["comment"],
  subtitles: ["subtitle"],
};

export function isSearched(name: CopyTableName): name is SearchedTable {
  return Object.hasOwn(KINDS, name);
}

type PageToken = [platform: string, kind: SearchKind, sortKey: number];

/**
 * Reads partition by partition in the order of the sort key, for which there is an index. A copy written in this order
 * ranks equal documents in the same order.
 */
export async function readInSearchOrder(
  sql: Sql,
  name: SearchedTable,
  after: string | null,
  limit: number,
): Promise<CopyPage> {
  const partitions = await sql.all<SearchPartition>(
    "SELECT platform, kind FROM search_partitions WHERE kind = ANY($1) ORDER BY partition",
    KINDS[name],
  );
  const token = after === null ? null : (JSON.parse(after) as PageToken);
  const start =
    token === null ? 0 : partitions.findIndex(({ platform, kind }) => platform === token[0] && kind === token[1]);
  const rows: CopyRow[] = [];
  let missing = limit;
  for (const [index, partition] of partitions.slice(start).entries()) {
    const { platform, kind } = partition;
    const docs = await sql.allWithCustomPlan<{ id: string; sort_key: number }>(
      "SELECT id, sort_key FROM search_docs WHERE platform = $1 AND kind = $2 AND sort_key > $3 ORDER BY sort_key LIMIT $4",
      platform,
      kind,
      token !== null && index === 0 ? token[2] : 0,
      missing,
    );
    const ids = docs.map(({ id }) => id);
    rows.push(...(await readRows(sql, name, partition, ids)));
    missing -= docs.length;
    const last = docs.at(-1);
    if (missing === 0 && last !== undefined) {
      return { rows, nextPageToken: JSON.stringify([platform, kind, last.sort_key] satisfies PageToken) };
    }
  }
  return { rows, nextPageToken: null };
}

/** The rows behind search documents, in the order of the documents. */
async function readRows(
  sql: Sql,
  name: SearchedTable,
  { platform, kind }: SearchPartition,
  docIds: string[],
): Promise<CopyRow[]> {
  if (docIds.length === 0) return [];
  const table = databaseTable(name);
  const [condition, values] = conditionFor(name, kind, docIds);
  const found = await sql.all<DatabaseRow>(
    `SELECT ${columnNames(table).join(", ")} FROM ${name} WHERE platform = $1 AND ${condition}`,
    platform,
    ...values,
  );
  const rows = new Map(found.map(table.toCopyRow).map((row) => [docIdOf(name, row), row]));
  return docIds.flatMap((docId) => {
    const row = rows.get(docId);
    return row === undefined ? [] : [row];
  });
}

/** Compares columns one by one, since with Citus each row may be on another machine. */
function conditionFor(name: SearchedTable, kind: SearchKind, docIds: string[]): [condition: string, values: Value[]] {
  if (name === "records") return ["id = ANY($2) AND kind = $3", [docIds, kind]];
  if (name === "subtitles") {
    return ["post_id = ANY($2)", [distinct(docIds.map((docId) => parseSubtitleDocId(docId).postId))]];
  }
  const comments = docIds.map(parseCommentDocId);
  return [
    "post_id = ANY($2) AND id = ANY($3)",
    [distinct(comments.map(({ postId }) => postId)), distinct(comments.map(({ id }) => id))],
  ];
}

function distinct(texts: string[]): string[] {
  return [...new Set(texts)];
}

function docIdOf(name: SearchedTable, row: CopyRow): string {
  if (name === "records") return row[2] as string;
  if (name === "comments") return commentDocId(row[1] as string, row[2] as string);
  return subtitleDocId(row[1] as string, row[2] as string, row[3] === 1);
}
