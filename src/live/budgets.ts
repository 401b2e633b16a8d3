/** The budgets of a source as the operator set them, and the periods in which they are counted. */
import { createHash } from "node:crypto";
import type { Budget, Charge, Credentials, Source } from "#api/source.ts";
import { DAY_MS, DAY_S } from "#domain/time.ts";
import type { BudgetCharge, BudgetUse, SourceAccount } from "#store/sources/port.ts";
import type { BudgetStatus } from "./live-port.ts";

/** Limits that replace those of a source, by `source.budget`. */
export type BudgetLimits = Readonly<Record<string, number>>;

export function budgetsOf({ name, budgets }: Pick<Source, "name" | "budgets">, limits: BudgetLimits): Budget[] {
  return budgets.map((budget) => ({ ...budget, limit: limits[`${name}.${budget.name}`] ?? budget.limit }));
}

/** Of a key: quota belongs to it. Never the key itself. */
export function accountOf(credentials: Credentials): string {
  const values = Object.values(credentials);
  return values.length === 0 ? "" : createHash("sha256").update(values.join("\n")).digest("hex").slice(0, 12);
}

export function toBudgetCharge(
  budgets: readonly Budget[],
  { budget: name, units, item }: Charge,
  now: number,
): BudgetCharge {
  const budget = budgets.find((candidate) => candidate.name === name);
  if (budget === undefined) throw new Error(`unknown budget ${name}`);
  return {
    budget: name,
    units,
    limit: budget.limit,
    period: periodOf(budget, now),
    item: item ?? null,
    windowMs: budget.timezone === null ? (budget.windowDays ?? 1) * DAY_MS : 0,
  };
}

/** The day in the budget's time zone; empty for a rolling window. */
export function periodOf({ timezone }: Budget, now: number): string {
  // The only locale whose dates are YYYY-MM-DD.
  return timezone === null ? "" : new Intl.DateTimeFormat("en-CA", { timeZone: timezone }).format(now);
}

/** Seconds until a daily budget resets; null for a rolling window. */
export function secondsToReset({ timezone }: Budget, now: number): number | null {
  if (timezone === null) return null;
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone: timezone, timeStyle: "medium" }).format(now);
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(":").map(Number);
  return Math.max(1, DAY_S - hours * 3_600 - minutes * 60 - seconds);
}

export function describeExhausted({ title, limit, timezone, windowDays }: Budget): string {
  const until =
    timezone === null
      ? `; one is free again ${windowDays ?? 1} days after it was used`
      : ` until midnight in ${timezone}`;
  return `has no quota left: all ${limit.toLocaleString("en")} ${title} are used up${until}`;
}

/** What is used of each budget in its present period. */
export function budgetStatus(
  { source, account }: SourceAccount,
  budgets: readonly Budget[],
  uses: readonly BudgetUse[],
  now: number,
): BudgetStatus[] {
  return budgets.map((budget) => {
    const { name, title, limit, timezone, windowDays = 1 } = budget;
    const period = periodOf(budget, now);
    const since = timezone === null ? now - windowDays * DAY_MS : 0;
    const own = uses.filter(
      (use) =>
        use.source === source &&
        use.account === account &&
        use.budget === name &&
        use.period === period &&
        use.at > since,
    );
    return { name, title, used: own.reduce((sum, { used }) => sum + used, 0), limit };
  });
}
