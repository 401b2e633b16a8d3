/**
 * `npm run bench -- overload [--posts=300000 --seconds=10 --times=10]`: an open loop of ten times as many searches as the
 * service can execute, beside a neighbour with a token of its own that looks things up, searches, and probes.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCorpus } from "./corpus.ts";
import { posts as shortVideos } from "./corpus-shortvideo.ts";
import { sendLoad } from "./load.ts";
import { type Answered, sendOpenLoop, sendOpenLoopFromProcess } from "./open-loop.ts";
import { usageOf } from "./processes.ts";
import { atLeast, atMost, format, percentile, type Result } from "./report.ts";
import { createToken, startService } from "./service.ts";

const QUERIES = 2_000;
const PEAK_CONNECTIONS = 4;
const MIN_GOODPUT = 0.7;
const MAX_P99_MS = 250;
const MAX_NEIGHBOUR_MS = 100;
const MAX_MEMORY_MB = 350;

export async function run(options: Record<string, string>): Promise<Result[]> {
  const seconds = Number(options["seconds"] ?? 10);
  const { dataDir, keys } = await openCorpus(Number(options["posts"] ?? 300_000));
  // Every search is executed.
  const settings = { DATA_DIR: dataDir, CACHE_MB: "0", RATE_CONCURRENCY: "100000" };
  const [token, neighbour] = [await createToken(settings), await createToken(settings)];
  const searches = Array.from(
    shortVideos(QUERIES),
    ({ desc }) => `/api/search?q=${encodeURIComponent(desc.split(" ").slice(0, 2).join(" "))}`,
  );
  const folder = mkdtempSync(join(tmpdir(), "triptych-overload-"));
  const service = await startService(settings, join(folder, "service.log"));
  try {
    const { url } = service;
    const headers = { authorization: `Bearer ${token}` };
    const load = { requests: searches.map((path) => ({ path })), headers, connections: PEAK_CONNECTIONS };
    await sendLoad(service, { ...load, seconds: 2 });
    const peak = (await sendLoad(service, { ...load, seconds })).perSecond;
    const perSecond = Math.round(peak * Number(options["times"] ?? 10));
    console.log(`peak: ${format(peak)} searches a second; the flood is ${perSecond} a second`);
    const lookups = keys.posts.slice(0, QUERIES).map((id) => `/api/shortvideo/post/detail?videoId=${id}`);
    const loopOf = (paths: readonly string[], rate: number) =>
      sendOpenLoop({ url, token: neighbour, paths, perSecond: rate, seconds });
    const [flood, looked, probed, searched] = await Promise.all([
      sendOpenLoopFromProcess({ url, token, paths: searches, perSecond, seconds }),
      loopOf(lookups, 50),
      loopOf(["/healthz"], 10),
      loopOf(searches.toReversed(), 5),
    ]);
    const admitted = flood.filter(({ status }) => status === 200);
    const rejected = flood.filter(({ status }) => status !== 200);
    const untold = rejected.filter(
      ({ status, retryAfter }) => !(status === 429 || status === 503) || retryAfter === null,
    );
    console.log(`${flood.length} searches: ${admitted.length} answered, ${rejected.length} told to retry`);
    return [
      atLeast(MIN_GOODPUT, { name: "answered a second beside the peak", value: admitted.length / seconds / peak }),
      atMost(MAX_P99_MS, { name: "p99 of answered searches, ms", value: p99(admitted) }),
      { name: "p99 of rejected searches, ms", value: p99(rejected) },
      atMost(0, { name: "neither answered nor told when to retry", value: untold.length }),
      atMost(MAX_NEIGHBOUR_MS, { name: "p99 of the neighbour's look-ups, ms", value: p99(looked) }),
      atMost(MAX_NEIGHBOUR_MS, { name: "p99 of /healthz, ms", value: p99(probed) }),
      atMost(MAX_P99_MS, { name: "p99 of the neighbour's searches, ms", value: p99(searched) }),
      atMost(0, { name: "neighbour's requests that failed", value: failed([...looked, ...probed, ...searched]) }),
      atMost(MAX_MEMORY_MB, { name: "max RSS, MB", value: usageOf(service.pid).peakMB }),
    ];
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const p99 = (responses: readonly Answered[]) =>
  percentile(
    responses.map(({ ms }) => ms),
    0.99,
  );
const failed = (responses: readonly Answered[]) => responses.filter(({ status }) => status !== 200).length;
