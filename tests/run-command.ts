/** Commands that run in the test's own process, by the function that the program calls: no start of Node to wait for. */
import { runCommandLine } from "#cli/program.ts";
import { EXIT } from "#cli/terminal.ts";
import { TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";

export interface CommandOutcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** With `columns`, standard output is a terminal of that width. */
export async function runCommand(
  args: string[],
  env: Record<string, string>,
  columns: number | null = null,
): Promise<CommandOutcome> {
  const outcome = { code: 0, stdout: "", stderr: "" };
  outcome.code = await runCommandLine(args, {
    env,
    out: (text) => void (outcome.stdout += text),
    err: (text) => void (outcome.stderr += text),
    width: null,
    columns,
    style: (_style, text) => text,
    verbosity: "normal",
    exitCode: EXIT.ok,
    adjust: ({ store }) => {
      if (store !== null) store.timeoutFactor = TEST_TIMEOUT_FACTOR;
    },
  });
  return outcome;
}
