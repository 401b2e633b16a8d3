/** For formats that write the time of capture around the object: gives it to each record that does not say its own. */
import type { Collector } from "#api/importer.ts";

export function withCaptureTime(collect: Collector, capturedAt: number | undefined): Collector {
  if (capturedAt === undefined) return collect;
  return {
    ...collect,
    account: (found) => collect.account({ capturedAt, ...found }),
    post: (found) => collect.post({ capturedAt, ...found }),
    comment: (found) => collect.comment({ capturedAt, ...found }),
    sound: (found) => collect.sound({ capturedAt, ...found }),
    hashtag: (found) => collect.hashtag({ capturedAt, ...found }),
    place: (found) => collect.place({ capturedAt, ...found }),
  };
}
