/**
 * The real program in a process of its own, for tests of importing, and captures made to measure for it. People and
 * posts are invented; every line is what the browser extension would write.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS } from "#domain/time.ts";
import { programEnvironment } from "#testing/program-environment.ts";

export const BIN = join(import.meta.dirname, "..", "bin", "triptych.mjs");
const PLATFORMS = join(import.meta.dirname, "..", "src", "platforms");

/** Printed by a machine that takes longer than five seconds for an import. */
const PROGRESS = /^.* records\/s.*\n/gm;

export interface Outcome {
  code: number | null;
  stdout: string;
  /** Without lines of progress. */
  stderr: string;
}

export interface Started {
  child: ChildProcess;
  ended: Promise<Outcome>;
}

/** A fixture of a slice by its path, such as `shortvideo`, `zeeschuimer/…`. */
export function fixtureOf(platform: string, path: string): string {
  return join(PLATFORMS, platform, "importers", "fixtures", path);
}

export function environment(dataDir: string): Record<string, string> {
  return programEnvironment({ DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "silent" });
}

export function startTriptych(dataDir: string, args: string[], nodeArgs: string[] = [], cwd?: string): Started {
  const child = spawn(process.execPath, [...nodeArgs, BIN, ...args], { env: environment(dataDir), cwd });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = once(child, "close").then(([code]) => ({
    code: code as number | null,
    stdout,
    stderr: stderr.replaceAll(PROGRESS, ""),
  }));
  return { child, ended };
}

export function triptych(dataDir: string, args: string[], input: string | Buffer = ""): Promise<Outcome> {
  const { child, ended } = startTriptych(dataDir, args);
  child.stdin?.end(input);
  return ended;
}

/** The most memory that a command held at once, in MiB, told by the process itself as it ends. */
export async function withPeakMemory(
  dataDir: string,
  args: string[],
  { told, cwd }: { told: string; cwd: string },
): Promise<Outcome & { peakMiB: number }> {
  // VmHWM belongs to the program alone; what getrusage says begins with the memory of the process that forked it.
  const words = `
    import { existsSync, readFileSync, writeFileSync } from "node:fs";
    process.on("exit", () => {
      const own = existsSync("/proc/self/status") ? /VmHWM:\\s+(\\d+)/.exec(readFileSync("/proc/self/status", "utf8")) : null;
      writeFileSync(${JSON.stringify(told)}, String(own === null ? process.resourceUsage().maxRSS : own[1]));
    });`;
  const { ended } = startTriptych(
    dataDir,
    args,
    ["--import", `data:text/javascript,${encodeURIComponent(words)}`],
    cwd,
  );
  const outcome = await ended;
  return { ...outcome, peakMiB: Number(readFileSync(told, "utf8")) / 1024 };
}

/** Unix milliseconds of the captures' first day. */
export const CAPTURED_AT = Date.UTC(2025, 4, 1);

/** A line of the browser extension around the platform's own object. */
export function pushedLine(data: { id: string }, day = 0): string {
  return JSON.stringify({
    id: 1,
    nav_index: "1:1:0",
    item_id: data.id,
    timestamp_collected: CAPTURED_AT + day * DAY_MS,
    source_platform: "tiktok.com",
    source_platform_url: "https://www.tiktok.com/@pell.anders",
    source_url: "https://www.tiktok.com/api/post/item_list/",
    user_agent: "Mozilla/5.0 (test)",
    data,
  });
}

/** A post as the short-video platform writes it. */
export function aPostObject(
  number: number,
  more: Record<string, unknown> = {},
): { id: string; [field: string]: unknown } {
  return {
    id: postId(number),
    desc: `Tide table ${number}`,
    createTime: 1_745_000_000 + number,
    author: { id: "6922000000000000001", uniqueId: "pell.anders", nickname: "Pell Anders" },
    stats: { diggCount: 10 + number, shareCount: 1, commentCount: 2, playCount: 100 + number },
    music: { id: "7422000000000000900", title: "Slack Water", authorName: "Pell Anders", duration: 30 },
    ...more,
  };
}

/** None ends in zeros, as a rounded id does. */
export function postId(number: number): string {
  return `742200000000${String(number).padStart(6, "0")}1`;
}

export function writeLines(path: string, lines: readonly string[]): string {
  writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
  return path;
}

export function commentId(number: number): string {
  return `7${String(number).padStart(17, "0")}1`;
}

/** A comment line of its own; a broken one is cut short. */
export function commentLine(number: number, broken = false, body = `Comment ${number}`): string {
  const text = JSON.stringify({
    cid: commentId(number),
    aweme_id: postId(1),
    text: body,
    create_time: 1_745_000_000 + number,
    digg_count: number % 100,
    reply_id: "0",
    user: { uid: `8${number % 500}`, unique_id: `reader.${number % 500}`, nickname: `Reader ${number % 500}` },
  });
  return broken ? text.slice(0, 40) : text;
}
