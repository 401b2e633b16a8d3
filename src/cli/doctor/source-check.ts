/** Checks that the live sources of the settings exist and have their credentials, as a start does. */
import { type Config, ConfigError } from "#config";
import { selectSources } from "#serve/live/select-sources.ts";
import { type CheckResult, checkResult } from "./check-result.ts";

export function checkSources(config: Config): CheckResult {
  try {
    const names = selectSources(config).map(({ name }) => name);
    return checkResult("live sources", "ok", names.length === 0 ? "none is on" : names.join(", "));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return checkResult("live sources", "fail", error.message);
  }
}
