/**
 * Generates the demo data that a service started at `now` has. The same `now` gives the same data; another one shifts its
 * times, and the ids that contain a time. Every person, business, song and film in it is invented.
 */
import type { PlatformBatch } from "#import/demo-world.ts";
import { splitIntoBatches } from "./batches.ts";
import { longvideoWorld } from "./longvideo.ts";
import { photoshareWorld } from "./photoshare.ts";
import { shortvideoWorld } from "./shortvideo.ts";

/** `now` in Unix milliseconds; all times are counted back from the start of its hour. Pictures are at `base`. */
export function* demoWorld(now: number, base: string): Generator<PlatformBatch> {
  yield* splitIntoBatches("shortvideo", shortvideoWorld(now, base));
  yield* splitIntoBatches("longvideo", longvideoWorld(now, base));
  yield* splitIntoBatches("photoshare", photoshareWorld(now, base));
}
