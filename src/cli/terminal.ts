/** What a command uses of its process. Only config.ts reads settings from the environment. */
export interface Terminal {
  env: Record<string, string | undefined>;
  out(text: string): void;
  err(text: string): void;
  /** Columns of the terminal on standard error; null if it is not a terminal. */
  width: number | null;
  /** Set by commands that report their failure themselves. */
  exitCode: number;
}

export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

export function printJson(terminal: Terminal, value: unknown, indent = 0): void {
  terminal.out(`${JSON.stringify(value, null, indent)}\n`);
}
