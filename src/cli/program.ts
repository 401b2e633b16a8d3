/** Parses the command line and runs a command. Usage errors are one sentence and exit code 2. */
import { Command, CommanderError } from "commander";
import { SERVICE_VERSION } from "#api/service-version.ts";
import { loadCommands } from "./commands.ts";
import { oneLine, reportError } from "./command-errors.ts";
import { EXIT, type Terminal } from "./terminal.ts";

const EXAMPLES = `
Examples:
  $ npx triptych serve                                    start the service
  $ npx triptych token create --label "my notebook"       create an access token
  $ npx triptych import ~/captures                        import your data
  $ npx triptych get photoshare/get-profile username_or_url=luna.marchetti
  $ npx triptych doctor                                   check the installation

Help on a command: npx triptych <command> --help
Exit codes: 0 success, 1 failure, 2 usage error.`;

export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = new Command("triptych")
    .description("Self-hosted, read-only API over captures of short-video, long-video and photo-sharing platforms.")
    .version(SERVICE_VERSION, "-v, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print help on a command")
    .addHelpText("after", EXAMPLES)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.err(text),
      outputError: (text, write) => write(`${oneSentence(text)}\n`),
    });
  for (const register of await loadCommands(args[0])) register(program, terminal);

  try {
    await program.parseAsync(args, { from: "user" });
    return terminal.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    return reportError(error, terminal);
  }
}

/** Commander puts its suggestion on a line of its own. */
function oneSentence(text: string): string {
  return oneLine(text).replace(/^error: /, "triptych: ");
}
