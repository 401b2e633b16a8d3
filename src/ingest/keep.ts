/** Writes a stream of batches to the store, one transaction each. */
import type { PlatformName } from "#domain/record.ts";
import type { Batch, Writer } from "#store/store.ts";

export async function keep(writer: Writer, batches: Iterable<{ platform: PlatformName; batch: Batch }>): Promise<void> {
  for (const { platform, batch } of batches) await writer.put(platform, batch);
}
