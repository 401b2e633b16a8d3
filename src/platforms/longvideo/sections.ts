/** The sections of trending, and the categories of each where no chart by YouTube is stored. */
export const SECTIONS = ["Now", "Music", "Movies", "Gaming"] as const;
export type Section = (typeof SECTIONS)[number];

/** In lower case; null means all categories. */
const CATEGORIES: Record<Section, readonly string[] | null> = {
  Now: null,
  Music: ["music"],
  Movies: ["film & animation", "movies", "short movies", "trailers", "anime/animation"],
  Gaming: ["gaming"],
};

/** YouTube's number of the category whose chart is the section's; null for the chart of all. */
export const SECTION_CATEGORY_IDS: Record<Section, string | null> = {
  Now: null,
  Music: "10",
  Movies: "1",
  Gaming: "20",
};

export function sectionCategories(section: Section): readonly string[] | null {
  return CATEGORIES[section];
}
