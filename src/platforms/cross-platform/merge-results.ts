/** From what each source found to one list: one reading of the query, one order. Pure. */
import { withReturned } from "#domain/search-state.ts";
import type { SearchResults, Hit } from "#store/store.ts";
import type { Source } from "./search-session.ts";

export interface SourceResults {
  source: Source;
  findings: SearchResults;
}

export interface RankedHit {
  from: SourceResults;
  hit: Hit;
}

/**
 * Sources correct spelling each for itself. What matches as typed comes alone, if there is any; else what matches the
 * spelling of the best match. So no answer mixes two readings, and what found nothing is not asked for the next page.
 */
export function withOneSpelling(answered: readonly SourceResults[]): SourceResults[] {
  const found = answered.filter(({ findings }) => findings.hits.length > 0);
  const asTyped = found.filter(({ findings }) => findings.corrected === null);
  if (asTyped.length > 0) return asTyped;
  const spelling = bestOf(found, 1)[0]?.from.findings.corrected;
  return found.filter(({ findings }) => findings.corrected === spelling);
}

/** By score, then by platform, kind and id, so that equal scores have one order. */
export function bestOf(answered: readonly SourceResults[], limit: number): RankedHit[] {
  return answered
    .flatMap((from) => from.findings.hits.map((hit) => ({ from, hit })))
    .toSorted((a, b) => b.hit.score - a.hit.score || compare(placeOf(a), placeOf(b)))
    .slice(0, limit);
}

/** The sources after these were shown. */
export function sourcesAfter(answered: readonly SourceResults[], shown: readonly RankedHit[]): Source[] {
  const docs = Map.groupBy(shown, ({ from }) => from);
  return answered.map((from) => ({
    ...from.source,
    state: withReturned(
      from.findings.state,
      (docs.get(from) ?? []).map(({ hit }) => hit.doc),
    ),
  }));
}

function placeOf({ from: { source }, hit }: RankedHit): string[] {
  return [source.platform, source.kind, ...identityOf(hit)];
}

/** Comments and subtitles are known within their post. */
function identityOf(hit: Hit): string[] {
  if (hit.kind === "subtitle") return [hit.record.postId, hit.record.language, String(hit.record.automatic)];
  return hit.kind === "comment" ? [hit.record.postId, hit.record.id] : [hit.record.id];
}

function compare(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? 0 : (a[at] ?? "") < (b[at] ?? "") ? -1 : 1;
}
