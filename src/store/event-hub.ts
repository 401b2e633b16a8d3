/** Those who want to hear of changes, in this process. */
import type { StoreEvent, StoreEvents } from "./store.ts";

export class EventHub implements StoreEvents {
  readonly #listeners = new Set<(event: StoreEvent) => void>();

  subscribe(listener: (event: StoreEvent) => void): () => void {
    // One of its own, so that whoever subscribes twice also ends twice.
    const own = (event: StoreEvent) => listener(event);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  tell(event: StoreEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  get size(): number {
    return this.#listeners.size;
  }
}
