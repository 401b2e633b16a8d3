/** The commands: a line each. */
import type { Command } from "commander";
import { registerDoctor } from "./commands/doctor.ts";
import { registerGet } from "./commands/get.ts";
import { registerImport } from "./commands/import.ts";
import { registerJobs } from "./commands/jobs.ts";
import { registerServe } from "./commands/serve.ts";
import { registerToken } from "./commands/token.ts";
import type { Terminal } from "./terminal.ts";

export const COMMANDS: readonly ((program: Command, terminal: Terminal) => void)[] = [
  registerServe,
  registerToken,
  registerImport,
  registerJobs,
  registerGet,
  registerDoctor,
];
