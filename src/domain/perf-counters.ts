/** What answers cost, counted where it is done. Tests hold hot operations to their counts: unlike seconds, they repeat. */
export const perfCounters = {
  /** Statements that were run on an embedded store. */
  statements: 0,
  /** Records that were read apart. */
  parsed: 0,
  /** Records that were written out by their shape. */
  drawn: 0,
  /** Characters of answers that were written out for one answer, and not joined from texts. */
  written: 0,
  /** Words that searches looked up in an index: those of a query, and every spelling that was tried. */
  lookups: 0,
  /** Spellings that were made of misspelt words. */
  spellings: 0,
  /** Known words that were read to be compared with a misspelt one. */
  compared: 0,
  /** Bodies that were compressed. */
  compressed: 0,
  /** Static documents that were rendered. */
  rendered: 0,
};
