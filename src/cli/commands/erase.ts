/** `triptych erase`: deletes a person, a post or a comment for good. Without `--yes` it only says what would go. */
import { PROGRAM } from "#config";
import type { Command } from "commander";
import { isDisplayName, NAMEABLE_KINDS } from "#api/record-id.ts";
import { erase, type ErasureRequest } from "#privacy/erase.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import { UsageError } from "../command-errors.ts";
import { purgeDeleted } from "../purge-deleted.ts";
import { parseRecordArgument } from "../record-argument.ts";
import { formatCounts } from "../format/counts.ts";
import { type CommonOptions, configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { printJson, printNote, type Terminal } from "../terminal.ts";
import { withExistingStore } from "../with-services.ts";

interface EraseOptions extends CommonOptions {
  yes?: true;
}

const NOTES = `
Examples:
  $ ${PROGRAM} erase photoshare account luna.marchetti         what would go
  $ ${PROGRAM} erase photoshare account luna.marchetti --yes   erase it
  $ ${PROGRAM} erase shortvideo post 7300000000000000001 --yes

An account is erased with its posts, their comments, its own comments, sounds, follows, history and chart entries. Others'
records lose their tags and mentions of it, and the import history the names of its files. Its id and its names are
remembered as keyed digests, so later imports skip it; one that is not stored can be erased too, so that it never comes
in. Running services drop it from their caches immediately. The store's file is rewritten, so that no byte of it is left. Backups made before still have it: let them expire. See
docs/erasing.md.`;

export function registerErase(program: Command, terminal: Terminal): void {
  program
    .command("erase")
    .description("erase an account, a post or a comment, so that no import brings it back")
    .argument("<platform>", PLATFORMS.map(({ name }) => name).join(", "))
    .argument("<kind>", NAMEABLE_KINDS.join(", "))
    .argument("<id>", "id or URL; of an account also its name (with @ if it could be another's id)")
    .option("--yes", "erase; without it nothing is changed")
    .option("--json", "print JSON")
    .option(...DATA_DIR_OPTION)
    .addHelpText("after", NOTES)
    .action((platform: string, kind: string, id: string, options: EraseOptions) =>
      run(terminal, checkTarget(platform, kind, id), options),
    );
}

type Target = Omit<ErasureRequest, "dryRun" | "actor">;

function checkTarget(platform: string, kind: string, id: string): Target {
  const known = NAMEABLE_KINDS.find((candidate) => candidate === kind);
  if (known === undefined) throw new UsageError(`the kind must be one of ${NAMEABLE_KINDS.join(", ")}`);
  return { platform, kind: known, id: parseRecordArgument(platform, known, "id", id) };
}

async function run(terminal: Terminal, target: Target, { yes, json, ...options }: EraseOptions): Promise<void> {
  const erased = yes === true;
  const config = configFrom(terminal, options);
  await withExistingStore(config, async ({ store, audit }) => {
    let note: string | null = null;
    const purge = async () => (note = await purgeDeleted(store)) === null;
    const services = { store, audit, dataDir: config.dataDir, purge };
    const request = { ...target, dryRun: !erased, actor: "command" };
    const { id, name, counts, isPurged } = await erase(services, request);
    if (note !== null) printNote(terminal, note);
    if (json === true) return printJson(terminal, { ...target, id, erased, counts, purged: isPurged });
    const subject = isDisplayName(id)
      ? `what has only the name ${id}`
      : `${target.kind} ${name === null ? id : `@${name} (${id})`}`;
    const found = Object.values(counts).some((count) => count > 0);
    const what = found ? formatCounts(counts) : "nothing that is stored";
    if (erased) terminal.out(`Erased ${subject}: ${what}. Later imports skip it.\n`);
    else terminal.out(`Would erase ${subject}: ${what}. Nothing was changed; add --yes to erase.\n`);
  });
}
