/**
 * Runs a program without a shell in a folder of its own, with a limit of time and of what it may write. It and whatever it
 * started are stopped when it ends, when a limit is reached, and when the caller aborts.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

export interface ToolRun {
  program: string;
  args: readonly string[];
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
  timeoutMs: number;
  maxBytes: number;
  signal: AbortSignal;
  /** How often the folder is measured. */
  checkMs?: number;
}

export type ToolOutcome =
  | { state: "done" }
  | { state: "failed"; message: string }
  | { state: "not found" }
  | { state: "timed out" }
  | { state: "too large" };

/** What a program needs to start, to find its own files and to reach the network; none of our settings and secrets. */
const PASSED_ON =
  /^(?:PATH|HOME|USER|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SystemRoot|APPDATA|LOCALAPPDATA|USERPROFILE|https?_proxy|no_proxy|all_proxy|SSL_CERT_\w+)$/i;

const CHECK_MS = 500;
/** Between asking it to stop and ending it. */
const KILL_AFTER_MS = 3_000;
const MAX_MESSAGE = 4_000;
const MAX_FILES = 100_000;

export async function runTool(run: ToolRun): Promise<ToolOutcome> {
  const { program, args, folder, timeoutMs, maxBytes, signal, checkMs = CHECK_MS } = run;
  const child = spawn(program, args, {
    cwd: folder,
    env: Object.fromEntries(Object.entries(run.env).filter(([name]) => PASSED_ON.test(name))),
    stdio: ["ignore", "ignore", "pipe"],
    // A group of its own: what it starts is stopped with it.
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  let message = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (message = (message + text).slice(-MAX_MESSAGE)));
  let limit: ToolOutcome | null = null;
  const kill = (name: NodeJS.Signals) => killGroup(child.pid, name);
  const stop = (outcome: ToolOutcome) => {
    limit ??= outcome;
    kill("SIGTERM");
    setTimeout(kill, KILL_AFTER_MS, "SIGKILL").unref();
  };
  const timer = setTimeout(stop, timeoutMs, { state: "timed out" });
  const watcher = watchSize(folder, checkMs, (bytes) => {
    if (bytes > maxBytes) stop({ state: "too large" });
  });
  const onAbort = () => kill("SIGKILL");
  signal.addEventListener("abort", onAbort);
  try {
    const [code] = (await once(child, "exit")) as [number | null];
    if (limit === null && (await sizeOf(folder)) > maxBytes) return { state: "too large" };
    if (limit !== null) return limit;
    return code === 0 ? { state: "done" } : { state: "failed", message: lastLines(message) };
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return { state: "not found" };
    throw error;
  } finally {
    clearTimeout(timer);
    await watcher.stop();
    kill("SIGKILL");
    signal.removeEventListener("abort", onAbort);
    child.stderr.destroy();
  }
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {
    // It has ended.
  }
}

function lastLines(message: string): string {
  return message.trim().split("\n").slice(-3).join("; ") || "it gave no reason";
}

/** Measures again some time after the last measurement ended. */
function watchSize(folder: string, everyMs: number, onSize: (bytes: number) => void): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout;
  let measuring = Promise.resolve();
  const schedule = () => {
    timer = setTimeout(() => {
      measuring = sizeOf(folder).then((bytes) => {
        onSize(bytes);
        if (!isStopped) schedule();
      });
    }, everyMs);
  };
  let isStopped = false;
  schedule();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await measuring;
    },
  };
}

/** Bytes of all files below a folder; links count as nothing and are not followed. Too many files are too large. */
export async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  let files = 0;
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      if (++files > MAX_FILES) return Number.POSITIVE_INFINITY;
      const path = join(next, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) bytes += (await lstat(path).catch(() => ({ size: 0 }))).size;
    }
  }
  return bytes;
}
