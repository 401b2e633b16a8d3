/** `triptych jobs`: imports, newest first. */
import type { Command } from "commander";
import type { Job } from "#domain/job.ts";
import { countRecords, totalOf } from "#import/report.ts";
import { formatTable } from "../format/table.ts";
import { withExistingStore } from "../with-services.ts";
import { configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { printJson, type Terminal } from "../terminal.ts";

interface JobsOptions {
  json?: true;
  dataDir?: string;
}

const SHOWN = 50;

export function registerJobs(program: Command, terminal: Terminal): void {
  program
    .command("jobs")
    .description("list imports, newest first; an unfinished one goes on when its command is given again")
    .option("--json", "as JSON, with a report per file")
    .option(...DATA_DIR_OPTION)
    .action((options: JobsOptions) =>
      withExistingStore(configFrom(terminal, options), async ({ store }) => {
        const jobs = await Promise.all(
          (await store.jobs.listJobs(SHOWN)).map(async (job) => ({
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
        } else if (jobs.length === 0) terminal.out('No imports yet; "npx triptych import <file>" makes one.\n');
        else {
          const rows = jobs.map(({ job, files }) => [
            job.id,
            stateOf(job),
            new Date(job.createdAt).toISOString().slice(0, 19).replace("T", " "),
            `${files.length} ${files.length === 1 ? "file" : "files"}`,
            `${countRecords(totalOf(files.map(({ report }) => report)))} records`,
            job.label,
          ]);
          terminal.out(formatTable([["job", "state", "begun (UTC)", "", "", "what"], ...rows]));
        }
      }),
    );
}

function stateOf({ state }: Job): string {
  return state === "done" ? "done" : "unfinished";
}
