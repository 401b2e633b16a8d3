/**
 * Remembers answers for a moment, so that a busy token does not ask the store with every request. Bounded in time and
 * in number; whoever asks while an answer is under way shares it. Failures are not remembered.
 */
export class TtlCache<Value> {
  readonly #lifetimeMs: number;
  readonly #capacity: number;
  /** In order of age, since an entry is always put anew at the end. */
  readonly #entries = new Map<string, { askedAt: number; answer: Promise<Value> }>();

  constructor(options: { lifetimeMs: number; capacity: number }) {
    this.#lifetimeMs = options.lifetimeMs;
    this.#capacity = options.capacity;
  }

  get(key: string, now: number, ask: () => Promise<Value>): Promise<Value> {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      // An age below zero means that the clock was set back: the entry might otherwise live for hours.
      const age = now - known.askedAt;
      if (age >= 0 && age < this.#lifetimeMs) return known.answer;
      this.#entries.delete(key);
    } else if (this.#entries.size >= this.#capacity) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    // Stamped before the question is asked: the answer is never older than its entry says.
    const entry = { askedAt: now, answer: ask() };
    this.#entries.set(key, entry);
    entry.answer.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    return entry.answer;
  }

  /** When this answer was asked for; undefined once it is forgotten or another has taken its place. */
  askedAt(key: string, answer: Promise<Value>): number | undefined {
    const entry = this.#entries.get(key);
    return entry?.answer === answer ? entry.askedAt : undefined;
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }

  forgetAll(): void {
    this.#entries.clear();
  }

  get size(): number {
    return this.#entries.size;
  }
}
