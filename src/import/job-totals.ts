/**
 * Sums the reports of an import. It may have a hundred thousand files: they are read a page at a time, and others get a
 * turn after each.
 */
import { setImmediate } from "node:timers/promises";
import type { FileReport } from "#domain/job.ts";
import type { Jobs } from "#store/jobs.ts";
import { addReports, emptyReport } from "./report.ts";

export interface JobTotals {
  files: number;
  filesDone: number;
  documents: number;
  report: FileReport;
}

const PAGE_FILES = 500;

export async function sumJobFiles(jobs: Pick<Jobs, "listJobFilePage">, jobId: string): Promise<JobTotals> {
  const totals: JobTotals = { files: 0, filesDone: 0, documents: 0, report: emptyReport() };
  let page = await jobs.listJobFilePage(jobId, 0, PAGE_FILES);
  for (;;) {
    totals.files += page.length;
    for (const { state, position, report } of page) {
      if (state === "done") totals.filesDone++;
      totals.documents += position;
      totals.report = addReports(totals.report, report);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_FILES) return totals;
    await setImmediate();
    page = await jobs.listJobFilePage(jobId, last.number + 1, PAGE_FILES);
  }
}
