/**
 * Runs a program without a shell in a folder of its own, with a limit of time and of what it may write. It and whatever it
 * started are stopped when it ends, when a limit is reached, and when the caller aborts.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "#domain/error-code.ts";
import { type Environment, toolEnvironment } from "./tool-environment.ts";

export interface ToolRun {
  program: string;
  args: readonly string[];
  folder: string;
  env: Environment;
  timeoutMs: number;
  maxBytes: number;
  /** Later ones are deleted. */
  maxPosts: number;
  /** Whether a file of this name stands for a post. */
  isPost: (fileName: string) => boolean;
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

const CHECK_MS = 500;
/** Between asking it to stop and ending it. */
const KILL_AFTER_MS = 3_000;
const MAX_MESSAGE = 4_000;
const MAX_FILES = 100_000;

export async function runTool(run: ToolRun): Promise<ToolOutcome> {
  const { program, args, folder, timeoutMs, maxBytes, maxPosts, isPost, signal, checkMs = CHECK_MS } = run;
  const child = spawn(program, args, {
    cwd: folder,
    env: toolEnvironment(run.env),
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
  const watcher = watchFolder(folder, checkMs, ({ bytes, files }) => {
    if (bytes > maxBytes) stop({ state: "too large" });
    // The last one that is wanted is complete once the next one is there.
    else if (files.filter(({ name }) => isPost(name)).length > maxPosts) stop({ state: "done" });
  });
  const onAbort = () => kill("SIGKILL");
  signal.addEventListener("abort", onAbort);
  try {
    const [code] = await once(child, "exit");
    kill("SIGKILL");
    const { bytes, files } = await measure(folder);
    if (limit === null && bytes > maxBytes) return { state: "too large" };
    await deleteLaterPosts(files, run);
    if (limit !== null) return limit;
    return code === 0 ? { state: "done" } : { state: "failed", message: lastLines(message) };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { state: "not found" };
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
function watchFolder(
  folder: string,
  everyMs: number,
  onMeasured: (written: Written) => void,
): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout;
  let measuring = Promise.resolve();
  const schedule = () => {
    timer = setTimeout(() => {
      measuring = measure(folder).then((written) => {
        onMeasured(written);
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

interface Written {
  /** Infinite if there are too many files. */
  bytes: number;
  files: WrittenFile[];
}

interface WrittenFile {
  path: string;
  name: string;
  at: number;
}

/** All files below a folder; links count as nothing and are not followed. */
async function measure(folder: string): Promise<Written> {
  const files: WrittenFile[] = [];
  let bytes = 0;
  let entries = 0;
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      if (++entries > MAX_FILES) return { bytes: Number.POSITIVE_INFINITY, files };
      const path = join(next, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) {
        const { size, ctimeMs } = await lstat(path).catch(() => ({ size: 0, ctimeMs: 0 }));
        bytes += size;
        // Not its time of modification, which a program may set to that of the post.
        files.push({ path, name: entry.name, at: ctimeMs });
      }
    }
  }
  return { bytes, files };
}

/** With what was written after the last post that is wanted: comments of later ones, and files that are incomplete. */
async function deleteLaterPosts(files: WrittenFile[], { maxPosts, isPost }: ToolRun): Promise<void> {
  const posts = files.filter(({ name }) => isPost(name)).toSorted((one, other) => one.at - other.at);
  const later = new Set(posts.splice(maxPosts));
  if (later.size === 0) return;
  const end = posts.at(-1)?.at ?? 0;
  for (const file of files) if (file.at > end || later.has(file)) await rm(file.path, { force: true });
}
