/**
 * The load of `bench -- live`, from processes of its own: an open loop of reads of stored videos, and clients that request
 * missing channels, each of which takes a call of its own.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { sendOpenLoopFromProcess } from "./open-loop.ts";
import { percentile } from "./report.ts";

/** Between the requests of a client for missing channels: a source that is paused is answered for at once. */
const PAUSE_MS = 50;

interface Misses {
  url: string;
  token: string;
  /** Different in every round: no channel is missing twice. */
  round: number;
  /** Whether the live source is asked for missing channels. */
  isAsked: boolean;
  seconds: number;
  /** Clients that request what is not stored. */
  misses: number;
}

export interface LiveLoad extends Misses {
  /** Ids of stored videos. */
  videos: readonly string[];
  /** Stored reads a second: they leave when they are due, so that a service that stands still delays all of them. */
  perSecond: number;
}

/** Returns the p99 of stored reads in milliseconds. */
export async function measureLoad({ videos, perSecond, ...misses }: LiveLoad): Promise<number> {
  const { url, token, seconds } = misses;
  const paths = videos.map((id) => `/api/longvideo/video/details?video_id=${id}`);
  const [reads] = await Promise.all([
    sendOpenLoopFromProcess({ url, token, paths, perSecond, seconds }),
    requestMissingFromProcess(misses),
  ]);
  const failed = reads.find(({ status }) => status !== 200);
  if (failed !== undefined) throw new Error(`a stored read was answered with ${failed.status}`);
  return percentile(
    reads.map(({ ms }) => ms),
    0.99,
  );
}

async function requestMissingFromProcess(misses: Misses): Promise<void> {
  const child = fork(import.meta.filename);
  child.send(misses);
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error("the clients failed");
}

if (import.meta.main) {
  const [misses] = (await once(process, "message")) as [Misses];
  await requestMissing(misses);
  process.disconnect();
}

async function requestMissing({ url, token, round, isAsked, seconds, misses }: Misses): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const endsAt = performance.now() + seconds * 1_000;
  const headers = { authorization: `Bearer ${token}`, ...(isAsked ? {} : { "cache-control": "only-if-cached" }) };
  let requested = 0;
  const request = (path: string) =>
    new Promise<number>((resolve, reject) => {
      get(url + path, { agent, headers }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode ?? 0));
      }).on("error", reject);
    });
  const requestInTurn = async () => {
    while (performance.now() < endsAt) {
      const id = `UC${String(round * 1_000_000 + requested++).padStart(22, "0")}`;
      const status = await request(`/api/posts?platform=longvideo&account=${id}`);
      if (status !== 404) throw new Error(`a missing channel was answered with ${status}`);
      await delay(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: misses }, requestInTurn));
  agent.destroy();
}
