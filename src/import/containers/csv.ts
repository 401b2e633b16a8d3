/**
 * Reads tables: a header row, then rows as objects of strings. Papa Parse splits the rows; the code here stops a missing
 * quote from swallowing the file, keeps the complete rows of a truncated file, and bounds the length of a row.
 */
import Papa from "papaparse";
import type { Refusal } from "#api/refusals.ts";
import type { ByteStream } from "./byte-stream.ts";
import type { IndexFilter, UnindexedItem } from "./document.ts";
import { formatSize, type SizeLimits } from "./size-limits.ts";

export interface TableOptions {
  limits: SizeLimits;
  isWanted: IndexFilter;
  separator: string;
}

/** What Papa Parse's low-level parser returns. */
interface ParsedRows {
  data: string[][];
  errors: { code: string }[];
  meta: { cursor: number };
}

export async function* readTable(
  bytes: ByteStream,
  { limits, isWanted, separator }: TableOptions,
): AsyncGenerator<UnindexedItem[]> {
  let pending = "";
  let retryLength = 0;
  let newline: "\n" | "\r" = "\n";
  let header: string[] | null = null;
  let line = 1;
  let nextIndex = 0;

  function parsePending(isLast: boolean): UnindexedItem[] {
    const items: UnindexedItem[] = [];
    if (header === null) newline = detectNewline(pending);
    const { data, errors, meta } = parseRows(pending, separator, newline, !isLast);
    if (isLast && (hasOpenQuote(errors) || isCutInCell(data.at(-1) ?? []))) {
      // What is left of the cell must not replace the whole text of another capture.
      data.at(-1)?.splice(-1, 1, "");
      items.push({ note: "the last row is cut short: its last cell is left out" });
    }
    for (const cells of data) {
      const item = toItem(cells);
      if (item !== null) items.push(item);
    }
    pending = isLast ? "" : pending.slice(meta.cursor);
    return items;
  }

  /** Null for the header and for an empty row. */
  function toItem(cells: string[]): UnindexedItem | null {
    const rowLine = line;
    line += countLines(cells, newline);
    const lastCell = cells.pop() ?? "";
    cells.push(lastCell.endsWith("\r") ? lastCell.slice(0, -1) : lastCell);
    if (cells.length === 1 && lastCell.trim() === "") return null;
    if (header === null) {
      header = parseHeader(cells);
      return null;
    }
    if (!isWanted(nextIndex++)) return { skipped: true };
    // One of the cells is part of another, so those after it are in wrong columns.
    if (cells.slice(header.length).some((cell) => cell.trim() !== ""))
      return { line: rowLine, refused: `too_many_cells: ${cells.length} instead of ${header.length}` };
    return { kind: "row", line: rowLine, value: toRow(header, cells) };
  }

  function refuseLine(refused: Refusal): UnindexedItem {
    const refusedLine = line++;
    return isWanted(nextIndex++) ? { line: refusedLine, refused } : { skipped: true };
  }

  /** Undefined if a quote is open at its end. */
  function splitLine(text: string): string[] | undefined {
    return parseRows(`${text}${newline}`, separator, newline, true).data[0];
  }

  /**
   * Ends an open quote with its line: of the lines in `pending`, which no quote closes, each is a row or refused by itself.
   * Leaves the last one, which has no newline.
   */
  function* parseLines(refusal: Refusal): Generator<UnindexedItem[]> {
    const lines = pending.split(newline);
    pending = lines.pop() ?? "";
    for (const text of lines) {
      const cells = splitLine(text);
      const item = cells === undefined ? refuseLine(refusal) : toItem(cells);
      if (item !== null) yield [item];
    }
  }

  /** Whether the lines after an open quote have the columns of the table; otherwise they are text that is cut. */
  function isOpenQuoteStray(): boolean {
    if (!hasOpenQuote(parseRows(pending, separator, newline, false).errors)) return false;
    const [, ...lines] = pending.slice(0, pending.lastIndexOf(newline) + 1).split(newline, SAMPLE_LINES);
    const rows = lines.map(splitLine).filter((cells) => cells !== undefined && cells.join("").trim() !== "");
    const even = rows.filter((cells) => cells?.length === header?.length).length;
    return even > 0 && even >= rows.length * 0.9;
  }

  /** Of the last row, which has no newline. A carriage return is the first half of one. */
  function isCutInCell(cells: readonly string[]): boolean {
    return cells.length < (header?.length ?? 0) && pending.trim() !== "" && !pending.endsWith("\r");
  }

  const tooLarge: Refusal = `row_too_large: more than ${formatSize(limits.rowBytes)}`;
  let isTooLong = false;
  for await (const text of textChunks(bytes)) {
    // Of a line that was refused, nothing is left to read.
    const start = isTooLong ? text.indexOf(newline) + 1 : 0;
    if (isTooLong && start === 0) continue;
    pending += text.slice(start);
    isTooLong = false;
    if (pending.length < retryLength) continue;
    yield parsePending(false);
    if (pending.length > limits.rowBytes) {
      yield* parseLines(tooLarge);
      if (pending.length > limits.rowBytes) {
        yield [refuseLine(tooLarge)];
        pending = "";
        isTooLong = true;
      }
    }
    // An incomplete row is parsed again only when it has doubled, so that a long one takes linear time.
    retryLength = pending.length * 2;
  }
  // Leaves the last row, if it has no newline or an open quote.
  yield parsePending(false);
  if (isOpenQuoteStray()) yield* parseLines("quote_not_closed");
  if (pending !== "") yield parsePending(true);
}

