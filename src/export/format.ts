/** What a format of exports is. */
import type { ExportKind, ExportRow } from "./kinds.ts";

export interface FormatOptions {
  /** Starts CSV with a byte order mark, by which spreadsheets recognise UTF-8. */
  bom: boolean;
}

interface FormatInfo {
  name: string;
  /** Of a file name, by which the format is chosen. */
  extensions: readonly string[];
  mediaType: string;
}

interface RowFormat extends FormatInfo {
  hasShapes: false;
  encode(
    kind: ExportKind,
    batches: AsyncIterable<ExportRow[]>,
    options: FormatOptions,
  ): AsyncIterable<string | Uint8Array>;
}

/** Has records in the contract's own shapes, which are made of the platforms' own objects. */
interface ShapeFormat extends FormatInfo {
  hasShapes: true;
  encode(kind: ExportKind, batches: AsyncIterable<object[]>): AsyncIterable<string | Uint8Array>;
}

export type ExportFormat = RowFormat | ShapeFormat;
