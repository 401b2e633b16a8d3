/**
 * `npm run bench -- docs [--seconds=10 --connections=48 --posts=10000]`: latency of look-ups and memory of the service
 * while clients without a token flood the API reference. Every flood meets a service that has just started.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openCorpus } from "./corpus.ts";
import type { Flood } from "./docs-flood.ts";
import { runProgram, type Target, usageOf } from "./processes.ts";
import { atMost, format, median, percentile, type Result } from "./report.ts";
import { createToken, startService } from "./service.ts";

const MAX_P99_MS = 500;
const MAX_MEMORY_MB = 500;
const LOOKUPS_PER_SECOND = 50;
const FLOODER = join(import.meta.dirname, "docs-flood.ts");
/** The first is no flood: what look-ups take on this machine anyway. */
const FLOODS = [{ path: "nothing", encoding: "" }].concat(
  ["/docs/", "/docs/js/scalar.js", "/openapi.json"].flatMap((path) =>
    ["gzip", "br", "identity"].map((encoding) => ({ path, encoding })),
  ),
);

export async function run(options: Record<string, string>): Promise<Result[]> {
  const seconds = Number(options["seconds"] ?? 10);
  const { dataDir, keys } = await openCorpus(Number(options["posts"] ?? 10_000));
  const settings = { DATA_DIR: dataDir };
  const token = await createToken(settings);
  const folder = mkdtempSync(join(tmpdir(), "triptych-docs-"));
  const results: Result[] = [];
  try {
    for (const { path, encoding } of FLOODS) {
      const service = await startService(settings, join(folder, "service.log"));
      const connections = encoding === "" ? 0 : Number(options["connections"] ?? 48);
      const flood: Flood = { url: service.url + path, encoding, connections, seconds };
      const [{ stdout }, times] = await Promise.all([
        runProgram({ args: [FLOODER, JSON.stringify(flood)], env: {} }),
        lookUp(service, token, keys.posts, seconds),
      ]);
      const name = `${path} ${encoding}`;
      results.push(
        atMost(MAX_P99_MS, { name: `${name}: p99 of look-ups, ms`, value: percentile(times, 0.99) }),
        atMost(MAX_MEMORY_MB, { name: `${name}: max RSS, MB`, value: usageOf(service.pid).peakMB }),
      );
      await service.stop();
      console.log(`${name}: ${format(Number(stdout) / seconds)}/s; look-ups ${format(median(times))} ms`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return results;
}

/** Look-ups leave at even distances, answered or not, and each is timed from when it was due. */
async function lookUp({ url }: Target, token: string, posts: readonly string[], seconds: number): Promise<number[]> {
  const headers = { authorization: `Bearer ${token}` };
  const startedAt = performance.now();
  const times: Promise<number>[] = [];
  while (times.length < seconds * LOOKUPS_PER_SECOND) {
    const dueAt = startedAt + (times.length / LOOKUPS_PER_SECOND) * 1_000;
    await delay(Math.max(0, dueAt - performance.now()));
    const post = posts[times.length % posts.length];
    const response = fetch(`${url}/api/shortvideo/post/detail?videoId=${post}`, { headers });
    times.push(
      response.then(async (answered) => {
        if (!answered.ok) throw new Error(`look-up: ${answered.status}`);
        await answered.arrayBuffer();
        return performance.now() - dueAt;
      }),
    );
  }
  return Promise.all(times);
}