/** Lines after an open quote that show whether it is stray. */
const SAMPLE_LINES = 100;

/** Short chunks let the garbage collector free rows early and keep the heap small. */
const CHUNK_LENGTH = 32 * 1024;

async function* textChunks(bytes: ByteStream): AsyncGenerator<string> {
  for await (const chunk of bytes) {
    const text = chunk.toString("utf8");
    for (let start = 0; start < text.length; start += CHUNK_LENGTH) yield text.slice(start, start + CHUNK_LENGTH);
  }
}

function parseRows(text: string, delimiter: string, newline: "\n" | "\r", ignoreLastRow: boolean): ParsedRows {
  return new Papa.Parser({ delimiter, newline }).parse(text, 0, ignoreLastRow) as ParsedRows;
}

function hasOpenQuote(errors: ParsedRows["errors"]): boolean {
  return errors.some(({ code }) => code === "MissingQuotes");
}

/** In files with CRLF the carriage return is cut off the last cell, so that files which mix both are read. */
function detectNewline(text: string): "\n" | "\r" {
  return text.includes("\n") || !text.includes("\r") ? "\n" : "\r";
}

/** The number of lines that a row takes, counting newlines in its cells. */
function countLines(cells: readonly string[], newline: string): number {
  let lines = 1;
  for (const cell of cells) {
    for (let at = cell.indexOf(newline); at !== -1; at = cell.indexOf(newline, at + 1)) lines++;
  }
  return lines;
}

function parseHeader(cells: readonly string[]): string[] {
  const names: string[] = [];
  for (const [column, cell] of cells.entries()) {
    const text = cell.trim();
    const name = text === "" || text === "__proto__" ? defaultName(column) : text;
    names.push(names.includes(name) ? `${name} (${column + 1})` : name);
  }
  return names;
}

function toRow(header: readonly string[], cells: readonly string[]): Record<string, string> {
  const row: Record<string, string> = {};
  for (const [column, name] of header.slice(0, cells.length).entries()) row[name] = cells[column] ?? "";
  return row;
}

function defaultName(column: number): string {
  return `column ${column + 1}`;
}

const SEPARATORS = [",", ";", "\t", "|"];

/** The separator that splits the first rows most evenly; null if none splits them. */
export function detectSeparator(head: string, isWhole: boolean): string | null {
  let best: { separator: string; score: number } | null = null;
  for (const separator of SEPARATORS) {
    const rows = parseRows(head, separator, detectNewline(head), !isWhole).data.slice(0, 50);
    const filled = rows.filter((cells) => cells.length > 1 || cells[0]?.trim() !== "");
    const columns = filled[0]?.length ?? 0;
    if (columns < 2) continue;
    const evenShare = filled.filter((cells) => cells.length === columns).length / filled.length;
    const score = evenShare * 1000 + columns;
    if (best === null || score > best.score) best = { separator, score };
  }
  return best?.separator ?? null;
}
