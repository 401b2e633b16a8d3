/** Repeats calls that fail because the database is down, so that an import outlives a restart or a failover. */
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "#errors";
import { classify } from "./connection-errors.ts";

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 2_000;

export interface OutageOptions {
  /** After this time the failure is reported. */
  maxMs: number;
  /** Called once per outage. */
  onOutage?: () => void;
}

export class OutageRetry {
  readonly #options: OutageOptions;
  #isDown = false;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  async run<Result>(call: () => Promise<Result>): Promise<Result> {
    const { maxMs, onOutage } = this.#options;
    let deadline: number | null = null;
    for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)) {
      try {
        const result = await call();
        this.#isDown = false;
        return result;
      } catch (error) {
        deadline ??= performance.now() + maxMs;
        if (!isOutage(error) || performance.now() >= deadline) throw error;
        if (!this.#isDown) onOutage?.();
        this.#isDown = true;
        // Importers that lost the same server do not all come back at the same moment.
        await sleep(delayMs * (0.5 + Math.random() / 2));
      }
    }
  }
}

function isOutage(error: unknown): boolean {
  return classify(error instanceof ApiError ? error.cause : error) !== null;
}
