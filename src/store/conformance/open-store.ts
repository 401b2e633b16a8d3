import type { Store } from "../store.ts";

/** A fresh, empty store that takes the time from the clock given. */
export type OpenStore = (clock: () => number) => Promise<{ store: Store; close: () => Promise<void> }>;
