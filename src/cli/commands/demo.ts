/** `triptych demo`: adds the demo data to an empty store, or deletes it and leaves what was imported. */
import { PROGRAM } from "#config";
import type { Command } from "commander";
import { claimDemoData, removeDemoData, writeDemoData } from "#import/demo-data.ts";
import { CommandError } from "../command-errors.ts";
import { ProgressLine } from "../progress-line.ts";
import { withExistingStore, withServices } from "../with-services.ts";
import { type CommonOptions, configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { printJson, type Terminal } from "../terminal.ts";

export function registerDemo(program: Command, terminal: Terminal): void {
  const demo = program
    .command("demo")
    .description("add or remove demo data: invented people and posts")
    .addHelpText("after", `\nExamples:\n  $ ${PROGRAM} demo add\n  $ ${PROGRAM} demo remove`);
  demo
    .command("add")
    .description("add the demo data to a store that is empty; the first start does it by itself")
    .option("--json", "print JSON")
    .option(...DATA_DIR_OPTION)
    .action((options: CommonOptions) => add(terminal, options));
  demo
    .command("remove")
    .description("delete the demo data; imported data stays")
    .option("--json", "print JSON")
    .option(...DATA_DIR_OPTION)
    .action((options: CommonOptions) =>
      withExistingStore(configFrom(terminal, options), async ({ store }) => {
        const removed = await removeDemoData(store);
        if (options.json === true) printJson(terminal, { removed });
        else if (removed === 0) terminal.out("No demo data found.\n");
        else terminal.out(`Removed the demo data: ${removed} records. No start will create it again.\n`);
      }),
    );
}

async function add(terminal: Terminal, options: CommonOptions): Promise<void> {
  const config = configFrom(terminal, options);
  const progress = new ProgressLine(terminal);
  const { demoDataFor } = await import("#serve/demo-world.ts");
  await withServices(config, async ({ store, audit }) => {
    const claimed = await claimDemoData(store);
    if (claimed === "not empty") throw new CommandError("the store has records; the demo data is for empty ones");
    if (claimed === "running") throw new CommandError("another process is adding the demo data");
    const onProgress = (records: number) => progress.show(() => `${records} records`);
    const added = await writeDemoData(store, claimed, demoDataFor(config), onProgress).finally(() => progress.clear());
    await audit.record({ actor: "command", action: "demo.add", details: { job: claimed.job.id } });
    if (options.json === true) printJson(terminal, { added });
    else terminal.out(`Added the demo data: ${added} records. Remove it with: ${PROGRAM} demo remove\n`);
  });
}
