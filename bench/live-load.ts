/**
 * The clients of `bench -- live`, in a process of their own: some read stored videos, others request missing channels, each
 * of which takes a call of its own.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { percentile } from "./report.ts";

/** Between the requests of a client for missing channels: a source that is paused is answered for at once. */
const PAUSE_MS = 50;

export interface LiveLoad {
  url: string;
  token: string;
  /** Ids of stored videos. */
  videos: readonly string[];
  /** Different in every round: no channel is missing twice. */
  round: number;
  /** Whether the live source is asked for missing channels. */
  isAsked: boolean;
  seconds: number;
  connections: number;
  /** Clients that request what is not stored. */
  misses: number;
}

/** Returns the p99 of stored reads in milliseconds. */
export async function measureLoad(load: LiveLoad): Promise<number> {
  const child = fork(import.meta.filename);
  child.send(load);
  const exit = once(child, "exit");
  const reply = await Promise.race([once(child, "message"), exit.then(() => null)]);
  if (reply === null) throw new Error("the clients failed");
  await exit;
  return reply[0] as number;
}

if (import.meta.main) {
  const [load] = (await once(process, "message")) as [LiveLoad];
  process.send?.(await drive(load));
  process.disconnect();
}

async function drive({ url, token, videos, round, isAsked, ...load }: LiveLoad): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const endsAt = performance.now() + load.seconds * 1_000;
  const times: number[] = [];
  let misses = 0;
  const request = (path: string, headers: Record<string, string> = {}) =>
    new Promise<number>((resolve, reject) => {
      get(url + path, { agent, headers: { authorization: `Bearer ${token}`, ...headers } }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode ?? 0));
      }).on("error", reject);
    });
  const readStored = async (_: unknown, client: number) => {
    for (let index = client; performance.now() < endsAt; index++) {
      const startedAt = performance.now();
      const status = await request(`/api/longvideo/video/details?video_id=${videos[index % videos.length]}`);
      times.push(performance.now() - startedAt);
      if (status !== 200) throw new Error(`a stored read was answered with ${status}`);
    }
  };
  const requestMissing = async () => {
    while (performance.now() < endsAt) {
      const headers: Record<string, string> = isAsked ? {} : { "cache-control": "only-if-cached" };
      const id = `UC${String(round * 1_000_000 + misses++).padStart(22, "0")}`;
      const status = await request(`/api/posts?platform=longvideo&account=${id}`, headers);
      if (status !== 404) throw new Error(`a missing channel was answered with ${status}`);
      await delay(PAUSE_MS);
    }
  };
  await Promise.all([
    ...Array.from({ length: load.connections }, readStored),
    ...Array.from({ length: load.misses }, requestMissing),
  ]);
  agent.destroy();
  return percentile(times, 0.99);
}
