/** Rows of another store as tables of the database, with all that is derived from them. */
import type { Post } from "#domain/post.ts";
import { dayOf } from "#domain/time.ts";
import { subtitleDocument } from "#search/documents.ts";
import {
  commentOfRow,
  type CopyRecord,
  recordOfRow,
  type Subject,
  subjectsOfRecord,
  subjectsOfRow,
  trackOfRow,
} from "../copy-rows.ts";
import {
  COPY_TABLES,
  type CopyTableName,
  type CopyRow,
  type TableCopy,
  type CopyProgress,
  isLastStep,
  isSameProgress,
} from "../table-copy.ts";
import { commentDoc, subtitleDoc } from "../search-doc-ids.ts";
import { StoreOpenError } from "../store-open-error.ts";
import type { UnitOfWork } from "./write-batch.ts";
import { keptTable } from "./copy-tables.ts";
import { isSearched, readAsMade, readByKey } from "./table-copy-reads.ts";
import type { Database } from "./database.ts";
import type { Sql } from "./sql.ts";
import { ErasedIds } from "./erased-ids.ts";
import { movePosts } from "./post-list-rows.ts";
import { SearchIndexWriter } from "./search-index-writer.ts";
import { analyzeTables } from "./analyze.ts";
import { TrendWriter } from "./trend-writer.ts";
import { acquireWriteLock } from "./write-lock.ts";
import { type Table, upsert } from "./upsert.ts";

