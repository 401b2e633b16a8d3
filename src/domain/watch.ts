/** A standing order: something of a platform is requested of a live source again and again. Times are Unix milliseconds. */
export interface Watch {
  id: string;
  platform: string;
  /** One of the platform's `watchable`, such as `channel`. */
  kind: string;
  /** What of that kind: a name, an id, a URL, words, a country. */
  target: string;
  everyMs: number;
  state: "active" | "paused";
  createdAt: number;
  nextAt: number;
  /** When it was last requested; null before the first time. */
  lastAt: number | null;
  /** How that ended, for people. */
  lastOutcome: string | null;
  /** How often it was requested. */
  runs: number;
}
