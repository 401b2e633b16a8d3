/** `triptych copy --from <store> --to <store>`: copies a store between SQLite and PostgreSQL and compares the result. */
import type { Command } from "commander";
import { CopyRefused, type CopyReport, type CopyStage } from "#store/copy/copy-store.ts";
import { formatTable } from "../format/table.ts";
import { formatCopyProgress } from "../format/progress.ts";
import { CommandError } from "../command-errors.ts";
import { ProgressLine } from "../progress-line.ts";
import { EXIT, printJson, type Terminal } from "../terminal.ts";

interface CopyOptions {
  from: string;
  to: string;
  json?: true;
}

const EXAMPLES = `
Examples:
  $ npx triptych copy --from data --to postgres://triptych@db.example:5432/triptych
  $ npx triptych copy --from postgres://triptych@db.example:5432/triptych --to file:/srv/triptych/data
  $ npx triptych copy --from /srv/old --to /srv/new

A store is a data directory, plain or as file:/path, or a PostgreSQL URL. Stop imports first. A password in a URL is
visible in the process list: set PGPASSWORD instead. Run an interrupted copy again to continue it. At the end every row
of both stores is compared; see docs/copying.md.

Exit codes: 0 both stores are identical, 1 they differ or the copy failed, 2 usage error.`;

export function registerCopy(program: Command, terminal: Terminal): void {
  program
    .command("copy")
    .description("copy a store to another directory or database, between SQLite and PostgreSQL")
    .requiredOption("--from <store>", "store to copy: a data directory, file:/path or postgres://user@host:5432/name")
    .requiredOption("--to <store>", "target: an empty directory or database, or that of an interrupted copy")
    .option("--json", "print the report as JSON")
    .addHelpText("after", EXAMPLES)
    .action((options: CopyOptions) => copy(terminal, options));
}

async function copy(terminal: Terminal, { from, to, json }: CopyOptions): Promise<void> {
  const progress = new ProgressLine(terminal);
  const showStage = trackStages(progress);
  const report = await run({ from, to }, showStage).finally(() => progress.clear());
  if (json === true) printJson(terminal, report);
  else terminal.out(formatReport(report));
  if (report.same) return;
  for (const sentence of describeDifferences(report)) terminal.err(`triptych: ${sentence}\n`);
  terminal.exitCode = EXIT.failed;
}

/** Rates are of the current stage, without the rows of an interrupted run before it. */
function trackStages(progress: ProgressLine): (stage: CopyStage) => void {
  let start: { doing: CopyStage["doing"]; at: number; rows: number } | null = null;
  return (stage) => {
    const now = performance.now();
    if (start?.doing !== stage.doing) start = { doing: stage.doing, at: now, rows: stage.rows };
    const { at, rows } = start;
    progress.show(() => formatCopyProgress(stage, stage.rows - rows, (now - at) / 1000));
  };
}

async function run(request: { from: string; to: string }, onProgress: (stage: CopyStage) => void): Promise<CopyReport> {
  // Loaded here: help and usage errors need no store.
  const { copyBetween } = await import("#serve/copy-between.ts");
  try {
    return await copyBetween(request, onProgress);
  } catch (error) {
    if (error instanceof CopyRefused) throw new CommandError(error.message);
    throw error;
  }
}

/** Enough digits to compare by eye; the JSON report has all. */
const CHECKSUM_DIGITS = 16;

function formatReport({ copied, parts, same }: CopyReport): string {
  const rows = parts.map(({ part, source, target, same: isSame }) => [
    part,
    String(source.rows),
    source.sum.slice(0, CHECKSUM_DIGITS),
    String(target.rows),
    target.sum.slice(0, CHECKSUM_DIGITS),
    isSame ? "same" : "DIFFERS",
  ]);
  const table = formatTable([["", "source rows", "checksum", "target rows", "checksum", ""], ...rows]);
  return `${table}${same ? `Copied ${copied} rows; both stores are identical.\n` : ""}`;
}

function describeDifferences({ parts, changedMeanwhile }: CopyReport): string[] {
  const sentences = parts
    .filter(({ same }) => !same)
    .map(({ part, differences }) => `the ${part} differ: ${differences.join("; ")}`);
  if (changedMeanwhile.length > 0) {
    const changed = changedMeanwhile.join(", ");
    sentences.push(`the source changed during the copy (${changed}); stop imports and copy into an empty target`);
  }
  return sentences;
}
