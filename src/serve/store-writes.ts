/**
 * The methods of a store that a service calls and that write: see store-thread.ts. Their parameters are plain data. A write
 * that a request makes must be listed here, or have a thread of its own.
 */
import type { Store } from "#store/store.ts";

export const WRITES = {
  tokens: ["writeToken", "revokeToken", "replaceToken"],
  jobs: [
    "writeJob",
    "startJob",
    "finishJob",
    "dismissJob",
    "writeJobFile",
    "claimFile",
    "renewClaims",
    "finishClaim",
    "releaseClaims",
    "forgetUndo",
  ],
  retention: ["write", "delete"],
  watches: ["addWatch", "setWatchState", "deleteWatch", "startWatch", "endWatch", "leaseSource", "releaseSource"],
  writer: ["deleteSource", "erase", "previewErasure", "undo", "refreshTrends"],
} as const satisfies {
  [Port in "tokens" | "jobs" | "retention" | "watches" | "writer"]: readonly (keyof Store[Port])[];
};

export type WritePort = keyof typeof WRITES;
