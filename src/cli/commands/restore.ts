/** `triptych restore <file>`: fills an empty store from a backup. */
import { PROGRAM } from "#config";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import type { RestoredBackup, RestoreOptions } from "#serve/backup.ts";
import { UsageError } from "../command-errors.ts";
import { countRows, describeSeal, formatTotals, withRowProgress } from "../format/table-totals.ts";
import { type CommonOptions, configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { printJson, printNote, type Terminal } from "../terminal.ts";

const EXAMPLES = `
Examples:
  $ ${PROGRAM} restore triptych-2026-11-16.backup --data-dir /srv/triptych/data
  $ STORE_URL=postgres://triptych@db.example:5432/triptych ${PROGRAM} restore nightly.backup
  $ ${PROGRAM} restore nightly.backup --require-seal --without-tokens

The store must be empty: a directory, which is created if missing, or a database. The file is read to its end first; one
that is damaged or cut off is refused. Then everything is written in one transaction and read back: if anything fails or
the process is killed, the store is still empty. What was erased in the store stays erased, and a token that was revoked in
it stays revoked. A token that was revoked after the backup was made is valid again where the store does not know of it.
See docs/backup.md.

Exit codes: 0 the store has every row of the backup, 1 nothing was restored, 2 usage error.`;

export function registerRestore(program: Command, terminal: Terminal): void {
  program
    .command("restore <file>")
    .description("fill an empty store from a backup of either kind of store")
    .option("--require-seal", "refuse a file that this installation did not seal")
    .option("--without-tokens", "leave the access tokens out; create new ones")
    .option("--trust-tokens", "accept tokens of an earlier version, whose scopes nothing confirms")
    .option("--json", "print counts and checksums as JSON")
    .option(...DATA_DIR_OPTION)
    .addHelpText("after", EXAMPLES)
    .action(async (name: string, options: CommonOptions & RestoreOptions) => {
      if (options.withoutTokens && options.trustTokens)
        throw new UsageError("--without-tokens and --trust-tokens exclude each other");
      // Loaded here: help and usage errors need no store.
      const { restore } = await import("#serve/backup.ts");
      const config = configFrom(terminal, options);
      const report = await withRowProgress(terminal, (onRows) => restore(config, resolve(name), options, onRows));
      if (report.tables.tokens.rows > 0 && !existsSync(config.pepperFile)) {
        const file = config.pepperFile;
        printNote(
          terminal,
          `The restored tokens need the pepper file of their store: copy it to ${file} (docs/backup.md).\n`,
        );
      }
      if (options.json === true) return printJson(terminal, report);
      const restored = `Restored ${countRows(report.tables)} rows${formatSkipped(report)}; ${describeSeal(report.seal)}.\n`;
      terminal.out(formatTotals(report.tables) + restored + formatTokens(report));
    });
}

function formatTokens({ tables, activeTokens }: RestoredBackup): string {
  if (activeTokens === 0) return "";
  return (
    `${activeTokens} of ${tables.tokens.rows} tokens are active. A token that was revoked after the backup was made is active ` +
    `again: "${PROGRAM} token list" lists them.\n`
  );
}

/** Empty unless the target had erased something. */
export function formatSkipped({ skipped }: { skipped: number }): string {
  return skipped === 0 ? "" : `; left out ${skipped} of records that are erased in the target`;
}
