/**
 * `npm run bench -- peers [--posts=20000 --rounds=5 --seconds=3 --connections=4 --only=look-up,list,search --rebuild]`:
 * requests per second of the service, json-server and Directus with the same posts, on what all of them can do. Directus
 * takes part twice, with its cache and without. The first run installs the peers, which takes some minutes.
 */
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#testing/service-nodes.ts";
import { writeCapture } from "./capture.ts";
import { type Contender, makeToken, SERVICE, type Service, startService } from "./http-contenders.ts";
import { ratiosOf, type Round, type Sending, type Spread, spreadOf, takeRounds } from "./http-rounds.ts";
import { atLeast, shown, type Verdict } from "./http-verdicts.ts";
import { importCapture } from "./import.ts";
import { LOADED_BY } from "./load.ts";
import { drawPlaces } from "./load-patterns.ts";
import { writeRequests } from "./load-requests.ts";
import { checkAnswers } from "./peers-check.ts";
import { type Dialect, directusDialect, JSON_SERVER_DIALECT, triptychDialect } from "./peers-dialects.ts";
import { fillDirectus, READER_TOKEN, startDirectus } from "./peers-directus.ts";
import { type Installed, installPeers } from "./peers-install.ts";
import { startListening } from "./peers-processes.ts";
import { type Captured, type Questions, questionsIn, type Task, TASKS } from "./peers-questions.ts";

const TIMES_AHEAD = 5;
const REQUESTS = 100_000;

interface Setup {
  posts: number;
  rounds: number;
  seconds: number;
  connections: number;
  tasks: Task[];
}

interface Entrant {
  contender: Contender;
  dialect: Dialect;
  /** Of a typical answer. */
  bytes: Record<Task, number>;
}

export async function run(options: Record<string, string>): Promise<object> {
  const setup = readSetup(options);
  const installed = await installPeers();
  const folder = mkdtempSync(join(tmpdir(), "triptych-peers-"));
  const started: Contender[] = [];
  try {
    const capture = join(folder, "capture.ndjson");
    await writeCapture(capture, setup.posts);
    const questions = questionsIn(capture);
    const rebuild = "rebuild" in options;
    const filled = await fillDirectus(installed, questions.posts, capture, { logs: folder, rebuild });
    const entrants: Entrant[] = [];
    const enter = async (contender: Contender, dialect: Dialect) => {
      started.push(contender);
      entrants.push({ contender, dialect, bytes: await checkAnswers(contender, dialect, questions) });
    };
    // Who comes next shares the processor with answers that were asked for last: the slowest stands before the service.
    await enter(await startJsonServer(installed, questions.posts, folder), JSON_SERVER_DIALECT);
    const { service, token } = await startTriptych(capture, folder);
    await enter(service, triptychDialect(token));
    for (const cache of [false, true]) {
      await enter(await startDirectus(installed, filled, { logs: folder, cache }), directusDialect(READER_TOKEN));
    }
    const cells = [];
    for (const task of setup.tasks) {
      cells.push(...(await measureTask(task, entrants, questions, setup, folder)));
      // Else hours of it would fill the disk.
      truncateSync(service.logFile);
    }
    const verdicts = cells.flatMap(judge);
    console.table(cells.map(rowOf));
    console.table(verdicts);
    console.log(`Load by ${LOADED_BY} from ${setup.connections} connections, all posts asked for alike.`);
    return { ...setup, versions: installed.versions, loadedBy: LOADED_BY, cells, verdicts };
  } finally {
    await Promise.all(started.map((contender) => contender.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

function readSetup(options: Record<string, string>): Setup {
  const only = options["only"]?.split(",");
  const unknown = only?.filter((name) => !TASKS.some((task) => task === name)) ?? [];
  if (unknown.length > 0) throw new Error(`no such task: ${unknown.join(", ")}; there are ${TASKS.join(", ")}`);
  return {
    posts: Number(options["posts"] ?? 20_000),
    rounds: Number(options["rounds"] ?? 5),
    seconds: Number(options["seconds"] ?? 3),
    connections: Number(options["connections"] ?? 4),
    tasks: TASKS.filter((task) => only?.includes(task) ?? true),
  };
}

async function startTriptych(capture: string, folder: string): Promise<{ service: Service; token: string }> {
  const dataDir = join(folder, "triptych");
  await importCapture(capture, dataDir);
  return { token: await makeToken(dataDir), service: await startService({ dataDir, folder, processes: 1 }) };
}

async function startJsonServer(
  { jsonServer }: Installed,
  posts: readonly Captured[],
  folder: string,
): Promise<Contender> {
  const port = String(await freePort());
  const file = join(folder, "db.json");
  writeFileSync(file, JSON.stringify({ posts: posts.toReversed() }));
  return startListening({
    name: "json-server",
    command: process.execPath,
    args: [jsonServer, file, "--host", "127.0.0.1", "--port", port, "--read-only"],
    folder,
    env: { PATH: process.env["PATH"], NODE_ENV: "production" },
    logFile: join(folder, "json-server.log"),
    address: `http://127.0.0.1:${port}`,
    readyPath: "/posts?_limit=1",
  });
}

interface Cell {
  task: Task;
  contender: string;
  bytes: number;
  perSecond: Spread;
  cpuMicroseconds: Spread;
  /** How many times as fast the service was; null for itself. */
  ahead: Spread | null;
}

async function measureTask(
  task: Task,
  entrants: readonly Entrant[],
  questions: Questions,
  { rounds, seconds, connections }: Setup,
  folder: string,
): Promise<Cell[]> {
  const asking = questions.askedBy[task];
  const places = drawPlaces("uniform", asking.length, REQUESTS);
  const turns = entrants.map(({ contender, dialect }) => {
    const file = join(folder, `${contender.name}-${task}.tsv`.replaceAll(/[ ,]+/g, "-"));
    const paths = asking.map(dialect.pathOf[task]);
    writeRequests(
      file,
      Array.from(places, (place) => ({ path: paths[place] as string })),
    );
    const sending: Sending = { method: "GET", headers: dialect.headers, file, connections, seconds };
    return { contender, sending };
  });
  console.log(`measuring ${task}`);
  // One more that is not counted: the larger a program, the longer it takes to be at its best.
  await takeRounds(turns, 0);
  const measured = await takeRounds(turns, rounds);
  const ours = measured.get(SERVICE) as Round[];
  return entrants.map(({ contender: { name }, bytes }) => {
    const theirs = measured.get(name) as Round[];
    return {
      task,
      contender: name,
      bytes: bytes[task],
      perSecond: spreadOf(theirs.map(rate)),
      cpuMicroseconds: spreadOf(theirs.map(({ cpu }) => cpu ?? Number.NaN)),
      ahead: name === SERVICE ? null : spreadOf(ratiosOf(ours, theirs, rate)),
    };
  });
}

const rate = ({ perSecond }: Round) => perSecond;

function judge({ task, contender, ahead }: Cell): Verdict[] {
  return ahead === null ? [] : [atLeast(`${task}: times ahead of ${contender}`, TIMES_AHEAD, ahead.median)];
}

function rowOf({ task, contender, bytes, perSecond, cpuMicroseconds, ahead }: Cell): Record<string, string | number> {
  return {
    task,
    contender,
    bytes,
    "req/s": spread(perSecond),
    "µs CPU": shown(cpuMicroseconds.median),
    "triptych ahead": ahead === null ? "" : spread(ahead),
  };
}

function spread({ median, least, most }: Spread): string {
  return `${shown(median)} (${shown(least)}..${shown(most)})`;
}
