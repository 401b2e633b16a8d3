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

/** Of which charts to list days or ranks; without a country or section, of all. */
export interface ChartFilter {
  country?: string | undefined;
  section?: string | undefined;
  /** The last day, such as 2026-03-01. */
  until?: string | undefined;
}

/** The days for which a chart is stored, oldest first. */
export interface ChartDays extends Pick<Chart, "country" | "section"> {
  days: string[];
}

/** A post's place in one chart. */
export interface ChartRank extends Pick<Chart, "country" | "section" | "day">, Provenance {
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
