/**
 * The demo data of a first start, generated. The same `now` gives the same data; another one shifts its times, and the
 * ids that contain a time. Every person, business, song and film in it is invented.
 */
import { splitIntoBatches, type PlatformBatch } from "./batches.ts";
import { longvideoWorld } from "./longvideo.ts";
import { photoshareWorld } from "./photoshare.ts";
import { shortvideoWorld } from "./shortvideo.ts";

/** Where a service with default settings serves its pictures. */
const DEFAULT_BASE = "http://127.0.0.1:8080";

/** `now` in Unix milliseconds; all times are counted back from the start of its hour. Pictures are at `base`. */
export function* demoWorld(now: number, base = DEFAULT_BASE): Generator<PlatformBatch> {
  yield* splitIntoBatches("shortvideo", shortvideoWorld(now, base));
  yield* splitIntoBatches("longvideo", longvideoWorld(now, base));
  yield* splitIntoBatches("photoshare", photoshareWorld(now, base));
}
