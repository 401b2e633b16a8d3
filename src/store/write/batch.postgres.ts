/**
 * Applies a batch: loads the rows it may touch in a few statements, merges in memory, and writes in bulk. Rows are locked
 * only as they are written, all writers write in the same order, and those that several imports share come last.
 */
import { parseJsonText } from "#domain/json-text.ts";
import { NAMED_CHART_ROWS } from "#store/charts/write.postgres.ts";
import { createCommentRows } from "#store/comments/postgres.ts";
import { CounterHistory } from "#store/counters/postgres.ts";
import { makersOf, withoutErased } from "#store/erasure/erased-record.ts";
import { unknownAccountKey } from "#store/erasure/keys.ts";
import { learnErased, type LearntId, nameKeys } from "#store/erasure/learn.ts";
import { ErasedIds } from "#store/erasure/postgres.ts";
import { type IsErased, scrubRecord, scrubTrack } from "#store/erasure/scrub.ts";
import { markErased } from "#store/erasure/statements.ts";
import { FOLLOW_ROWS } from "#store/follows/relation.ts";
import { movePosts } from "#store/lists/postgres.ts";
import { stepsOn } from "#store/postgres/shared-sql.ts";
import type { Sql } from "#store/postgres/sql.ts";
import { CHART_ENTRIES } from "#store/charts/tables.ts";
import { FOLLOWS } from "#store/follows/tables.ts";
import { SUBTITLES } from "#store/subtitles/tables.ts";
import { BatchOrder } from "#store/postgres/versioned-rows.ts";
import { createRecordRows } from "#store/records/postgres.ts";
import type { SearchIndexWriter } from "#store/search/postgres.ts";
import { runAsync } from "#store/sql/sql.ts";
import { SUBTITLE_ROWS } from "#store/subtitles/relation.ts";
import { markTrendsStale } from "#store/trends/postgres.ts";
import { JobTouches } from "#store/undo/port.ts";
import { eachCapture, isNotComment } from "./captures.ts";
import type { Changes, Merge, RecordChange, WriteCounts } from "./port.ts";
import { createRelationRows } from "./relation.postgres.ts";

/** A transaction, and the search index updates to be finished with it. */
export interface UnitOfWork {
  sql: Sql;
  index: SearchIndexWriter;
}

export class WriteBatch {
  readonly #erased = new ErasedIds();
  readonly #records: Tables["record"];
  readonly #counters = new CounterHistory();
  readonly #concerns: Tables & { counters: CounterHistory };
  /** In the order in which all writers lock their rows. */
  readonly #tables: readonly Tables[keyof Tables][];
  /** To be remembered as erased. */
  readonly #learnt: LearntId[] = [];
  /** Of what was skipped because it is erased. */
  readonly #erasedCounts: WriteCounts = {};

  constructor(merge: Merge) {
    const tables = createTables(merge, new BatchOrder());
    this.#records = tables.record;
    this.#tables = Object.values(tables);
    this.#concerns = { ...tables, counters: this.#counters };
  }

