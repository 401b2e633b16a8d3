/** Texts that a spreadsheet would run as formulas have an apostrophe before them in CSV, which a reader removes again. */

/** One that begins with apostrophes itself gets one more: what is read is what was written. */
export const FORMULA = /^'*[=+\-@\t\r]/;
const PROTECTED_FORMULA = /^'+[=+\-@\t\r]/;

export function protectFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

export function unprotectFormula(cell: string): string {
  return PROTECTED_FORMULA.test(cell) ? cell.slice(1) : cell;
}
