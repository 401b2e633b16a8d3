/** Applies a batch: loads the rows it may touch in a few statements, changes them in memory, and writes them in bulk. */
import type { PlatformName } from "#domain/record.ts";
import type { Batch, Changes, Merge, WriteCounts, RecordChange } from "../writer.ts";
import { countResult, type WriteResult } from "../batch-changes.ts";
import { CommentTable } from "./comment-table.ts";
import { CounterHistory, type PointKey } from "./counter-history.ts";
import type { Sql } from "./sql.ts";
import { ErasedIds } from "./erased-ids.ts";
import { RecordTable } from "./record-table.ts";
import type { SearchIndexWriter } from "./search-index-writer.ts";
import type { NonCommentKind } from "./tables.ts";
import { markTrendsStale } from "./trend-tables.ts";
import { ChartTable, FollowTable, SubtitleTable } from "./relation-tables.ts";

/** A transaction, and the search index updates to be finished with it. */
export interface UnitOfWork {
  sql: Sql;
  index: SearchIndexWriter;
}

type History = NonNullable<Batch["history"]>;

export class WriteBatch {
  readonly #erased = new ErasedIds();
  readonly #records: RecordTable;
  readonly #comments: CommentTable;
  readonly #counters = new CounterHistory();
  readonly #subtitles: SubtitleTable;
  readonly #follows = new FollowTable();
  readonly #charts = new ChartTable();

  constructor(index: SearchIndexWriter) {
    this.#records = new RecordTable(index);
    this.#comments = new CommentTable(index);
    this.#subtitles = new SubtitleTable(index);
  }

  /** Loads the stored rows that the changes refer to. */
  static async load(
    { sql, index }: UnitOfWork,
    changes: readonly Changes[],
    history: History = [],
  ): Promise<WriteBatch> {
    const batch = new WriteBatch(index);
    await Promise.all([
      batch.#erased.load(sql, idsOf(changes, history)),
      ...changes.map((part) => batch.#load(sql, part, history)),
    ]);
    return batch;
  }

  async #load(sql: Sql, { platform, records, subtitles, follows, chartEntries }: Changes, history: History) {
    const ids = new Map<NonCommentKind, Set<string>>();
    const add = (kind: NonCommentKind, id: string) => ids.set(kind, (ids.get(kind) ?? new Set()).add(id));
    for (const { kind, incoming } of records) if (kind !== "comment") add(kind, incoming.id);
    await Promise.all([
      ...[...ids].map(([kind, idsOfKind]) => this.#records.load(sql, platform, kind, [...idsOfKind])),
      this.#comments.load(sql, platform, records.filter(({ kind }) => kind === "comment").map(commentKey)),
      this.#counters.load(sql, platform, [...pointsOf(records, history)]),
      this.#subtitles.load(sql, platform, subtitles),
      this.#follows.load(sql, platform, follows),
      this.#charts.load(sql, platform, chartEntries),
    ]);
  }

  apply(
    { platform, records, subtitles, follows, chartEntries }: Changes,
    merge: Merge,
    counts: WriteCounts = {},
  ): void {
    for (const change of records) countResult(counts, change.kind, this.#putRecord(platform, change, merge));
    for (const track of subtitles) {
      const erased = this.#erased.has(platform, "post", track.postId);
      countResult(counts, "subtitles", erased ? "erased" : this.#subtitles.put(platform, track));
    }
    for (const follow of follows) {
      const { accountId, followerId } = follow;
      const erased = [accountId, followerId].some((id) => this.#erased.has(platform, "account", id));
      countResult(counts, "follow", erased ? "erased" : this.#follows.put(platform, follow));
    }
    for (const entry of chartEntries) {
      const erased = this.#erased.has(platform, "post", entry.postId);
      countResult(counts, "chart", erased ? "erased" : this.#charts.put(platform, entry));
    }
  }

  #putRecord(platform: PlatformName, change: RecordChange, merge: Merge): WriteResult {
    const { kind, postId, incoming, point } = change;
    if (this.#isErased(platform, change)) return "erased";
    const result =
      kind === "comment"
        ? this.#comments.put(platform, postId as string, incoming, merge)
        : this.#records.put(platform, kind, incoming, merge);
    if (point !== null) this.#counters.put(platform, kind, incoming.id, point);
    return result;
  }

  #isErased(platform: PlatformName, { kind, postId, incoming }: RecordChange): boolean {
    if (this.#erased.has(platform, kind, incoming.id)) return true;
    if (kind === "comment" && this.#erased.has(platform, "post", postId)) return true;
    return (kind === "comment" || kind === "post") && this.#erased.has(platform, "account", incoming.authorId);
  }

  addHistory(platform: PlatformName, history: History): void {
    for (const { kind, id, points } of history) {
      if (this.#erased.has(platform, kind, id)) continue;
      for (const point of points) this.#counters.put(platform, kind, id, point);
    }
  }

  /** Pipelined: while the server writes one table, the rows of the next are formatted. */
  async flush({ sql, index }: UnitOfWork): Promise<void> {
    const writeDocuments = await index.prepare(sql);
    const changesTrends = this.#records.hasChangedPosts() || this.#counters.hasChangedPosts();
    await Promise.all([
      changesTrends ? markTrendsStale(sql) : null,
      writeDocuments(),
      this.#records.flush(sql),
      this.#comments.flush(sql),
      this.#counters.flush(sql),
      this.#subtitles.flush(sql),
      this.#follows.flush(sql),
      this.#charts.flush(sql),
    ]);
  }
}

function commentKey({ postId, incoming }: RecordChange): { postId: string; id: string } {
  return { postId: postId as string, id: incoming.id };
}

function* pointsOf(records: readonly RecordChange[], history: History): Generator<PointKey> {
  for (const { kind, incoming, point } of records) {
    if (point !== null) yield { kind, id: incoming.id, capturedAt: point.capturedAt };
  }
  for (const { kind, id, points } of history) {
    for (const { capturedAt } of points) yield { kind, id, capturedAt };
  }
}

/** The ids of everything the changes refer to. */
function idsOf(changes: readonly Changes[], history: History): Set<string> {
  const ids = new Set(history.map(({ id }) => id));
  for (const { records, subtitles, follows, chartEntries } of changes) {
    for (const { postId, incoming } of records) {
      ids.add(incoming.id);
      if (postId !== null) ids.add(postId);
      if (incoming.authorId !== null) ids.add(incoming.authorId);
    }
    for (const { postId } of subtitles) ids.add(postId);
    for (const { accountId, followerId } of follows) ids.add(accountId).add(followerId);
    for (const { postId } of chartEntries) ids.add(postId);
  }
  return ids;
}
