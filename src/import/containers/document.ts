/** What a container yields: documents with their place in the file, and the reasons for what it could not yield. */
import type { Refusal } from "#api/refusals.ts";

export type Scalar = string | number | boolean | null;

/** Where an element stood that was taken out of a large value. */
export interface Within {
  /** Member names from the root of the value to the array; positions in outer arrays are written as digits. */
  path: string[];
  /** Scalar members of the enclosing objects that were seen before the array; the innermost wins. */
  scalars: Record<string, Scalar>;
}

export interface Document {
  /** Ordinal within the file, counted over documents and refusals alike: the same bytes give the same numbers. */
  index: number;
  /** 1-based, where the file is one of lines. */
  line?: number;
  kind: "json" | "row" | "text";
  /** Any JSON value; for a row an object of strings keyed by the header; for a text the text. */
  value: unknown;
  /** Unix milliseconds, where the container says so. */
  capturedAt: number | null;
  origin: { url?: string };
  within?: Within;
  /** Paths of arrays that stand empty in this value because their elements were documents of their own, given before. */
  emptied?: string[][];
  /** What is odd about it, though it could be read: a row with too few cells. */
  remark?: string;
}

/** A record that could not be read. The ones after it still come, where its end can be told. */
export interface Refused {
  index: number;
  line?: number;
  refused: Refusal;
}

/** Said once about the file as a whole. */
export interface Note {
  note: string;
}

export type ParsedItem = Document | Refused | Note;

export function isDocument(found: ParsedItem): found is Document {
  return "value" in found;
}

export function isRefused(found: ParsedItem): found is Refused {
  return "refused" in found;
}

/** What the readers of single formats yield, before it is numbered. `skipped` takes a number and says nothing. */
export type Piece =
  | (Omit<Document, "index" | "capturedAt" | "origin"> & Partial<Pick<Document, "capturedAt" | "origin">>)
  | Omit<Refused, "index">
  | Note
  | { skipped: true };

/** Reading again after an interruption: pieces for which this says no need not be built. */
export type Wanted = (ordinal: number) => boolean;
