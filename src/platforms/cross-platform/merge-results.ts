/** Merges the results of all sources into one ranked list with one spelling of the query. Pure functions. */
import { withReturned } from "#domain/search-state.ts";
import type { SearchResults, Hit } from "#store/search-reader.ts";
import type { Source } from "./search-session.ts";

export interface SourceResults {
  source: Source;
  results: SearchResults;
}

interface RankedHit {
  from: SourceResults;
  hit: Hit;
}

/**
 * Each source corrects the spelling on its own. Keeps the sources that match as typed; if there are none, those that
 * used the best match's correction. So a response never mixes spellings, and empty sources are not searched again.
 */
export function keepOneSpelling(sources: readonly SourceResults[]): SourceResults[] {
  const matching = sources.filter(({ results: findings }) => findings.hits.length > 0);
  const asTyped = matching.filter(({ results: findings }) => findings.corrected === null);
  if (asTyped.length > 0) return asTyped;
  const spelling = rankHits(matching, 1)[0]?.from.results.corrected;
  return matching.filter(({ results: findings }) => findings.corrected === spelling);
}

/** By score, then by platform, kind and id, so that equal scores have a stable order. */
export function rankHits(sources: readonly SourceResults[], limit: number): RankedHit[] {
  return sources
    .flatMap((from) => from.results.hits.map((hit) => ({ from, hit })))
    .toSorted((a, b) => b.hit.score - a.hit.score || compareKeys(tieBreaker(a), tieBreaker(b)))
    .slice(0, limit);
}

/** The sources' state after the page was returned. */
export function sourcesAfter(sources: readonly SourceResults[], page: readonly RankedHit[]): Source[] {
  const docs = Map.groupBy(page, ({ from }) => from);
  return sources.map((from) => ({
    ...from.source,
    state: withReturned(
      from.results.state,
      (docs.get(from) ?? []).map(({ hit }) => hit.doc),
    ),
  }));
}

function tieBreaker({ from: { source }, hit }: RankedHit): string[] {
  return [source.platform, source.kind, ...identify(hit)];
}

/** Comments and subtitles are unique within their post. */
function identify(hit: Hit): string[] {
  if (hit.kind === "subtitle") return [hit.record.postId, hit.record.language, String(hit.record.automatic)];
  return hit.kind === "comment" ? [hit.record.postId, hit.record.id] : [hit.record.id];
}

function compareKeys(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? 0 : (a[at] ?? "") < (b[at] ?? "") ? -1 : 1;
}
