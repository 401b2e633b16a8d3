import { Type } from "typebox";
import {
  endpoint,
  latestCapture,
  type PlatformStore,
  parameterError,
  type CrossPlatformContext,
} from "#api/endpoint.ts";
import { choiceParameter, textParameter } from "#api/parameters.ts";
import { nullable, Text, wireObject } from "#api/wire.ts";
import { foldName } from "#domain/folding.ts";
import { platformId } from "#domain/provisional-id.ts";
import type { CounterPoint } from "#domain/record.ts";
import { ApiError, type ErrorCode } from "#errors";
import { chosenPlatform, PlatformParameter } from "../platform-parameter.ts";
import { CounterGrowth, HistoryPoint, toCounterGrowth, toHistoryPoint } from "../shapes/history-point.ts";

const KINDS = ["account", "post", "sound", "hashtag"] as const;
type Kind = (typeof KINDS)[number];

export const History = wireObject({
  platform: Text,
  kind: Type.Enum([...KINDS]),
  id: nullable(Type.String({ description: "As the platform writes it; of a hashtag its folded name." })),
  name: nullable(Type.String({ description: "Name of an account or a hashtag, title of a post or a sound." })),
  points: Type.Array(HistoryPoint),
  truncated: Type.Boolean({ description: "Older points of the period were left out." }),
  growth: CounterGrowth,
});

const MOST_POINTS = 1_000;

const DayParameter = (description: string) =>
  Type.Optional(Type.String({ format: "date", maxLength: 10, description }));

export const history = endpoint({
  method: "GET",
  path: "history",
  summary: "How counters changed from capture to capture",
  description:
    "Every captured state of one record's counters, oldest first, and what they grew by. A point stands where a capture showed other counters than the one before, so a quiet time has no points. At most the newest 1,000 points of the period; `truncated` tells of older ones, and `growth` is counted over the points given. A counter that a capture did not show is left out of its point.",
  cost: "list",
  input: Type.Object({
    platform: PlatformParameter,
    kind: choiceParameter(KINDS, { description: "What it is." }),
    id: textParameter(
      "Its id; for an account also the name, with or without `@`, for a hashtag the name, with or without `#`.",
    ),
    since: DayParameter("First day (UTC) of the period, such as `2026-11-01`."),
    until: DayParameter("The day (UTC) after the last one of the period."),
  }),
  output: History,
  example: { platform: "photoshare", kind: "account", id: "luna.marchetti" },

  async handle(ctx: CrossPlatformContext, { platform: written, kind, id, since, until }) {
    const { platform, store } = chosenPlatform(ctx, written);
    const from = firstMoment(ctx, "since", since) ?? Number.NEGATIVE_INFINITY;
    const to = firstMoment(ctx, "until", until) ?? Number.POSITIVE_INFINITY;
    const { record, name } = await heldRecord(store, kind, id);
    const within = (await store.listCounters(kind, record.id)).filter(
      ({ capturedAt }) => capturedAt >= from && capturedAt < to,
    );
    const points: CounterPoint[] = within.slice(-MOST_POINTS);
    return {
      asOf: latestCapture([record, ...points]),
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

interface HeldRecord {
  record: { id: string; capturedAt: number };
  name: string | null;
}

const NOT_FOUND = {
  account: "account_not_found",
  post: "post_not_found",
  sound: "sound_not_found",
  hashtag: "hashtag_not_found",
} as const satisfies Record<Kind, ErrorCode>;

async function heldRecord(store: PlatformStore["store"], kind: Kind, id: string): Promise<HeldRecord> {
  const held = await findRecord(store, kind, id);
  if (held === null) throw new ApiError(NOT_FOUND[kind], `no ${kind} ${id} is held`);
  return held;
}

async function findRecord(store: PlatformStore["store"], kind: Kind, id: string): Promise<HeldRecord | null> {
  switch (kind) {
    case "account": {
      // An id comes first: names may be made of digits too.
      const record = (await store.getAccount(id)) ?? (await store.getAccountByName(foldName(id)));
      return record && { record, name: record.name };
    }
    case "post": {
      const record = await store.getPost(id);
      return record && { record, name: record.title };
    }
    case "sound": {
      const record = await store.getSound(id);
      return record && { record, name: record.title };
    }
    case "hashtag": {
      const record = await store.getHashtag(id);
      return record && { record, name: record.name };
    }
  }
}

/** Unix milliseconds of the day's beginning; undefined when no day was given. */
function firstMoment(ctx: CrossPlatformContext, parameter: string, day: string | undefined): number | undefined {
  if (day === undefined) return undefined;
  const moment = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  // 30 February is read as a day of March, so the day has to come back as it was written.
  if (!Number.isNaN(moment) && new Date(moment).toISOString().startsWith(day)) return moment;
  throw parameterError(ctx, "invalid_parameter", parameter, "must be a day such as 2026-11-15");
}
