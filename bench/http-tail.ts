/**
 * How long the slow ones of a hundred wait at half of what the service can answer at most. Bare node:http at the same
 * rate stands beside it, since on a machine that others use its tail is the machine's.
 */
import type { Contender } from "./http-contenders.ts";
import { usageOf } from "./http-processes.ts";
import { type Sending, spreadOf, STEP } from "./http-rounds.ts";
import { fire } from "./load.ts";

export interface Tail {
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  ratio: number;
  /** The least share of requests that could be timed. */
  timed: number;
  /** The share of the time in which it was ready to work and had no core. */
  withoutCore: number;
}

/** Medians over the rounds, of each contender in its place. */
export async function measureTails(
  contenders: readonly Contender[],
  sending: Sending,
  rate: number,
  rounds: number,
): Promise<Tail[]> {
  const measured = contenders.map((contender) => ({ contender, tails: [] as Tail[] }));
  for (let round = 0; round < rounds; round++) {
    for (const { contender, tails } of round % 2 === 0 ? measured : measured.toReversed()) {
      tails.push(await measureTail(contender, sending, Math.max(1, Math.floor(rate)), round * STEP));
    }
  }
  return measured.map(({ tails }) => middleOf(tails));
}

async function measureTail(
  { name, address, pid }: Contender,
  sending: Sending,
  rate: number,
  start: number,
): Promise<Tail> {
  const before = usageOf(pid)?.waitedSeconds ?? 0;
  const { perSecond, p50, p99, errors, seconds, timed = 1 } = await fire({ ...sending, address, start, rate });
  if (errors > 0) throw new Error(`${name}: ${errors} answers were wrong or missing at ${rate} requests per second`);
  const withoutCore = ((usageOf(pid)?.waitedSeconds ?? 0) - before) / seconds;
  return { rate: perSecond, p50, p99, ratio: p99 / p50, timed, withoutCore };
}

function middleOf(tails: readonly Tail[]): Tail {
  const median = (name: keyof Tail) => spreadOf(tails.map((tail) => tail[name])).median;
  return {
    rate: median("rate"),
    p50: median("p50"),
    p99: median("p99"),
    ratio: median("ratio"),
    timed: Math.min(...tails.map(({ timed }) => timed)),
    withoutCore: median("withoutCore"),
  };
}
