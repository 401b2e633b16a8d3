/** `triptych compact`: gives the room of deleted rows back to the disk. */
import type { Command } from "commander";
import { formatBytes } from "../format/progress.ts";
import { type CommonOptions, configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { printJson, type Terminal } from "../terminal.ts";
import { withExistingStore } from "../with-services.ts";

const NOTES = `
On SQLite the file is rewritten without free pages (VACUUM), and its write-ahead log is emptied. That needs as much
free disk space as the store takes; a service may keep answering, imports wait.

On PostgreSQL, VACUUM runs on every table: its room is used again by later writes, and only free pages at the end of a
table go back to the disk. To shrink tables further, stop the nodes and run VACUUM FULL, which locks each table.`;

export function registerCompact(program: Command, terminal: Terminal): void {
  program
    .command("compact")
    .description("give the room of deleted records back to the disk")
    .option("--json", "print the sizes as JSON")
    .option(...DATA_DIR_OPTION)
    .addHelpText("after", NOTES)
    .action((options: CommonOptions) =>
      withExistingStore(configFrom(terminal, options), async ({ store }) => {
        const { bytes: bytesBefore } = await store.summary();
        await store.compact();
        const { bytes } = await store.summary();
        if (options.json === true) printJson(terminal, { bytesBefore, bytes });
        else terminal.out(`The store takes ${formatBytes(bytes)}; before, it took ${formatBytes(bytesBefore)}.\n`);
      }),
    );
}
