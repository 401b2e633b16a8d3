/** Triptych as an operator runs it: tokens, limits, validation and a log file are on. */
import { resolve } from "node:path";
import { runProgram, startTarget, type Target } from "./processes.ts";

/** As `npm start` has it. */
const TRIPTYCH = ["--max-semi-space-size=8", resolve(import.meta.dirname, "../bin/triptych.mjs")];

/** Limits are counted and never reached. */
const LIMITS = { RATE_BURST: "1000000000", RATE_DAILY: "1000000000" };

export type Settings = Record<string, string>;

export function startService(settings: Settings, logFile: string): Promise<Target> {
  return startTarget("triptych", "/readyz", (port) => ({
    args: [...TRIPTYCH, "serve", "--json"],
    env: { ...LIMITS, PORT: port, DEMO: "off", LOG_FILE: logFile, LOG_LEVEL: "info", ...settings },
  }));
}

/** A token for a day. */
export async function createToken(settings: Settings): Promise<string> {
  const args = [...TRIPTYCH, "token", "create", "--label", "bench", "--expires", "1"];
  return (await runProgram({ args, env: { ...LIMITS, ...settings } })).stdout;
}

/** Seconds, from the start of the process to its end. */
export async function importCaptures(paths: readonly string[], settings: Settings): Promise<number> {
  return (await runProgram({ args: [...TRIPTYCH, "import", ...paths, "--json"], env: settings })).seconds;
}
