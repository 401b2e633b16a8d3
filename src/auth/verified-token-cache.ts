/**
 * Which texts were proved to be whose tokens a moment ago, so that a busy caller is not proved anew with every request.
 * What failed is never kept: nobody fills this by guessing.
 *
 * A look-up in a Map is no oracle worth fearing. V8 hashes with a seed that it draws at each start, and compares
 * characters only where the whole hash is the same: a guess that is nearly right takes as long as any other.
 * A text is in here for its moment only. It goes when it is asked for after that, or with the next proof.
 */
export class VerifiedTokenCache<Proof> {
  readonly #lifetimeMs: number;
  readonly #capacity: number;
  /** In the order of proofs. */
  readonly #byText = new Map<string, Proven<Proof>>();
  readonly #byKey = new Map<string, Proven<Proof>>();

  constructor(options: { lifetimeMs: number; capacity: number }) {
    this.#lifetimeMs = options.lifetimeMs;
    this.#capacity = options.capacity;
  }

  get(text: string, now: number): Proof | undefined {
    const proven = this.#byText.get(text);
    if (proven === undefined) return undefined;
    if (this.#isFresh(proven, now)) return proven.proof;
    this.#drop(proven);
    return undefined;
  }

  /** `provedAt` is when that was asked which the proof rests on: it may have changed since. */
  put(text: string, keyId: string, proof: Proof, provedAt: number, now: number): void {
    const known = this.#byKey.get(keyId);
    if (known !== undefined) {
      if (known.text === text && known.proof === proof && known.provedAt === provedAt) return;
      this.#drop(known);
    }
    for (const oldest of this.#byText.values()) {
      if (this.#isFresh(oldest, now) && this.#byText.size < this.#capacity) break;
      this.#drop(oldest);
    }
    const proven = { text, keyId, proof, provedAt };
    this.#byText.set(text, proven);
    this.#byKey.set(keyId, proven);
  }

  forget(keyId: string): void {
    const proven = this.#byKey.get(keyId);
    if (proven !== undefined) this.#drop(proven);
  }

  forgetAll(): void {
    this.#byText.clear();
    this.#byKey.clear();
  }

  get size(): number {
    return this.#byText.size;
  }

  /** An age below zero means that the clock was set back: the proof might otherwise count for hours. */
  #isFresh({ provedAt }: Proven<Proof>, now: number): boolean {
    const age = now - provedAt;
    return age >= 0 && age < this.#lifetimeMs;
  }

  #drop({ text, keyId }: Proven<Proof>): void {
    this.#byText.delete(text);
    this.#byKey.delete(keyId);
  }
}

interface Proven<Proof> {
  text: string;
  keyId: string;
  proof: Proof;
  provedAt: number;
}
