/** Merges the changes of a batch into the stored rows, one by one, within a transaction. */
import type { RecordKind } from "#domain/record.ts";
import { CHART_ROWS } from "#store/charts/relation.ts";
import { createCommentRows } from "#store/comments/sqlite.ts";
import { createCounterRows } from "#store/counters/sqlite.ts";
import { withoutErased } from "#store/erasure/erased-record.ts";
import { learnErased, type LearntId } from "#store/erasure/learn.ts";
import { ErasedIds } from "#store/erasure/sqlite.ts";
import { markErased } from "#store/erasure/statements.ts";
import { FOLLOW_ROWS } from "#store/follows/relation.ts";
import type { ListWriter } from "#store/lists/port.ts";
import { createListRows } from "#store/lists/sqlite.ts";
import { createRecordRows } from "#store/records/sqlite.ts";
import type { RenderedRows } from "#store/rendered/sqlite.ts";
import type { SearchIndex } from "#store/search/sqlite.ts";
import { runSync } from "#store/sql/sql.ts";
import type { Database } from "#store/sqlite/database.ts";
import { stepsOn } from "#store/sqlite/shared-sql.ts";
import { SUBTITLE_ROWS } from "#store/subtitles/relation.ts";
import { eachCapture } from "./captures.ts";
import type { Changes, Merge, WriteCounts } from "./port.ts";
import { createRelationRows } from "./relation.sqlite.ts";
import { WriteState } from "./state.sqlite.ts";

export class RowWriter {
  readonly index: SearchIndex;
  readonly rendered: RenderedRows;
  readonly state: WriteState;
  readonly lists: ReturnType<typeof createListRows>;
  readonly #erased: ErasedIds;
  readonly concerns: ReturnType<typeof createConcerns>;

  constructor(db: Database, index: SearchIndex, rendered: RenderedRows) {
    this.index = index;
    this.rendered = rendered;
    this.state = new WriteState(db, index);
    this.lists = createListRows(db);
    this.#erased = new ErasedIds(db);
    this.concerns = createConcerns(this.state, rendered, this.lists);
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
      eachCapture(isUsed ? withoutErased(part, isErased, counts) : part, "write", this.concerns);
    }
    return learnt;
  }

  #learn(changes: Changes): LearntId[] {
    const { platform } = changes;
    const learnt = learnErased(changes, {
      isErased: (kind, id) => this.#erased.has(platform, kind, id),
      getHeader: (kind, id) => this.concerns.record.getHeader(platform, kind, id),
    });
    for (const { kind, id } of learnt) {
      runSync(markErased(stepsOn(this.state.db), platform, kind, [id]));
      this.#erased.add(platform, kind, id);
    }
    return learnt;
  }
}

function createConcerns(state: WriteState, rendered: RenderedRows, lists: ListWriter) {
  return {
    record: createRecordRows(state, rendered, lists),
    comment: createCommentRows(state, rendered),
    subtitles: createRelationRows(state, SUBTITLE_ROWS),
    follow: createRelationRows(state, FOLLOW_ROWS),
    chart: createRelationRows(state, CHART_ROWS),
    counters: createCounterRows(state),
  };
}
