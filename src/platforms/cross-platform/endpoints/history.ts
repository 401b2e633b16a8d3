import { Type } from "#api/schema.ts";
import { endpoint, latestCapture, type PlatformStore, type CrossPlatformContext } from "#api/endpoint.ts";
import { choiceParameter, dayParameter, textParameter } from "#api/parameters.ts";
import { nullable, Text, wireObject } from "#api/wire.ts";
import { withoutLikesGiven } from "#domain/account.ts";
import { platformId } from "#domain/provisional-id.ts";
import type { CounterPoint } from "#domain/record.ts";
import { ApiError, type ErrorCode } from "#errors";
import { findAccount, findPost, parseTarget } from "../find-record.ts";
import { resolvePlatform, PlatformParameter } from "../platform-parameter.ts";
import { CounterGrowth, HistoryPoint, toCounterGrowth, toHistoryPoint } from "../shapes/history-point.ts";

const KINDS = ["account", "post", "sound", "hashtag"] as const;
type Kind = (typeof KINDS)[number];

export const History = wireObject({
  platform: Text,
  kind: Type.Enum([...KINDS]),
  id: nullable(Type.String({ description: "The platform's own id; for a hashtag, its normalized name." })),
  name: nullable(Type.String({ description: "Name of the account or hashtag, or title of the post or sound." })),
  points: Type.Array(HistoryPoint),
  truncated: Type.Boolean({ description: "True if older points of the period were left out." }),
  growth: CounterGrowth,
});

const MAX_POINTS = 1_000;

export const history = endpoint({
  method: "GET",
  path: "history",
  summary: "History of a record's counters",
  description:
    "Returns the captured counters of one record over time, oldest first, and their growth. There is one point for each capture whose counters differ from the previous one. Returns at most the newest 1,000 points of the period; `truncated` is true if there are older ones, and `growth` covers only the returned points. A counter that a capture did not include is omitted from its point.",
  cost: "list",
  input: Type.Object({
    platform: PlatformParameter,
    kind: choiceParameter(KINDS, { description: "Kind of the record." }),
    id: textParameter(
      "Id of the record, or its URL on the platform's site. Accounts can also be given by name, with or without `@`; hashtags by name, with or without `#`.",
      { maxLength: 2_048 },
    ),
    since: dayParameter("First day (UTC) of the period, such as `2026-11-01`."),
    until: dayParameter("End of the period (UTC), exclusive: the day after its last."),
  }),
  output: History,
  example: { platform: "photoshare", kind: "account", id: "luna.marchetti" },

  async handle(ctx: CrossPlatformContext, { platform: platformName, kind, id, since, until }) {
    const { platform, store } = resolvePlatform(ctx, platformName);
    const found = await findRecord(ctx, { platform, store }, kind, id);
    if (found === null) throw new ApiError(NOT_FOUND[kind], `${kind} ${id} not found`);
    const { record, name } = found;
    const within = await store.listCounters(kind, record.id, {
      ...(since !== undefined && { since: startOf(since) }),
      ...(until !== undefined && { until: startOf(until) }),
      limit: MAX_POINTS + 1,
    });
    const points: CounterPoint[] = within
      .slice(-MAX_POINTS)
      .map((point) => (kind === "account" ? { ...point, counters: withoutLikesGiven(point.counters) } : point));
    return {
      lastModified: latestCapture([record, ...points]),
      body: {
        platform,
        kind,
        id: platformId(record.id),
        name,
        points: points.map(toHistoryPoint),
        truncated: points.length < within.length,
        growth: toCounterGrowth(points),
      },
    };
  },
});

const NOT_FOUND = {
  account: "account_not_found",
  post: "post_not_found",
  sound: "sound_not_found",
  hashtag: "hashtag_not_found",
} as const satisfies Record<Kind, ErrorCode>;

async function findRecord(
  ctx: CrossPlatformContext,
  { platform, store }: PlatformStore,
  kind: Kind,
  id: string,
): Promise<{ record: { id: string; capturedAt: number }; name: string | null } | null> {
  switch (kind) {
    case "account": {
      const record = await findAccount(ctx, { platform, store }, "id", id);
      return record && { record, name: record.name };
    }
    case "post": {
      const record = await findPost(ctx, { platform, store }, id);
      return record && { record, name: record.title };
    }
    case "sound": {
      const record = await store.getSound(parseTarget(ctx, platform, "id", "sound", id)?.id ?? id);
      return record && { record, name: record.title };
    }
    case "hashtag": {
      const record = await store.getHashtag(parseTarget(ctx, platform, "id", "hashtag", id)?.name ?? id);
      return record && { record, name: record.name };
    }
  }
}

/** Start of the day in Unix milliseconds. */
function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
