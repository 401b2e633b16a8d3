/** Counts of the values that the matches of a search have in common. */
import { compareText } from "#domain/compare-text.ts";
import { type Static, Type } from "#api/schema.ts";
import { Integer, Text, wireObject } from "#api/wire.ts";
import { isProvisional } from "#domain/provisional-id.ts";
import type { PlatformName } from "#domain/record.ts";
import type { SourceFacets } from "#store/search-reader.ts";

const Counts = Type.Array(wireObject({ value: Text, count: Integer }));

export const SearchFacets = wireObject(
  {
    platform: Counts,
    kind: Counts,
    author: Type.Array(
      wireObject({ platform: Text, value: Type.String({ description: "Account id." }), count: Integer }),
    ),
    hashtag: Type.Array(
      wireObject({ value: Type.String({ description: "Normalized name, without `#`." }), count: Integer }),
    ),
    language: Counts,
    month: Type.Array(
      wireObject({ value: Type.String({ description: "Such as `2026-11`, in UTC." }), count: Integer }),
    ),
  },
  { description: "The 20 most frequent values of each, by count, then by value." },
);

type SearchFacets = Static<typeof SearchFacets>;

const MAX_VALUES = 20;

export function toSearchFacets(sources: readonly SourceFacets[]): SearchFacets {
  const platforms = new Map<string, number>();
  const kinds = new Map<string, number>();
  const authors = new Map<PlatformName, Map<string, number>>();
  const hashtags = new Map<string, number>();
  const languages = new Map<string, number>();
  const months = new Map<string, number>();
  for (const facets of sources) {
    const { platform, kind } = facets;
    addCount(platforms, platform, facets.counted);
    addCount(kinds, kind, facets.counted);
    const ofPlatform = authors.get(platform) ?? new Map<string, number>();
    authors.set(platform, ofPlatform);
    addCounts(ofPlatform, facets.author);
    addCounts(hashtags, facets.hashtag);
    addCounts(languages, facets.language);
    addCounts(months, facets.month);
  }
  return {
    platform: mostFrequent(platforms),
    kind: mostFrequent(kinds),
    author: mostFrequentAuthors(authors),
    hashtag: mostFrequent(hashtags),
    language: mostFrequent(languages),
    month: mostFrequent(months),
  };
}

function addCount(tally: Map<string, number>, value: string, count: number): void {
  if (count > 0) tally.set(value, (tally.get(value) ?? 0) + count);
}

function addCounts(tally: Map<string, number>, counts: ReadonlyMap<string, number>): void {
  for (const [value, count] of counts) addCount(tally, value, count);
}

function mostFrequent(tally: ReadonlyMap<string, number>): { value: string; count: number }[] {
  return [...tally]
    .map(([value, count]) => ({ value, count }))
    .toSorted(byCount)
    .slice(0, MAX_VALUES);
}

/** The same id on two platforms means two people. Accounts known only by name have no id to count under. */
function mostFrequentAuthors(authors: ReadonlyMap<PlatformName, ReadonlyMap<string, number>>): SearchFacets["author"] {
  return [...authors]
    .flatMap(([platform, tally]) => [...tally].map(([value, count]) => ({ platform, value, count })))
    .filter(({ value }) => !isProvisional(value))
    .toSorted((a, b) => byCount(a, b) || compareText(a.platform, b.platform))
    .slice(0, MAX_VALUES);
}

function byCount(a: { value: string; count: number }, b: { value: string; count: number }): number {
  return b.count - a.count || compareText(a.value, b.value);
}
