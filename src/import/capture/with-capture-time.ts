/** For formats with the capture time outside the object: sets it on each record that has none of its own. */
import type { Collector } from "#api/importer.ts";

export function withCaptureTime(collect: Collector, capturedAt: number | undefined): Collector {
  if (capturedAt === undefined) return collect;
  return {
    ...collect,
    account: (observed) => collect.account({ capturedAt, ...observed }),
    post: (observed) => collect.post({ capturedAt, ...observed }),
    comment: (observed) => collect.comment({ capturedAt, ...observed }),
    sound: (observed) => collect.sound({ capturedAt, ...observed }),
    hashtag: (observed) => collect.hashtag({ capturedAt, ...observed }),
    place: (observed) => collect.place({ capturedAt, ...observed }),
    subtitles: (observed) => collect.subtitles({ capturedAt, ...observed }),
  };
}
