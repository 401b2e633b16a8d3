/** Programs run to their end, servers started and stopped, and what they use. Processor time comes from /proc: Linux only. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "#testing/service-nodes.ts";

/** USER_HZ of Linux. */
const TICKS_PER_SECOND = 100;
const START_TIMEOUT_MS = 120_000;
const OUTPUT_TAIL = 2_000;

export interface Program {
  /** This Node if not named. */
  command?: string;
  args: readonly string[];
  cwd?: string;
  env: NodeJS.ProcessEnv;
}

/** A server that is measured. */
export interface Target {
  name: string;
  url: string;
  pid: number;
  /** Milliseconds from its start until it was ready. */
  readyMs: number;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
// A bench that fails half-way leaves no process behind.
process.once("exit", () => {
  for (const child of running) child.kill();
});

function launch({ command = process.execPath, args, cwd, env }: Program) {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] = (output[name] + text).slice(-OUTPUT_TAIL);
    });
  }
  running.add(child);
  const exit = once(child, "close").then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  const fail = (what: string) => new Error(`${[command, ...args].join(" ")} ${what}: ${output.stderr}${output.stdout}`);
  return { child, output, exit, fail };
}

export async function runProgram(program: Program): Promise<{ stdout: string; seconds: number }> {
  const startedAt = performance.now();
  const { output, exit, fail } = launch(program);
  const code = await exit;
  if (code !== 0) throw fail(`exited with ${code}`);
  return { stdout: output.stdout.trim(), seconds: (performance.now() - startedAt) / 1_000 };
}

/** Starts a server on a free port of the loopback interface; ready when `readyPath` is answered. */
export async function startTarget(
  name: string,
  readyPath: string,
  programOn: (port: string) => Program,
): Promise<Target> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const { child, exit, fail } = launch(programOn(String(port)));
  const stop = async () => {
    child.kill();
    await exit;
  };
  while (!(await isReady(url + readyPath))) {
    if (child.exitCode !== null || child.signalCode !== null) throw fail("exited before it was ready");
    if (performance.now() - startedAt > START_TIMEOUT_MS) {
      await stop();
      throw fail("is not ready in time");
    }
    await delay(5);
  }
  return { name, url, pid: child.pid as number, readyMs: performance.now() - startedAt, stop };
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { headers: { connection: "close" } });
    await response.arrayBuffer();
    return response.status < 400;
  } catch {
    return false;
  }
}

export function usageOf(pid: number): { cpuSeconds: number; peakMB: number } {
  // The program's name stands in brackets and may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
    peakMB: Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1_024,
  };
}
