/** Items from another thread, in order, for a consumer that waits for them. */
export class AsyncQueue<Item extends object | string | null> {
  readonly #items: Item[] = [];
  #failure: { error: unknown } | null = null;
  #change = Promise.withResolvers<void>();

  push(item: Item): void {
    this.#items.push(item);
    this.#change.resolve();
  }

  /** No more items come. `next` throws the error once all earlier items are taken. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#change.resolve();
  }

  /** The next item without taking it; undefined if there is none yet. */
  get head(): Item | undefined {
    return this.#items[0];
  }

  async next(): Promise<Item> {
    // One promise at a time: racing each item against one failure promise would retain every item until the end.
    for (;;) {
      const item = this.#items.shift();
      if (item !== undefined) return item;
      if (this.#failure !== null) throw this.#failure.error;
      this.#change = Promise.withResolvers();
      await this.#change.promise;
    }
  }
}
