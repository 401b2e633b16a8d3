/** An import as the routes show it. */
import { nullable, wireObject } from "#api/wire.ts";
import { type Static, Type } from "#api/schema.ts";
import { type Job, JOB_STATES, type KindCounts, type ListedJob, shownState } from "#domain/job.ts";
import { toIsoTime } from "#domain/time.ts";
import type { JobTotals } from "#import/job-totals.ts";

export const KindCountsSchema = {
  new: Type.Integer({ description: "Records that were not stored before." }),
  updated: Type.Integer({ description: "Stored records that the import changed." }),
  unchanged: Type.Integer({ description: "Stored records to which it added nothing." }),
  erased: Type.Integer({ description: "Not written because they were erased earlier." }),
};

export const JobSummary = wireObject({
  id: Type.String(),
  origin: Type.String({ description: "`command`, `upload` or `push`." }),
  label: Type.String({ description: "Imported records." }),
  state: Type.Enum([...JOB_STATES], {
    description:
      "`waiting`: an upload whose turn has not come; `interrupted`: the process ended or its lease did, and the same command resumes it; `dismissed`: interrupted, and not to be resumed; `undone`: its records were taken out again.",
  }),
  startedAt: Type.String({ description: "ISO 8601." }),
  updatedAt: Type.String({ description: "ISO 8601." }),
  files: Type.Integer(),
  filesDone: Type.Integer(),
  documents: Type.Integer({ description: "Documents read so far." }),
  records: wireObject(KindCountsSchema),
  refused: Type.Integer({ description: "Records and files that could not be imported." }),
  skipped: Type.Integer({ description: "Parts left out on purpose." }),
});
export type JobSummary = Static<typeof JobSummary>;

export const NullableJobSummary = nullable(JobSummary);

export function summarizeJob(job: ListedJob, { files, filesDone, documents, report }: JobTotals): JobSummary {
  const counts = Object.values(report.records);
  const sum = (name: keyof KindCounts) => counts.reduce((count, kind) => count + kind[name], 0);
  return {
    id: job.id,
    origin: job.origin,
    label: job.label,
    state: shownState(job),
    startedAt: toIsoTime(job.createdAt),
    updatedAt: toIsoTime(job.updatedAt),
    files,
    filesDone,
    documents,
    records: { new: sum("new"), updated: sum("updated"), unchanged: sum("unchanged"), erased: sum("erased") },
    refused: totalOf(report.refused),
    skipped: totalOf(report.skipped),
  };
}

/**
 * Uploads are named as they were sent, without the folder in which they wait, which has the name of the job; one that was
 * refused as a whole has the name of that folder.
 */
export function shownFileName({ id, origin, label }: Job, name: string): string {
  const folder = origin === "command" ? -1 : name.indexOf(id);
  return folder < 0 ? name : name.slice(folder + id.length + 1) || label;
}

function totalOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
