/** `triptych import <file|folder|->…`: reads captures into the store. */
import { statSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { Command } from "commander";
import { type Config, PROGRAM } from "#config";
import type { RunImport, StoreThread } from "#serve/store-thread.ts";
import { exitCodeFor, type ImportRequest, MAX_OUTAGE_S, type Progress } from "#import/import-files.ts";
import { countRecords, type ImportReport } from "#import/report.ts";
import { watchFolder } from "#import/watch-folder.ts";
import { UsageError } from "../command-errors.ts";
import { countFiles, formatFile, formatProblems, formatTotal } from "../format/import-report.ts";
import { formatImportProgress } from "../format/progress.ts";
import { ProgressLine } from "../progress-line.ts";
import { type CommonOptions, configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { type ParsedMapping, parseMapping } from "../table-mapping.ts";
import { withTemporaryFolder } from "../temporary-folder.ts";
import { printJson, printNote, type Terminal } from "../terminal.ts";
import { isStoreMissing, noteCreation } from "../with-services.ts";

interface ImportOptions extends CommonOptions {
  dryRun?: true;
  watch?: string;
  of?: string;
  namesAreIds?: true;
  capturedAt?: string;
  as?: string;
  map?: string[];
  wait: boolean;
}

const EXAMPLES = `
Examples:
  $ ${PROGRAM} import zeeschuimer-export-tiktok.com.ndjson
  $ ${PROGRAM} import ~/captures browsing.har "My video [dQw4w9WgXcQ].info.json"
  $ ${PROGRAM} import followers_1.json --of luna.marchetti
  $ ${PROGRAM} import ~/transcripts --names-are-ids
  $ ${PROGRAM} import posts.csv --as shortvideo/post --map id=video_id,text=caption,views=plays --dry-run
  $ curl -s https://archive.example/capture.ndjson.gz | ${PROGRAM} import -
  $ ${PROGRAM} import --watch ~/captures

Formats are detected by content; see docs/importing.md. Run an interrupted import again to resume it. Several processes
that run the same command, also on several machines with one store, share the files: each is read once.

Exit codes: 0 everything was read, 1 something was refused or not recognised, or the import failed, 2 usage error, or nothing
could be read, as from empty standard input.`;

export function registerImport(program: Command, terminal: Terminal): void {
  program
    .command("import [paths...]")
    .description("import captures: files, directories, or - for standard input")
    .option("--dry-run", "report what would be imported, write nothing")
    .option("--json", "print the report as JSON")
    .option("--watch <directory>", "import the directory, then new files as they arrive, until stopped")
    .option(
      "--of <account>",
      "owner of a list of followers or posts, or the post or video of a list of comments or of subtitles, if the file does not say",
    )
    .option("--names-are-ids", "names of subtitle files, without language and ending, are the ids of their videos")
    .option("--as <kind>", "read any table as records of one kind, such as shortvideo/post")
    .option("--map <field=column,...>", "which columns have which fields; may be repeated", collectPairs)
    .option("--captured-at <time>", "time of the captures, if the files do not say (ISO 8601)")
    .option("--no-wait", "skip files that other processes are importing, and list them")
    .option(...DATA_DIR_OPTION)
    .addHelpText("after", EXAMPLES)
    .action(async (paths: string[], options: ImportOptions) => {
      const { watch } = options;
      if (paths.length === 0 && watch === undefined)
        throw new UsageError("name at least one file or directory to import");
      if (paths.length > 0 && paths.every(isMissing))
        throw new UsageError(`no such file or directory: ${paths.join(", ")}; nothing was imported`);
      if (watch !== undefined && !isDirectory(watch)) throw new UsageError(`no such directory to watch: ${watch}`);
      const config = configFrom(terminal, options);
      const parsed = await parseOptions(options);
      const importInto = (used: Config) => importAll(terminal, used, paths, parsed);
      // A dry run without a store compares with an empty one, and leaves none behind.
      if (options.dryRun === true && isStoreMissing(config))
        await withTemporaryFolder("dry-run", (dataDir) => importInto({ ...config, dataDir }));
      else await importInto(config);
    });
}

interface ParsedOptions extends ImportOptions {
  mapped: ParsedMapping | null;
  /** Unix milliseconds. */
  time: number | null;
}

async function parseOptions(options: ImportOptions): Promise<ParsedOptions> {
  return {
    ...options,
    mapped: await parseMapping(options.as, options.map ?? []),
    time: options.capturedAt === undefined ? null : parseTime(options.capturedAt),
  };
}

function isMissing(path: string): boolean {
  try {
    return path !== "-" && statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    // It exists, and the report will say why it cannot be read.
    return false;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Loads only what an import needs, to leave it the memory. */
async function loadThread(config: Config): Promise<StoreThread> {
  const loaded = await import("#serve/store-thread.ts");
  return new loaded.StoreThread(config);
}

async function importAll(terminal: Terminal, config: Config, paths: string[], options: ParsedOptions): Promise<void> {
  const { watch } = options;
  const printCreated = options.dryRun === true ? () => undefined : noteCreation(terminal, config);
  const thread = await loadThread(config);
  const run: RunImport = async (request, events = {}) => {
    const progress = (now: Progress) => {
      printCreated();
      events.progress?.(now);
    };
    const report = await thread.importFiles(request, { ...events, progress });
    printCreated();
    return report;
  };
  const running: Running = { progress: null, ending: null };
  const interrupted = (signal: NodeJS.Signals) => (running.ending ??= interrupt(terminal, thread, running, signal));
  // For as long as the command runs: a signal is lost if its listener is removed before it is called.
  for (const signal of SIGNALS) process.once(signal, interrupted);
  try {
    if (paths.length > 0) await importPaths(terminal, run, paths, options, running);
    if (watch === undefined) return;
    printNote(terminal, `watching ${watch}; stop with Ctrl-C\n`);
    for await (const files of watchFolder(watch)) await importPaths(terminal, run, files, options, running, watch);
  } catch (error) {
    // The signal stopped the import.
    if (running.ending !== null) await running.ending;
    throw error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupted);
    await thread.close();
  }
}

interface Running {
  /** Import that can be resumed; null while there is none. */
  progress: ProgressLine | null;
  /** After a signal; it ends the process. */
  ending: Promise<never> | null;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
/** A batch of an import takes less; a second signal ends the process at once. */
const STOP_MS = 3_000;

/** Gives up the import's claims, so that it is interrupted from now on, and ends the process as the signal would have done. */
async function interrupt(
  terminal: Terminal,
  thread: StoreThread,
  { progress }: Running,
  signal: NodeJS.Signals,
): Promise<never> {
  if (progress !== null) {
    progress.clear();
    printNote(terminal, "interrupted; run the same command again to resume\n");
  }
  await Promise.race([thread.stop().catch(() => undefined), setTimeout(STOP_MS)]);
  process.kill(process.pid, signal);
  // The signal arrives in a later turn.
  return new Promise(() => setInterval(() => undefined, STOP_MS));
}

async function importPaths(
  terminal: Terminal,
  run: RunImport,
  paths: string[],
  options: ParsedOptions,
  running: Running,
  watched?: string,
): Promise<void> {
  const json = options.json === true;
  const dryRun = options.dryRun === true;
  const progress = new ProgressLine(terminal);
  const startedAt = performance.now();
  const { mapped } = options;
  const request: ImportRequest = {
    paths,
    origin: "command",
    dryRun,
    mapping: mapped?.mapping ?? null,
    subject: options.of ?? null,
    namesAreIds: options.namesAreIds === true,
    capturedAt: options.time,
    wait: options.wait,
    ...(watched === undefined ? {} : { watched }),
  };
  let waitingFor = 0;
  if (!dryRun && !paths.includes("-")) running.progress = progress;
  try {
    const report = await run(request, {
      progress: (now) => progress.show(() => formatImportProgress(now, (performance.now() - startedAt) / 1000)),
      fileDone({ name, report: done }) {
        progress.clear();
        if (!json && terminal.verbosity === "verbose") terminal.out(formatFile(name, done));
      },
      waiting(files) {
        if (files.length === waitingFor) return;
        waitingFor = files.length;
        progress.clear();
        printNote(terminal, `waiting for ${countFiles(files)} that other processes are importing\n`);
      },
      outage() {
        progress.clear();
        printNote(terminal, `the database is unreachable; waiting up to ${MAX_OUTAGE_S} s for it\n`);
      },
    });
    progress.clear();
    if (watched === undefined && report.files.length + report.elsewhere.length === 0)
      throw new UsageError(`no files in ${paths.join(", ")}; nothing was imported`);
    // Another watcher of the directory has imported them.
    const isEmpty = watched !== undefined && report.files.length === 0;
    const sample = report.sample?.map((record) => mapped?.kind.project(record)) ?? [];
    if (json) printJson(terminal, dryRun && mapped !== null ? { ...report, sample } : report);
    else if (terminal.verbosity === "quiet") terminal.err(formatProblems(report));
    else if (!isEmpty) terminal.out(formatTotal(report, dryRun) + formatSharing(report) + formatSample(sample));
    terminal.exitCode = Math.max(terminal.exitCode, exitCodeFor(report));
  } finally {
    running.progress = null;
    progress.clear();
  }
}

function collectPairs(pairs: string, previous: string[] = []): string[] {
  return [...previous, pairs];
}

/** One record per line, so that jq reads it. */
function formatSample(records: readonly unknown[]): string {
  if (records.length === 0) return "";
  const lines = records.map((record) => `${JSON.stringify(record)}\n`);
  return `The first ${records.length} records as they would be served; null is unknown:\n${lines.join("")}`;
}

/** Empty unless other processes worked on the same job. */
function formatSharing({ files, own, elsewhere }: ImportReport): string {
  const lines: string[] = [];
  if (own.files.length < files.length)
    lines.push(`  imported here: ${countFiles(own.files)}, ${countRecords(own)} records`);
  if (elsewhere.length > 0) lines.push(`  still being imported by other processes: ${elsewhere.join(", ")}`);
  return lines.map((line) => `${line}\n`).join("");
}

/** An ISO 8601 day, or a time with its offset: without one it would be another time on each machine. */
const DAY_OR_TIME = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** Date.parse alone finds a date in nearly any text, and takes the 30th of February for a day of March. */
function parseTime(text: string): number {
  const [, day = ""] = DAY_OR_TIME.exec(text) ?? [];
  const at = Date.parse(text);
  if (Number.isNaN(at) || day === "" || !new Date(day).toISOString().startsWith(day))
    throw new UsageError(
      `--captured-at must be a time such as 2026-11-15 or 2026-11-15T12:00:00Z, not ${JSON.stringify(text)}`,
    );
  return at;
}
