/**
 * Open-loop load: requests leave at even distances, whether or not earlier ones are answered, and each is timed from when it
 * was due. Run as a program, it is one process of such load, and prints what it saw as JSON.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

export interface OpenLoop {
  url: string;
  paths: readonly string[];
  token: string;
  perSecond: number;
  seconds: number;
}

export interface Answered {
  status: number;
  /** From when the request was due. */
  ms: number;
  retryAfter: string | null;
}

/** Requests without a response have the status 0. */
export async function sendOpenLoop({ url, paths, token, perSecond, seconds }: OpenLoop): Promise<Answered[]> {
  const agent = new Agent({ keepAlive: true });
  const headers = { authorization: `Bearer ${token}` };
  const startedAt = performance.now();
  const responses: Promise<Answered>[] = [];
  const send = (path: string, dueAt: number) =>
    new Promise<Answered>((resolve) => {
      const end = (status: number, retryAfter: string | null) =>
        resolve({ status, retryAfter, ms: performance.now() - dueAt });
      get(url + path, { agent, headers }, (response) => {
        const { statusCode = 0, headers: received } = response;
        response.on("end", () => end(statusCode, received["retry-after"] ?? null)).resume();
      }).on("error", () => end(0, null));
    });
  while (responses.length < seconds * perSecond) {
    const dueAt = startedAt + (responses.length / perSecond) * 1_000;
    const early = dueAt - performance.now();
    if (early > 1) await delay(early);
    responses.push(send(paths[responses.length % paths.length] as string, dueAt));
  }
  const all = await Promise.all(responses);
  agent.destroy();
  return all;
}

/** From a process of its own: a flood would delay what this one measures. */
export async function sendOpenLoopFromProcess(loop: OpenLoop): Promise<Answered[]> {
  const child = spawn(process.execPath, [import.meta.filename], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(loop));
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  await once(child, "close");
  return JSON.parse(text) as Answered[];
}

if (import.meta.main) {
  process.stdin.setEncoding("utf8");
  let text = "";
  for await (const chunk of process.stdin) text += String(chunk);
  console.log(JSON.stringify(await sendOpenLoop(JSON.parse(text) as OpenLoop)));
}
