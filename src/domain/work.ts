/** What answers cost, counted where it is done. Tests hold hot operations to their counts: unlike seconds, they repeat. */
export const work = {
  /** Statements that were run on an embedded store. */
  statements: 0,
  /** Records that were read apart. */
  parsed: 0,
  /** Records that were written out by their shape. */
  drawn: 0,
  /** Characters of answers that were written out for one answer, and not joined from texts. */
  written: 0,
};
