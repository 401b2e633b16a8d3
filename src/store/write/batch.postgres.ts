/**
 * Applies a batch: loads the rows it may touch in a few statements, merges in memory, and writes in bulk. Rows are locked
 * only as they are written, all writers write in the same order, and those that several imports share come last.
 */
import type { Account } from "#domain/account.ts";
import type { ChartEntry } from "#domain/chart.ts";
import type { RecordKind, PlatformName } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import { unknownAccountKey } from "#store/erasure/keys.ts";
import { makersOf, withoutErased } from "#store/erasure/erased-record.ts";
import { learnErased, type LearntId, nameKeys } from "#store/erasure/learn.ts";
import { type IsErased, scrubRecord, scrubTrack } from "#store/erasure/scrub.ts";
import { markErased } from "#store/erasure/statements.ts";
import { runAsync } from "#store/sql/sql.ts";
import type { Changes, RecordHistory, Merge, RecordChange, WriteCounts } from "./port.ts";
import { JobTouches } from "#store/undo/port.ts";
import type { NonCommentKind, RecordKey } from "./record-row.ts";
import { toEntryRow, toFollowRow, toSubtitleRow } from "./relation-rows.ts";
import { chartName } from "#store/charts/name.postgres.ts";
import { CommentTable } from "#store/comments/postgres.ts";
import { CounterHistory, type PointKey } from "#store/counters/postgres.ts";
import { ErasedIds } from "#store/erasure/postgres.ts";
import { RecordTable, type RecordValue } from "#store/records/postgres.ts";
import { createRelationTables, indexSubtitles, newSubtitleDocuments } from "#store/postgres/relation-tables.ts";
import type { SearchIndexWriter } from "#store/search/postgres.ts";
import { stepsOn } from "#store/postgres/shared-sql.ts";
import type { Sql } from "#store/postgres/sql.ts";
import type { ChartEntryRow } from "#store/charts/tables.ts";
import type { FollowRow } from "#store/follows/tables.ts";
import type { SubtitleRow } from "#store/subtitles/tables.ts";
import { BatchOrder } from "#store/postgres/versioned-rows.ts";
import { markTrendsStale } from "#store/trends/postgres.ts";

/** A transaction, and the search index updates to be finished with it. */
export interface UnitOfWork {
  sql: Sql;
  index: SearchIndexWriter;
}

export class WriteBatch {
  readonly #erased = new ErasedIds();
  readonly #records: RecordTable;
  readonly #comments: CommentTable;
  readonly #counters = new CounterHistory();
  readonly #relations: ReturnType<typeof createRelationTables>;
  /** To be remembered as erased. */
  readonly #learnt: LearntId[] = [];
  /** Of what was skipped because it is erased. */
  readonly #erasedCounts: WriteCounts = {};

  constructor(merge: Merge) {
    const order = new BatchOrder();
    this.#records = new RecordTable(merge, order);
    this.#comments = new CommentTable(merge, order);
    this.#relations = createRelationTables(order);
  }

