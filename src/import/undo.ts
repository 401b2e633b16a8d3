/** Takes an import out again, or counts what that would change. */
import type { Job, ReportKind } from "#domain/job.ts";
import type { Store } from "#store/store.ts";
import type { UndoCounts, UndoPosition } from "#store/write/port.ts";

export type UndoOutcome =
  | { state: "undone"; job: Job; counts: UndoCounts }
  /** There is no such job. */
  | { state: "not found" }
  /** A process is still importing it. */
  | { state: "running"; job: Job }
  /** It was undone before, brought nothing, or is too old: the store has nothing of it to undo. */
  | { state: "nothing to undo"; job: Job };

export type { UndoCounts };

export interface UndoRequest {
  jobId: string;
  dryRun: boolean;
  /** Called after each transaction with the number of records so far. */
  onProgress?: (records: number) => void;
}

export async function undoImport(
  { jobs, writer }: Pick<Store, "jobs" | "writer">,
  { jobId, dryRun, onProgress }: UndoRequest,
): Promise<UndoOutcome> {
  const job = await jobs.getJob(jobId);
  if (job === null) return { state: "not found" };
  // An interrupted import is ended by this: it cannot be resumed once its records are gone.
  if (!dryRun && job.state === "running" && (job.isLive || !(await jobs.finishJob(jobId, Date.now()))))
    return { state: "running", job };
  if (!(await jobs.canUndo(jobId))) return { state: "nothing to undo", job };
  const counts: UndoCounts = { removed: {}, restored: {}, kept: {}, keptFor: {}, points: 0 };
  let position: UndoPosition | null = null;
  do {
    const page = await writer.undo(jobId, position, dryRun);
    addCounts(counts, page.counts);
    onProgress?.(countTouched(counts));
    position = page.next;
  } while (position !== null);
  if (!dryRun) {
    await jobs.writeJob({ ...job, state: "undone", updatedAt: Date.now() });
    await writer.refreshTrends();
  }
  return { state: "undone", job, counts };
}

function addCounts(total: UndoCounts, page: UndoCounts): void {
  for (const part of ["removed", "restored", "kept", "keptFor"] as const) {
    const sums: Record<string, number> = total[part];
    for (const [key, count] of Object.entries(page[part])) sums[key] = (sums[key] ?? 0) + count;
  }
  total.points += page.points;
}

function countTouched({ removed, restored, kept }: UndoCounts): number {
  const sum = (counts: Partial<Record<ReportKind, number>>) =>
    Object.values(counts).reduce((total, count) => total + count, 0);
  return sum(removed) + sum(restored) + sum(kept);
}
