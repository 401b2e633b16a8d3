/** Splits a platform's demo data into batches; records that others refer to come first. */
import type { PlatformBatch } from "#import/demo-world.ts";
import type { Batch } from "#store/write/port.ts";

const SIZE = 3_000;

export function* splitIntoBatches(platform: string, world: Batch): Generator<PlatformBatch> {
  const { accounts, sounds, hashtags, places, posts, history, comments, subtitles, follows, charts } = world;
  yield* splitKind(platform, accounts, (part) => ({ accounts: part }));
  yield { platform, batch: { ...(sounds && { sounds }), ...(hashtags && { hashtags }), ...(places && { places }) } };
  yield* splitKind(platform, posts, (part) => ({ posts: part }));
  yield* splitKind(platform, history, (part) => ({ history: part }));
  yield* splitKind(platform, comments, (part) => ({ comments: part }));
  yield* splitKind(platform, subtitles, (part) => ({ subtitles: part }));
  yield* splitKind(platform, follows, (part) => ({ follows: part }));
  yield* splitKind(platform, charts, (part) => ({ charts: part }));
}

function* splitKind<Item>(
  platform: string,
  items: Item[] | undefined,
  toBatch: (part: Item[]) => Batch,
): Generator<PlatformBatch> {
  for (let start = 0; start < (items?.length ?? 0); start += SIZE) {
    yield { platform, batch: toBatch((items ?? []).slice(start, start + SIZE)) };
  }
}
