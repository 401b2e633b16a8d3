/** Contenders as processes of their own, and what they use: processor time and memory, of all processes that they start. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Linux counts in hundredths of a second, whatever its clock. */
const TICKS_A_SECOND = 100;

/** A bench that fails half-way leaves nobody behind. */
const children = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of children) child.kill();
});

export interface Running {
  pid: number;
  /** Milliseconds from the start to the first line that it said. */
  saidAfterMs: number;
  stop(): Promise<void>;
}

/** Resolves when it has said something, which all contenders do when they listen. */
export async function runProgram(args: readonly string[], env: Record<string, string>): Promise<Running> {
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.add(child);
  const end = Promise.withResolvers<never>();
  let stopping = false;
  child.once("exit", (code, signal) => {
    children.delete(child);
    if (!stopping) console.error(`${args.join(" ")} ended with ${code ?? signal}`);
    end.reject(new Error(`${args[0]} ended`));
  });
  // It is met below, or it is how a contender ends later.
  end.promise.catch(() => undefined);
  await Promise.race([once(child.stdout, "data"), end.promise]);
  child.stdout.resume();
  return {
    pid: child.pid as number,
    saidAfterMs: performance.now() - began,
    async stop() {
      stopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

export interface Usage {
  cpuSeconds: number;
  rssMB: number;
  /** Memory of its own, without pages of files that the system may take back. */
  ownMB: number;
  processes: number;
  /** How long its main thread was ready and had no core, which is when others use them. */
  waitedSeconds: number;
}

/** Null where the system does not say. */
export function usageOf(pid: number): Usage | null {
  if (!existsSync("/proc/self/stat")) return null;
  const usage: Usage = { cpuSeconds: 0, rssMB: 0, ownMB: 0, processes: 0, waitedSeconds: 0 };
  for (const process of familyOf(pid)) {
    const status = readFileSync(`/proc/${process}/status`, "utf8");
    const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
    // The name of the program stands in brackets and may hold anything.
    const stat = readFileSync(`/proc/${process}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    usage.cpuSeconds += (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
    usage.rssMB += kilobytes("VmRSS") / 1024;
    usage.ownMB += kilobytes("RssAnon") / 1024;
    usage.waitedSeconds += Number(readFileSync(`/proc/${process}/schedstat`, "utf8").split(" ")[1]) / 1e9;
    usage.processes++;
  }
  return usage;
}

function familyOf(pid: number): number[] {
  const started = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
  return [pid, ...started.flatMap(familyOf)];
}
