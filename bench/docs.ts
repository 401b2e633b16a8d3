/**
 * `npm run bench -- docs [--seconds=10 --connections=48 --posts=10000]`: what look-ups take, and how much memory the
 * service, while clients without a token flood the reference. Every flood meets a service that has just started.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Corpus, openCorpus } from "./corpus.ts";
import type { Flood } from "./docs-flood.ts";
import { Caller } from "./http-answers.ts";
import { makeToken, startService } from "./http-contenders.ts";
import { usageOf } from "./http-processes.ts";
import { requestFor, type Task, TASKS } from "./http-tasks.ts";
import { atMost, shown } from "./http-verdicts.ts";
import { percentiles } from "./load-requests.ts";

const MAX_P99_MS = 500;
const MAX_RSS_MB = 500;
const FLOODER = join(import.meta.dirname, "docs-flood.ts");
const LOOKUPS_PER_SECOND = 50;
/** The first is no flood: what look-ups take on this machine anyway. */
const FLOODS = [{ path: "nothing", encoding: "" }].concat(
  ["/docs/", "/docs/js/scalar.js", "/openapi.json"].flatMap((path) =>
    ["gzip", "br", "identity"].map((encoding) => ({ path, encoding })),
  ),
);
const LOOKUP = TASKS.find(({ name }) => name === "post/detail") as Task;

export async function run(options: Record<string, string>): Promise<object> {
  const connections = Number(options["connections"] ?? 48);
  const seconds = Number(options["seconds"] ?? 10);
  const corpus = await openCorpus(Number(options["posts"] ?? 10_000));
  const token = await makeToken(corpus.dataDir);
  const folder = mkdtempSync(join(tmpdir(), "triptych-docs-"));
  const figures = [];
  try {
    for (const { path, encoding } of FLOODS) {
      const service = await startService({ dataDir: corpus.dataDir, folder, processes: 1 });
      try {
        const order: Flood = {
          address: service.address,
          path,
          encoding,
          connections: encoding === "" ? 0 : connections,
          seconds,
        };
        const [{ stdout }, lookups] = await Promise.all([
          promisify(execFile)(process.execPath, [FLOODER, JSON.stringify(order)]),
          lookUp(service, token, corpus, seconds),
        ]);
        figures.push({ path, encoding, perSecond: Number(stdout) / seconds, ...lookups });
      } finally {
        await service.stop();
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const verdicts = figures.flatMap(({ path, encoding, p99, rssMB }) => [
    atMost(`look-ups beside ${path} (${encoding}): p99, ms`, MAX_P99_MS, p99),
    atMost(`look-ups beside ${path} (${encoding}): memory at most, MB`, MAX_RSS_MB, rssMB),
  ]);
  console.table(
    figures.map((row) => ({
      ...row,
      p50: shown(row.p50),
      p99: shown(row.p99),
      rssMB: shown(row.rssMB),
      withoutCore: shown(row.withoutCore),
    })),
  );
  console.table(verdicts);
  return { figures, verdicts };
}

/** Look-ups leave at even distances, whether or not earlier ones are answered, and each is timed from when it was due. */
async function lookUp(
  { address, pid }: { address: string; pid: number },
  token: string,
  { ids }: Corpus,
  seconds: number,
): Promise<{ lookups: number; p50: number; p99: number; rssMB: number; withoutCore: number }> {
  const caller = new Caller(address, token);
  const waitedBefore = usageOf(pid)?.waitedSeconds ?? 0;
  const began = performance.now();
  const times: Promise<number>[] = [];
  let rssMB = 0;
  while (times.length < seconds * LOOKUPS_PER_SECOND) {
    const dueAt = began + (times.length / LOOKUPS_PER_SECOND) * 1_000;
    await new Promise((due) => setTimeout(due, Math.max(0, dueAt - performance.now())));
    const request = requestFor(LOOKUP, ids.posts[times.length % ids.posts.length] as string);
    times.push(caller.ask(LOOKUP, request).then(() => performance.now() - dueAt));
    rssMB = Math.max(rssMB, usageOf(pid)?.rssMB ?? Number.NaN);
  }
  const taken = Float64Array.from(await Promise.all(times));
  caller.close();
  // The share of the time in which the service was ready to work and had no core.
  const withoutCore = ((usageOf(pid)?.waitedSeconds ?? 0) - waitedBefore) / seconds;
  return { lookups: taken.length, ...percentiles(taken), rssMB, withoutCore };
}
