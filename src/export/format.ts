/** What a format of exports is. */
import type { Projection } from "#domain/projection.ts";
import type { TableRow } from "#store/tables.ts";
import type { ExportKind, ExportRow } from "./kinds.ts";

export interface ExportBatch {
  rows: ExportRow[];
  /** For each of the rows the row of the table that it comes from. */
  sources: TableRow[];
}

export interface FormatOptions {
  /** Starts CSV with a byte order mark, by which spreadsheets recognise UTF-8. */
  bom: boolean;
  /** The contract's own shape of this kind on a platform; null if it has none. */
  shapeOf: (platform: string) => Projection<never> | null;
}

export interface ExportFormat {
  name: string;
  /** Of a file name, by which the format is chosen. */
  extensions: readonly string[];
  mediaType: string;
  /** Whether it needs the platforms' own objects. */
  usesNative: boolean;
  encode(
    kind: ExportKind,
    batches: AsyncIterable<ExportBatch>,
    options: FormatOptions,
  ): AsyncIterable<string | Uint8Array>;
}
