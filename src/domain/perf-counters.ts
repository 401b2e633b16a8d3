/** Counts of expensive steps. Tests assert them for hot operations: unlike times, counts are exact. */
export const perfCounters = {
  /** Statements sent to the store. */
  statements: 0,
  /** Records parsed from JSON. */
  recordsParsed: 0,
  /** Records rendered to JSON by a projection. */
  recordsRendered: 0,
  /** Characters of responses that were serialised, not taken from pre-rendered JSON. */
  charactersSerialised: 0,
  /** Words of queries, and every spelling tried for them. */
  searchTermsLookedUp: 0,
  spellingsGenerated: 0,
  /** Known words compared with a misspelt one. */
  wordsCompared: 0,
  bodiesCompressed: 0,
  /** Static assets. */
  assetsRendered: 0,
};
