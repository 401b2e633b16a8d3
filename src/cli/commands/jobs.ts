/** `triptych jobs`: imports, newest first. */
import { PROGRAM } from "#config";
import type { Command } from "commander";
import { shownState } from "#domain/job.ts";
import { countRecords, sumReports } from "#import/report.ts";
import { countFiles } from "../format/import-report.ts";
import { printable } from "../format/printable.ts";
import { formatTable } from "../format/table.ts";
import { withExistingStore } from "../with-services.ts";
import { DEFAULT_LIMIT, parseLimit } from "../parse-limit.ts";
import { type CommonOptions, configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { printJson, printNote, type Terminal } from "../terminal.ts";

interface JobsOptions extends CommonOptions {
  limit?: string;
}

export function registerJobs(program: Command, terminal: Terminal): void {
  program
    .command("jobs")
    .description("list imports, newest first; run the command of an interrupted one again to resume it")
    .option("--limit <jobs>", `how many (default: ${DEFAULT_LIMIT})`)
    .option("--json", "print JSON, with a report per file")
    .option(...DATA_DIR_OPTION)
    .action((options: JobsOptions) => {
      const limit = parseLimit(options.limit);
      return withExistingStore(configFrom(terminal, options), async ({ store }) => {
        const newest = await store.jobs.listJobs(limit + 1);
        const jobs = await Promise.all(
          newest.slice(0, limit).map(async (job) => ({ job, files: await store.jobs.listJobFiles(job.id) })),
        );
        if (options.json === true) {
          printJson(
            terminal,
            jobs.map(({ job: { isLive, ...job }, files }) => ({
              ...job,
              state: shownState({ ...job, isLive }),
              files: files.map(({ name, state, position, report }) => ({ name, state, position, ...report })),
            })),
          );
        } else if (jobs.length === 0) terminal.out(`No imports yet; start one with "${PROGRAM} import <file>".\n`);
        else {
          const rows = jobs.map(({ job, files }) => [
            job.id,
            shownState(job),
            new Date(job.createdAt).toISOString().slice(0, 19).replace("T", " "),
            countFiles(files),
            `${countRecords(sumReports(files.map(({ report }) => report)))} records`,
            printable(job.label),
          ]);
          terminal.out(formatTable([["job", "state", "started (UTC)", "", "", "label"], ...rows]));
        }
        if (newest.length > limit) printNote(terminal, "There are older imports; --limit prints more of them.\n");
      });
    });
}
