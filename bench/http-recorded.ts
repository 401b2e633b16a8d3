/** What a bare contender is given: one recorded answer, to be sent for every request. One process, or several by node:cluster. */
import cluster from "node:cluster";
import { readFileSync, writeFileSync } from "node:fs";
import type { Answer } from "./http-answers.ts";

export interface Recorded {
  method: string;
  path: string;
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** As the service has it, since it stands in a header of every answer. */
export const KEEP_ALIVE_MS = 72_000;

export function recorded(method: string, path: string, { status, headers, body }: Answer): Recorded {
  return { method, path, status, headers: Object.fromEntries(headers), body };
}

export function writeRecorded(file: string, answer: Recorded): void {
  writeFileSync(file, JSON.stringify({ ...answer, body: answer.body.toString("base64") }));
}

/** `program <file> <port> <processes>`; says that it listens when all of its processes do. */
export async function serveRecorded(listen: (answer: Recorded, port: number) => Promise<unknown>): Promise<void> {
  const [file = "", port = "", processes = ""] = process.argv.slice(2);
  if (cluster.isPrimary && Number(processes) > 1) forkAll(Number(processes));
  else {
    const answer = JSON.parse(readFileSync(file, "utf8")) as Omit<Recorded, "body"> & { body: string };
    await listen({ ...answer, body: Buffer.from(answer.body, "base64") }, Number(port));
    if (cluster.isPrimary) process.stdout.write("listening\n");
  }
}

function forkAll(processes: number): void {
  let listening = 0;
  cluster.on("listening", () => {
    if (++listening === processes) process.stdout.write("listening\n");
  });
  const workers = Array.from({ length: processes }, () => cluster.fork());
  process.once("SIGTERM", () => {
    for (const worker of workers) worker.process.kill();
    process.exit(0);
  });
}
