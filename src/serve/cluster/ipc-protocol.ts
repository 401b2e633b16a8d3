/** What the first process and the workers ask of each other. */
import type { SharedBalance, SpendReport } from "#domain/rate-bucket.ts";
import type { StoreEvent } from "#store/store.ts";
import type { Config, LogLevel } from "#config";

export type PrimaryMethods = {
  /** Reports what was spent of rate limits; the balances of all workers together. */
  exchangeRateLimits: { asks: readonly SpendReport[]; gets: SharedBalance[] };
  /** The files of an upload are in the spool: import them. Answered once the job is kept. */
  upload: { asks: Upload; gets: null };
  /** The numbers of all workers together. */
  metrics: { asks: null; gets: string };
};

export type WorkerMethods = {
  /** Open the store and listen; the address. */
  open: { asks: WorkerInit; gets: string };
  /** Its own numbers. */
  metrics: { asks: null; gets: string };
  changed: { asks: StoreEvent; gets: null };
  uploadsFull: { asks: boolean; gets: null };
  logLevel: { asks: LogLevel; gets: null };
  /** Answer what is under way, and end. */
  stop: { asks: null; gets: null };
};

export interface Upload {
  key: string;
  origin: "push" | "upload";
  label: string;
}

export interface WorkerInit {
  /** Names the port itself, also where a free one was wanted. */
  config: Config;
  uploadsFull: boolean;
}
