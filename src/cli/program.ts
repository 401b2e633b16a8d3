/** Parses the command line and runs a command. Usage errors are one sentence and exit code 2. */
import { PROGRAM } from "#config";
import { Command, CommanderError } from "commander";
import { SERVICE_VERSION } from "#api/service-version.ts";
import { suggest } from "#domain/suggest.ts";
import { loadCommands } from "./commands.ts";
import { oneLine, reportError, UsageError } from "./command-errors.ts";
import { EXIT, type Terminal } from "./terminal.ts";

const EXAMPLES = `
Examples:
  $ ${PROGRAM} serve                                    start the service
  $ ${PROGRAM} token create --label "my notebook"       create an access token
  $ ${PROGRAM} import ~/captures                        import your data
  $ ${PROGRAM} get photoshare/get-profile username_or_url=luna.marchetti
  $ ${PROGRAM} doctor                                   check the installation

Help on a command: ${PROGRAM} <command> --help
Exit codes: 0 success, 1 failure, 2 usage error.`;

export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = await createProgram(terminal, args[0]);
  try {
    // Commander takes a mistyped one for an argument of a command that also works by itself, such as `audit`.
    const [name, word] = args;
    const command = program.commands.find((one) => one.name() === name);
    if (command !== undefined && word?.startsWith("-") === false) checkNames([word], command, "unknown command");
    await program.parseAsync(args, { from: "user" });
    return terminal.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    return reportError(error, terminal);
  }
}

/** The tree of commands: all of them, or only the one that is named. */
export async function createProgram(terminal: Terminal, name?: string): Promise<Command> {
  const program = new Command("triptych")
    .description("Self-hosted, read-only API over captures of short-video, long-video and photo-sharing platforms.")
    .version(SERVICE_VERSION, "-v, --version", "print the version")
    .option("-q, --quiet", "print results and errors only")
    .option("--verbose", "print more, such as a line per imported file")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .addHelpText("after", EXAMPLES)
    .configureHelp({ showGlobalOptions: true, styleTitle: (title) => terminal.style("bold", title) })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.err(text),
      // Colours come from `terminal.style`, which knows whether they are wanted.
      getOutHasColors: () => true,
    })
    .hook("preAction", (command) => {
      const { quiet, verbose } = command.opts<{ quiet?: true; verbose?: true }>();
      if (quiet === true && verbose === true) throw new UsageError("choose one of --quiet and --verbose");
      if (quiet === true) terminal.verbosity = "quiet";
      if (verbose === true) terminal.verbosity = "verbose";
    });
  for (const register of await loadCommands(name)) register(program, terminal);
  program
    .command("help [command...]")
    .description("print help on a command")
    .action(async (topic: string[]) => {
      checkNames(topic, program, "no help on");
      terminal.exitCode = await runCommandLine([...topic, "--help"], terminal);
    });
  nameHelpInErrors(program, []);
  return program;
}

/** A mistake for which nothing can be suggested is one that the help of the command explains. */
function nameHelpInErrors(command: Command, path: readonly string[]): void {
  const help = `see "${[PROGRAM, ...path, "--help"].join(" ")}"`;
  command.configureOutput({
    outputError: (text, write) => {
      const sentence = oneSentence(text);
      const isBefore = path.length === 0 && sentence.includes("unknown option");
      const hint = isBefore ? `options go after the command; ${help}` : help;
      write(/Did you mean|Allowed choices/.test(sentence) ? `${sentence}\n` : `${sentence}; ${hint}\n`);
    },
  });
  for (const child of command.commands) nameHelpInErrors(child, [...path, child.name()]);
}

/** What follows a command that has no commands of its own is its argument: the command reports an unknown one. */
function checkNames(words: readonly string[], program: Command, problem: string): void {
  let command = program;
  for (const name of words) {
    // With the `help` that Commander adds to a command of commands.
    const commands = command.createHelp().visibleCommands(command);
    if (commands.length === 0) return;
    const names = commands.map((child) => child.name());
    const found = commands.find((child) => child.name() === name);
    if (found === undefined) {
      const near = suggest(name, names);
      const hint = near.length === 0 ? `there are ${names.join(", ")}` : `did you mean ${near.join(" or ")}?`;
      throw new UsageError(`${problem} ${name}; ${hint}`);
    }
    command = found;
  }
}

/** Commander puts its suggestion on a line of its own. */
function oneSentence(text: string): string {
  return oneLine(text)
    .replace(/^error: /, "triptych: ")
    .replace(/\.$/, "");
}
