/** What a command sees of the process it runs in. The environment is handed on to config.ts, which alone reads settings. */
export interface Terminal {
  env: Record<string, string | undefined>;
  out(text: string): void;
  err(text: string): void;
  /** Columns of the terminal behind standard error; null when it is not one. */
  width: number | null;
  /** Set by a command that has reported its failure itself. */
  exitCode: number;
}

export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

export function printJson(terminal: Terminal, value: unknown, indent = 0): void {
  terminal.out(`${JSON.stringify(value, null, indent)}\n`);
}
