/** All live sources, with what is used of their budgets: for people and status pages. */
import type { Config } from "#config";
import { accountOf, budgetsOf, budgetStatus, secondsToReset } from "#live/budgets.ts";
import type { SourceInfo } from "#live/live-port.ts";
import { SOURCES } from "#platforms/registry.ts";
import type { SourceLedger } from "#store/sources/port.ts";
import { missingCredentials, selectSources } from "./select-sources.ts";

export async function listSources(
  config: Config,
  ledger: Pick<SourceLedger, "listUse">,
  now = Date.now(),
): Promise<SourceInfo[]> {
  const { credentials, limits } = config.live;
  const active = new Set(selectSources(config).map(({ name }) => name));
  const uses = await ledger.listUse();
  return SOURCES.map((source) => {
    const { name, title, platform, fills, retentionDays, terms } = source;
    const missing = missingCredentials(source, credentials);
    const own = Object.fromEntries(source.credentials.map((setting) => [setting, credentials[setting] ?? ""]));
    const budgets = budgetsOf(source, limits);
    return {
      name,
      title,
      platform,
      state: active.has(name) ? "on" : missing.length > 0 ? "incomplete" : "off",
      missing,
      operations: Object.keys(fills),
      budgets: budgetStatus({ source: name, account: accountOf(own) }, budgets, uses, now).map((status, index) => {
        const budget = budgets[index];
        return { ...status, resetsInS: budget === undefined ? null : secondsToReset(budget, now) };
      }),
      retentionDays,
      terms,
    };
  });
}
