/** `triptych backup <file>`: writes the store to one file that either kind of store can be restored from. */
import { PROGRAM } from "#config";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { formatBytes } from "../format/progress.ts";
import { countRows, describeSeal, formatTotals, withRowProgress } from "../format/table-totals.ts";
import { type CommonOptions, configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { withTemporaryFolder } from "../temporary-folder.ts";
import { checkOutputFile, FORCE_OPTION } from "../output-file.ts";
import { printJson, type Terminal } from "../terminal.ts";

interface BackupOptions extends CommonOptions {
  force?: true;
  verify?: true;
}

const EXAMPLES = `
Examples:
  $ ${PROGRAM} backup triptych-2026-11-16.backup
  $ STORE_URL=postgres://triptych@db.example:5432/triptych ${PROGRAM} backup nightly.backup
  $ ${PROGRAM} backup --verify triptych-2026-11-16.backup

The service may keep serving and importing: the file has the state of one moment. It contains people's data and the
digests of access tokens, but not the pepper, which you should keep apart. When it is written it is read again, and its
checksums are compared. An interrupted backup leaves at most <file>.partial. A file of that
name is replaced only with --force, once the new one is complete. With the pepper at hand the file is sealed: a restore
tells whether this installation wrote it. --verify restores an existing file into a temporary store (TMPDIR), which is
deleted afterwards. BACKUP_DIR makes the service write backups by itself. See docs/backup.md.

Exit codes: 0 the backup is complete, 1 it failed, 2 usage error.`;

export function registerBackup(program: Command, terminal: Terminal): void {
  program
    .command("backup <file>")
    .description("write the store to one file, while it serves")
    .option(...FORCE_OPTION)
    .option("--verify", "rehearse a restore of an existing backup instead, into a temporary store")
    .option("--json", "print counts and checksums as JSON")
    .option(...DATA_DIR_OPTION)
    .addHelpText("after", EXAMPLES)
    .action(async (name: string, { force, verify, ...options }: BackupOptions) => {
      if (verify === true) return rehearse(terminal, name, options);
      checkOutputFile(name, force === true);
      const file = resolve(name);
      // Loaded here: help and usage errors need no store.
      const { backUp } = await import("#serve/backup.ts");
      const config = configFrom(terminal, options);
      const { tables, seal } = await withRowProgress(terminal, (onRows) =>
        backUp(config, file, { force: force === true, actor: "command" }, onRows),
      );
      if (options.json === true) return printJson(terminal, { file, tables, seal });
      const size = formatBytes(statSync(file).size);
      const written = `Wrote ${countRows(tables)} rows to ${name} (${size}) and verified it`;
      terminal.out(`${formatTotals(tables)}${written}; ${describeSeal(seal)}.\n`);
    });
}

async function rehearse(terminal: Terminal, name: string, options: CommonOptions): Promise<void> {
  const { restore } = await import("#serve/backup.ts");
  const config = configFrom(terminal, options);
  await withTemporaryFolder("rehearsal", async (dataDir) => {
    const target = { ...config, dataDir, store: null };
    // Its tokens let nobody in: no service starts on that store.
    const { tables, seal } = await withRowProgress(terminal, (onRows) =>
      restore(target, resolve(name), { trustTokens: true }, onRows),
    );
    if (options.json === true) return printJson(terminal, { file: resolve(name), tables, seal });
    const restored = `${name} can be restored: ${countRows(tables)} rows`;
    terminal.out(`${formatTotals(tables)}${restored}; ${describeSeal(seal)}.\n`);
  });
}
