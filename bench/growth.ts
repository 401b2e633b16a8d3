/**
 * `npm run bench -- growth [--sizes=10000,100000,1000000 --rounds=5 --seconds=2]`: what a look-up and a list take with ever
 * more records, asked one at a time, and what the store and the service take: file, memory, start. Ten million take about
 * an hour to be imported the first time.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Corpus, openCorpus } from "./corpus.ts";
import { Caller } from "./http-answers.ts";
import { makeToken, type Service, startService } from "./http-contenders.ts";
import { usageOf } from "./http-processes.ts";
import { type Round, spreadOf, takeRounds, type Turn } from "./http-rounds.ts";
import { makeSequence } from "./http-sequences.ts";
import { headersFor, type Task, TASKS } from "./http-tasks.ts";
import { atMost, shown, type Verdict } from "./http-verdicts.ts";
import { LOADED_BY } from "./load.ts";
import { type Pattern, PATTERNS } from "./load-patterns.ts";

const STARTS = 3;
const ASKED: { name: string; bound: number }[] = [
  { name: "post/detail", bound: 1.3 },
  { name: "music/posts", bound: 1.5 },
];
const APART = 100;

interface Grown {
  corpus: Corpus;
  token: string;
  service: Service;
  startMs: number;
  rssAtStartMB: number;
}

interface CellFigures {
  task: string;
  pattern: Pattern;
  posts: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  cpuMicroseconds: number;
}

export async function run(options: Record<string, string>): Promise<object> {
  const sizes = (options["sizes"] ?? "10000,100000,1000000").split(",").map(Number);
  const rounds = Number(options["rounds"] ?? 5);
  const seconds = Number(options["seconds"] ?? 2);
  const folder = mkdtempSync(join(tmpdir(), "triptych-growth-"));
  const grown: Grown[] = [];
  try {
    for (const posts of sizes) grown.push(await open(posts, folder));
    const cells: CellFigures[] = [];
    for (const pattern of PATTERNS) {
      for (const task of TASKS.filter(({ name }) => ASKED.some((asked) => asked.name === name))) {
        cells.push(...(await measure(grown, task, pattern, { rounds, seconds, folder })));
      }
    }
    const held = grown.map(figuresOf);
    const verdicts = verdictsOf(cells);
    console.log(`One request at a time, by ${LOADED_BY}.`);
    console.table(held);
    console.table(cells.map((cell) => ({ ...cell, p50: shown(cell.p50), p99: shown(cell.p99) })));
    console.table(verdicts);
    return { loadedBy: LOADED_BY, held, cells, verdicts };
  } finally {
    for (const { service } of grown) await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function open(posts: number, folder: string): Promise<Grown> {
  const corpus = await openCorpus(posts);
  const token = await makeToken(corpus.dataDir);
  const setup = { dataDir: corpus.dataDir, folder, processes: 1 };
  const starts: number[] = [];
  for (let number = 1; ; number++) {
    const service = await startService(setup);
    starts.push(service.readyAfterMs);
    if (number === STARTS) {
      const rssAtStartMB = usageOf(service.pid)?.rssMB ?? Number.NaN;
      return { corpus, token, service, startMs: spreadOf(starts).median, rssAtStartMB };
    }
    await service.stop();
  }
}

interface Measuring {
  rounds: number;
  seconds: number;
  folder: string;
}

/** Sizes take turns, each with the same operation on records of its own. */
async function measure(
  grown: readonly Grown[],
  task: Task,
  pattern: Pattern,
  { rounds, seconds, folder }: Measuring,
): Promise<CellFigures[]> {
  const turns: Turn[] = [];
  for (const { corpus, token, service } of grown) {
    const caller = new Caller(service.address, token);
    const own = join(folder, String(corpus.posts));
    mkdirSync(own, { recursive: true });
    const { file } = await makeSequence(task, pattern, corpus.ids, caller, own);
    caller.close();
    const sending = { method: task.method, headers: headersFor(task, token), file, connections: 1, seconds };
    turns.push({ contender: { ...service, name: String(corpus.posts) }, sending });
  }
  const measured = await takeRounds(turns, rounds);
  return grown.map(({ corpus: { posts } }) => {
    const found = measured.get(String(posts)) as Round[];
    const median = (of: (round: Round) => number) => spreadOf(found.map(of)).median;
    return {
      task: task.name,
      pattern,
      posts,
      p50: median(({ p50 }) => p50),
      p99: median(({ p99 }) => p99),
      cpuMicroseconds: Math.round(median(({ cpu }) => cpu ?? Number.NaN)),
    };
  });
}

function figuresOf({ corpus, service, startMs, rssAtStartMB }: Grown): Record<string, number> {
  const files = readdirSync(corpus.dataDir).filter((name) => name.includes(".sqlite"));
  const bytes = files.reduce((sum, name) => sum + statSync(join(corpus.dataDir, name)).size, 0);
  const after = usageOf(service.pid);
  return {
    posts: corpus.posts,
    fileMB: Math.round(bytes / 1e6),
    bytesAPost: Math.round(bytes / corpus.posts),
    startMs: Math.round(startMs),
    rssAtStartMB: Math.round(rssAtStartMB),
    rssAfterLoadMB: Math.round(after?.rssMB ?? Number.NaN),
    ownAfterLoadMB: Math.round(after?.ownMB ?? Number.NaN),
  };
}

function verdictsOf(cells: readonly CellFigures[]): Verdict[] {
  return cells.flatMap(({ task, pattern, posts, p50 }) => {
    const larger = cells.find(
      (other) => other.task === task && other.pattern === pattern && other.posts === posts * APART,
    );
    const bound = ASKED.find(({ name }) => name === task)?.bound;
    if (larger === undefined || bound === undefined) return [];
    return [atMost(`${task}, ${pattern}: latency with ${larger.posts} posts by ${posts}`, bound, larger.p50 / p50)];
  });
}
