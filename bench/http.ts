/**
 * `npm run bench -- http [--posts=1000000 --rounds=5 --seconds=3 --only=post/detail,music/posts --patterns=zipf,uniform
 * --processes=1,2 --connections=16 --rebuild]`: requests per second of the service, with everything on, beside bare
 * node:http and a bare Fastify route that send the same bytes from a constant.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Corpus, openCorpus } from "./corpus.ts";
import { Caller } from "./http-answers.ts";
import {
  BARE,
  type Contender,
  FASTIFY,
  makeToken,
  SERVICE,
  type Service,
  startRecorded,
  startService,
} from "./http-contenders.ts";
import { type Usage, usageOf } from "./http-processes.ts";
import { recorded } from "./http-recorded.ts";
import { type Round, type Sending, spreadOf, takeRounds } from "./http-rounds.ts";
import { makeSequence, type Sequence } from "./http-sequences.ts";
import { type CellFigures, lineOf, rowOf, summaryOf } from "./http-table.ts";
import { measureTails } from "./http-tail.ts";
import { headersFor, type Task, TASKS } from "./http-tasks.ts";
import { judgeMemory, judgeShare, judgeStart, judgeTail, type Verdict } from "./http-verdicts.ts";
import { fire, LOADED_BY } from "./load.ts";
import { type Pattern, PATTERNS } from "./load-patterns.ts";

const STARTS = 3;
/** A service that has been asked for a while remembers what is asked often. */
const WARM_UP_SECONDS = 10;

interface Setup {
  rounds: number;
  seconds: number;
  connections: number;
  tasks: Task[];
  patterns: Pattern[];
  processes: number[];
}

export async function run(options: Record<string, string>): Promise<object> {
  const setup = readSetup(options);
  const corpus = await openCorpus(Number(options["posts"] ?? 1_000_000), "rebuild" in options);
  const folder = mkdtempSync(join(tmpdir(), "triptych-http-"));
  try {
    const token = await makeToken(corpus.dataDir);
    const starts = await measureStarts(corpus, folder);
    const verdicts: Verdict[] = [judgeStart(spreadOf(starts).median)];
    const parts = [];
    for (const processes of setup.processes) {
      parts.push(await measurePart({ ...setup, corpus, folder, token, processes }, verdicts));
    }
    console.log(`Load by ${LOADED_BY} from ${setup.connections} connections.`);
    console.table(verdicts);
    return { posts: corpus.posts, loadedBy: LOADED_BY, startMs: spreadOf(starts), parts, verdicts };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readSetup(options: Record<string, string>): Setup {
  const listed = (name: string, known: readonly string[]) => {
    const wanted = options[name]?.split(",") ?? known;
    const unknown = wanted.filter((one) => !known.includes(one));
    if (unknown.length > 0) throw new Error(`--${name}: ${unknown.join(", ")} is not among ${known.join(", ")}`);
    return known.filter((one) => wanted.includes(one));
  };
  const names = listed(
    "only",
    TASKS.map(({ name }) => name),
  );
  return {
    rounds: Number(options["rounds"] ?? 5),
    seconds: Number(options["seconds"] ?? 3),
    connections: Number(options["connections"] ?? 16),
    tasks: TASKS.filter(({ name }) => names.includes(name)),
    patterns: listed("patterns", PATTERNS) as Pattern[],
    processes: listed("processes", ["1", "2"]).map(Number),
  };
}

async function measureStarts({ dataDir }: Corpus, folder: string): Promise<number[]> {
  const took: number[] = [];
  for (let number = 0; number < STARTS; number++) {
    const service = await startService({ dataDir, folder, processes: 1 });
    took.push(service.readyAfterMs);
    await service.stop();
  }
  return took;
}

interface Part extends Omit<Setup, "processes"> {
  corpus: Corpus;
  folder: string;
  token: string;
  processes: number;
}

async function measurePart(part: Part, verdicts: Verdict[]): Promise<object> {
  const { corpus, processes } = part;
  const cells: CellFigures[] = [];
  let memory: Usage | null = null;
  for (const pattern of part.patterns) {
    for (const task of part.tasks) {
      const { cell, usage } = await withService(part, (service, caller) =>
        measureCell(part, task, pattern, service, caller),
      );
      console.log(lineOf(cell));
      cells.push(cell);
      if (usage !== null && usage.rssMB > (memory?.rssMB ?? 0)) memory = usage;
    }
  }
  console.log(`${processes} process${processes === 1 ? "" : "es"}, ${corpus.posts} posts:`);
  console.table(cells.map(rowOf));
  if (processes === 1) {
    for (const cell of cells) verdicts.push(...judgeCell(cell));
    if (memory !== null) verdicts.push(judgeMemory(corpus.posts, memory.rssMB));
  }
  return { processes, memory, cells };
}

/** Each cell has a service of its own: what one task leaves in its memory would stand in the way of the next. */
async function withService<Measured>(
  { corpus, folder, processes, token }: Part,
  measure: (service: Service, caller: Caller) => Promise<Measured>,
): Promise<Measured> {
  const service = await startService({ dataDir: corpus.dataDir, folder, processes });
  const caller = new Caller(service.address, token);
  try {
    return await measure(service, caller);
  } finally {
    caller.close();
    await service.stop();
    // Else hours of it would fill the disk.
    rmSync(service.logFile, { force: true });
  }
}

async function measureCell(
  part: Part,
  task: Task,
  pattern: Pattern,
  service: Service,
  caller: Caller,
): Promise<{ cell: CellFigures; usage: Usage | null }> {
  const { corpus, folder, processes, rounds } = part;
  const sequence = await makeSequence(task, pattern, corpus.ids, caller, folder);
  const { connections, seconds } = part;
  const headers = headersFor(task, part.token);
  const sending: Sending = { method: task.method, headers, file: sequence.file, connections, seconds };
  const [bare, framework] = await startBare(task, sequence, folder, processes);
  try {
    await fire({
      ...sending,
      address: service.address,
      file: sequence.earlier,
      start: 0,
      seconds: WARM_UP_SECONDS,
    });
    const measured = await takeRounds(
      [service, bare, framework].map((contender) => ({ contender, sending })),
      rounds,
    );
    const of = (name: string) => measured.get(name) as Round[];
    const peak = spreadOf(of(SERVICE).map(({ perSecond }) => perSecond)).median;
    const pair = processes === 1 ? [service, bare] : [];
    const [tail, bareTail] = await measureTails(pair, sending, peak / 2, Math.min(rounds, 3));
    const figures = { ours: of(SERVICE), bare: of(BARE), fastify: of(FASTIFY), tail, bareTail };
    return { cell: summaryOf({ task, pattern, sequence, ...figures }), usage: usageOf(service.pid) };
  } finally {
    await bare.stop();
    await framework.stop();
  }
}

async function startBare(
  task: Task,
  sequence: Sequence,
  folder: string,
  processes: number,
): Promise<[Contender, Contender]> {
  const answer = recorded(task.method, task.path, sequence.typical);
  return [
    await startRecorded(BARE, answer, folder, processes),
    await startRecorded(FASTIFY, answer, folder, processes),
  ];
}

function judgeCell({ task, kind, pattern, ours, bare, share, cpuShare, tail }: CellFigures): Verdict[] {
  const busy = ours.idleRounds + bare.idleRounds === 0;
  return [
    ...judgeShare({ task, kind, pattern, byRate: share.median, byProcessor: cpuShare.median, busy }),
    ...(tail === undefined ? [] : [judgeTail(task, pattern, tail)]),
  ];
}
