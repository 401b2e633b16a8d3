/**
 * Applies a batch: reads all that its changes may touch in a few statements, makes the changes in memory one after the
 * other, and writes what changed in a few statements more.
 */
import type { PlatformName } from "#domain/record.ts";
import type { Batch, Changes, Merge, WriteCounts, RecordChange } from "../store.ts";
import { count, type WriteResult } from "../batch-changes.ts";
import { CommentTable } from "./comment-table.ts";
import { CounterHistory, type PointOf } from "./counter-history.ts";
import type { Sql } from "./sql.ts";
import { ErasedIds } from "./erased-ids.ts";
import { RecordTable, type StandingKind } from "./record-table.ts";
import type { SearchIndexWriter } from "./search-index-writer.ts";
import type { NotedPost, TrendWriter } from "./trend-writer.ts";
import { ChartTable, FollowTable, SubtitleTable } from "./relation-tables.ts";

/** One transaction: its connection, and the upkeep of what is derived that ends with it. */
export interface UnitOfWork {
  sql: Sql;
  index: SearchIndexWriter;
  trends: TrendWriter;
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

  /** With all that is held of what the changes name. */
  static async begin(
    { sql, index }: Pick<UnitOfWork, "sql" | "index">,
    changes: readonly Changes[],
    history: History = [],
  ): Promise<WriteBatch> {
    const applying = new WriteBatch(index);
    await Promise.all([
      applying.#erased.load(sql, idsOf(changes, history)),
      ...changes.map((part) => applying.#load(sql, part, history)),
    ]);
    return applying;
  }

  async #load(sql: Sql, { platform, records, subtitles, follows, chartEntries }: Changes, history: History) {
    const ids = new Map<StandingKind, Set<string>>();
    const add = (kind: StandingKind, id: string) => ids.set(kind, (ids.get(kind) ?? new Set()).add(id));
    for (const { kind, incoming: found } of records) if (kind !== "comment") add(kind, found.id);
    // Whether their history counts for trends depends on whether they are held.
    for (const { kind, id } of history) if (kind === "post") add(kind, id);
    await Promise.all([
      ...[...ids].map(([kind, some]) => this.#records.load(sql, platform, kind, [...some])),
      this.#comments.load(sql, platform, records.filter(({ kind }) => kind === "comment").map(addressOf)),
      this.#counters.load(sql, platform, [...pointsOf(records, history)]),
      this.#subtitles.load(sql, platform, subtitles),
      this.#follows.load(sql, platform, follows),
      this.#charts.load(sql, platform, chartEntries),
    ]);
  }

  apply(
    { platform, records, subtitles, follows, chartEntries }: Changes,
    merge: Merge,
    outcome: WriteCounts = {},
  ): void {
    for (const change of records) count(outcome, change.kind, this.#putRecord(platform, change, merge));
    for (const track of subtitles) {
      const erased = this.#erased.has(platform, "post", track.postId);
      count(outcome, "subtitles", erased ? "erased" : this.#subtitles.put(platform, track));
    }
    for (const follow of follows) {
      const { accountId, followerId } = follow;
      const erased = [accountId, followerId].some((id) => this.#erased.has(platform, "account", id));
      count(outcome, "follow", erased ? "erased" : this.#follows.put(platform, follow));
    }
    for (const entry of chartEntries) {
      const erased = this.#erased.has(platform, "post", entry.postId);
      count(outcome, "chart", erased ? "erased" : this.#charts.put(platform, entry));
    }
  }

  #putRecord(platform: PlatformName, change: RecordChange, merge: Merge): WriteResult {
    const { kind, postId, incoming: found, point } = change;
    if (this.#isErased(platform, change)) return "erased";
    const verdict =
      kind === "comment"
        ? this.#comments.put(platform, postId as string, found, merge)
        : this.#records.put(platform, kind, found, merge);
    if (point !== null) this.#counters.put(platform, kind, found.id, point);
    return verdict;
  }

  #isErased(platform: PlatformName, { kind, postId, incoming: found }: RecordChange): boolean {
    if (this.#erased.has(platform, kind, found.id)) return true;
    if (kind === "comment" && this.#erased.has(platform, "post", postId)) return true;
    return (kind === "comment" || kind === "post") && this.#erased.has(platform, "account", found.authorId);
  }

  addHistory(platform: PlatformName, history: History): void {
    for (const { kind, id, points } of history) {
      if (this.#erased.has(platform, kind, id)) continue;
      for (const point of points) this.#counters.put(platform, kind, id, point);
    }
  }

  /** The posts whose record or counters the batch changes, as they were before it. */
  #postsThatCount(): (NotedPost & { platform: PlatformName })[] {
    const posts = this.#records.changedPosts();
    for (const { platform, id } of this.#counters.changedPosts()) {
      const header = this.#records.headerBefore(platform, "post", id);
      // The history of a post that is not held counts when the post comes.
      if (header !== null) posts.push({ platform, id, header });
    }
    return posts;
  }

  /** All at once: while the server writes one table, the rows of the next are made. */
  async flush({ sql, index, trends }: UnitOfWork): Promise<void> {
    const writeDocuments = await index.prepare(sql);
    const posts = Map.groupBy(this.#postsThatCount(), (post) => post.platform);
    await Promise.all([
      // First, since it reads what is about to change.
      ...[...posts].map(([platform, some]) => trends.note(platform, some)),
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

function addressOf({ postId, incoming: found }: RecordChange): { postId: string; id: string } {
  return { postId: postId as string, id: found.id };
}

function* pointsOf(records: readonly RecordChange[], history: History): Generator<PointOf> {
  for (const { kind, incoming: found, point } of records) {
    if (point !== null) yield { kind, id: found.id, capturedAt: point.capturedAt };
  }
  for (const { kind, id, points } of history) {
    for (const { capturedAt } of points) yield { kind, id, capturedAt };
  }
}

/** Every id that may have been erased. */
function idsOf(changes: readonly Changes[], history: History): Set<string> {
  const ids = new Set(history.map(({ id }) => id));
  for (const { records, subtitles, follows, chartEntries } of changes) {
    for (const { postId, incoming: found } of records) {
      ids.add(found.id);
      if (postId !== null) ids.add(postId);
      if (found.authorId !== null) ids.add(found.authorId);
    }
    for (const { postId } of subtitles) ids.add(postId);
    for (const { accountId, followerId } of follows) ids.add(accountId).add(followerId);
    for (const { postId } of chartEntries) ids.add(postId);
  }
  return ids;
}
