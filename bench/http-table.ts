/** The figures of one task under one pattern, and the line of the table that shows them. */
import { type Round, type Spread, spreadOf, ratiosOf } from "./http-rounds.ts";
import type { Sequence } from "./http-sequences.ts";
import type { Kind, Task } from "./http-tasks.ts";
import type { Tail } from "./http-tail.ts";
import { shown } from "./http-verdicts.ts";
import type { Pattern } from "./load-patterns.ts";

interface ContenderFigures {
  perSecond: Spread;
  cpuMicroseconds: Spread;
  /** Rounds in which something else held it back. */
  idleRounds: number;
}

export interface CellFigures {
  task: string;
  kind: Kind;
  pattern: Pattern;
  differentRequests: number;
  bytes: number;
  ours: ContenderFigures;
  bare: ContenderFigures;
  fastify: ContenderFigures;
  /** Of the rate of bare node:http. */
  share: Spread;
  shareOfFastify: Spread;
  /** Of the processor time: what bare node:http needs for a request by what the service needs. */
  cpuShare: Spread;
  tail: Tail | undefined;
  bareTail: Tail | undefined;
}

interface Measured {
  task: Task;
  pattern: Pattern;
  sequence: Sequence;
  ours: readonly Round[];
  bare: readonly Round[];
  fastify: readonly Round[];
  tail: Tail | undefined;
  bareTail: Tail | undefined;
}

const rateOf = ({ perSecond }: Round) => perSecond;
const cpuOf = (round: Round) => round.cpu ?? Number.NaN;

export function summaryOf({ task, pattern, sequence, ours, bare, fastify, tail, bareTail }: Measured): CellFigures {
  return {
    task: task.name,
    kind: task.kind,
    pattern,
    differentRequests: sequence.different,
    bytes: sequence.typical.body.length,
    ours: figuresOf(ours),
    bare: figuresOf(bare),
    fastify: figuresOf(fastify),
    share: spreadOf(ratiosOf(ours, bare, rateOf)),
    shareOfFastify: spreadOf(ratiosOf(ours, fastify, rateOf)),
    cpuShare: spreadOf(ratiosOf(bare, ours, cpuOf)),
    tail,
    bareTail,
  };
}

function figuresOf(rounds: readonly Round[]): ContenderFigures {
  return {
    perSecond: spreadOf(rounds.map(rateOf)),
    cpuMicroseconds: spreadOf(rounds.map(cpuOf)),
    idleRounds: rounds.filter(({ idle }) => idle).length,
  };
}

export function rowOf(cell: CellFigures): Record<string, string | number> {
  const { ours, bare, fastify } = cell;
  const idle = ours.idleRounds + bare.idleRounds + fastify.idleRounds;
  return {
    task: cell.task,
    pattern: cell.pattern,
    bytes: cell.bytes,
    "req/s": spread(ours.perSecond),
    "node:http": spread(bare.perSecond),
    Fastify: spread(fastify.perSecond),
    "of node:http": spread(cell.share),
    "of Fastify": shown(cell.shareOfFastify.median),
    "µs CPU": [ours, bare, fastify].map(({ cpuMicroseconds }) => shown(cpuMicroseconds.median)).join(" / "),
    "by CPU": shown(cell.cpuShare.median),
    "half load p50/p99 ms": [cell.tail, cell.bareTail].map(tailText).join(", bare "),
    "not busy": idle === 0 ? "" : `${idle} rounds`,
  };
}

/** While the others are still being measured. */
export function lineOf({ task, pattern, ours, share, cpuShare }: CellFigures): string {
  const rate = `${shown(ours.perSecond.median)} requests per second`;
  return `${task}, ${pattern}: ${rate}, ${shown(share.median)} of node:http, ${shown(cpuShare.median)} by CPU`;
}

function tailText(tail: Tail | undefined): string {
  return tail === undefined ? "-" : `${shown(tail.p50)}/${shown(tail.p99)}`;
}

function spread({ median, least, most }: Spread): string {
  return `${shown(median)} (${shown(least)}..${shown(most)})`;
}
