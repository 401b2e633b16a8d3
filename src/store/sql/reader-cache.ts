/** Creates each reader once: one per platform and render mode. */
import type { RenderMode } from "#domain/projection.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Natives } from "#store/records/port.ts";
import type { Reader } from "#store/store.ts";
import type { Store } from "#store/store.ts";

export function cacheReaders(create: (platform: PlatformName, mode: RenderMode) => Reader): Store["reader"] {
  const readers = new Map<string, unknown>();
  return <N extends Natives>(platform: PlatformName, mode: RenderMode = "object"): Reader<N> => {
    const key = `${platform} ${mode}`;
    if (!readers.has(key)) readers.set(key, create(platform, mode));
    // The native types are a promise of the importers, which the store does not check.
    return readers.get(key) as Reader<N>;
  };
}
