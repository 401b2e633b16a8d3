import type { Provenance } from "./record.ts";

/** A platform's own ranking of posts for a country, a section and a day. */
export interface Chart extends Provenance {
  /** ISO 3166 alpha-2, upper case. */
  country: string;
  /** The platform's name for it, lower case: `now`, `music`. */
  section: string;
  /** YYYY-MM-DD */
  day: string;
  postIds: string[];
}

/** A day for which a chart is stored. */
export type ChartDay = Pick<Chart, "country" | "section" | "day">;

/** A post's place in one chart. */
export interface ChartRank extends ChartDay, Provenance {
  /** 1 is first. */
  rank: number;
}

/** One entry of a chart, as importers find it. Ranks need not be contiguous. */
export interface ChartEntry extends Provenance {
  country: string;
  section: string;
  day: string;
  rank: number;
  postId: string;
}
