/** The program around the commands: its help, its version, and one sentence with exit code 2 for whatever is misspelt. */
import { Command, CommanderError } from "commander";
import { SERVICE_VERSION } from "#api/service-version.ts";
import { commandsFor } from "./commands.ts";
import { oneLine, report } from "./command-errors.ts";
import { EXIT, type Terminal } from "./terminal.ts";

const EXAMPLES = `
Examples:
  $ npx triptych serve                                    start the service
  $ npx triptych token create --label "my notebook"       make an access token
  $ npx triptych import ~/captures                        bring your data in
  $ npx triptych get photoshare/get-profile username_or_url=luna.marchetti
  $ npx triptych doctor                                   check that all is well

Each command has its own help: npx triptych <command> --help
Exit codes: 0 done, 1 failed, 2 not understood.`;

export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = new Command("triptych")
    .description("Serves public data of short-video, long-video and photo-sharing platforms from a store of your own.")
    .version(SERVICE_VERSION, "-v, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .addHelpText("after", EXAMPLES)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.err(text),
      outputError: (text, write) => write(`${oneSentence(text)}\n`),
    });
  for (const register of await commandsFor(args[0])) register(program, terminal);

  try {
    await program.parseAsync(args, { from: "user" });
    return terminal.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    return report(error, terminal);
  }
}

/** The parser's suggestion comes on a line of its own; ours stands in the same sentence. */
function oneSentence(text: string): string {
  return oneLine(text).replace(/^error: /, "triptych: ");
}
