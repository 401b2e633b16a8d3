/**
 * Sums the reports of an import. It may have a hundred thousand files: they are read a page at a time, and others get a
 * turn after each.
 */
import { setImmediate } from "node:timers/promises";
import type { FileReport, NumberedFile } from "#domain/job.ts";
import type { Jobs } from "#store/jobs/port.ts";
import { addReports, emptyReport } from "./report.ts";

export interface JobTotals {
  files: number;
  filesDone: number;
  documents: number;
  report: FileReport;
}

const PAGE_FILES = 500;

export async function sumJobFiles(
  jobs: Pick<Jobs, "listJobFilePage">,
  jobId: string,
  onFile: (file: NumberedFile) => void = () => undefined,
): Promise<JobTotals> {
  const totals: JobTotals = { files: 0, filesDone: 0, documents: 0, report: emptyReport() };
  for await (const file of readJobFiles(jobs, jobId, 0)) {
    totals.files++;
    if (file.state === "done") totals.filesDone++;
    totals.documents += file.position;
    totals.report = addReports(totals.report, file.report);
    onFile(file);
  }
  return totals;
}

/** All files of an import, in the order in which they were started, from the one with the number `from`. */
export async function* readJobFiles(
  jobs: Pick<Jobs, "listJobFilePage">,
  jobId: string,
  from: number,
): AsyncGenerator<NumberedFile> {
  let page = await jobs.listJobFilePage(jobId, from, PAGE_FILES);
  for (;;) {
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_FILES) return;
    await setImmediate();
    page = await jobs.listJobFilePage(jobId, last.number + 1, PAGE_FILES);
  }
}
