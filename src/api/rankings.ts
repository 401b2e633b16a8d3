/** Shared by computed rankings of all platforms: the day they are as of, and of what a gain was made. */
import { dayOf, DAY_MS, startOfDay, toIsoDate } from "#domain/time.ts";
import { ApiError, TRENDS_DAY_HEADER } from "#errors";
import { parameterError, type RequestContext } from "./endpoint.ts";
import type { Trend } from "#store/trends/port.ts";
import { Type } from "./schema.ts";

export const NEWEST = "newest";

export const AsOfParameter = Type.Optional(
  Type.String({
    format: "as-of",
    maxLength: 10,
    description:
      "Last day of the period (UTC) instead of today, such as `2026-03-01`, or `newest` for the day of the newest capture.",
  }),
);

/** The day in days since 1970; null for today. Throws for a day to come. */
export function resolveAsOf(
  ctx: Pick<RequestContext, "hour" | "parameterLocation">,
  value: string | undefined,
): number | typeof NEWEST | null {
  if (value === undefined) return null;
  if (value === NEWEST) return NEWEST;
  const day = Date.parse(`${value}T00:00:00Z`) / DAY_MS;
  const today = dayOf(ctx.hour);
  if (day > today) throw parameterError(ctx, "invalid_parameter", "as_of", "must not be a day to come (UTC)");
  return day === today ? null : day;
}

/** The same as a day of charts: the newest chart is that of all days. */
export function resolveChartDay(ctx: Pick<RequestContext, "hour" | "parameterLocation">, value: string | undefined) {
  const asOf = resolveAsOf(ctx, value);
  return typeof asOf === "number" ? toIsoDate(startOfDay(asOf)) : undefined;
}

/** Beside the fields of the contract, in every ranking. */
export const TrendBasis = {
  basis: Type.Enum(["measured", "estimated"], {
    description: "`measured` between captures, or `estimated` from one capture: a share of all views until then.",
  }),
  basis_posts: Type.Integer({ description: "Posts that the gain was measured or estimated of." }),
  views_gained: Type.Integer({ description: "Views gained in the period, measured or estimated." }),
};

export function toTrendBasis({ measured, posts, views }: Pick<Trend<unknown>, "measured" | "posts" | "views">) {
  return { basis: measured ? ("measured" as const) : ("estimated" as const), basis_posts: posts, views_gained: views };
}

/** Computes the rankings as of a day, in days since 1970. */
export type ComputeRanking = (day: number) => Promise<void>;

/** Runs an operation. Rankings that it needs and nobody has computed are computed, then it runs again. */
export async function withRankings<Result>(run: () => Promise<Result>, compute: ComputeRanking): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "ranking_pending") throw error;
    await compute(Date.parse(`${error.headers[TRENDS_DAY_HEADER]}T00:00:00Z`) / DAY_MS);
    return run();
  }
}
