import { type Static, Type } from "#api/schema.ts";
import { NullableText, wireObject } from "#api/wire.ts";
import { toIsoTime } from "#domain/time.ts";
import type { Watch } from "#domain/watch.ts";
import { ApiError } from "#errors";
import { formatInterval } from "#domain/parse-interval.ts";

export const WatchShape = wireObject({
  id: Type.String(),
  platform: Type.String(),
  kind: Type.String(),
  target: Type.String(),
  every: Type.String({ description: "Such as `6h`." }),
  state: Type.Enum(["active", "paused"]),
  createdAt: Type.String({ description: "ISO 8601." }),
  nextAt: NullableText,
  lastAt: NullableText,
  lastOutcome: NullableText,
  requests: Type.Integer({ description: "How often it was requested." }),
});

export function toWatchShape(watch: Watch): Static<typeof WatchShape> {
  const { id, platform, kind, target, everyMs, state, createdAt, nextAt, lastAt, lastOutcome, runs } = watch;
  return {
    id,
    platform,
    kind,
    target,
    every: formatInterval(everyMs),
    state,
    createdAt: toIsoTime(createdAt),
    nextAt: state === "paused" ? null : toIsoTime(nextAt),
    lastAt: lastAt === null ? null : toIsoTime(lastAt),
    lastOutcome,
    requests: runs,
  };
}

export function watchNotFound(id: string): ApiError {
  return new ApiError("watch_not_found", `no watch has the id ${id}`);
}
