/** For formats with the capture time outside the object: sets it on each record that has none of its own. */
import type { Collector } from "#api/importer.ts";

export function withCaptureTime(collect: Collector, capturedAt: number | undefined): Collector {
  if (capturedAt === undefined) return collect;
  /** Theirs may be there and undefined; null is an unknown time. */
  const timed = <Observed extends { capturedAt?: number | null | undefined }>(observed: Observed) => ({
    ...observed,
    capturedAt: observed.capturedAt === undefined ? capturedAt : observed.capturedAt,
  });
  return {
    ...collect,
    account: (observed) => collect.account(timed(observed)),
    post: (observed) => collect.post(timed(observed)),
    comment: (observed) => collect.comment(timed(observed)),
    sound: (observed) => collect.sound(timed(observed)),
    hashtag: (observed) => collect.hashtag(timed(observed)),
    place: (observed) => collect.place(timed(observed)),
    subtitles: (observed) => collect.subtitles(timed(observed)),
  };
}
