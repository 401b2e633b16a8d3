import type { Pause } from "./breaker.ts";
import type { AskOutcome } from "./live-port.ts";

/** The source exists but does not answer now. `reason` continues a sentence that begins with its name. */
export class SourceUnavailable extends Error {
  override name = "SourceUnavailable";
  readonly reason: string;
  readonly retryAfterS: number | null;

  constructor(reason: string, retryAfterMs: number | null = null) {
    super(reason);
    this.reason = reason;
    this.retryAfterS = retryAfterMs === null ? null : Math.ceil(retryAfterMs / 1_000);
  }

  static paused({ reason, retryAfterMs }: Pause): SourceUnavailable {
    return new SourceUnavailable(`is paused: it ${reason}`, retryAfterMs);
  }

  toOutcome(source: string): AskOutcome {
    return { state: "unavailable", source, reason: this.reason, retryAfterS: this.retryAfterS };
  }
}
