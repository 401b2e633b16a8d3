/** `triptych import <file|folder|->…`: reads captures into the store. */
import type { Command } from "commander";
import type { Config } from "#config";
import type { RunImport } from "#importing";
import { exitCodeOf, type ImportRequest } from "#ingest/import-files.ts";
import { JobBusy } from "#ingest/jobs.ts";
import { watchFolder } from "#ingest/watch-folder.ts";
import { Failure, UsageError } from "../failures.ts";
import { fileLines, totalLines } from "../import-lines.ts";
import { ImportProgress } from "../import-progress.ts";
import { configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { printJson, type Terminal } from "../terminal.ts";

interface ImportOptions {
  dryRun?: true;
  json?: true;
  watch?: string;
  of?: string;
  capturedAt?: string;
  dataDir?: string;
}

const EXAMPLES = `
Examples:
  $ npx triptych import zeeschuimer-export-tiktok.com.ndjson
  $ npx triptych import ~/captures browsing.har "My video [dQw4w9WgXcQ].info.json"
  $ npx triptych import followers_1.json --of luna.marchetti
  $ curl -s https://archive.example/capture.ndjson.gz | npx triptych import -
  $ npx triptych import --watch ~/captures

Formats are found by looking inside; docs/importing.md lists them. An import that was cut off goes on where it was when
the same command is given again. Exit codes: 0 all was read, 1 something was refused or not recognised, 2 nothing could
be done.`;

export function registerImport(program: Command, terminal: Terminal): void {
  program
    .command("import [paths...]")
    .description("read captures (files, folders, - for standard input) into the store")
    .option("--dry-run", "read and report, keep nothing")
    .option("--json", "the report as JSON")
    .option("--watch <folder>", "import what is in the folder, then what arrives in it, until stopped")
    .option(
      "--of <account>",
      "whose followers, tagged posts or comments (a post's code) a list holds that does not say so itself",
    )
    .option("--captured-at <time>", "when the captures were made, for files that do not say (ISO 8601)")
    .option(...DATA_DIR_OPTION)
    .addHelpText("after", EXAMPLES)
    .action(async (paths: string[], options: ImportOptions) => {
      const { watch } = options;
      if (paths.length === 0 && watch === undefined) throw new UsageError("name at least one file or folder to import");
      const config = configFrom(terminal, options);
      const run = await importer(config);
      if (paths.length > 0) await importPaths(terminal, run, paths, options);
      if (watch === undefined) return;
      terminal.err(`watching ${watch}; stop with Ctrl-C\n`);
      for await (const arrived of watchFolder(watch)) await importPaths(terminal, run, arrived, options);
    });
}

/** Loaded only now, and nothing else: an import should leave the machine's memory to the import. */
async function importer(config: Config): Promise<RunImport> {
  const { importWith } = await import("#importing");
  return importWith(config);
}

async function importPaths(terminal: Terminal, run: RunImport, paths: string[], options: ImportOptions): Promise<void> {
  const json = options.json === true;
  const dryRun = options.dryRun === true;
  const progress = new ImportProgress(terminal);
  const request: ImportRequest = {
    paths,
    origin: "command",
    dryRun,
    of: options.of ?? null,
    capturedAt: options.capturedAt === undefined ? null : instant(options.capturedAt),
  };
  try {
    const report = await run(request, {
      progress: (now) => progress.show(now),
      fileDone({ name, report: done }) {
        progress.clear();
        if (!json) terminal.out(fileLines(name, done));
      },
    });
    progress.clear();
    if (json) printJson(terminal, report);
    else terminal.out(totalLines(report, dryRun));
    terminal.exitCode = Math.max(terminal.exitCode, exitCodeOf(report));
  } catch (error) {
    progress.clear();
    if (error instanceof JobBusy) throw new Failure(error.message);
    throw error;
  }
}

function instant(text: string): number {
  const at = Date.parse(text);
  if (Number.isNaN(at))
    throw new UsageError(
      `--captured-at must be a time such as 2026-11-15 or 2026-11-15T12:00:00Z, not ${JSON.stringify(text)}`,
    );
  return at;
}