  /** Loads the stored rows that the changes refer to, and merges the changes into them. */
  static async merge(sql: Sql, changes: readonly Changes[], merge: Merge): Promise<WriteBatch> {
    const batch = new WriteBatch(merge);
    await batch.#load(sql, changes);
    if (batch.#erased.isUsed) for (const part of changes) batch.#learn(part);
    for (const part of changes) batch.#apply(batch.#erased.isUsed ? batch.#withoutErased(part) : part);
    return batch;
  }

  /** The version of a record is read before its history: if it is still the same on writing, so is the history. */
  async #load(sql: Sql, changes: readonly Changes[]): Promise<void> {
    const { subtitles, follows, charts } = this.#relations;
    const records = changes.flatMap((part) => part.records.map((change) => ({ ...change, platform: part.platform })));
    const history = changes.flatMap((part) => (part.history ?? []).map((one) => ({ ...one, platform: part.platform })));
    await Promise.all([
      this.#erased.load(sql, () => idsOf(changes)),
      this.#records.load(sql, [
        ...records.filter(isNotComment).map(({ platform: of, kind, incoming: { id } }) => ({ platform: of, kind, id })),
        ...history.filter(isNotComment),
      ]),
      this.#comments.load(
        sql,
        records
          .filter(({ kind }) => kind === "comment")
          .map(({ platform: of, postId, incoming: { id } }) => ({ platform: of, post_id: postId as string, id })),
      ),
      subtitles.load(
        sql,
        changes.flatMap((part) => part.subtitles.map((track) => subtitleRow(part.platform, track))),
      ),
      follows.load(
        sql,
        changes.flatMap((part) => part.follows.map((follow) => followRow(part.platform, follow))),
      ),
      charts.load(
        sql,
        changes.flatMap((part) => part.chartEntries.map((entry) => entryRow(part.platform, entry))),
      ),
      this.#counters.load(sql, [...pointsOf(records), ...history.flatMap(pointsOfHistory)]),
    ]);
  }

  #learn(changes: Changes): void {
    const { platform } = changes;
    const learnt = learnErased(changes, {
      isErased: (kind, id) => this.#erased.has(platform, kind, id),
      isNamed: (id) => this.#records.isNamed(platform, id),
      getAuthor: (id) => this.#records.getAuthor(platform, id),
    });
    for (const one of learnt) {
      this.#erased.add(platform, one.kind, one.id);
      this.#learnt.push(one);
    }
  }

  #withoutErased(changes: Changes): Changes {
    return withoutErased(changes, (kind, id) => this.#erased.has(changes.platform, kind, id), this.#erasedCounts);
  }

  #apply({ platform, records, subtitles, follows, chartEntries, history = [] }: Changes): void {
    for (const change of records) this.#putRecord(platform, change);
    for (const track of subtitles) putRow(this.#relations.subtitles, subtitleRow(platform, track));
    for (const follow of follows) putRow(this.#relations.follows, followRow(platform, follow));
    for (const entry of chartEntries) putRow(this.#relations.charts, entryRow(platform, entry));
    for (const { kind, id, points } of history) {
      for (const point of points) this.#counters.put({ platform, kind, id }, point);
    }
  }

  #putRecord(platform: PlatformName, { kind, postId, incoming, point }: RecordChange): void {
    const { id } = incoming;
    if (kind === "comment") {
      const key = { platform, post_id: postId as string, id };
      this.#comments.put(key, { ...key, encoded: incoming });
    } else this.#records.put({ platform, kind, id }, { platform, kind, id, encoded: incoming });
    if (point !== null) this.#counters.put({ platform, kind, id }, point);
  }

  /** Final once the batch is flushed: another writer may have written some of the records first. */
  counts(): WriteCounts {
    const counts = structuredClone(this.#erasedCounts);
    for (const table of [this.#records, this.#comments, ...Object.values(this.#relations)]) table.countInto(counts);
    return counts;
  }

  /** Once the batch is flushed. */
  touches(isFetched: boolean): JobTouches {
    const touches = new JobTouches(isFetched);
    for (const table of [this.#records, this.#comments, ...Object.values(this.#relations)]) table.touchInto(touches);
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
    const grown = this.#counters.changed().filter(isNotComment);
    const changesTrends = this.#records.hasChangedPosts() || grown.some(({ kind }) => kind === "post");
    for (const record of grown) this.#records.touch(record);
    await index.reserveNumbers(sql, [
      ...this.#records.newDocuments(),
      ...this.#comments.newDocuments(),
      ...newSubtitleDocuments(this.#relations.subtitles),
    ]);
    this.#records.indexNewPosts(index);
    this.#comments.indexNew(index);
    const writeNewDocuments = await index.prepare(sql);
    const [changedByOthers] = await Promise.all([
      this.#writeTables(sql, writeNewDocuments),
      changesTrends ? markTrendsStale(sql) : null,
    ]);
    await this.#counters.reload(sql, changedByOthers);
    for (const { platform, kind, id } of this.#learnt) await runAsync(markErased(stepsOn(sql), platform, kind, [id]));
    this.#records.indexOthers(index);
    this.#comments.indexOthers(index);
    indexSubtitles(index, this.#relations.subtitles);
    const writeDocuments = await index.prepare(sql);
    await Promise.all([writeDocuments(), this.#records.writeDerived(sql), this.#counters.flush(sql, () => true)]);
  }

  /** In the order that all writers keep to. Returns the records that others changed since they were loaded. */
  async #writeTables(sql: Sql, writeNewDocuments: () => Promise<void>): Promise<RecordKey[]> {
    const added = [
      this.#records.insertPosts(sql),
      this.#comments.insertNew(sql, this.#comments.added()),
      writeNewDocuments(),
      this.#counters.flush(sql, (record) => isNotComment(record) && this.#records.isInserted(record)),
    ];
    const { subtitles, follows, charts } = this.#relations;
    const [changedByOthers] = await Promise.all([
      this.#records.write(sql),
      this.#comments.write(sql),
      subtitles.write(sql),
      follows.write(sql),
      charts.write(sql),
      ...added,
    ]);
    return changedByOthers.map(({ value }) => (value as RecordValue).row);
  }
}

function isNotComment<Item extends { kind: RecordKind }>(item: Item): item is Item & { kind: NonCommentKind } {
  return item.kind !== "comment";
}

/** Captures of relations are merged as rows; their version is set when they are written. */
function putRow<Row>(rows: { put(key: Row, incoming: Row): void }, row: Row): void {
  rows.put(row, row);
}

function subtitleRow(platform: PlatformName, track: SubtitleTrack): SubtitleRow {
  return { ...toSubtitleRow(platform, track), version: 0 };
}

function followRow(platform: PlatformName, follow: Follow): FollowRow {
  return { ...toFollowRow(platform, follow), version: 0 };
}

function entryRow(platform: PlatformName, entry: ChartEntry): ChartEntryRow {
  const chart = chartName(platform, entry.country, entry.section);
  return { ...toEntryRow(entry), platform, chart, version: 0 };
}

function* pointsOf(records: Iterable<RecordChange & { platform: PlatformName }>): Generator<PointKey> {
  for (const { platform, kind, incoming, point } of records) {
    if (point !== null) yield { platform, kind, id: incoming.id, capturedAt: point.capturedAt };
  }
}

function pointsOfHistory({ platform, kind, id, points }: RecordHistory & { platform: PlatformName }): PointKey[] {
  return points.map(({ capturedAt }) => ({ platform, kind, id, capturedAt }));
}

/** Under which an account may have been erased, beside its id. */
function accountKeys({ name, header }: RecordChange["incoming"]): string[] {
  return [...(name === null ? [] : [unknownAccountKey(name)]), ...nameKeys(JSON.parse(header) as Account)];
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
