/** docs/cli.md: the help of every command, from the command tree itself. */
import type { Command } from "commander";
import { PROGRAM } from "#config";
import { createProgram, runCommandLine } from "#cli/program.ts";
import type { Terminal } from "#cli/terminal.ts";

const INTRODUCTION = `# Command line

This page is what \`--help\` prints; [installing](installing.md) says how to get the command \`triptych\`. The operations of \`triptych get\` and their parameters are in [endpoints](endpoints/README.md), or in
\`triptych get <operation> --help\`; the settings are in [configuration](configuration.md).

On a terminal, \`get\` prints tables, and some text is coloured unless \`NO_COLOR\` is set; in a pipe it prints JSON.
Results go to standard output, progress and notes to standard error. \`source <(triptych completion bash)\` completes
commands, options, operations and parameters in bash; zsh and fish work too (tests
run the script of bash; those of zsh 5.9 and fish 3.6 were tried by hand).
`;

export async function cliPage(): Promise<string> {
  const sections: string[] = [];
  for (const path of pathsOf(await createProgram(bufferedTerminal([])))) {
    const printed: string[] = [];
    await runCommandLine([...path, "--help"], bufferedTerminal(printed));
    const title = ["triptych", ...path].join(" ");
    sections.push(
      `## ${title}\n\n\`\`\`text\n${printed.join("").replaceAll(PROGRAM, "triptych").replaceAll(/ +$/gm, "").trim()}\n\`\`\`\n`,
    );
  }
  return [INTRODUCTION, ...sections].join("\n");
}

function pathsOf(command: Command, path: string[] = []): string[][] {
  return [path, ...command.commands.flatMap((child) => pathsOf(child, [...path, child.name()]))];
}

function bufferedTerminal(printed: string[]): Terminal {
  return {
    env: {},
    out: (text) => void printed.push(text),
    err: (text) => void printed.push(text),
    width: null,
    columns: null,
    style: (_style, text) => text,
    verbosity: "normal",
    exitCode: 0,
  };
}
