/** `triptych demo remove`: takes the invented people out of a store, to leave your own data alone in it. */
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
    .description("the invented world that a first start shows")
    .addHelpText("after", "\nExample:\n  $ npx triptych demo remove")
    .command("remove")
    .description("take the demo world out of the store; what you imported stays")
    .option("--json", "print JSON")
    .option(...DATA_DIR_OPTION)
    .action((options: DemoOptions) =>
      withExistingStore(configFrom(terminal, options), async ({ store }) => {
        const removed = await removeDemoData(store);
        if (options.json === true) printJson(terminal, { removed });
        else if (removed === 0) terminal.out("This store holds no demo world.\n");
        else terminal.out(`Removed the demo world: ${removed} records. It does not come back by itself.\n`);
      }),
    );
}
