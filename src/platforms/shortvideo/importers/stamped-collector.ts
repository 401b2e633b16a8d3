/** A collector for records whose capture time is known from what they came in. */
import type { Collector } from "#contract/importer.ts";

export function stampedCollector(collect: Collector, capturedAt: number | undefined): Collector {
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
