/** What containers yield: documents with their index in the file, and the reasons for what could not be read. */
import type { Refusal } from "#api/refusals.ts";

export type Scalar = string | number | boolean | null;

/** Where an element of a large array was in its document. */
export interface ElementLocation {
  /** Member names from the root of the value to the array; indexes in outer arrays are written as digits. */
  path: string[];
  /** Scalar members of the enclosing objects that come before the array; the innermost wins. */
  scalars: Record<string, Scalar>;
}

export interface Document {
  /** Ordinal within the file, counting documents and refusals: the same bytes give the same numbers. */
  index: number;
  /** 1-based, for files that are read by lines. */
  line?: number;
  kind: "json" | "row" | "text";
  /** Any JSON value; for a row an object of strings keyed by the header; for a text the text. */
  value: unknown;
  /** Unix milliseconds, where the container says so. */
  capturedAt: number | null;
  origin: { url?: string };
  location?: ElementLocation;
  /** Paths of arrays that are empty in this value because their elements were yielded before as documents. */
  splitPaths?: string[][];
}

/** A record that could not be read. Reading continues after it where its end is known. */
export interface RefusedDocument {
  index: number;
  line?: number;
  refused: Refusal;
}

/** The note on a file without any text. */
export const EMPTY_FILE = "the file is empty";

/** About the file as a whole. */
export interface Note {
  note: string;
}

export type ParsedItem = Document | RefusedDocument | Note;

export function isDocument(item: ParsedItem): item is Document {
  return "value" in item;
}

export function isRefused(item: ParsedItem): item is RefusedDocument {
  return "refused" in item;
}

/** An item before it gets its index. `skipped` uses up an index and is not yielded. */
export type UnindexedItem =
  | (Omit<Document, "index" | "capturedAt" | "origin"> & Partial<Pick<Document, "capturedAt" | "origin">>)
  | Omit<RefusedDocument, "index">
  | Note
  | { skipped: true };

/** For resuming: items whose index it rejects need not be parsed. */
export type IndexFilter = (index: number) => boolean;
