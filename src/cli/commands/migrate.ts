/** `triptych migrate`: creates the tables of the store, or brings them to this version, and does nothing else. */
import { PROGRAM } from "#config";
import type { Command } from "commander";
import { type CommonOptions, configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { printJson, type Terminal } from "../terminal.ts";
import { noteCreation } from "../with-services.ts";

const NOTES = `
Example:
  $ STORE_URL=postgres://triptych@db.example:5432/triptych ${PROGRAM} migrate

Every command that opens a store does this too. Use it to create the tables before the first start, such as to distribute
them with Citus, or to upgrade a large store while no node is running. It creates no token and no demo data. On PostgreSQL
the role must own the tables.`;

export function registerMigrate(program: Command, terminal: Terminal): void {
  program
    .command("migrate")
    .description("create the tables of the store, or bring them to this version")
    .option("--json", "print JSON")
    .option(...DATA_DIR_OPTION)
    .addHelpText("after", NOTES)
    .action(async ({ json, ...options }: CommonOptions) => {
      const config = configFrom(terminal, options);
      // Loaded here: help and usage errors need no store.
      const { openStore } = await import("#serve/open-store.ts");
      const printCreated = noteCreation(terminal, config);
      await (await openStore(config)).close();
      printCreated();
      const store = config.store === null ? config.dataDir : new URL(config.store.url).host;
      if (json === true) printJson(terminal, { store });
      else terminal.out(`The store in ${store} has the tables of this version.\n`);
    });
}
