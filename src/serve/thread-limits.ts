/** The memory that a thread which writes to the store, or parses for it, may take. */
import type { ResourceLimits } from "node:worker_threads";
import type { Config } from "#config";

/** Parsed records die soon, so a small young generation saves memory at hardly any cost. */
const SQLITE_YOUNG_MB = 6;
/** Batches for a server live longer, and a larger young generation copies them less. */
const POSTGRES_YOUNG_MB = 12;

export function resourceLimitsFor({ store }: Pick<Config, "store">): ResourceLimits {
  const maxYoungGenerationSizeMb = store === null ? SQLITE_YOUNG_MB : POSTGRES_YOUNG_MB;
  return { maxYoungGenerationSizeMb, maxOldGenerationSizeMb: 1024 };
}
