/** What decides how long records are kept, beside the rules in the store. */
import type { RetentionDuty } from "#domain/retention.ts";
import type { RetentionSettings } from "#privacy/retention.ts";
import type { Config } from "#config";

/** Live sources whose terms limit how long their records may be kept declare it here. */
const DUTIES: readonly RetentionDuty[] = [];

export function retentionSettings({ retentionDays }: Config): RetentionSettings {
  return { defaultDays: retentionDays, duties: DUTIES };
}
