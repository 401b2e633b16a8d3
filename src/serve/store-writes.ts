/**
 * The methods of a store that a service calls and that write: see store-thread.ts. Their parameters are plain data. A write
 * that a request makes must be listed here, or have a thread of its own.
 */
import type { Store } from "#store/store.ts";

export const WRITES = {
  tokens: ["writeToken"],
  jobs: [
    "writeJob",
    "startJob",
    "finishJob",
    "writeJobFile",
    "claimFile",
    "renewClaims",
    "finishClaim",
    "releaseClaims",
  ],
  retention: ["write", "delete"],
  writer: ["deleteSource", "erase", "previewErasure", "refreshTrends"],
} as const satisfies {
  [Port in "tokens" | "jobs" | "retention" | "writer"]: readonly (keyof Store[Port])[];
};

export type WritePort = keyof typeof WRITES;
