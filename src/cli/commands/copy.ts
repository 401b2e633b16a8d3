/** `triptych copy --from <address> --to <address>`: moves a store, from a file to PostgreSQL or back, and proves it. */
import type { Command } from "commander";
import { CopyRefused, type CopyReport, type CopyStage } from "#store/copy/copy-store.ts";
import { formatTable } from "../format/table.ts";
import { CopyProgressLine } from "../copy-progress.ts";
import { CommandError } from "../command-errors.ts";
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

An address is a folder, plain or as file:/path, or a database. A password in an address shows in the list of processes:
leave it out and set PGPASSWORD. Stop imports first. A copy that was cut off goes on when the same command is given
again. In the end every row of both stores is compared; docs/copying.md tells more. Exit codes: 0 both hold the same,
1 they do not or the copy failed, 2 not understood.`;

export function registerCopy(program: Command, terminal: Terminal): void {
  program
    .command("copy")
    .description("copy a store to another place: a folder or a PostgreSQL database, either way")
    .requiredOption("--from <address>", "the store to copy: a folder, file:/path or postgres://user@host:5432/name")
    .requiredOption("--to <address>", "where to: an empty folder or database, or one that such a copy was cut off in")
    .option("--json", "the report as JSON")
    .addHelpText("after", EXAMPLES)
    .action((options: CopyOptions) => copy(terminal, options));
}

async function copy(terminal: Terminal, { from, to, json }: CopyOptions): Promise<void> {
  const progress = new CopyProgressLine(terminal);
  const report = await run({ from, to }, (stage) => progress.show(stage)).finally(() => progress.clear());
  if (json === true) printJson(terminal, report);
  else terminal.out(reportLines(report));
  if (report.same) return;
  for (const sentence of faults(report)) terminal.err(`triptych: ${sentence}\n`);
  terminal.exitCode = EXIT.failed;
}

async function run(request: { from: string; to: string }, show: (stage: CopyStage) => void): Promise<CopyReport> {
  // Loaded only now: help and refusals need no store.
  const { copyBetween } = await import("#serve/copy-between.ts");
  try {
    return await copyBetween(request, show);
  } catch (error) {
    if (error instanceof CopyRefused) throw new CommandError(error.message);
    throw error;
  }
}

/** As many digits as people compare by eye; the JSON has all of them. */
const SHOWN_DIGITS = 16;

function reportLines({ copied, parts, same }: CopyReport): string {
  const rows = parts.map(({ part, source, target, same: alike }) => [
    part,
    String(source.rows),
    source.sum.slice(0, SHOWN_DIGITS),
    String(target.rows),
    target.sum.slice(0, SHOWN_DIGITS),
    alike ? "same" : "DIFFERS",
  ]);
  const table = formatTable([["", "source rows", "checksum", "target rows", "checksum", ""], ...rows]);
  return `${table}${same ? `Copied ${copied} rows; both stores are identical.\n` : ""}`;
}

function faults({ parts, changedMeanwhile }: CopyReport): string[] {
  const sentences = parts
    .filter(({ same }) => !same)
    .map(({ part, differences }) => `the ${part} differ: ${differences.join("; ")}`);
  if (changedMeanwhile.length > 0) {
    const changed = changedMeanwhile.join(", ");
    sentences.push(
      `the source was written to since it was copied (${changed}); stop imports and copy into an empty target`,
    );
  }
  return sentences;
}
