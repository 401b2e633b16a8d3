/** Programs of others: run to their end, or kept running and measured. What they say goes to a file. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { get } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Contender } from "./http-contenders.ts";

const START_WITHIN_MS = 120_000;
const LAST_WORDS = 2_000;

export interface Program {
  command: string;
  args: readonly string[];
  folder: string;
  env: NodeJS.ProcessEnv;
  logFile: string;
}

export interface Listening extends Program {
  name: string;
  address: string;
  /** Answered 200 as soon as it can be asked. */
  readyPath: string;
}

export async function runToEnd(program: Program): Promise<void> {
  const child = launch(program);
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw failure(program, `ended with ${String(code)}`);
}

export async function startListening(program: Listening): Promise<Contender> {
  const began = performance.now();
  const child = launch(program);
  while (!(await isAnswered(program.address + program.readyPath))) {
    if (hasEnded(child)) throw failure(program, "ended before it listened");
    if (performance.now() - began > START_WITHIN_MS) {
      await end(child);
      throw failure(program, "does not answer");
    }
    await pause(50);
  }
  const { name, address } = program;
  const saidAfterMs = performance.now() - began;
  return { name, address, pid: child.pid as number, saidAfterMs, stop: () => end(child) };
}

function launch({ command, args, folder, env, logFile }: Program): ChildProcess {
  const log = openSync(logFile, "a");
  try {
    return spawn(command, args, { cwd: folder, env, stdio: ["ignore", log, log] });
  } finally {
    closeSync(log);
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

function isAnswered(address: string): Promise<boolean> {
  return new Promise((done) => {
    get(address, { agent: false }, (answer) => done(answer.resume().statusCode === 200)).on("error", () => done(false));
  });
}

function failure({ command, args, logFile }: Program, what: string): Error {
  const said = readFileSync(logFile, "utf8").slice(-LAST_WORDS);
  return new Error(`${[command, ...args].join(" ")} ${what}; it said: ${said}`);
}
