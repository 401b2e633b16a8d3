/** What the write sides of all concerns share: one connection, and what their transaction did so far. */
import type { ReportKind } from "#domain/job.ts";
import type { PlatformName } from "#domain/record.ts";
import type { DocumentIndex } from "#store/search/port.ts";
import type { Database } from "#store/sqlite/database.ts";
import { type JobTouches, type MergeInto, UNCHANGED } from "#store/undo/port.ts";
import { countResult, replace } from "./batch-changes.ts";
import type { Merge, WriteCounts } from "./port.ts";

export class WriteState {
  readonly db: Database;
  readonly index: DocumentIndex;
  merge: Merge = replace;
  counts: WriteCounts = {};
  /** What a part of the transaction does, if a job may undo it. */
  touches: JobTouches | null = null;
  /** Whether the transaction changed any post or its counters. */
  hasChangedPosts = false;

  constructor(db: Database, index: DocumentIndex) {
    this.db = db;
    this.index = index;
  }

  /** Notes the result of a capture. `mergeInto` merges it into another state of the row. */
  note<Row>(
    [platform, kind, key]: [PlatformName, ReportKind, string],
    { stored, isChanged, imageOf }: { stored: Row | undefined; isChanged: boolean; imageOf: (row: Row) => string },
    mergeInto: MergeInto,
  ): void {
    const image = stored === undefined ? null : () => imageOf(stored);
    this.touches?.add(platform, kind, key, isChanged ? image : UNCHANGED, mergeInto);
    countResult(this.counts, kind, !isChanged ? "unchanged" : stored === undefined ? "new" : "updated");
  }
}
