/** Service processes as an operator runs them: each with a folder and a port of its own, killed and started at will. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { probePort } from "#serve/probe-port.ts";
import { programEnvironment } from "#testing/program-environment.ts";

const MAIN = resolve(import.meta.dirname, "../src/cli/main.ts");

/** For a node whose memory is watched: without a limit, garbage would fill more of it the longer the test is. */
export const SMALL_HEAP = ["--max-old-space-size=128", "--max-semi-space-size=8"];

export interface Node {
  name: string;
  address: string;
  /** Of the running process. */
  readonly pid: number | undefined;
  /** Resolves when it listens. */
  start(): Promise<void>;
  kill(): Promise<void>;
  /** As an operator stops it. */
  stop(): Promise<void>;
}

/** `nodeArgs` go before the program, as `--import` does. */
export async function makeNode(name: string, env: Record<string, string>, nodeArgs: string[] = []): Promise<Node> {
  const port = await freePort();
  let child: ChildProcess | null = null;
  const end = async (signal: NodeJS.Signals) => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  };
  return {
    name,
    address: `http://127.0.0.1:${port}`,
    get pid() {
      return child?.pid;
    },
    async start() {
      child = spawn(process.execPath, [...nodeArgs, MAIN, "serve", "--json"], {
        env: programEnvironment({ PORT: String(port), SEARCH_THREADS: "auto", ...env }),
        stdio: ["ignore", "pipe", "inherit"],
      });
      await saidAddress(child, name);
    },
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
  };
}

async function saidAddress(child: ChildProcess, name: string): Promise<void> {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`node ${name} ended with ${String(code)} before it listened`);
  });
  // It is met below, or it is how a node ends later.
  ended.catch(() => undefined);
  const { stdout } = child;
  if (stdout === null) throw new Error("no output to read");
  await Promise.race([once(stdout, "data"), ended]);
  stdout.resume();
}

export function freePort(): Promise<number> {
  return probePort("127.0.0.1", 0);
}
