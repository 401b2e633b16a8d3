/** `triptych retention`: how long records are kept after their last capture. */
import { PROGRAM } from "#config";
import { type Command, Option } from "commander";
import { RETENTION_KINDS, type RetentionKind, type RetentionRule } from "#domain/retention.ts";
import { previewSweep, sweep } from "#privacy/retention.ts";
import type { Services } from "#serve/services.ts";
import { CommandError, UsageError } from "../command-errors.ts";
import { formatCounts } from "../format/counts.ts";
import { formatTable } from "../format/table.ts";
import { purgeDeleted } from "../purge-deleted.ts";
import { type CommonOptions, configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { printJson, printNote, type Terminal } from "../terminal.ts";
import { withExistingStore, withNotedStore } from "../with-services.ts";

interface RetentionOptions extends CommonOptions {
  source?: string;
  kind?: RetentionKind;
  dryRun?: true;
}

const NOTES = `
Examples:
  $ ${PROGRAM} retention                                        the rules, and what is due
  $ ${PROGRAM} retention set 365                                everything, a year after its last capture
  $ ${PROGRAM} retention set 30 --source zeeschuimer --kind comment
  $ ${PROGRAM} retention set forever --source demo
  $ ${PROGRAM} retention remove --source demo
  $ ${PROGRAM} retention run --dry-run

The most specific rule counts: source and kind, then source, then kind, then everything (or RETENTION_DAYS). A service deletes
what is due every hour, in small batches; exports and backups leave it out immediately. See docs/privacy.md.`;

export function registerRetention(program: Command, terminal: Terminal): void {
  const retention = program
    .command("retention")
    .description("show and set how long records are kept")
    .option("--json", "print JSON")
    .option(...DATA_DIR_OPTION)
    .addHelpText("after", NOTES)
    .action((options: RetentionOptions) => show(terminal, options));
  const sourceOption = ["--source <name>", "only what this source captured, such as zeeschuimer"] as const;
  const kindOption = () => new Option("--kind <kind>", "only records of this kind").choices(RETENTION_KINDS);

  retention
    .command("set <days>")
    .description("keep records for a number of days after their last capture, or forever")
    .option(...sourceOption)
    .addOption(kindOption())
    .option(...DATA_DIR_OPTION)
    .addHelpText("after", `\nExample:\n  $ ${PROGRAM} retention set 90 --kind comment`)
    .action((days: string, _: RetentionOptions, command: Command) => set(terminal, days, command.optsWithGlobals()));

  retention
    .command("remove")
    .description("remove a rule; the next less specific one counts then")
    .option(...sourceOption)
    .addOption(kindOption())
    .option(...DATA_DIR_OPTION)
    .addHelpText("after", `\nExample:\n  $ ${PROGRAM} retention remove --kind comment`)
    .action((_: RetentionOptions, command: Command) => remove(terminal, command.optsWithGlobals()));

  retention
    .command("run")
    .description("delete what is due now")
    .option("--dry-run", "only count it")
    .option("--json", "print JSON")
    .option(...DATA_DIR_OPTION)
    .addHelpText("after", `\nExample:\n  $ ${PROGRAM} retention run --dry-run`)
    .action((_: RetentionOptions, command: Command) => run(terminal, command.optsWithGlobals()));
}

async function show(terminal: Terminal, options: RetentionOptions): Promise<void> {
  const config = configFrom(terminal, options);
  await withExistingStore(config, async ({ store, retention }) => {
    const rules = await store.retention.list();
    const due = await previewSweep(store, retention);
    const { defaultDays, duties } = retention;
    if (options.json === true) return printJson(terminal, { rules, defaultDays, duties, due });
    const rows = [
      ...rules.map((rule) => [rule.source || "all", rule.kind || "all", describeDays(rule.days)]),
      ...duties.map(({ source, days }) => [source, "all", `${describeDays(days)} at most, by its terms`]),
      ...(defaultDays === null ? [] : [["all", "all", `${describeDays(defaultDays)} (RETENTION_DAYS)`]]),
    ];
    if (rows.length > 0) terminal.out(formatTable([["source", "kind", "kept after the last capture"], ...rows]));
    const isAllCovered = defaultDays !== null || rules.some(({ source, kind }) => source === "" && kind === "");
    if (!isAllCovered) {
      terminal.out(`All else is kept for ever; set a rule with "${PROGRAM} retention set <days>".\n`);
    }
    terminal.out(`Due now: ${formatCounts(due)}.\n`);
  });
}

async function set(terminal: Terminal, text: string, options: RetentionOptions): Promise<void> {
  if (text !== "forever" && !/^[1-9]\d{0,4}$/.test(text)) {
    throw new UsageError("the days must be a whole number from 1 to 99999, or forever");
  }
  const rule: RetentionRule = { ...targetOf(options), days: text === "forever" ? null : Number(text) };
  await withNotedStore(terminal, configFrom(terminal, options), async ({ store, audit }) => {
    await store.retention.write(rule);
    await audit.record({ actor: "command", action: "retention.set", details: { ...rule } });
    if (rule.source !== "" && !(await isStored(store, rule.source)))
      printNote(terminal, `nothing from ${rule.source} is stored; check the name, unless it is still to come\n`);
  });
  const end = rule.days === null ? "" : " after the last capture";
  terminal.out(`${describeTarget(rule)}: kept ${describeDays(rule.days)}${end}.\n`);
}

/** Also of what `hasSource` does not look up: some tools capture nothing but subtitles. */
async function isStored({ retention, writer }: Services["store"], source: string): Promise<boolean> {
  if (await retention.hasSource(source)) return true;
  for (const kind of ["subtitles", "follow", "chart"] as const) {
    const count = await writer.countExpired({ kind, source, except: [], before: Number.MAX_SAFE_INTEGER });
    if (count > 0) return true;
  }
  return false;
}

async function remove(terminal: Terminal, options: RetentionOptions): Promise<void> {
  const { source, kind } = targetOf(options);
  await withExistingStore(configFrom(terminal, options), async ({ store, audit }) => {
    if (!(await store.retention.delete(source, kind))) {
      throw new CommandError(`there is no such rule; "${PROGRAM} retention" lists them`);
    }
    await audit.record({ actor: "command", action: "retention.set", details: { source, kind, removed: true } });
  });
  terminal.out(`${describeTarget({ source, kind })}: rule removed.\n`);
}

async function run(terminal: Terminal, options: RetentionOptions): Promise<void> {
  await withExistingStore(configFrom(terminal, options), async ({ store, audit, retention }) => {
    const isDry = options.dryRun === true;
    const counts = await (isDry ? previewSweep(store, retention) : sweep(store, retention));
    if (!isDry && Object.keys(counts).length > 0) {
      await audit.record({ actor: "command", action: "retention.sweep", details: { ...counts } });
      const note = await purgeDeleted(store);
      if (note !== null) printNote(terminal, note);
    }
    if (options.json === true) return printJson(terminal, counts);
    terminal.out(`${isDry ? "Due now" : "Deleted"}: ${formatCounts(counts)}.\n`);
  });
}

function targetOf({ source = "", kind }: RetentionOptions): Pick<RetentionRule, "source" | "kind"> {
  return { source, kind: kind ?? "" };
}

function describeTarget({ source, kind }: Pick<RetentionRule, "source" | "kind">): string {
  return `${kind || "everything"}${source === "" ? "" : ` from ${source}`}`;
}

function describeDays(days: number | null): string {
  if (days === null) return "for ever";
  return days === 1 ? "1 day" : `${days} days`;
}
