/**
 * CSV (RFC 4180) as every command, route and page writes it. A text that a spreadsheet would run as a formula gets a leading
 * apostrophe, which `import` removes again. Ids are never altered: exports are joined on them.
 */

/** Null and undefined are unknown: an empty cell. A list is a JSON array. */
export type CsvCell = string | number | boolean | readonly string[] | null | undefined;

/** A text that begins with apostrophes itself gets one more, so that a reader gets back what was written. */
const FORMULA = /^'*[=+\-@\t\r]/;
const PROTECTED_FORMULA = /^'+[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\n\r]/;
/** One test instead of two for most texts. */
const FORMULA_OR_QUOTES = /^'*[=+\-@\t\r]|[",\n\r]/;

/** The last part of a column's name: `id`, `post_id`, `author.secUid`, `node.code`. */
const ID_COLUMN = /(?:^|[._]|[a-z](?=[A-Z]))(?:ids?|I[Dd]s?|cid|uid|Uid|pk|code|shortcode)$/;
/** Without another sign or a parenthesis, a spreadsheet has nothing to run. */
const SAFE_ID = /^-[\w-]+$/;

export interface CsvWriter {
  header: string;
  /** A row's cells, in the order of the columns. */
  line: (cells: readonly CsvCell[]) => string;
}

export function createCsvWriter(columns: readonly string[]): CsvWriter {
  const isId = columns.map((name) => ID_COLUMN.test(name));
  return {
    header: `${columns.map((name) => formatCell(name, false)).join(",")}\r\n`,
    line: (cells) => {
      let line = "";
      for (const [index, cell] of cells.entries()) line += `,${formatCell(cell, isId[index] === true)}`;
      return `${line.slice(1)}\r\n`;
    },
  };
}

function formatCell(cell: CsvCell, isId: boolean): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "number" || typeof cell === "boolean") return String(cell);
  const text = typeof cell === "string" ? cell : JSON.stringify(cell);
  if (!FORMULA_OR_QUOTES.test(text)) return text;
  const safe = FORMULA.test(text) && !(isId && SAFE_ID.test(text)) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function unprotectFormula(cell: string): string {
  return PROTECTED_FORMULA.test(cell) ? cell.slice(1) : cell;
}
