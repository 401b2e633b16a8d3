/** Shared parts of the three rankings. Their envelope `{code, msg, request_id, data}` differs from other endpoints'. */
import { type TSchema, Type } from "#api/schema.ts";
import type { Paging, RequestContext } from "#api/endpoint.ts";
import { CountryParameter, integerParameter } from "#api/parameters.ts";
import { AsOfParameter, resolveAsOf } from "#api/rankings.ts";
import { Flag, Integer, Text, Timestamp, VolatileText, wireObject } from "#api/wire.ts";
import { Approximate } from "#domain/approximate.ts";
import type { Trend, TrendRequest } from "#store/trends/port.ts";

export const TrendParameters = {
  country: CountryParameter,
  period: Type.Enum([7, 30, 120], {
    default: 7,
    description: "Days to look back, including today (UTC): 7, 30 or 120.",
  }),
  as_of: AsOfParameter,
  basis: Type.Optional(
    Type.Enum(["measured"], { description: "`measured` leaves out gains that are estimated from one capture." }),
  ),
  page: integerParameter({ minimum: 1, maximum: 1000, default: 1, description: "Page number." }),
  limit: integerParameter({ minimum: 1, maximum: 50, default: 20, description: "Entries per page." }),
};

interface TrendInput {
  country?: string;
  period: TrendRequest["days"];
  as_of?: string;
  basis?: "measured";
  page: number;
  limit: number;
}

export function trendEnvelope<Data extends TSchema>(data: Data) {
  return wireObject({ code: Integer, msg: Text, request_id: VolatileText, data });
}

export const TrendPagination = wireObject({ page: Integer, size: Integer, total: Integer, has_more: Flag });

/** `items` names the list in `data`. */
export function trendPages(items: string): Paging {
  const next = { page: "data.pagination.page" };
  return { items: `data.${items}`, next, more: "data.pagination.has_more", increment: true };
}

export const TrendSeries = Type.Array(wireObject({ time: Timestamp, value: Integer }), {
  description: "Views gained, for each day with a capture; empty for an estimate.",
});

export const RankDiffType = Type.Integer({
  description:
    "1 up, 2 unchanged, 3 down, 4 new (not ranked in the previous period); 0 if there is nothing to compare with: nothing was measured in the previous period, or this gain is an estimate.",
});

/** For a field of the contract: an estimate is unknown to clients that prefer null to it. */
export function toMeasured({ measured }: Trend<unknown>, value: number): number | Approximate {
  return measured ? value : new Approximate(value);
}

export function toTrendRequest(
  ctx: Pick<RequestContext, "hour" | "parameterLocation">,
  { country, period, as_of, basis, page, limit }: TrendInput,
): TrendRequest {
  return {
    country: country ?? null,
    days: period,
    asOf: resolveAsOf(ctx, as_of),
    measuredOnly: basis === "measured",
    offset: (page - 1) * limit,
    limit,
  };
}

export function toRankDiff({ rank, previousRank }: Trend<unknown>): {
  rank_diff: number | null;
  rank_diff_type: number | null;
} {
  if (previousRank === null) return { rank_diff: null, rank_diff_type: null };
  if (previousRank === "new") return { rank_diff: null, rank_diff_type: 4 };
  const diff = previousRank - rank;
  return { rank_diff: Math.abs(diff), rank_diff_type: diff > 0 ? 1 : diff < 0 ? 3 : 2 };
}

export function toTrendSeries({ series }: Trend<unknown>) {
  return series.map(({ at, value }) => ({ time: at, value }));
}

export function toTrendPagination({ page, limit }: TrendInput, total: number) {
  return { page, size: limit, total, has_more: page * limit < total };
}
