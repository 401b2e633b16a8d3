/** Trending charts of the last days for the long-video platform: every country of the demo data and every section. */
import type { Chart } from "#domain/chart.ts";
import { DAY_S, toIsoDate } from "#domain/time.ts";
import { CITIES } from "./cities.ts";
import { viewsAt } from "./engagement.ts";
import type { Random } from "./random.ts";
import type { PostOutline } from "./post-outlines.ts";
import { SOURCE } from "./scenario.ts";
import type { Language } from "./topics/topic.ts";

interface ChartCandidate {
  id: string;
  outline: PostOutline;
  country: string | null;
}

const COUNTRIES: readonly { country: string; language: Language }[] = [
  ...new Map(CITIES.map(({ country, language }) => [country, { country, language }])).values(),
];

/** The category of a section's videos; null means all. */
const SECTIONS: readonly { section: string; category: string | null }[] = [
  { section: "now", category: null },
  { section: "music", category: "Music" },
  { section: "movies", category: "Film & Animation" },
  { section: "gaming", category: "Gaming" },
];

const DAYS = 5;

export function createCharts(random: Random, hour: number, videos: readonly ChartCandidate[]): Chart[] {
  const charts: Chart[] = [];
  for (let daysAgo = DAYS - 1; daysAgo >= 0; daysAgo--) {
    const ago = daysAgo * DAY_S;
    const day = toIsoDate((hour - ago) * 1_000);
    for (const { section, category } of SECTIONS) {
      const candidates = videos.filter(
        ({ outline }) => outline.age > ago && (category === null || outline.subject.topic.category.name === category),
      );
      for (const { country, language } of COUNTRIES) {
        const ranked = candidates
          .map((video) => ({ id: video.id, score: score(video, ago, country, language) * random.between(0.8, 1.25) }))
          .toSorted((one, other) => other.score - one.score);
        const postIds = ranked.slice(0, random.integer(24, 50)).map(({ id }) => id);
        charts.push({ country, section, day, postIds, capturedAt: (hour - ago) * 1_000, source: SOURCE });
      }
    }
  }
  return charts;
}

/** Views relative to age; the same country and language count more. */
function score({ outline, country }: ChartCandidate, ago: number, here: string, language: Language): number {
  const age = outline.age - ago;
  const pace = viewsAt(outline.engagement, outline.age, ago) / (age / DAY_S + 1.5) ** 0.9;
  return pace * (country === here ? 12 : 1) * (outline.subject.language === language ? 6 : 1);
}
