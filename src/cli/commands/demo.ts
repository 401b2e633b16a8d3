/** `triptych demo remove`: deletes the demo data and leaves what was imported. */
import type { Command } from "commander";
import { removeDemoData } from "#import/demo-data.ts";
import { withExistingStore } from "../with-services.ts";
import { configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { printJson, type Terminal } from "../terminal.ts";

interface DemoOptions {
  json?: true;
  dataDir?: string;
}

export function registerDemo(program: Command, terminal: Terminal): void {
  program
    .command("demo")
    .description("manage the demo data that the first start creates")
    .addHelpText("after", "\nExample:\n  $ npx triptych demo remove")
    .command("remove")
    .description("delete the demo data; imported data stays")
    .option("--json", "print JSON")
    .option(...DATA_DIR_OPTION)
    .action((options: DemoOptions) =>
      withExistingStore(configFrom(terminal, options), async ({ store }) => {
        const removed = await removeDemoData(store);
        if (options.json === true) printJson(terminal, { removed });
        else if (removed === 0) terminal.out("No demo data found.\n");
        else terminal.out(`Removed the demo data: ${removed} records. It will not be created again.\n`);
      }),
    );
}
