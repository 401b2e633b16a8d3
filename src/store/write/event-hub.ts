/** Store events within this process. */
import type { StoreEvent, StoreEvents } from "./events.ts";

export class EventHub implements StoreEvents {
  readonly #listeners = new Set<(event: StoreEvent) => void>();

  subscribe(listener: (event: StoreEvent) => void): () => void {
    // A function of its own, so that one listener can subscribe and unsubscribe several times.
    const subscription = (event: StoreEvent) => listener(event);
    this.#listeners.add(subscription);
    return () => void this.#listeners.delete(subscription);
  }

  emit(event: StoreEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  get size(): number {
    return this.#listeners.size;
  }
}
