/**
 * The numbers of all workers as one text. Counts never go back: those of a worker that died are kept as they were last
 * told, and so are those of one that does not answer in time, which is told as well.
 */
import { Metrics } from "#http/metrics.ts";
import type { WorkerHandle } from "./worker-pool.ts";
import { addSamples, countersOf, type Samples, parseSamples, renderSamples } from "./prometheus-text.ts";

const PATIENCE_MS = 1_000;

export class AggregateMetrics {
  /** The first process answers nothing itself: it has memory and a time of its start. */
  readonly #own = new Metrics();
  readonly #told = new Map<number, Samples>();
  readonly #gone: Samples = new Map();
  #replaced = 0;

  async text(members: readonly WorkerHandle[]): Promise<string> {
    const answered = await Promise.all(members.map((member) => this.#ask(member)));
    const sum = parseSamples(this.#own.text());
    addSamples(sum, this.#gone);
    for (const { id } of members) addSamples(sum, this.#told.get(id) ?? new Map());
    const silent = answered.filter((answer) => !answer).length;
    return renderSamples(sum) + this.#standing(members.length - silent, silent);
  }

  /** A worker ended by itself. */
  lost(id: number): void {
    this.#replaced += 1;
    addSamples(this.#gone, countersOf(this.#told.get(id) ?? new Map()));
    this.#told.delete(id);
  }

  async #ask({ id, link }: WorkerHandle): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), PATIENCE_MS);
    });
    const text = await Promise.race([link.call("metrics", null).catch(() => null), late]);
    clearTimeout(timer);
    if (text === null) {
      const told = this.#told.get(id);
      if (told !== undefined) this.#told.set(id, countersOf(told));
      return false;
    }
    this.#told.set(id, parseSamples(text));
    return true;
  }

  #standing(answering: number, silent: number): string {
    return `# HELP triptych_workers Workers that gave their numbers.
# TYPE triptych_workers gauge
triptych_workers ${answering}
# HELP triptych_workers_unresponsive Workers that did not within a second: their counts are as they last told them.
# TYPE triptych_workers_unresponsive gauge
triptych_workers_unresponsive ${silent}
# HELP triptych_workers_replaced_total Workers that ended by themselves and were replaced.
# TYPE triptych_workers_replaced_total counter
triptych_workers_replaced_total ${this.#replaced}
`;
  }
}
