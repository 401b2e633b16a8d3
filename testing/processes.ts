/** The processes of the machine, as far as a test run has to know them: to signal children and to find what was left. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

export interface ProcessInfo {
  pid: number;
  parent: number;
  group: number;
  /** Linux only; elsewhere the group. A process keeps its session unless it asks for its own. */
  session: number;
  command: string;
}

/** The kernel's unit for times of processes, the same on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;
const HAS_PROC = existsSync("/proc/self/stat");

/** Marks of processes that ask for a session of their own, such as PostgreSQL, are read where the system shows them. */
export const CAN_READ_ENVIRONMENTS = HAS_PROC;

/** All that run; a process that has ended and waits for its parent to notice is not listed. */
export function listProcesses(): ProcessInfo[] {
  return HAS_PROC ? listFromProc() : listFromPs();
}

function listFromProc(): ProcessInfo[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const stat = readOf(pid, "stat");
      // The command's name stands in parentheses and may contain any character.
      const [state, parent, group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (state === undefined || parent === undefined || state === "Z" || state === "X") return [];
      const command = readOf(pid, "cmdline").replaceAll("\0", " ").trim().slice(0, 200);
      return [{ pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(session), command }];
    });
}

function readOf(pid: string | number, file: "stat" | "cmdline" | "environ"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    // It has ended, or belongs to somebody else.
    return "";
  }
}

function listFromPs(): ProcessInfo[] {
  const table = execFileSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,stat=,args="], { encoding: "utf8" });
  return table.split("\n").flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
    if (match === null || match[4]?.startsWith("Z") === true) return [];
    const group = Number(match[3]);
    return [{ pid: Number(match[1]), parent: Number(match[2]), group, session: group, command: match[5] ?? "" }];
  });
}

/** Processor time that the process has used, in seconds; null where the system does not tell. */
export function processorSeconds(pid: number): number | null {
  const stat = readOf(pid, "stat");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return stat === "" ? null : (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Memory of a process in MB, as Linux tells it. */
export function memoryMb(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024);
}

/** Descriptors that a process has open, as Linux tells it. */
export function countDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Those of them that are sockets: files are opened at first use, and stay open. */
export function countSockets(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).filter((name) => linkOf(`/proc/${pid}/fd/${name}`).startsWith("socket:"))
    .length;
}

export function hasOpenFile(pid: number, file: string): boolean {
  return readdirSync(`/proc/${pid}/fd`).some((name) => linkOf(`/proc/${pid}/fd/${name}`) === file);
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // Closed meanwhile.
    return "";
  }
}

/** Files that this process and those it starts may open. Node has raised its limit as far as it may; null if not told. */
export function maxDescriptors(): number | null {
  const limit = HAS_PROC ? /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] : undefined;
  return limit === undefined ? null : Number(limit);
}

/** Whether the process was started with this in its environment; false where the system does not tell. */
export function hasInEnvironment(pid: number, assignment: string): boolean {
  return HAS_PROC && readOf(pid, "environ").split("\0").includes(assignment);
}

/** A negative id is that of a group. Returns whether anything was there to be signalled. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}

/** Asks every process of the group to end, and ends those that have not after the grace. */
export async function endGroup(group: number, graceMs: number): Promise<void> {
  if (!signal(-group, "SIGTERM")) return;
  // One that was stopped would not notice.
  signal(-group, "SIGCONT");
  const deadline = performance.now() + graceMs;
  while (signal(-group, 0)) {
    if (performance.now() > deadline) {
      signal(-group, "SIGKILL");
      return;
    }
    await delay(50);
  }
}
