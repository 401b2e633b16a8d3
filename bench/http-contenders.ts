/** Who is measured: the service as an operator runs it, with everything on, and two servers that do nothing but send. */
import { execFile } from "node:child_process";
import { get } from "node:http";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { freePort } from "#testing/service-nodes.ts";
import { type Running, runProgram } from "./http-processes.ts";
import { type Recorded, writeRecorded } from "./http-recorded.ts";

/** As `npm start` has it. */
const TRIPTYCH = ["--max-semi-space-size=8", resolve(import.meta.dirname, "../bin/triptych.mjs")];

export interface Contender extends Running {
  name: string;
  address: string;
}

/** Limits are counted and never reached. */
const LIMITS = { RATE_BURST: "1000000000", RATE_DAILY: "1000000000", RATE_CONCURRENCY: "100000" };

export interface ServiceSetup {
  dataDir: string;
  /** For its log. */
  folder: string;
  processes: number;
}

export const SERVICE = "triptych";
export const BARE = "node:http";
export const FASTIFY = "Fastify";

export interface Service extends Contender {
  logFile: string;
  /** Milliseconds from the start of the process until /readyz was answered 200. */
  readyAfterMs: number;
}

export async function startService({ dataDir, folder, processes }: ServiceSetup): Promise<Service> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const logFile = join(folder, `service-${port}.log`);
  const began = performance.now();
  const running = await runProgram([...TRIPTYCH, "serve", "--json"], {
    ...LIMITS,
    PORT: String(port),
    DATA_DIR: dataDir,
    DEMO: "off",
    LOG_FILE: logFile,
    LOG_LEVEL: "info",
    WORKERS: String(processes),
  });
  while (!(await isReady(address))) await new Promise((done) => setTimeout(done, 2));
  const readyAfterMs = performance.now() - began;
  return { ...running, name: SERVICE, address, logFile, readyAfterMs };
}

function isReady(address: string): Promise<boolean> {
  return new Promise((done) => {
    get(`${address}/readyz`, (answer) => done(answer.resume().statusCode === 200)).on("error", () => done(false));
  });
}

/** A token as `triptych token create` makes it, for a day. */
export async function makeToken(dataDir: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...TRIPTYCH, "token", "create", "--label", "bench", "--expires", "1"],
    { env: { PATH: process.env["PATH"] ?? "", DATA_DIR: dataDir, ...LIMITS } },
  );
  return stdout.trim();
}

export async function startRecorded(
  name: typeof BARE | typeof FASTIFY,
  answer: Recorded,
  folder: string,
  processes: number,
): Promise<Contender> {
  const port = await freePort();
  const program = name === BARE ? "http-bare.ts" : "http-fastify.ts";
  const file = join(folder, `${program}.json`);
  writeRecorded(file, answer);
  const running = await runProgram([join(import.meta.dirname, program), file, String(port), String(processes)], {});
  return { ...running, name, address: `http://127.0.0.1:${port}` };
}
