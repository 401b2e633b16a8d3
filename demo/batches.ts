/** Cuts a platform's world into batches of some thousand records, those first that others refer to. */
import type { Batch } from "#store/writer.ts";

export interface PlatformBatch {
  platform: string;
  batch: Batch;
}

const SIZE = 3_000;

export function* inBatches(platform: string, world: Batch): Generator<PlatformBatch> {
  const { accounts, sounds, hashtags, places, posts, history, comments, subtitles, follows, charts } = world;
  yield* cut(platform, accounts, (part) => ({ accounts: part }));
  yield { platform, batch: { sounds: sounds ?? [], hashtags: hashtags ?? [], places: places ?? [] } };
  yield* cut(platform, posts, (part) => ({ posts: part }));
  yield* cut(platform, history, (part) => ({ history: part }));
  yield* cut(platform, comments, (part) => ({ comments: part }));
  yield* cut(platform, subtitles, (part) => ({ subtitles: part }));
  yield* cut(platform, follows, (part) => ({ follows: part }));
  yield* cut(platform, charts, (part) => ({ charts: part }));
}

function* cut<Item>(
  platform: string,
  items: Item[] | undefined,
  toBatch: (part: Item[]) => Batch,
): Generator<PlatformBatch> {
  for (let start = 0; start < (items?.length ?? 0); start += SIZE) {
    yield { platform, batch: toBatch((items ?? []).slice(start, start + SIZE)) };
  }
}
