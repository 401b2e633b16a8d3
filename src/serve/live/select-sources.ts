/** The live sources that the settings turn on. */
import type { Source } from "#api/source.ts";
import { type Config, ConfigError } from "#config";
import { SOURCES } from "#platforms/registry.ts";

/** In the order of the registry. A source without its credentials cannot be on. */
export function selectSources({ live }: Pick<Config, "live">): Source[] {
  const { sources: names, credentials, limits } = live;
  const isAll = names.includes("all");
  const known = SOURCES.map(({ name }) => name);
  const unknown = names.find((name) => name !== "all" && !known.includes(name));
  if (unknown !== undefined)
    throw new ConfigError(`LIVE_SOURCES: there is no source ${unknown}; the sources are ${known.join(", ")}`);
  const budgetNames = SOURCES.flatMap(({ name, budgets }) => budgets.map((budget) => `${name}.${budget.name}`));
  const unknownBudget = Object.keys(limits).find((name) => !budgetNames.includes(name));
  if (unknownBudget !== undefined)
    throw new ConfigError(
      `LIVE_QUOTAS: there is no budget ${unknownBudget}; the budgets are ${budgetNames.join(", ")}`,
    );
  return SOURCES.filter((source) => {
    const missing = missingCredentials(source, credentials);
    if (names.includes(source.name) && missing.length > 0)
      throw new ConfigError(
        `LIVE_SOURCES: ${source.name} needs ${missing.join(" and ")}; see docs/sources/${source.name}.md`,
      );
    return names.includes(source.name) || (isAll && missing.length === 0);
  });
}

export function missingCredentials(source: Source, credentials: Readonly<Record<string, string>>): string[] {
  return source.credentials.filter((name) => credentials[name] === undefined);
}