/** The clock says which day trends are of. */
export function createTableCopy(db: Database, clock: () => number): TableCopy {
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
      order === "made" && isSearched(table) ? readAsMade(db, table, after, limit) : readByKey(db, table, after, limit),
    write: (rows, progress, before) =>
      db.transaction(async (sql) => {
        await acquireWriteLock(sql);
        if (!isSameProgress(await heldProgress(sql, progress.table), before)) {
          throw new StoreOpenError("another copy writes to the same target; wait until it is done");
        }
        const index = new SearchIndexWriter();
        const trends = await TrendWriter.begin(sql, dayOf(clock()));
        await writeRows({ sql, index, trends }, progress.table, rows);
        const goesOn = !isLastStep(progress);
        await Promise.all([index.finish(sql, goesOn), trends.finish(goesOn)]);
        await sql.run(
          `INSERT INTO copy_progress (name, progress) VALUES ($1, $2)
           ON CONFLICT (name) DO UPDATE SET progress = excluded.progress`,
          progress.table,
          JSON.stringify(progress),
        );
      }),
    progress: () =>
      db.transaction(async (sql) => {
        // The last step of a process that was killed may still be under way here.
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

async function heldProgress(sql: Sql, table: CopyTableName): Promise<CopyProgress | null> {
  const row = await sql.get<{ progress: string }>("SELECT progress FROM copy_progress WHERE name = $1", table);
  return row === undefined ? null : (JSON.parse(row.progress) as CopyProgress);
}

async function writeRows(turn: UnitOfWork, table: CopyTableName, rows: readonly CopyRow[]): Promise<void> {
  if (table === "records") return writeRecords(turn, rows.map(recordOfRow));
  if (table === "comments") return writeComments(turn, rows.map(commentOfRow));
  const kept = await notErased(turn.sql, rows, (row) => subjectsOfRow(table, row));
  if (table === "counter_points") await noteCounters(turn, kept);
  if (table === "subtitles") indexTracks(turn, kept);
  await upsert(turn.sql, keptTable(table), kept);
}

/** Those that speak of nobody who was erased here. */
async function notErased<Item>(
  sql: Sql,
  items: readonly Item[],
  subjectsOf: (item: Item) => Subject[],
): Promise<Item[]> {
  const erased = new ErasedIds();
  await erased.load(sql, new Set(items.flatMap(subjectsOf).flatMap(({ id }) => id ?? [])));
  return items.filter((item) => !subjectsOf(item).some(({ platform, kind, id }) => erased.has(platform, kind, id)));
}

/** Before the history of posts that are held changes. */
async function noteCounters({ sql, trends }: UnitOfWork, rows: readonly CopyRow[]): Promise<void> {
  const posts = rows.filter(([, kind]) => kind === "post") as [platform: string, kind: "post", id: string][];
  for (const [platform, own] of Map.groupBy(posts, (row) => row[0])) {
    const ids = [...new Set(own.map(([, , id]) => id))];
    await trends.note(
      platform,
      [...(await heldHeaders(sql, platform, "post", ids))].map(([id, header]) => ({ id, header })),
    );
  }
}

async function heldHeaders(sql: Sql, platform: string, kind: string, ids: string[]): Promise<Map<string, string>> {
  const rows = await sql.all<{ id: string; header: string }>(
    "SELECT id, header FROM records WHERE id = ANY($1) AND platform = $2 AND kind = $3",
    ids,
    platform,
    kind,
  );
  return new Map(rows.map(({ id, header }) => [id, header]));
}

function indexTracks({ index }: UnitOfWork, rows: readonly CopyRow[]): void {
  for (const { platform, ...track } of rows.map(trackOfRow)) {
    const doc = subtitleDoc(track.postId, track.language, track.automatic);
    index.put(platform, "subtitle", doc, subtitleDocument(track), "held");
  }
}

const RECORDS: Table<CopyRecord> = {
  name: "records",
  key: ["id", "platform", "kind"],
  columns: [
    { name: "id", type: "text", of: ({ prepared }) => prepared.id },
    { name: "platform", type: "text", of: ({ platform }) => platform },
    { name: "kind", type: "text", of: ({ kind }) => kind },
    { name: "header", type: "text", of: ({ prepared }) => prepared.header },
    { name: "native", type: "text", of: ({ prepared }) => prepared.native },
    { name: "captured_at", type: "bigint", of: ({ prepared }) => prepared.capturedAt },
    { name: "source", type: "text", of: ({ prepared }) => prepared.source },
    { name: "version", type: "bigint", of: ({ version }) => version },
  ],
};

async function writeRecords(turn: UnitOfWork, found: readonly CopyRecord[]): Promise<void> {
  const { sql, index, trends } = turn;
  const records = await notErased(sql, found, subjectsOfRecord);
  const groups = Map.groupBy(records, ({ platform, kind }) => `${platform}/${kind}`);
  for (const group of groups.values()) {
    const { platform, kind } = group[0] as CopyRecord;
    const ids = group.map(({ prepared }) => prepared.id);
    const held = await heldHeaders(sql, platform, kind, ids);
    for (const { prepared } of group) {
      index.put(platform, kind, prepared.id, prepared.document, held.has(prepared.id) ? "held" : "new");
    }
    if (kind !== "post") continue;
    await trends.note(
      platform,
      ids.map((id) => ({ id, header: held.get(id) ?? null })),
    );
    await listPosts(sql, group, held);
  }
  await upsert(sql, RECORDS, records);
}

/** A post that names an erased person keeps the name in its text; the person's list is gone. */
async function listPosts(sql: Sql, posts: readonly CopyRecord[], held: Map<string, string>): Promise<void> {
  const erased = new ErasedIds();
  const tagged = posts.flatMap(({ prepared }) => prepared.lists.filter(([list]) => list === "tagged"));
  await erased.load(sql, new Set(tagged.map(([, key]) => key)));
  await movePosts(
    sql,
    posts.map(({ platform, prepared }) => {
      const header = held.get(prepared.id);
      const lists = prepared.lists.filter(([list, key]) => list !== "tagged" || !erased.has(platform, "account", key));
      return {
        platform,
        before: header === undefined ? null : (JSON.parse(header) as Post),
        now: { ...prepared, lists },
      };
    }),
  );
}

type CopiedComment = CopyRecord & { postId: string };

const COMMENTS: Table<CopiedComment> = {
  name: "comments",
  key: ["post_id", "platform", "id"],
  columns: [
    { name: "post_id", type: "text", of: ({ postId }) => postId },
    { name: "platform", type: "text", of: ({ platform }) => platform },
    { name: "id", type: "text", of: ({ prepared }) => prepared.id },
    { name: "parent_id", type: "text", of: ({ prepared }) => prepared.parentId },
    { name: "author_id", type: "text", of: ({ prepared }) => prepared.authorId },
    { name: "at", type: "bigint", of: ({ prepared }) => prepared.at },
    { name: "likes", type: "bigint", of: ({ prepared }) => prepared.likes },
    { name: "header", type: "text", of: ({ prepared }) => prepared.header },
    { name: "native", type: "text", of: ({ prepared }) => prepared.native },
    { name: "captured_at", type: "bigint", of: ({ prepared }) => prepared.capturedAt },
    { name: "source", type: "text", of: ({ prepared }) => prepared.source },
  ],
};

async function writeComments({ sql, index }: UnitOfWork, found: readonly CopiedComment[]): Promise<void> {
  const comments = await notErased(sql, found, subjectsOfRecord);
  if (comments.length === 0) return;
  const rows = await sql.all<{ platform: string; post_id: string; id: string }>(
    "SELECT platform, post_id, id FROM comments WHERE post_id = ANY($1) AND id = ANY($2)",
    [...new Set(comments.map(({ postId }) => postId))],
    [...new Set(comments.map(({ prepared }) => prepared.id))],
  );
  const held = new Set(rows.map(({ platform, post_id, id }) => `${platform}/${commentDoc(post_id, id)}`));
  for (const { platform, postId, prepared } of comments) {
    const doc = commentDoc(postId, prepared.id);
    index.put(platform, "comment", doc, prepared.document, held.has(`${platform}/${doc}`) ? "held" : "new");
  }
  await upsert(sql, COMMENTS, comments);
}
