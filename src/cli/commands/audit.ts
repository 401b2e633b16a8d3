/** `triptych audit` and `triptych audit verify`: who erased, exported or administered what, and whether the log is whole. */
import { PROGRAM } from "#config";
import type { Command } from "commander";
import { type AuditEntry, parseAuditDetails } from "#domain/audit.ts";
import { CommandError } from "../command-errors.ts";
import { formatTable } from "../format/table.ts";
import { DEFAULT_LIMIT, parseLimit } from "../parse-limit.ts";
import { type CommonOptions, configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { EXIT, printJson, type Terminal } from "../terminal.ts";
import { withExistingStore } from "../with-services.ts";

interface AuditOptions extends CommonOptions {
  limit?: string;
}

const NOTES = `
Examples:
  $ ${PROGRAM} audit                  the newest entries
  $ ${PROGRAM} audit --limit 1000 --json
  $ ${PROGRAM} audit verify           whether no entry was changed, removed or reordered

Erasures, exports, backups and changes of tokens and retention are written down, by command line and service alike. People
appear as keyed digests. Each entry is sealed with the one before it by a key from the pepper file. See docs/privacy.md.`;

export function registerAudit(program: Command, terminal: Terminal): void {
  const audit = program
    .command("audit")
    .description("list erasures, exports and administrative acts, newest first")
    .option("--limit <entries>", `how many (default: ${DEFAULT_LIMIT})`)
    .option("--json", "print JSON")
    .option(...DATA_DIR_OPTION)
    .addHelpText("after", NOTES)
    .action((options: AuditOptions) => list(terminal, options));

  audit
    .command("verify")
    .description("check that no entry was changed, removed or reordered")
    .option("--json", "print JSON")
    .option(...DATA_DIR_OPTION)
    .addHelpText(
      "after",
      `
Example:
  $ ${PROGRAM} audit verify

The seal of the last entry is printed: note it elsewhere, and a later log must still contain it.
Exit codes: 0 the log is whole, 1 it is not, 2 usage error.`,
    )
    .action((_: AuditOptions, command: Command) => verify(terminal, command.optsWithGlobals<AuditOptions>()));
}

async function list(terminal: Terminal, options: AuditOptions): Promise<void> {
  const limit = parseLimit(options.limit);
  const entries = await withExistingStore(configFrom(terminal, options), ({ audit }) => audit.listNewest(limit));
  if (options.json === true) {
    return printJson(
      terminal,
      entries.map((entry) => ({ ...entry, details: parseAuditDetails(entry.details) })),
    );
  }
  if (entries.length === 0) return terminal.out("The audit log is empty.\n");
  terminal.out(formatTable([["no.", "time (UTC)", "by", "action", "details"], ...entries.map(toRow)]));
}

function toRow({ number, at, actor, action, details }: AuditEntry): string[] {
  const time = new Date(at).toISOString().slice(0, 19).replace("T", " ");
  const words = Object.entries(parseAuditDetails(details))
    .filter(([, value]) => value !== 0 && value !== false && value !== "")
    // Only a number of days can be null.
    .map(([name, value]) => `${name}=${value ?? "forever"}`);
  return [String(number), time, actor, action, words.join(" ")];
}

async function verify(terminal: Terminal, options: AuditOptions): Promise<void> {
  const { isSealedHere, ...verdict } = await withExistingStore(
    configFrom(terminal, options),
    async ({ audit, store }) => {
      const verified = await audit.verify(store.tokens);
      return { ...verified, isSealedHere: verified.entries === 0 || (await audit.isSealedHere()) };
    },
  );
  const { entries, seal, problems } = verdict;
  if (options.json === true) {
    printJson(terminal, verdict);
    if (problems.length > 0) terminal.exitCode = EXIT.failed;
    return;
  }
  if (problems.length === 0) {
    terminal.out(
      entries === 0 ? "The audit log is empty.\n" : `The audit log is whole: ${entries} entries, seal ${seal}.\n`,
    );
    return;
  }
  // A log of a single entry has no second one to tell; the seal of its end does.
  const isOtherPepper =
    (problems.length > 1 || !isSealedHere) &&
    problems.every(({ number }) => number !== null) &&
    problems[0]?.number === 1;
  throw new CommandError(
    `the audit log was tampered with: ${problems.map(({ problem }) => problem).join("; ")}${
      isOtherPepper ? "; or the pepper file is not the one that it was sealed with" : ""
    }`,
  );
}
