/** Merges the pages of all sources of a search into one. Pure. */
import type { PlatformName, SearchKind } from "#domain/record.ts";
import type { Ranked } from "./ranking.ts";
import type { SourceResults } from "./searcher.ts";

export interface MergeableSource {
  platform: PlatformName;
  kind: SearchKind;
  results: Pick<SourceResults, "page">;
}

export interface MergedResult<Source extends MergeableSource = MergeableSource> {
  source: Source;
  ranked: Ranked;
}

/** By score, then by platform, kind and id, so that equal scores have a stable order. */
export function mergeSources<Source extends MergeableSource>(
  sources: readonly Source[],
  limit: number,
): MergedResult<Source>[] {
  return sources
    .flatMap((source) => source.results.page.map((ranked) => ({ source, ranked })))
    .toSorted((a, b) => b.ranked.score - a.ranked.score || compareKeys(keyOf(a), keyOf(b)))
    .slice(0, limit);
}

function keyOf({ source, ranked }: MergedResult): string[] {
  return [source.platform, source.kind, ranked.document.id];
}

function compareKeys(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? 0 : (a[at] ?? "") < (b[at] ?? "") ? -1 : 1;
}
