import type { Provenance } from "./record.ts";

/** A platform's own ranking of posts for a country, a section and a day, in its own order. */
export interface Chart extends Provenance {
  /** ISO 3166 alpha-2, upper case. */
  country: string;
  /** In the platform's words, lower case: `now`, `music`. */
  section: string;
  /** YYYY-MM-DD */
  day: string;
  postIds: string[];
}

/** One place of a chart, as importers meet it. Ranks order the chart and need not be dense. */
export interface ChartEntry extends Provenance {
  country: string;
  section: string;
  day: string;
  rank: number;
  postId: string;
}
