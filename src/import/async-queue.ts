/** What arrives from another thread, in its order: taken when somebody is ready for it. */
export class AsyncQueue<Item> {
  readonly #items: Item[] = [];
  #failure: { error: unknown } | null = null;
  #change = Promise.withResolvers<void>();

  add(item: Item): void {
    this.#items.push(item);
    this.#change.resolve();
  }

  /** Nothing more comes; told to whoever has taken all that came before. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#change.resolve();
  }

  /** What is there to be taken next; undefined if nothing has arrived yet. */
  get waiting(): Item | undefined {
    return this.#items[0];
  }

  async next(): Promise<Item> {
    // One promise at a time: racing each item against one of failure would hold every item until the end.
    while (this.#items.length === 0) {
      if (this.#failure !== null) throw this.#failure.error;
      this.#change = Promise.withResolvers();
      await this.#change.promise;
    }
    return this.#items.shift() as Item;
  }
}
