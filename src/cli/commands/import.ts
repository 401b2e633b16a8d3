/** `triptych import <file|folder|->…`: reads captures into the store. */
import type { Command } from "commander";
import type { Config } from "#config";
import type { RunImport } from "#serve/import/run-import.ts";
import { exitCodeOf, type ImportRequest } from "#import/import-files.ts";
import { countRecords, type ImportReport } from "#import/report.ts";
import { watchFolder } from "#import/watch-folder.ts";
import { UsageError } from "../command-errors.ts";
import { formatFile, formatTotal } from "../format/import-report.ts";
import { ImportProgress } from "../import-progress.ts";
import { configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { printJson, type Terminal } from "../terminal.ts";

interface ImportOptions {
  dryRun?: true;
  json?: true;
  watch?: string;
  of?: string;
  capturedAt?: string;
  wait: boolean;
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
the same command is given again. Given several times at once, on one or more machines with one store, the files are shared
out and each is read once. Exit codes: 0 all was read, 1 something was refused or not recognised, 2 nothing could
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
    .option("--no-wait", "leave what other processes are reading of the same to them, and say what it is")
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
      for await (const arrived of watchFolder(watch)) await importPaths(terminal, run, arrived, options, watch);
    });
}

/** Loaded only now, and nothing else: an import should leave the machine's memory to the import. */
async function importer(config: Config): Promise<RunImport> {
  const { createImportRunner: importWith } = await import("#serve/import/run-import.ts");
  return importWith(config);
}

async function importPaths(
  terminal: Terminal,
  run: RunImport,
  paths: string[],
  options: ImportOptions,
  watched?: string,
): Promise<void> {
  const json = options.json === true;
  const dryRun = options.dryRun === true;
  const progress = new ImportProgress(terminal);
  const request: ImportRequest = {
    paths,
    origin: "command",
    dryRun,
    of: options.of ?? null,
    capturedAt: options.capturedAt === undefined ? null : instant(options.capturedAt),
    wait: options.wait,
    ...(watched === undefined ? {} : { watched }),
  };
  let waitingFor = 0;
  try {
    const report = await run(request, {
      progress: (now) => progress.show(now),
      fileDone({ name, report: done }) {
        progress.clear();
        if (!json) terminal.out(formatFile(name, done));
      },
      waiting(files) {
        if (files.length === waitingFor) return;
        waitingFor = files.length;
        progress.clear();
        terminal.err(`waiting for ${fileCount(files)} that other processes are reading\n`);
      },
    });
    progress.clear();
    // Another watcher of the folder was quicker.
    const nothing = watched !== undefined && report.files.length === 0;
    if (json) printJson(terminal, report);
    else if (!nothing) terminal.out(formatTotal(report, dryRun) + sharedLines(report));
    terminal.exitCode = Math.max(terminal.exitCode, exitCodeOf(report));
  } finally {
    progress.clear();
  }
}

/** Only where other processes worked on the same job. */
function sharedLines({ files, own, elsewhere }: ImportReport): string {
  const lines: string[] = [];
  if (own.files.length < files.length) lines.push(`  read here: ${fileCount(own.files)}, ${countRecords(own)} records`);
  if (elsewhere.length > 0) lines.push(`  still being read by other processes: ${elsewhere.join(", ")}`);
  return lines.map((line) => `${line}\n`).join("");
}

function fileCount({ length }: readonly unknown[]): string {
  return `${length} ${length === 1 ? "file" : "files"}`;
}

function instant(text: string): number {
  const at = Date.parse(text);
  if (Number.isNaN(at))
    throw new UsageError(
      `--captured-at must be a time such as 2026-11-15 or 2026-11-15T12:00:00Z, not ${JSON.stringify(text)}`,
    );
  return at;
}
