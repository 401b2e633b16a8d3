/** Merges the pages of all sources of a search into one. Pure. */
import { compareText } from "#domain/compare-text.ts";
import type { PlatformName, SearchKind } from "#domain/record.ts";
import type { Ranked } from "./ranking.ts";
import type { SourceResults } from "./searcher.ts";

export interface MergeableSource {
  platform: PlatformName;
  kind: SearchKind;
  results: Pick<SourceResults, "page" | "stateBefore">;
}

export interface MergedResult<Source extends MergeableSource = MergeableSource> {
  source: Source;
  ranked: Ranked;
  /** Comparable across sources. */
  score: number;
}

/** Taken off for each doubling of a source's results before this one. */
const CROWDING = 0.6;
/** More than words and attention can give. */
const TOP_NAME = 10;

/**
 * By score, but each further result of a source counts for less, so that no platform or kind fills the page alone. The
 * account, hashtag, sound or place whose name is the query comes first, the best of each source. Equal scores have a
 * stable order: by platform, kind and id.
 */
export function mergeSources<Source extends MergeableSource>(
  sources: readonly Source[],
  limit: number,
): MergedResult<Source>[] {
  return sources
    .flatMap((source) => {
      const { page, stateBefore } = source.results;
      return page.map((ranked, index) => {
        const place = stateBefore.returned.length + index;
        const bonus = place === 0 && ranked.isWholeName ? TOP_NAME : 0;
        return { source, ranked, score: ranked.score + bonus - CROWDING * Math.log2(1 + place) };
      });
    })
    .toSorted((a, b) => b.score - a.score || compareKeys(a, b))
    .slice(0, limit);
}

function compareKeys(a: MergedResult, b: MergedResult): number {
  return (
    compareText(a.source.platform, b.source.platform) ||
    compareText(a.source.kind, b.source.kind) ||
    compareText(a.ranked.document.id, b.ranked.document.id)
  );
}
