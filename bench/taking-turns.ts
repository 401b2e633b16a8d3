/** Contenders answer the same kind of query in turns, so that whatever else the machine does meets all of them alike. */

/** Makes ready to answer a query; only what is then called is timed. */
export type Contender<Query> = (query: Query) => Promise<() => Promise<unknown[]>>;

export interface Figures {
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Mean number of results. */
  found: number;
}

export interface Turn<Query> {
  contender: Contender<Query>;
  /** Asked in this order, from the start again when there are not enough. */
  queries: readonly Query[];
}

const WARM_UP = 20;

export async function takeTurns<Query>(turns: readonly Turn<Query>[], rounds: number): Promise<Figures[]> {
  const measured = turns.map((turn) => ({ ...turn, times: [] as number[], found: 0 }));
  for (let round = -Math.min(WARM_UP, rounds); round < rounds; round++) {
    for (const turn of round % 2 === 0 ? measured : measured.toReversed()) {
      const { contender, queries, times } = turn;
      const answer = await contender(queries[(round + queries.length * WARM_UP) % queries.length] as Query);
      const began = performance.now();
      const results = await answer();
      const took = performance.now() - began;
      if (round < 0) continue;
      times.push(took);
      turn.found += results.length;
    }
  }
  return measured.map(({ times, found }) => ({ ...percentiles(times), found: rounded(found / times.length) }));
}

function percentiles(times: number[]): { p50: number; p99: number } {
  const rising = times.toSorted((a, b) => a - b);
  const at = (share: number) => rounded(rising[Math.ceil(share * rising.length) - 1] as number);
  return { p50: at(0.5), p99: at(0.99) };
}

export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
