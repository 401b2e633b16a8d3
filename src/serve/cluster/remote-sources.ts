/** The live sources as a worker sees them: the primary asks them for all workers. */
import type { Config } from "#config";
import type { LiveSources } from "#live/live-port.ts";
import { sourceOf } from "../live/live-thread.ts";
import { selectSources } from "../live/select-sources.ts";
import type { PrimaryChannel } from "./ipc-protocol.ts";

/** Null if no source is on. */
export function openRemoteSources(config: Config, primary: PrimaryChannel): LiveSources | null {
  const sources = selectSources(config);
  if (sources.length === 0) return null;
  return {
    sourceOf: (operation, platform) => sourceOf(sources, operation, platform),
    ask: (request) => primary.call("askSource", request),
    // The primary reports them.
    status: () => [],
  };
}
