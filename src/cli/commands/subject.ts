/** `triptych subject <platform> <account>`: everything that is stored about one person. */
import { PROGRAM } from "#config";
import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import { writeWhole } from "#export/whole-file.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import { exportSubject } from "#privacy/subject.ts";
import { CommandError } from "../command-errors.ts";
import { checkOutputFile, FORCE_OPTION } from "../output-file.ts";
import { parseRecordArgument } from "../record-argument.ts";
import { configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { printNote, type Terminal } from "../terminal.ts";
import { withExistingStore } from "../with-services.ts";

interface SubjectOptions {
  output?: string;
  force?: true;
  dataDir?: string;
}

const NOTES = `
Examples:
  $ ${PROGRAM} subject photoshare luna.marchetti
  $ ${PROGRAM} subject photoshare luna.marchetti -o luna.json

The answer to somebody who asks what you hold about them: profile, posts, comments, sounds, subtitles, follows, history,
charts, mentions by others and imports, each with when and by which tool it was captured. See docs/privacy.md; "${PROGRAM} erase"
deletes it all.

Exit codes: 0 something is stored, 1 nothing is, 2 usage error.`;

export function registerSubject(program: Command, terminal: Terminal): void {
  program
    .command("subject")
    .description("export everything that is stored about one person, as JSON")
    .argument("<platform>", PLATFORMS.map(({ name }) => name).join(", "))
    .argument("<account>", "name, id or URL")
    .option("-o, --output <file>", "file to write, readable by you only; standard output if absent")
    .option(...FORCE_OPTION)
    .option(...DATA_DIR_OPTION)
    .addHelpText("after", NOTES)
    .action((platform: string, account: string, options: SubjectOptions) => run(terminal, platform, account, options));
}

async function run(
  terminal: Terminal,
  platform: string,
  text: string,
  { output, force, ...options }: SubjectOptions,
): Promise<void> {
  const account = parseRecordArgument(platform, "account", "account", text);
  checkOutputFile(output, force === true);
  await withExistingStore(configFrom(terminal, options), async ({ store, audit }) => {
    const report = await exportSubject(store, platform, account);
    if (report === null) throw new CommandError(`nothing is stored about ${account} on ${platform}`);
    const json = `${JSON.stringify(report, null, 2)}\n`;
    if (output === undefined) terminal.out(json);
    else
      await writeWhole(output, force === true, (partial) =>
        writeFile(partial, json, { mode: 0o600, flag: "wx", flush: true }),
      );
    const subject = audit.subjectOf(platform, "account", report.id);
    await audit.record({ actor: "command", action: "subject", details: { platform, subject } });
    if (output !== undefined) printNote(terminal, `wrote ${output}\n`);
  });
}
