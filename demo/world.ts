/**
 * The demo data of a first start, generated. The same `now` gives the same data; another one shifts its times and nothing
 * else. Every person, business, song and film in it is invented.
 */
import { splitIntoBatches, type PlatformBatch } from "./batches.ts";
import { longvideoWorld } from "./longvideo.ts";
import { photoshareWorld } from "./photoshare.ts";
import { shortvideoWorld } from "./shortvideo.ts";

/** `now` in Unix milliseconds; all times are counted back from the start of its hour. */
export function* demoWorld(now: number): Generator<PlatformBatch> {
  yield* splitIntoBatches("shortvideo", shortvideoWorld(now));
  yield* splitIntoBatches("longvideo", longvideoWorld(now));
  yield* splitIntoBatches("photoshare", photoshareWorld(now));
}
