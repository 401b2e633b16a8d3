/** Numbers of records of each kind, in words. */
const WORDS = [
  ["account", "account", "accounts"],
  ["post", "post", "posts"],
  ["comment", "comment", "comments"],
  ["sound", "sound", "sounds"],
  ["hashtag", "hashtag", "hashtags"],
  ["place", "place", "places"],
  ["subtitles", "subtitle track", "subtitle tracks"],
  ["follow", "follow", "follows"],
  ["chart", "chart entry", "chart entries"],
  ["history", "point of counters", "points of counters"],
  ["mention", "mention by others", "mentions by others"],
  ["file", "file name in the import history", "file names in the import history"],
] as const;

type Counted = (typeof WORDS)[number][0];

export function formatCounts(counts: Partial<Record<Counted, number>>): string {
  const parts = WORDS.flatMap(([kind, one, many]) => {
    const count = counts[kind] ?? 0;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  return parts.length === 0 ? "nothing" : parts.join(", ");
}
