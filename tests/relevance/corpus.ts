/** All that the judged queries are asked of: some hundred needles among thousands of posts of noise. */
import type { Batch } from "#store/write/port.ts";
import { arabicHebrewNeedles, arabicHebrewQueries } from "./arabic-hebrew.ts";
import { eastAsianNeedles, eastAsianQueries } from "./chinese-japanese-korean.ts";
import { cyrillicGreekNeedles, cyrillicGreekQueries } from "./cyrillic-greek.ts";
import { devanagariThaiNeedles, devanagariThaiQueries } from "./devanagari-thai.ts";
import { englishNeedles, englishQueries } from "./english.ts";
import { accentedNeedles, accentedQueries } from "./latin-accents.ts";
import { emojiNeedles, emojiQueries, nameNeedles, nameQueries } from "./names-and-emoji.ts";
import { noise } from "./noise.ts";
import type { Needle, Platform } from "./relevant-doc.ts";
import { orderingNeedles, orderingQueries } from "./ordering.ts";
import { queryLanguageNeedles, queryLanguageQueries } from "./query-language.ts";
import type { JudgedQuery } from "./judged-query.ts";

const NOISE_PER_PLATFORM = 1_650;
const SEED = 20_261_115;

const NEEDLES: readonly Needle[] = [
  ...englishNeedles,
  ...accentedNeedles,
  ...cyrillicGreekNeedles,
  ...arabicHebrewNeedles,
  ...devanagariThaiNeedles,
  ...eastAsianNeedles,
  ...queryLanguageNeedles,
  ...orderingNeedles,
  ...nameNeedles,
  ...emojiNeedles,
];

export const CORPUS_QUERIES: readonly JudgedQuery[] = [
  ...englishQueries,
  ...accentedQueries,
  ...cyrillicGreekQueries,
  ...arabicHebrewQueries,
  ...devanagariThaiQueries,
  ...eastAsianQueries,
  ...queryLanguageQueries,
  ...orderingQueries,
  ...nameQueries,
  ...emojiQueries,
];

/** Half of the noise comes before the needles and half after, so that neither the oldest nor the newest row is right. */
export function corpus(): Needle[] {
  const platforms: Platform[] = ["shortvideo", "longvideo", "photoshare"];
  return platforms.flatMap((platform, index) => {
    const { accounts = [], posts = [], comments = [] } = noise(platform, NOISE_PER_PLATFORM, SEED + index);
    const middle = posts.length / 2;
    return [
      { platform, batch: { accounts, posts: posts.slice(0, middle) } },
      { platform, batch: gathered(NEEDLES.filter((needle) => needle.platform === platform)) },
      { platform, batch: { posts: posts.slice(middle), comments } },
    ];
  });
}

function gathered(needles: readonly Needle[]): Batch {
  const all = needles.map(({ batch }) => batch);
  return {
    accounts: all.flatMap(({ accounts = [] }) => accounts),
    posts: all.flatMap(({ posts = [] }) => posts),
    comments: all.flatMap(({ comments = [] }) => comments),
    sounds: all.flatMap(({ sounds = [] }) => sounds),
    hashtags: all.flatMap(({ hashtags = [] }) => hashtags),
    places: all.flatMap(({ places = [] }) => places),
    subtitles: all.flatMap(({ subtitles = [] }) => subtitles),
  };
}
