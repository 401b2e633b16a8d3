/** `triptych copy --from <store> --to <store>`: a backup of one store, restored into another, without a file. */
import { PROGRAM } from "#config";
import type { Command } from "commander";
import { countRows, formatTotals, withRowProgress } from "../format/table-totals.ts";
import { resolveSettings } from "../settings.ts";
import { printJson, type Terminal } from "../terminal.ts";
import { formatSkipped } from "./restore.ts";

interface CopyOptions {
  from: string;
  to: string;
  json?: true;
}

const EXAMPLES = `
Examples:
  $ ${PROGRAM} copy --from data --to postgres://triptych@db.example:5432/triptych
  $ ${PROGRAM} copy --from postgres://triptych@db.example:5432/triptych --to file:/srv/triptych/data
  $ ${PROGRAM} copy --from /srv/old --to /srv/new

A store is a data directory, plain or as file:/path, or a PostgreSQL URL. The source may keep serving; the target gets its
state of one moment, without what is due to be deleted. A password in a URL is visible in the process list: set
PGPASSWORD instead. Everything is written in one transaction and read back: if the copy is interrupted, the target is
still empty, and you can run it again. See docs/backup.md.

Exit codes: 0 the target has every row that is not due, 1 the copy failed and the target is empty, 2 usage error.`;

export function registerCopy(program: Command, terminal: Terminal): void {
  program
    .command("copy")
    .description("copy a store to another directory or database, between SQLite and PostgreSQL")
    .requiredOption("--from <store>", "store to copy: a data directory, file:/path or postgres://user@host:5432/name")
    .requiredOption("--to <store>", "target: an empty directory or database")
    .option("--json", "print counts and checksums as JSON")
    .addHelpText("after", EXAMPLES)
    .action(async ({ from, to, json }: CopyOptions) => {
      // Loaded here: help and usage errors need no store.
      const { copyBetween } = await import("#serve/backup.ts");
      const { env } = resolveSettings(terminal, {});
      const report = await withRowProgress(terminal, (onRows) => copyBetween({ from, to, env }, onRows));
      if (json === true) return printJson(terminal, report);
      const total = `Copied ${countRows(report.tables)} rows${formatSkipped(report)}; the target has the same checksums.\n`;
      terminal.out(formatTotals(report.tables) + total);
    });
}
