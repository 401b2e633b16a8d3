/** `triptych jobs`: imports, newest first. */
import type { Command } from "commander";
import type { Job } from "#domain/job.ts";
import { countRecords, sumReports } from "#import/report.ts";
import { formatTable } from "../format/table.ts";
import { withExistingStore } from "../with-services.ts";
import { configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { printJson, type Terminal } from "../terminal.ts";

interface JobsOptions {
  json?: true;
  dataDir?: string;
}

const MAX_JOBS = 50;

export function registerJobs(program: Command, terminal: Terminal): void {
  program
    .command("jobs")
    .description("list imports, newest first; run the command of an unfinished one again to resume it")
    .option("--json", "print JSON, with a report per file")
    .option(...DATA_DIR_OPTION)
    .action((options: JobsOptions) =>
      withExistingStore(configFrom(terminal, options), async ({ store }) => {
        const jobs = await Promise.all(
          (await store.jobs.listJobs(MAX_JOBS)).map(async (job) => ({
            job,
            files: await store.jobs.listJobFiles(job.id),
          })),
        );
        if (options.json === true) {
          printJson(
            terminal,
            jobs.map(({ job, files }) => ({
              ...job,
              files: files.map(({ name, state, position, report }) => ({ name, state, position, ...report })),
            })),
          );
        } else if (jobs.length === 0) terminal.out('No imports yet; start one with "npx triptych import <file>".\n');
        else {
          const rows = jobs.map(({ job, files }) => [
            job.id,
            stateOf(job),
            new Date(job.createdAt).toISOString().slice(0, 19).replace("T", " "),
            `${files.length} ${files.length === 1 ? "file" : "files"}`,
            `${countRecords(sumReports(files.map(({ report }) => report)))} records`,
            job.label,
          ]);
          terminal.out(formatTable([["job", "state", "started (UTC)", "", "", "label"], ...rows]));
        }
      }),
    );
}

function stateOf({ state }: Job): string {
  return state === "running" ? "unfinished" : state;
}
