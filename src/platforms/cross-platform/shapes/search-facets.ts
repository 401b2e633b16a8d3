/** Values that the matches of a search have in common, with exact counts or none. */
import { compareText } from "#domain/compare-text.ts";
import { type Static, Type } from "#api/schema.ts";
import { Text, wireObject } from "#api/wire.ts";
import { isProvisional } from "#domain/provisional-id.ts";
import type { PlatformName } from "#domain/record.ts";
import type { SourceFacets } from "#store/search/port.ts";

const count = Type.Optional(
  Type.Integer({ description: "Number of matches; absent if there may be more than were counted." }),
);
const Counts = Type.Array(wireObject({ value: Text, count }));

export const SearchFacets = wireObject(
  {
    platform: Counts,
    kind: Counts,
    author: Type.Array(wireObject({ platform: Text, value: Type.String({ description: "Account id." }), count })),
    hashtag: Type.Array(wireObject({ value: Type.String({ description: "Normalized name, without `#`." }), count })),
    language: Counts,
    month: Type.Array(
      wireObject({ value: Type.String({ description: "Such as `2026-11`, in UTC; newest first." }), count }),
    ),
  },
  {
    description:
      "The 20 values of each that are most frequent among the matches that were counted, and the 20 newest months.",
  },
);

type SearchFacets = Static<typeof SearchFacets>;

const MAX_VALUES = 20;

interface Tally {
  matches: number;
  /** Whether all matches were counted that may have the value. */
  isExact: boolean;
}

type Tallies = Map<string, Tally>;

export function toSearchFacets(sources: readonly SourceFacets[]): SearchFacets {
  const areComplete = (among: readonly SourceFacets[]) => among.every(({ complete }) => complete);
  const ofPlatforms = Map.groupBy(sources, ({ platform }) => platform);
  const ofKinds = Map.groupBy(sources, ({ kind }) => kind);
  const tallyAll = (among: readonly SourceFacets[], facet: "author" | "hashtag" | "language" | "month") =>
    tally(
      among.flatMap((source) => [...source[facet]]),
      areComplete(among),
    );
  const tallyGroups = (groups: ReadonlyMap<string, readonly SourceFacets[]>): Tallies =>
    new Map(
      Array.from(groups, ([value, among]) => [
        value,
        { matches: among.reduce((sum, { counted }) => sum + counted, 0), isExact: areComplete(among) },
      ]),
    );
  return {
    platform: mostFrequent(tallyGroups(ofPlatforms)),
    kind: mostFrequent(tallyGroups(ofKinds)),
    author: mostFrequentAuthors(Array.from(ofPlatforms, ([platform, among]) => [platform, tallyAll(among, "author")])),
    hashtag: mostFrequent(tallyAll(sources, "hashtag")),
    language: mostFrequent(tallyAll(sources, "language")),
    month: newest(tallyAll(sources, "month")),
  };
}

function tally(counts: readonly [value: string, matches: number][], isExact: boolean): Tallies {
  const tallies: Tallies = new Map();
  for (const [value, matches] of counts) {
    const sum = matches + (tallies.get(value)?.matches ?? 0);
    tallies.set(value, { matches: sum, isExact });
  }
  return tallies;
}

function toCount<Value extends object>(value: Value, { matches, isExact }: Tally): Value & { count?: number } {
  return isExact ? { ...value, count: matches } : value;
}

function mostFrequent(tallies: Tallies): { value: string; count?: number }[] {
  return [...tallies]
    .toSorted(byMatches)
    .slice(0, MAX_VALUES)
    .map(([value, counted]) => toCount({ value }, counted));
}

/** Months in the order of time. */
function newest(tallies: Tallies): { value: string; count?: number }[] {
  return [...tallies]
    .toSorted(([a], [b]) => compareText(b, a))
    .slice(0, MAX_VALUES)
    .map(([value, counted]) => toCount({ value }, counted));
}

/** The same id on two platforms means two people. Accounts known only by name have no id to count under. */
function mostFrequentAuthors(platforms: readonly [PlatformName, Tallies][]): SearchFacets["author"] {
  return platforms
    .flatMap(([platform, tallies]) => Array.from(tallies, ([value, counted]) => ({ platform, value, counted })))
    .filter(({ value }) => !isProvisional(value))
    .toSorted((a, b) => byMatches([a.value, a.counted], [b.value, b.counted]) || compareText(a.platform, b.platform))
    .slice(0, MAX_VALUES)
    .map(({ platform, value, counted }) => toCount({ platform, value }, counted));
}

function byMatches([a, one]: [string, Tally], [b, other]: [string, Tally]): number {
  return other.matches - one.matches || compareText(a, b);
}
