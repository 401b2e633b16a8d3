/** What decides how long records are kept, beside the rules in the store. */
import type { RetentionDuty } from "#domain/retention.ts";
import type { RetentionSettings } from "#privacy/retention.ts";
import type { Config } from "#config";
import { SOURCES } from "#platforms/registry.ts";

/** Of live sources whose terms limit how long their records may be kept. */
const DUTIES: readonly RetentionDuty[] = SOURCES.flatMap(({ name, retentionDays }) =>
  retentionDays === null ? [] : [{ source: name, days: retentionDays }],
);

export function retentionSettings({ retentionDays }: Config): RetentionSettings {
  return { defaultDays: retentionDays, duties: DUTIES };
}
