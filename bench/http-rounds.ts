/**
 * Contenders take turns, round after round, in an order that turns as well; the first round warms up and is not counted.
 * Beside each rate stands what the contender's processor had to do for a request, which is steadier than the rate where
 * other work shares the cores.
 */
import type { Contender } from "./http-contenders.ts";
import { usageOf } from "./http-processes.ts";
import { fire } from "./load.ts";
import type { LoadOrder } from "./load-requests.ts";

/** Below this share of a core it was not the contender that held the rate back. */
const BUSY = 0.85;
/** Each round asks for what the one before did not. */
export const STEP = 80_000;

export type Sending = Pick<LoadOrder, "method" | "headers" | "file" | "connections" | "seconds">;

export interface Round {
  perSecond: number;
  /** Microseconds of processor time per request; null where the system does not say. */
  cpu: number | null;
  idle: boolean;
  p50: number;
  p99: number;
}

export interface Turn {
  contender: Contender;
  sending: Sending;
}

/** By the names of the contenders. */
export async function takeRounds(turns: readonly Turn[], rounds: number): Promise<Map<string, Round[]>> {
  const measured = new Map<string, Round[]>(turns.map(({ contender }) => [contender.name, []]));
  for (let round = 0; round <= rounds; round++) {
    const turned = turns.map((_, place) => turns[(place + round) % turns.length] as Turn);
    for (const { contender, sending } of turned) {
      const found = await measure(contender, { ...sending, address: contender.address, start: round * STEP });
      if (round > 0) measured.get(contender.name)?.push(found);
    }
  }
  return measured;
}

async function measure({ name, pid }: Contender, order: LoadOrder): Promise<Round> {
  const before = usageOf(pid);
  const { perSecond, answered, errors, seconds, p50, p99 } = await fire(order);
  const after = usageOf(pid);
  if (errors > 0) throw new Error(`${name}: ${errors} of ${answered} answers were wrong or missing (${order.file})`);
  const cpuSeconds = before === null || after === null ? null : after.cpuSeconds - before.cpuSeconds;
  return {
    perSecond,
    cpu: cpuSeconds === null ? null : (cpuSeconds * 1e6) / answered,
    idle: cpuSeconds !== null && cpuSeconds < BUSY * seconds,
    p50,
    p99,
  };
}

export interface Spread {
  median: number;
  least: number;
  most: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const rising = values.toSorted((a, b) => a - b);
  const middle = rising[Math.floor(rising.length / 2)] ?? 0;
  return { median: middle, least: rising[0] ?? 0, most: rising.at(-1) ?? 0 };
}

/** Round by round, so that what slowed one round slowed both. */
export function ratiosOf(ours: readonly Round[], theirs: readonly Round[], of: (round: Round) => number): number[] {
  return ours.map((round, place) => of(round) / of(theirs[place] as Round));
}
