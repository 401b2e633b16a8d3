/** Reads and fills whole tables, whose keys and chart columns differ from other stores. */
import type { SearchKind } from "#domain/record.ts";
import type { SearchPartition } from "#search/engine.ts";
import { Searcher } from "#search/searcher.ts";
import { toRecordRow } from "#store/write/record-row.ts";
import { nativeColumn } from "./native-column.ts";
import type { Value } from "#store/sql/sql.ts";
import { type Scalar, text as textColumn } from "#store/sql/table.ts";
import { commentDocId, parseCommentDocId, parseSubtitleDocId, subtitleDocId } from "#store/search/port.ts";
import { decodeCommentRow, decodeRecordRow, ErasedRows, rowsThatCount, searchDocumentOf } from "./rows.ts";
import {
  type PlacedRow,
  placeRows,
  type RowFilter,
  type Rows,
  type SearchedTable,
  StoreNotEmpty,
  TABLE_NAMES,
  type TableBatch,
  type TableName,
  type TableReader,
  TABLES,
  type Tables,
  type TypedBatch,
} from "./port.ts";
import { analyzeTables } from "#store/postgres/analyze.ts";
import { chartName, parseChartName } from "#store/charts/name.postgres.ts";
import { toCommentRow } from "#store/comments/postgres.ts";
import type { Database } from "#store/postgres/database.ts";
import { notify } from "#store/postgres/events.ts";
import { movePosts } from "#store/lists/postgres.ts";
import { createSearchEngine } from "#store/search/engine.postgres.ts";
import { SearchIndexWriter } from "#store/search/postgres.ts";
import { PartitionCreator } from "#store/search/partitions.postgres.ts";
import type { Sql } from "#store/postgres/sql.ts";
import { COMMENTS } from "#store/comments/tables.ts";
import { RECORDS } from "#store/records/tables.ts";
import { markTrendsStale } from "#store/trends/postgres.ts";
import { insert } from "#store/postgres/upsert.ts";
import type { UnitOfWork } from "#store/write/batch.postgres.ts";
import { lockOutWriters } from "#store/postgres/write-transactions.ts";

export type DatabaseRow = Record<string, Scalar>;

const BATCH_ROWS = 500;

export function createTables(db: Database, snapshots: Database): Tables {
  const partitions = new PartitionCreator(db);
  return {
    snapshot: (work) =>
      snapshots.withoutTimeout(async (sql) => {
        await sql.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        // It holds no locks, so a slow reader keeps nobody waiting.
        await sql.run("SET LOCAL idle_in_transaction_session_timeout = 0");
        // Every row is fetched: the plan that returns the first ones soonest is not the fastest.
        await sql.run("SET LOCAL cursor_tuple_fraction = 1");
        const result = await work(createTableReader(sql));
        await sql.run("COMMIT");
        return result;
      }),
    async fill(work) {
      const result = await db.transaction(async (sql) => {
        // What is written may have to be waited for, and nobody else can write meanwhile anyway.
        await sql.run("SET LOCAL idle_in_transaction_session_timeout = 0");
        await lockOutWriters(sql);
        for (const table of TABLE_NAMES) {
          if ((await sql.get(rowsThatCount(table))) !== undefined) throw new StoreNotEmpty(table);
        }
        const index = new SearchIndexWriter();
        const known = await sql.all<Record<"platform" | "kind" | "id", string>>(
          "SELECT platform, kind, id FROM erased",
        );
        const revoked = await sql.all<{ key_id: string }>("SELECT key_id FROM tokens");
        const erased = new ErasedRows(
          known.map(({ platform, kind, id }) => [platform, kind, id] as const),
          revoked.map((row) => row.key_id),
        );
        const filled = await work({
          ...createTableReader(sql),
          async learn(batch, kind) {
            await writeRows({ sql, index }, { table: "erased", rows: erased.learn(batch, kind) });
          },
          async write(batch) {
            await partitions.create(partitionsOf(batch));
            const { kept, ...left } = erased.split(batch);
            if (kept.rows.length > 0) await writeRows({ sql, index }, kept);
            await writeRows({ sql, index }, { table: "erased", rows: left.learnt });
            await index.finish(sql, "many");
            return left;
          },
        });
        await index.finish(sql, "now");
        await markTrendsStale(sql);
        await notify(sql, { about: "anything" });
        return filled;
      });
      await analyzeTables(db);
      return result;
    },
  };
}

