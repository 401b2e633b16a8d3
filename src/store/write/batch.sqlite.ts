/** Merges the changes of a batch into the stored rows, one by one, within a transaction. */
import type { RecordKind } from "#domain/record.ts";
import { CHART_ROWS } from "#store/charts/relation.ts";
import { CommentRows } from "#store/comments/sqlite.ts";
import { CounterRows } from "#store/counters/sqlite.ts";
import { withoutErased } from "#store/erasure/erased-record.ts";
import { learnErased, type LearntId } from "#store/erasure/learn.ts";
import { ErasedIds } from "#store/erasure/sqlite.ts";
import { markErased } from "#store/erasure/statements.ts";
import { FOLLOW_ROWS } from "#store/follows/relation.ts";
import { PostListRows } from "#store/lists/sqlite.ts";
import { RecordRows } from "#store/records/sqlite.ts";
import type { RenderedRows } from "#store/rendered/sqlite.ts";
import type { SearchIndex } from "#store/search/sqlite.ts";
import { runSync } from "#store/sql/sql.ts";
import type { Database } from "#store/sqlite/database.ts";
import { stepsOn } from "#store/sqlite/shared-sql.ts";
import { SUBTITLE_ROWS } from "#store/subtitles/relation.ts";
import { type Concerns, eachCapture } from "./captures.ts";
import type { Changes, Merge, WriteCounts } from "./port.ts";
import { RelationRows } from "./relation.sqlite.ts";
import { WriteState } from "./state.sqlite.ts";

export class RowWriter {
  readonly index: SearchIndex;
  readonly rendered: RenderedRows;
  readonly state: WriteState;
  readonly lists: PostListRows;
  readonly comments: CommentRows;
  readonly #erased: ErasedIds;
  readonly #records: RecordRows;
  readonly #concerns: Concerns<"write">;

  constructor(db: Database, index: SearchIndex, rendered: RenderedRows) {
    const state = new WriteState(db, index);
    this.index = index;
    this.rendered = rendered;
    this.state = state;
    this.lists = new PostListRows(db);
    this.comments = new CommentRows(state, rendered);
    this.#erased = new ErasedIds(db);
    this.#records = new RecordRows(state, rendered, this.lists);
    this.#concerns = {
      record: this.#records,
      comment: this.comments,
      subtitles: new RelationRows(state, SUBTITLE_ROWS),
      follow: new RelationRows(state, FOLLOW_ROWS),
      chart: new RelationRows(state, CHART_ROWS),
      counters: new CounterRows(state),
    };
  }

  /** Resets the state of the previous transaction: it may have failed, or another process may have written. */
  begin(): void {
    this.state.touches = null;
    this.state.hasChangedPosts = false;
    this.#erased.begin();
    this.index.begin();
  }

  /** Returns of whom the changes showed that they were erased before. */
  write(changes: readonly Changes[], merge: Merge, counts: WriteCounts = {}): LearntId[] {
    Object.assign(this.state, { merge, counts });
    const { isUsed } = this.#erased;
    // From all of them first: a post of somebody erased may come after what refers to it.
    const learnt = isUsed ? changes.flatMap((part) => this.#learn(part)) : [];
    for (const part of changes) {
      const isErased = (kind: RecordKind, id: string) => this.#erased.has(part.platform, kind, id);
      eachCapture(isUsed ? withoutErased(part, isErased, counts) : part, "write", this.#concerns);
    }
    return learnt;
  }

  #learn(changes: Changes): LearntId[] {
    const { platform } = changes;
    const learnt = learnErased(changes, {
      isErased: (kind, id) => this.#erased.has(platform, kind, id),
      getHeader: (kind, id) => this.#records.getHeader(platform, kind, id),
    });
    for (const { kind, id } of learnt) {
      runSync(markErased(stepsOn(this.state.db), platform, kind, [id]));
      this.#erased.add(platform, kind, id);
    }
    return learnt;
  }
}
