import type { Config } from "#config";

/** What a command uses of its process. Only config.ts reads settings from the environment. */
export interface Terminal {
  env: Record<string, string | undefined>;
  out(text: string): void;
  err(text: string): void;
  /** Columns of the terminal on standard error; null if it is not a terminal. */
  width: number | null;
  /** Columns of the terminal on standard output; null for a pipe or a file. */
  columns: number | null;
  /** Colours the text if standard output is a terminal with colours and NO_COLOR is not set. */
  style(style: Style, text: string): string;
  /** Set by `--quiet` and `--verbose`. */
  verbosity: "quiet" | "normal" | "verbose";
  /** Set by commands that report their failure themselves. */
  exitCode: number;
  /** For tests: changes what no setting can say. */
  adjust?(config: Config): void;
  /** Set by a command that handles errors of standard output itself. */
  checksOutput?: boolean;
}

export type Style = "bold" | "dim" | "red" | "green" | "yellow";

export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

export function printJson(terminal: Terminal, value: unknown, indent = 0): void {
  terminal.out(`${JSON.stringify(value, null, indent)}\n`);
}

/** What is neither the result nor an error: `--quiet` leaves it out. */
export function printNote(terminal: Terminal, text: string): void {
  if (terminal.verbosity !== "quiet") terminal.err(text);
}
