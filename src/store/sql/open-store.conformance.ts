import type { Store } from "#store/store.ts";

/** Opens a fresh, empty store that uses the given clock. */
export type OpenStore = (clock: () => number) => Promise<{ store: Store; close: () => Promise<void> }>;
