/** The requests of a task in the order of a pattern, in a file, and the answer to it that the bare contenders send. */
import { join } from "node:path";
import type { Ids } from "./corpus.ts";
import { type Answer, type Caller, etagOf, typical } from "./http-answers.ts";
import { requestFor, type Task, thingsOf } from "./http-tasks.ts";
import { drawPlaces, type Pattern } from "./load-patterns.ts";
import { type Request, writeRequests } from "./load-requests.ts";

const REQUESTS = 400_000;
/** Whoever has an ETag has asked before: so many have. */
const CONDITIONAL_REQUESTS = 30_000;
const SAMPLE = 101;

export interface Sequence {
  file: string;
  /** Others of the same pattern, for a service to be asked before it is measured. */
  earlier: string;
  different: number;
  /** Of median length among the first of the sequence. */
  typical: Answer;
}

export async function makeSequence(
  task: Task,
  pattern: Pattern,
  ids: Ids,
  caller: Caller,
  folder: string,
): Promise<Sequence> {
  const things = thingsOf(task, ids);
  const places = drawPlaces(pattern, things.length, task.conditional ? CONDITIONAL_REQUESTS : REQUESTS);
  const different = [...new Set(places)];
  const plain = different.map((place) => requestFor(task, things[place] as string));
  const asked = task.conditional ? await withEtags(task, plain, caller) : plain;
  const byPlace = new Map(different.map((place, number) => [place, asked[number] as Request]));
  const requests = Array.from(places, (place) => byPlace.get(place) as Request);
  const file = join(folder, `${task.name.replaceAll("/", "-")}-${pattern}.tsv`);
  writeRequests(file, requests);
  // Those who have an ETag are the same ones.
  const earlier = task.conditional ? file : `${file}.earlier.tsv`;
  if (!task.conditional) {
    const others = drawPlaces(pattern, things.length, REQUESTS, 2);
    writeRequests(
      earlier,
      Array.from(others, (place) => requestFor(task, things[place] as string)),
    );
  }
  const sample = await caller.askAll(task, requests.slice(0, SAMPLE));
  const wanted = task.conditional ? 304 : 200;
  const wrong = sample.find(({ status }) => status !== wanted);
  if (wrong !== undefined) throw new Error(`${task.name} was answered ${wrong.status}, not ${wanted}`);
  return { file, earlier, different: different.length, typical: typical(sample) };
}

async function withEtags(task: Task, requests: readonly Request[], caller: Caller): Promise<Request[]> {
  const answers = await caller.askAll(task, requests);
  return requests.map((request, place) => ({ ...request, etag: etagOf(answers[place] as Answer) }));
}