let cursors = 0;

/** Rows of a query, fetched a batch at a time within the transaction. */
async function* fetchRows<Row>(sql: Sql, query: string, batchRows = BATCH_ROWS): AsyncGenerator<Row[]> {
  const cursor = `rows_${++cursors}`;
  await sql.allWithCustomPlan(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${query}`);
  let rows: Row[];
  do {
    rows = await sql.allWithCustomPlan<Row>(`FETCH ${batchRows} FROM ${cursor}`);
    if (rows.length > 0) yield rows;
  } while (rows.length === batchRows);
  await sql.allWithCustomPlan(`CLOSE ${cursor}`);
}

function createTableReader(sql: Sql): TableReader {
  return {
    read: (table, filter = {}) => readTable(sql, table, filter),
    async getAccountRows(platform, ids, filter = {}) {
      const rows = await sql.all<DatabaseRow>(
        `SELECT ${selectColumns("records", filter)} FROM records WHERE id = ANY($1) AND platform = $2 AND kind = 'account'`,
        ids,
        platform,
      );
      return new Map(rows.map((row) => toTableRow("records", row)).map((row) => [row[2], row]));
    },
    async getAccountIds(platform, names) {
      const rows = await sql.all<{ name: string; id: string }>(
        "SELECT name, id FROM account_names WHERE name = ANY($1) AND platform = $2 ORDER BY captured_at, id DESC",
        names,
        platform,
      );
      return new Map(rows.map(({ name, id }) => [name, id]));
    },
    resolveQuery: (platform, text) => new Searcher(createSearchEngine(sql)).resolve(platform, text),
  };
}

async function* readTable<Name extends TableName>(
  sql: Sql,
  table: Name,
  filter: RowFilter,
): AsyncGenerator<Rows[Name][]> {
  if (isSearched(table)) return yield* readInSearchOrder(sql, table, filter);
  const columns = columnsOf(table);
  const where = whereOf(filter.platforms, filter.kind === undefined ? undefined : [filter.kind]);
  // The first columns are the key, in the order of other stores.
  const query = `SELECT ${columns} FROM ${table}${where} ORDER BY ${columns}`;
  for await (const rows of fetchRows<DatabaseRow>(sql, query)) yield rows.map((row) => toTableRow(table, row));
}

/** A cursor's query takes no parameters. */
function whereOf(platforms: readonly string[] | undefined, kinds: readonly string[] | undefined): string {
  const isOneOf = (column: string, values: readonly string[] | undefined) =>
    values === undefined ? [] : [`${column} IN (${values.map(quote).join(", ")})`];
  const conditions = [...isOneOf("platform", platforms), ...isOneOf("kind", kinds)];
  return conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function columnsOf(table: TableName): string {
  return (table === "chart_entries" ? CHART_COLUMNS : TABLES[table]).join(", ");
}

function selectColumns(table: TableName, filter: RowFilter): string {
  return columnsOf(table).replace("native", `${nativeColumn(filter)} AS native`);
}

const CHART_COLUMNS = ["chart", "day", "rank", "platform", "post_id", "captured_at", "source"];

export function toTableRow<Name extends TableName>(table: Name, row: DatabaseRow): Rows[Name] {
  const { platform, chart } = row;
  const isChart = typeof platform === "string" && typeof chart === "string";
  const values = isChart ? { ...row, ...parseChartName(platform, chart) } : row;
  return TABLES[table].map((column) => valueOf(values, column)) as Rows[Name];
}

function valueOf(row: DatabaseRow, column: string): string | number | null {
  const value = row[column] ?? null;
  return typeof value === "boolean" ? Number(value) : value;
}

/** The search documents of a table's rows. */
const KINDS: Record<SearchedTable, readonly SearchKind[]> = {
  records: ["account", "post", "sound", "hashtag", "place"],
  comments: ["comment"],
  subtitles: ["subtitle"],
};

function isSearched(table: TableName): table is SearchedTable {
  return Object.hasOwn(KINDS, table);
}

/** Tables do not say in which order their rows were added; the numbers of their search documents do. */
async function* readInSearchOrder<Name extends SearchedTable>(
  sql: Sql,
  table: Name,
  filter: RowFilter,
): AsyncGenerator<Rows[Name][]> {
  const where = whereOf(filter.platforms, filter.kind === undefined ? KINDS[table] : [filter.kind]);
  const query = `SELECT platform, kind, id FROM search_docs${where} ORDER BY doc`;
  const columns = selectColumns(table, filter);
  type Doc = { platform: string; kind: SearchKind; id: string };
  for await (const docs of fetchRows<Doc>(sql, query, table === "subtitles" ? 50 : BATCH_ROWS)) {
    const [condition, ...values] = conditionFor(
      table,
      docs.map(({ id }) => id),
    );
    const rows = await sql.allWithCustomPlan<DatabaseRow>(
      `SELECT ${columns} FROM ${table} WHERE ${condition}`,
      ...values,
    );
    const byDoc = new Map(rows.map((row) => [docKey(table, row), toTableRow(table, row)]));
    yield docs.flatMap(({ platform, kind, id }) => {
      const row = byDoc.get(`${platform}/${kind}/${id}`);
      return row === undefined ? [] : [row];
    });
  }
}

/** Compares columns one by one, since with Citus each row may be on another machine. */
function conditionFor(table: SearchedTable, docIds: string[]): [condition: string, ...values: Value[]] {
  if (table === "records") return ["id = ANY($1)", docIds];
  if (table === "subtitles") return ["post_id = ANY($1)", docIds.map((docId) => parseSubtitleDocId(docId).postId)];
  const comments = docIds.map(parseCommentDocId);
  return ["post_id = ANY($1) AND id = ANY($2)", comments.map(({ postId }) => postId), comments.map(({ id }) => id)];
}

function docKey(table: SearchedTable, row: DatabaseRow): string {
  const { platform, kind, id, post_id, language, automatic } = row as Record<string, string>;
  if (table === "records") return `${platform}/${kind}/${id}`;
  if (table === "comments") return `${platform}/comment/${commentDocId(post_id as string, id as string)}`;
  return `${platform}/subtitle/${subtitleDocId(post_id as string, language as string, Boolean(automatic))}`;
}

/** The partitions of the documents that the rows are found by. */
function partitionsOf(batch: TableBatch): SearchPartition[] {
  return placeRows(batch).flatMap(([table, row]) => {
    if (table === "records") return { platform: row[0], kind: row[1] };
    if (table === "comments") return { platform: row[0], kind: "comment" };
    return table === "subtitles" ? { platform: row[0], kind: "subtitle" } : [];
  });
}

async function writeRows({ sql, index }: UnitOfWork, batch: TypedBatch): Promise<void> {
  const { table } = batch;
  if (batch.table === "records") {
    const records = batch.rows.map(decodeRecordRow);
    for (const { platform, kind, encoded } of records) index.put(platform, kind, encoded.id, encoded.document, "new");
    const posts = records.filter(({ kind }) => kind === "post");
    await movePosts(
      sql,
      posts.map(({ platform, encoded }) => ({ platform, before: null, now: encoded })),
    );
    return insert(
      sql,
      RECORDS,
      records.map(({ platform, kind, version, encoded }) => ({ ...toRecordRow(encoded), platform, kind, version })),
    );
  }
  if (batch.table === "comments") {
    const comments = batch.rows.map(decodeCommentRow);
    for (const { platform, postId, encoded } of comments) {
      index.put(platform, "comment", commentDocId(postId, encoded.id), encoded.document, "new");
    }
    return insert(
      sql,
      COMMENTS.postgres,
      comments.map(({ platform, postId, encoded }) => toCommentRow(platform, postId, encoded)),
    );
  }
  if (batch.table === "subtitles") {
    for (const row of batch.rows) index.put(...searchDocumentOf(batch.table, row), "new");
  }
  const columns = table === "chart_entries" ? CHART_COLUMNS : TABLES[table];
  await insert(
    sql,
    { name: table, key: [], columns: Object.fromEntries(columns.map((column) => [column, textColumn])) },
    placeRows(batch).map((placed) => toDatabaseRow(...placed)),
  );
}

function toDatabaseRow(...[table, values]: PlacedRow): DatabaseRow {
  const columns: readonly string[] = TABLES[table];
  const row: DatabaseRow = Object.fromEntries(columns.map((column, index) => [column, values[index] ?? null]));
  if (table === "chart_entries") row["chart"] = chartName(values[0], values[1], values[2]);
  return row;
}
