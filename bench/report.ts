/** Results of a bench: figures, most of them ratios, each beside its target where it has one. */
export interface Result {
  name: string;
  value: number;
  /** Of the rounds that the value is the median of. */
  range?: [min: number, max: number];
  target?: string;
  met?: boolean;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] as number) + (sorted[Math.floor(middle)] as number)) / 2;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The median of what was measured round by round. */
export function measured(name: string, rounds: readonly number[]): Result {
  return { name, value: median(rounds), range: [Math.min(...rounds), Math.max(...rounds)] };
}

export function atLeast(threshold: number, result: Result): Result {
  return { ...result, target: `>= ${threshold}`, met: result.value >= threshold };
}

export function atMost(threshold: number, result: Result): Result {
  return { ...result, target: `<= ${threshold}`, met: result.value <= threshold };
}

export function printResults(results: readonly Result[]): void {
  const rows = results.map(({ name, value, range, target, met }) => ({
    Result: name,
    Median: format(value),
    Range: range === undefined ? "" : range.map(format).join(" to "),
    Target: target ?? "",
    "Met/missed": met === undefined ? "" : met ? "met" : "missed",
  }));
  console.table(rows);
}

export function format(value: number): string {
  return Math.abs(value) >= 100 ? String(Math.round(value)) : value.toFixed(2);
}

/** Targets run one after the other, in an order that rotates with the rounds, so that disturbances meet all alike. */
export async function interleave<Target, Figure>(
  targets: readonly Target[],
  rounds: number,
  measure: (target: Target, round: number) => Promise<Figure>,
): Promise<Figure[][]> {
  const figures = targets.map((): Figure[] => []);
  for (let round = 0; round < rounds; round++) {
    for (let step = 0; step < targets.length; step++) {
      const index = (step + round) % targets.length;
      figures[index]?.push(await measure(targets[index] as Target, round));
    }
  }
  return figures;
}

/** Round by round, so that what slowed one round slowed both sides of the ratio. */
export function ratios(numerators: readonly number[], denominators: readonly number[]): number[] {
  return numerators.map((value, round) => value / (denominators[round] as number));
}
