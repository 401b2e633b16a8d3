/** Copies tables in from another store, and rebuilds list entries and search documents. */
import type { Post } from "#domain/post.ts";
import { subtitleDocument } from "#search/documents.ts";
import {
  type CopyRecord,
  decodeCommentRow,
  decodeRecordRow,
  decodeTrackRow,
  type Subject,
  subjectsOfRecord,
  subjectsOfRow,
} from "../copy-rows.ts";
import { toRecordRow } from "../record-row.ts";
import { commentDocId, subtitleDocId } from "../search-doc-ids.ts";
import { StoreOpenError } from "../store-open-error.ts";
import {
  COPY_TABLES,
  type CopyProgress,
  type CopyRow,
  type CopyTableName,
  isLastStep,
  isSameProgress,
  type TableCopy,
} from "../table-copy.ts";
import { analyzeTables } from "./analyze.ts";
import { toCommentRow } from "./comment-table.ts";
import { databaseTable } from "./copy-tables.ts";
import type { Database } from "./database.ts";
import { ErasedIds } from "./erased-ids.ts";
import { movePosts } from "./post-list-rows.ts";
import { getHeaders } from "./record-reads.ts";
import { SearchIndexWriter } from "./search-index-writer.ts";
import type { Sql } from "./sql.ts";
import { isSearched, readByKey, readInSearchOrder } from "./table-copy-reads.ts";
import { COMMENTS, type NonCommentKind, RECORDS } from "./tables.ts";
import { markTrendsStale } from "./trend-tables.ts";
import { upsert } from "./upsert.ts";
import type { UnitOfWork } from "./write-batch.ts";
import { acquireWriteLock } from "./write-lock.ts";

export function createTableCopy(db: Database): TableCopy {
  return {
    tables: COPY_TABLES,
    async storeId() {
      return (await db.get<{ id: string }>("SELECT id FROM store_identity"))?.id as string;
    },
    async count(table) {
      const row = await db.withoutTimeout((sql) => sql.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`));
      return row?.n ?? 0;
    },
    read: (table, order, after, limit) =>
      order === "insertion" && isSearched(table)
        ? readInSearchOrder(db, table, after, limit)
        : readByKey(db, table, after, limit),
    write: (rows, progress, before) =>
      db.transaction(async (sql) => {
        await acquireWriteLock(sql);
        if (!isSameProgress(await getProgress(sql, progress.table), before)) {
          throw new StoreOpenError("another copy is writing to this target; wait until it is done");
        }
        const index = new SearchIndexWriter();
        await writeRows({ sql, index }, progress.table, rows);
        if (progress.table === "records" || progress.table === "counter_points") await markTrendsStale(sql);
        await index.finish(sql, !isLastStep(progress));
        await sql.run(
          `INSERT INTO copy_progress (name, progress) VALUES ($1, $2)
           ON CONFLICT (name) DO UPDATE SET progress = excluded.progress`,
          progress.table,
          JSON.stringify(progress),
        );
      }),
    progress: () =>
      db.transaction(async (sql) => {
        // The last step of a process that was killed may still be running on the server.
        await acquireWriteLock(sql);
        const rows = await sql.all<{ progress: string }>("SELECT progress FROM copy_progress ORDER BY name");
        return rows.map(({ progress }) => JSON.parse(progress) as CopyProgress);
      }),
    async finish() {
      await db.run("DELETE FROM copy_progress");
      await analyzeTables(db);
    },
  };
}

async function getProgress(sql: Sql, table: CopyTableName): Promise<CopyProgress | null> {
  const row = await sql.get<{ progress: string }>("SELECT progress FROM copy_progress WHERE name = $1", table);
  return row === undefined ? null : (JSON.parse(row.progress) as CopyProgress);
}

async function writeRows(unit: UnitOfWork, name: CopyTableName, rows: readonly CopyRow[]): Promise<void> {
  if (name === "records") return writeRecords(unit, rows.map(decodeRecordRow));
  if (name === "comments") return writeComments(unit, rows.map(decodeCommentRow));
  const allowed = await withoutErased(unit.sql, rows, (row) => subjectsOfRow(name, row));
  if (name === "subtitles") indexTracks(unit, allowed);
  const table = databaseTable(name);
  await upsert(unit.sql, table, allowed.map(table.fromCopyRow));
}

/** Skips items that refer to records erased in this store. */
async function withoutErased<Item>(
  sql: Sql,
  items: readonly Item[],
  subjectsOf: (item: Item) => Subject[],
): Promise<Item[]> {
  const erased = new ErasedIds();
  await erased.load(sql, new Set(items.flatMap(subjectsOf).flatMap(({ id }) => id ?? [])));
  return items.filter((item) => !subjectsOf(item).some(({ platform, kind, id }) => erased.has(platform, kind, id)));
}

function indexTracks({ index }: UnitOfWork, rows: readonly CopyRow[]): void {
  for (const { platform, ...track } of rows.map(decodeTrackRow)) {
    const docId = subtitleDocId(track.postId, track.language, track.automatic);
    index.put(platform, "subtitle", docId, subtitleDocument(track), "stored");
  }
}

async function writeRecords({ sql, index }: UnitOfWork, copied: readonly CopyRecord[]): Promise<void> {
  const records = await withoutErased(sql, copied, subjectsOfRecord);
  const groups = Map.groupBy(records, ({ platform, kind }) => `${platform}/${kind}`);
  for (const group of groups.values()) {
    const { platform, kind } = group[0] as CopyRecord;
    const encoded = group.map((record) => record.encoded);
    const ids = encoded.map(({ id }) => id);
    const stored = await getHeaders(sql, platform, kind, ids);
    for (const { id, document } of encoded) {
      index.put(platform, kind, id, document, stored.has(id) ? "stored" : "new");
    }
    if (kind !== "post") continue;
    await movePosts(
      sql,
      encoded.map((post) => {
        const header = stored.get(post.id);
        return { platform, before: header === undefined ? null : (JSON.parse(header) as Post), now: post };
      }),
    );
  }
  const rows = records.map(({ platform, kind, encoded, version }) => {
    return { ...toRecordRow(encoded), platform, kind: kind as NonCommentKind, version };
  });
  await upsert(sql, RECORDS, rows);
}

async function writeComments(
  { sql, index }: UnitOfWork,
  copied: readonly (CopyRecord & { postId: string })[],
): Promise<void> {
  const comments = await withoutErased(sql, copied, subjectsOfRecord);
  for (const { platform, postId, encoded } of comments) {
    index.put(platform, "comment", commentDocId(postId, encoded.id), encoded.document, "stored");
  }
  const rows = comments.map(({ platform, postId, encoded }) => toCommentRow(platform, postId, encoded));
  await upsert(sql, COMMENTS, rows);
}
