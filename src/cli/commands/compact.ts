/** `triptych compact`: gives the room of deleted rows back to the disk, and removes their bytes. */
import type { Command } from "commander";
import { formatBytes } from "../format/progress.ts";
import { type CommonOptions, configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { printJson, printNote, type Terminal } from "../terminal.ts";
import { withExistingStore } from "../with-services.ts";

const NOTES = `
On SQLite the file is rewritten without free pages (VACUUM), and its write-ahead log is emptied: no byte of deleted records
is left. That needs twice as much free disk space as the store takes, half of it for temporary files; a service may keep
answering, imports wait.

On PostgreSQL, VACUUM runs on every table: its room is used again by later writes, and only free pages at the end of a
table go back to the disk. To shrink tables further, stop the nodes and run VACUUM FULL, which locks each table.`;

const LONG_READ =
  "A backup, an export or another long read still needs deleted rows: run the command again when it has ended.\n";

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
        const isPurged = await store.compact();
        const { bytes } = await store.summary();
        if (options.json === true) printJson(terminal, { bytesBefore, bytes, purged: isPurged });
        else terminal.out(`The store takes ${formatBytes(bytes)}; before, it took ${formatBytes(bytesBefore)}.\n`);
        if (!isPurged) printNote(terminal, LONG_READ);
      }),
    );
}
