/** `triptych undo <job>`: takes an import out again. Without `--yes` it only says what would change. */
import { PROGRAM } from "#config";
import type { Command } from "commander";
import { type UndoCounts, undoImport } from "#import/undo.ts";
import { CommandError, UsageError } from "../command-errors.ts";
import { formatCounts } from "../format/counts.ts";
import { ProgressLine } from "../progress-line.ts";
import { purgeDeleted } from "../purge-deleted.ts";
import { type CommonOptions, configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { printJson, printNote, type Terminal } from "../terminal.ts";
import { withExistingStore } from "../with-services.ts";

interface UndoOptions extends CommonOptions {
  yes?: true;
}

const NOTES = `
Examples:
  $ ${PROGRAM} jobs                              the imports and their names
  $ ${PROGRAM} undo 2026-11-16-1a2b3c4d          what would change
  $ ${PROGRAM} undo 2026-11-16-1a2b3c4d --yes    undo it

A record that only this import brought is deleted. A record that it changed, and no other import touched since, gets back
what was stored before. A record that other imports touched later stays as it is and is counted as kept; only what this
import added to the history of its counters goes. The files may be imported again. An import can be undone for UNDO_DAYS
days. See docs/undo.md.`;

export function registerUndo(program: Command, terminal: Terminal): void {
  program
    .command("undo")
    .description("take an import out again")
    .argument("<job>", 'the import, as "triptych jobs" lists it')
    .option("--yes", "undo it; without it nothing is changed")
    .option("--json", "print JSON")
    .option(...DATA_DIR_OPTION)
    .addHelpText("after", NOTES)
    .action((jobId: string, options: UndoOptions) => run(terminal, jobId, options));
}

async function run(terminal: Terminal, jobId: string, { yes, json, ...options }: UndoOptions): Promise<void> {
  const dryRun = yes !== true;
  const config = configFrom(terminal, options);
  const progress = new ProgressLine(terminal);
  await withExistingStore(config, async ({ store, audit }) => {
    const onProgress = (records: number) => progress.show(() => `${records} records`);
    const outcome = await undoImport(store, { jobId, dryRun, onProgress }).finally(() => progress.clear());
    if (outcome.state === "not found")
      throw new UsageError(`there is no import ${jobId}; "${PROGRAM} jobs" lists them`);
    if (outcome.state === "running") throw new CommandError(`import ${jobId} is still running; stop it first`);
    if (outcome.state === "nothing to undo") throw new CommandError(explain(jobId, outcome.job.state, config.undoDays));
    const { counts, job } = outcome;
    if (!dryRun) {
      await audit.record({ actor: "command", action: "import.undo", details: { job: jobId } });
      const note = await purgeDeleted(store);
      if (note !== null) printNote(terminal, note);
    }
    if (json === true) return printJson(terminal, { job: jobId, undone: !dryRun, ...counts });
    terminal.out(
      `${dryRun ? "Would undo" : "Undid"} import ${jobId} (${job.label}):\n${describeChanges(counts, dryRun)}`,
    );
    if (dryRun) terminal.out("Nothing was changed; add --yes to undo it.\n");
  });
}

function explain(jobId: string, state: string, days: number): string {
  if (state === "undone") return `import ${jobId} was undone before`;
  if (jobId === "demo") return `the demo data is removed with "${PROGRAM} demo remove"`;
  return `the store has nothing of import ${jobId} to undo: it brought nothing, or it is older than ${days} days (UNDO_DAYS)`;
}

function describeChanges({ removed, restored, kept, keptFor, points }: UndoCounts, dryRun: boolean): string {
  const would = (done: string, planned: string) => (dryRun ? planned : done);
  const lines = [
    `  ${would("deleted", "would delete")}: ${formatCounts(removed)}`,
    `  ${would("restored", "would restore")}: ${formatCounts(restored)}`,
  ];
  if (points > 0)
    lines.push(`  observations ${would("deleted", "to delete")} from the history of other records: ${points}`);
  const others = Object.entries(keptFor).toSorted(([, a], [, b]) => b - a);
  if (others.length > 0) {
    const jobs = others.slice(0, 5).map(([job, count]) => `${job} (${count})`);
    const more = others.length > 5 ? ` and ${others.length - 5} more` : "";
    lines.push(`  kept: ${formatCounts(kept)}; also brought by ${jobs.join(", ")}${more}`);
  }
  return lines.map((line) => `${line}\n`).join("");
}
