/** Runs watches for as long as the service runs. */
import { randomUUID } from "node:crypto";
import type { PlatformName } from "#domain/record.ts";
import { WATCHABLE } from "#platforms/registry.ts";
import type { Watches } from "#store/watches/port.ts";
import { WatchScheduler } from "#watches/watch-scheduler.ts";
import type { WatchRequest } from "#watches/watch-source.ts";
import type { LiveSources } from "#live/live-port.ts";
import { repeat } from "./repeat.ts";

/** The shortest time between two watches of a source. */
const TICK_MS = 5_000;
/** A request that waits longer for its turn is made at the next time. */
const WITHIN_MS = 60_000;

/** Returns a function that stops it and waits for what is being requested. */
export function startWatchTicks(
  watches: Watches,
  live: Pick<LiveSources, "sourceOf" | "ask">,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const source = {
    sourceOf: (operation: string, platform: PlatformName) => live.sourceOf(operation, platform),
    ask: (request: WatchRequest) => live.ask({ ...request, mode: "refresh", withinMs: WITHIN_MS }),
  };
  const scheduler = new WatchScheduler({ watches, source, watchable: WATCHABLE, owner: randomUUID(), clock: Date.now });
  const ticks = repeat({ run: () => scheduler.tick(), everyMs: TICK_MS, firstAfterMs: TICK_MS, onError });
  return () => ticks.stop();
}
