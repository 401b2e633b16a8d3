/** Keeps counts until anything is written: those of a list of 100,000 posts take milliseconds, and a batch may ask for 100. */
const MAX_COUNTS = 1_000;

export class CountCache {
  readonly #dataVersion: () => number;
  readonly #counts = new Map<string, Promise<unknown>>();
  #version: number | null = null;

  constructor(dataVersion: () => number) {
    this.#dataVersion = dataVersion;
  }

  /** `count` must read in the tick in which it is called. */
  get<Count>(key: string, count: () => Promise<Count>): Promise<Count> {
    const version = this.#dataVersion();
    if (version !== this.#version || this.#counts.size >= MAX_COUNTS) this.#counts.clear();
    this.#version = version;
    const kept = this.#counts.get(key) as Promise<Count> | undefined;
    if (kept !== undefined) return kept;
    const counted = count();
    this.#counts.set(key, counted);
    counted.catch(() => this.#counts.delete(key));
    return counted;
  }
}
