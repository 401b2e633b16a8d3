/** A service of several processes, started as an operator starts it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readConfig } from "#config";
import { toUnit } from "#store/write/batch-changes.ts";
import type { Store } from "#store/store.ts";
import { openStore } from "#serve/open-store.ts";
import { TEST_TOKEN } from "./test-server.ts";
import { BIN } from "./spawn-import.ts";
import { TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";
import { programEnvironment } from "#testing/program-environment.ts";
import { sendRequest } from "./http-client.ts";
import { WORLD } from "./world.ts";

export interface SpawnedService {
  url: string;
  child: ChildProcess;
  pid: number;
  exited: Promise<{ code: number | null; signal: string | null }>;
  /** What it has printed so far. */
  stdout(): string;
  stderr(): string;
  openStore(): Promise<Store>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Writes the test world to the store first, unless another is given. */
export async function spawnService(env: Record<string, string>, world = WORLD): Promise<SpawnedService> {
  const settings = { PORT: "0", API_TOKEN: TEST_TOKEN, DEMO: "off", LOG_LEVEL: "silent", ...env };
  const config = readConfig(settings);
  // Of the stores that the test opens itself.
  if (config.store !== null) config.store.timeoutFactor = TEST_TIMEOUT_FACTOR;
  const store = await openStore(config);
  for (const { platform, batch } of world) await store.writer.write([toUnit(platform, batch)]);
  await store.writer.refreshTrends();
  await store.close();
  const child = spawn(process.execPath, [BIN, "serve", "--json"], {
    env: programEnvironment(settings),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const exited = once(child, "close").then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as string | null,
  }));
  while (!stdout.includes("\n")) {
    const early = await Promise.race([once(child.stdout, "data"), exited]);
    if ("code" in early) throw new Error(`it exited before it listened: ${stderr}`);
  }
  // A service that exits unexpectedly only shows as closed connections in a test: print why.
  let isStopping = false;
  child.once("close", (code, signal) => {
    if (!isStopping)
      console.error(`the service exited by itself (${code ?? signal}): ${stdout.slice(-2_000)}${stderr}`);
  });
  const { address: url } = JSON.parse(stdout.slice(0, stdout.indexOf("\n"))) as { address: string };
  return {
    url,
    child,
    pid: child.pid as number,
    exited,
    stdout: () => stdout,
    stderr: () => stderr,
    openStore: () => openStore(config),
    async stop(signal = "SIGTERM") {
      isStopping = true;
      child.kill(signal);
      await exited;
    },
  };
}

export function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
}

/** False for a zombie, which is still listed. */
export function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}/stat`) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}

/** A sample of `/metrics` by its name and labels; 0 if it is missing. */
export async function metricOf(url: string, sample: string): Promise<number> {
  const { text } = await sendRequest(url, { path: "/metrics", headers: { authorization: null } });
  const line = text.split("\n").find((candidate) => candidate.startsWith(`${sample} `));
  return Number(line?.slice(sample.length + 1) ?? 0);
}
