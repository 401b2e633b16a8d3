/** The service in several processes, as an operator starts it, and what can be seen of them from outside. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readConfig } from "#config";
import type { Store } from "#store/store.ts";
import { openStore } from "#serve/open-store.ts";
import { TEST_TOKEN } from "./test-server.ts";
import { BIN } from "./spawn-import.ts";
import { programEnvironment } from "#testing/program-environment.ts";
import { exchange } from "./http-client.ts";
import { WORLD } from "./world.ts";

export interface Serving {
  address: string;
  child: ChildProcess;
  pid: number;
  ended: Promise<{ code: number | null; signal: string | null }>;
  /** What it said so far. */
  said(): string;
  complained(): string;
  openStore(): Promise<Store>;
  stop(): Promise<void>;
}

/** With the test world in its store, unless the store is told to be left as it is. */
export async function serveInProcesses(env: Record<string, string>, world = WORLD): Promise<Serving> {
  const settings = { PORT: "0", API_TOKEN: TEST_TOKEN, DEMO: "off", LOG_LEVEL: "silent", ...env };
  const config = readConfig(settings);
  const store = await openStore(config);
  for (const { platform, batch } of world) await store.writer.write(platform, batch);
  await store.close();
  const child = spawn(process.execPath, [BIN, "serve", "--json"], {
    env: programEnvironment(settings),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  let complained = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complained += text));
  const ended = once(child, "close").then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as string | null,
  }));
  while (!said.includes("\n")) {
    const early = await Promise.race([once(child.stdout, "data"), ended]);
    if ("code" in early) throw new Error(`it ended before it listened: ${complained}`);
  }
  // One that ends before it is told to leaves its callers with closed connections: why is worth more than that.
  let told = false;
  child.once("close", (code, signal) => {
    if (!told) console.error(`the service ended by itself (${code ?? signal}): ${said.slice(-2_000)}${complained}`);
  });
  const { address } = JSON.parse(said.slice(0, said.indexOf("\n"))) as { address: string };
  return {
    address,
    child,
    pid: child.pid as number,
    ended,
    said: () => said,
    complained: () => complained,
    openStore: () => openStore(config),
    async stop() {
      told = true;
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** The processes that a process has started. */
export function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
}

export function isAlive(pid: number): boolean {
  // One that has ended and was not yet asked for its exit code is still listed.
  return existsSync(`/proc/${pid}/stat`) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}

/** A number of `/metrics` by its name and labels; 0 where it is not there. */
export async function metricOf(address: string, sample: string): Promise<number> {
  const { text } = await exchange(address, { path: "/metrics", headers: { authorization: null } });
  const line = text.split("\n").find((candidate) => candidate.startsWith(`${sample} `));
  return Number(line?.slice(sample.length + 1) ?? 0);
}
