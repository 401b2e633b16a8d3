/**
 * Tables: a header row, then rows as objects of strings. Papa Parse reads the rows; what is here keeps a lost quote from
 * swallowing the file, a cut file from losing its whole rows, and a long row from filling the memory.
 */
import Papa from "papaparse";
import type { Refusal } from "#api/refusals.ts";
import type { Bytes } from "./byte-stream.ts";
import type { Piece, Wanted } from "./document.ts";
import { type SizeLimits, sizeText } from "./size-limits.ts";

export interface TableReading {
  limits: SizeLimits;
  wanted: Wanted;
  separator: string;
}

/** What Papa Parse's low-level parser answers. */
interface Parsed {
  data: string[][];
  errors: { code: string; row: number }[];
  meta: { cursor: number };
}

export async function* readTable(bytes: Bytes, { limits, wanted, separator }: TableReading): AsyncGenerator<Piece[]> {
  let pending = "";
  let waitFor = 0;
  let newline: "\n" | "\r" | undefined;
  let header: string[] | null = null;
  let line = 1;
  let ordinal = 0;

  function rows(last: boolean): Piece[] {
    const found: Piece[] = [];
    newline ??= newlineOf(pending);
    const parsed = parseRows(pending, separator, newline, !last);
    const odd = new Map(parsed.errors.map((error) => [error.row, error.code]));
    const lines = rowLines(parsed.data, line, newline);
    for (const [at, cells] of parsed.data.entries()) {
      const end = cells.length - 1;
      if (cells[end]!.endsWith("\r")) cells[end] = cells[end]!.slice(0, -1);
      if (cells.length === 1 && cells[0]!.trim() === "") continue;
      if (header === null) header = headerOf(cells);
      else if (!wanted(ordinal++)) found.push({ skipped: true });
      else found.push(rowPiece(header, cells, lines[at]!, odd.get(at)));
    }
    line = lines[parsed.data.length]!;
    pending = last ? "" : pending.slice(parsed.meta.cursor);
    return found;
  }

  for await (const piece of textPieces(bytes)) {
    pending += piece;
    if (pending.length < waitFor) continue;
    yield rows(false);
    if (pending.length > limits.rowBytes) {
      // A quote that never closes: give up its line and take the table up again behind it.
      const end = pending.indexOf(newline ?? "\n");
      const refused: Refusal = `row_too_large: more than ${sizeText(limits.rowBytes)}`;
      yield [wanted(ordinal++) ? { line, refused } : { skipped: true }];
      pending = end === -1 ? "" : pending.slice(end + 1);
      line++;
    }
    // A row that does not end yet is looked at again only when it has doubled.
    waitFor = pending.length * 2;
  }
  if (pending !== "") yield rows(true);
}

/** Rows become garbage as soon as they are read, but only a little at a time lets the engine keep its memory small. */
const PIECE_LENGTH = 32 * 1024;

async function* textPieces(bytes: Bytes): AsyncGenerator<string> {
  for await (const chunk of bytes) {
    const text = chunk.toString("utf8");
    for (let at = 0; at < text.length; at += PIECE_LENGTH) yield text.slice(at, at + PIECE_LENGTH);
  }
}

function parseRows(text: string, delimiter: string, newline: "\n" | "\r", ignoreLastRow: boolean): Parsed {
  return new Papa.Parser({ delimiter, newline }).parse(text, 0, ignoreLastRow) as Parsed;
}

/** A carriage return before a line feed is taken off the last cell instead, so that files which mix both are read. */
function newlineOf(text: string): "\n" | "\r" {
  return text.includes("\n") || !text.includes("\r") ? "\n" : "\r";
}

/** The line on which each row begins, and the one after the last. */
function rowLines(rows: readonly string[][], first: number, newline: string): number[] {
  const lines = [first];
  let line = first;
  for (const cells of rows) {
    line++;
    for (const cell of cells) {
      for (let at = cell.indexOf(newline); at !== -1; at = cell.indexOf(newline, at + 1)) line++;
    }
    lines.push(line);
  }
  return lines;
}

function headerOf(cells: readonly string[]): string[] {
  const names: string[] = [];
  for (const [at, cell] of cells.entries()) {
    const name = cell.trim();
    const fit = name === "" || name === "__proto__" ? `column ${at + 1}` : name;
    names.push(names.includes(fit) ? `${fit} (${at + 1})` : fit);
  }
  return names;
}

function rowPiece(header: readonly string[], cells: readonly string[], line: number, fault: string | undefined): Piece {
  const value: Record<string, string> = {};
  const length = Math.min(header.length, cells.length);
  for (let at = 0; at < length; at++) value[header[at]!] = cells[at]!;
  const piece: Piece = { kind: "row", line, value };
  if (fault === "MissingQuotes") piece.remark = "a quote in it is not closed: the file may have been cut";
  else if (fault !== undefined) piece.remark = "its quotes do not fit";
  if (cells.length !== header.length) {
    piece.remark ??= `the row has ${cells.length} cells, the header ${header.length}`;
    for (let at = header.length; at < cells.length; at++) value[`column ${at + 1}`] = cells[at]!;
  }
  return piece;
}

const SEPARATORS = [",", ";", "\t", "|"];

/** The separator that splits the first rows most evenly; null where none splits them at all. */
export function separatorOf(head: string, whole: boolean): string | null {
  let best: { separator: string; score: number } | null = null;
  for (const separator of SEPARATORS) {
    const rows = parseRows(head, separator, newlineOf(head), !whole).data.slice(0, 50);
    const filled = rows.filter((cells) => cells.length > 1 || cells[0]?.trim() !== "");
    const columns = filled[0]?.length ?? 0;
    if (columns < 2) continue;
    const even = filled.filter((cells) => cells.length === columns).length / filled.length;
    const score = even * 1000 + columns;
    if (best === null || score > best.score) best = { separator, score };
  }
  return best?.separator ?? null;
}