  /** Loads the stored rows that the changes refer to, and merges the changes into them. */
  static async merge(sql: Sql, changes: readonly Changes[], merge: Merge): Promise<WriteBatch> {
    const batch = new WriteBatch(merge);
    await batch.#load(sql, changes);
    if (batch.#erased.isUsed) for (const part of changes) batch.#learn(part);
    for (const part of changes)
      eachCapture(batch.#erased.isUsed ? batch.#withoutErased(part) : part, "put", batch.#concerns);
    return batch;
  }

  /** The version of a record is read before its history: if it is still the same on writing, so is the history. */
  async #load(sql: Sql, changes: readonly Changes[]): Promise<void> {
    for (const part of changes) {
      eachCapture(part, "expect", this.#concerns);
      for (const { kind, id } of (part.history ?? []).filter(isNotComment))
        this.#records.expectKey({ platform: part.platform, kind, id });
    }
    await Promise.all([
      this.#erased.load(sql, () => idsOf(changes)),
      ...this.#tables.map((table) => table.load(sql)),
      this.#counters.load(sql),
    ]);
  }

  #learn(changes: Changes): void {
    const { platform } = changes;
    const learnt = learnErased(changes, {
      isErased: (kind, id) => this.#erased.has(platform, kind, id),
      getHeader: (kind, id) => this.#records.getStored({ platform, kind, id })?.row.header,
    });
    for (const one of learnt) {
      this.#erased.add(platform, one.kind, one.id);
      this.#learnt.push(one);
    }
  }

  #withoutErased(changes: Changes): Changes {
    return withoutErased(changes, (kind, id) => this.#erased.has(changes.platform, kind, id), this.#erasedCounts);
  }

  /** Final once the batch is flushed: another writer may have written some of the records first. */
  counts(): WriteCounts {
    const counts = structuredClone(this.#erasedCounts);
    for (const table of this.#tables) table.countInto(counts);
    return counts;
  }

  /** Once the batch is flushed. */
  touches(isFetched: boolean): JobTouches {
    const touches = new JobTouches(isFetched);
    for (const table of this.#tables) table.touchInto(touches);
    this.#counters.touchInto(touches);
    return touches;
  }

  /** Of whom the changes showed that they were erased before. */
  learnt(): readonly LearntId[] {
    return this.#learnt;
  }

  /**
   * Pipelined: while the server writes one table, the rows of the next are formatted. New posts and comments come first;
   * rows that other writers may change too are locked after them, for as short as possible.
   */
  async flush({ sql, index }: UnitOfWork): Promise<void> {
    const tables = this.#tables;
    const grown = this.#counters.changed().filter(isNotComment);
    const changesTrends = [...this.#records.changed(), ...grown].some(({ kind }) => kind === "post");
    for (const record of grown) this.#records.touch(record);
    await index.reserveNumbers(
      sql,
      tables.flatMap((table) => table.newDocuments()),
    );
    for (const table of tables) table.indexCopied(index);
    const writeNewDocuments = await index.prepare(sql);
    // In the order that all writers keep to.
    await Promise.all([
      ...tables.map((table) => table.insertCopied(sql)),
      writeNewDocuments(),
      this.#counters.flush(sql, (record) => isNotComment(record) && this.#records.isInserted(record)),
      ...tables.map((table) => table.write(sql)),
      changesTrends ? markTrendsStale(sql) : null,
    ]);
    await this.#counters.reload(sql, this.#records.changedByOthers());
    for (const { platform, kind, id } of this.#learnt) await runAsync(markErased(stepsOn(sql), platform, kind, [id]));
    for (const table of tables) table.indexOthers(index);
    const writeDocuments = await index.prepare(sql);
    await Promise.all([
      writeDocuments(),
      ...tables.map((table) => table.deriveOthers(sql)),
      this.#counters.flush(sql, () => true),
    ]);
  }
}

type Tables = ReturnType<typeof createTables>;

function createTables(merge: Merge, order: BatchOrder) {
  return {
    record: createRecordRows(merge, order, movePosts),
    comment: createCommentRows(merge, order),
    subtitles: createRelationRows(SUBTITLES.postgres, SUBTITLE_ROWS, order),
    follow: createRelationRows(FOLLOWS.postgres, FOLLOW_ROWS, order),
    chart: createRelationRows(CHART_ENTRIES.postgres, NAMED_CHART_ROWS, order),
  };
}

/** Under which an account may have been erased, beside its id. */
function accountKeys({ name, header }: RecordChange["incoming"]): string[] {
  return [...(name === null ? [] : [unknownAccountKey(name)]), ...nameKeys(parseJsonText(header))];
}

/** The ids of everything the changes refer to, and the keys of everyone they may name. */
function idsOf(changes: readonly Changes[]): Set<string> {
  const ids = new Set<string>();
  const collect: IsErased = (_kind, key) => {
    ids.add(key);
    return false;
  };
  for (const { records, subtitles, follows, chartEntries, history = [] } of changes) {
    for (const { kind, postId, incoming } of records) {
      ids.add(incoming.id);
      if (postId !== null) ids.add(postId);
      for (const key of makersOf({ kind, incoming })) ids.add(key);
      if (kind === "account") for (const key of accountKeys(incoming)) ids.add(key);
      scrubRecord(kind, incoming, collect);
    }
    for (const track of subtitles) scrubTrack(track, collect);
    for (const { postId } of subtitles) ids.add(postId);
    for (const { accountId, followerId } of follows) ids.add(accountId).add(followerId);
    for (const { postId } of chartEntries) ids.add(postId);
    for (const { id } of history) ids.add(id);
  }
  return ids;
}
