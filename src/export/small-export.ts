/** The first rows of an export as CSV text of a limited length, for clients that take no files. */
import { invalidInBody } from "#errors";
import type { PlatformName } from "#domain/record.ts";
import { whyNotWhere } from "./check-where.ts";
import { createRowWriter, csv } from "./formats/csv.ts";
import { EXPORT_KINDS } from "./kinds.ts";
import { type ExportAccess, readExport } from "./read-export.ts";

export interface SmallExportRequest {
  kind: string;
  platforms: readonly PlatformName[];
  /** A query of docs/search.md; null for all. */
  where: string | null;
  maxLength: number;
}

export interface SmallExport {
  csv: string;
  rows: number;
  /** Whether these are all rows. */
  isComplete: boolean;
}

/** A query that matches little reads the whole table: an export to a file is the better choice then. */
const TIMEOUT_MS = 10_000;

export async function exportSmall(
  access: ExportAccess,
  actor: string,
  { kind: name, platforms, where, maxLength }: SmallExportRequest,
  timeoutMs = TIMEOUT_MS,
): Promise<SmallExport> {
  const kind = EXPORT_KINDS.find((candidate) => candidate.name === name);
  if (kind === undefined) {
    throw invalidInBody("kind", `must be one of ${EXPORT_KINDS.map((candidate) => candidate.name).join(", ")}`);
  }
  const problem = whyNotWhere(kind, where);
  if (problem !== null) throw invalidInBody("where", problem);
  const { header, line: toLine } = createRowWriter(kind.columns);
  const deadline = performance.now() + timeoutMs;
  const chosen = { kind, format: csv, platforms, where, bom: false, pseudonyms: null, shapeOf: () => null };
  const table = await readExport(access, chosen, async (exported): Promise<SmallExport> => {
    const result = { csv: header, rows: 0 };
    for await (const rows of exported.rows()) {
      for (const row of rows) {
        const line = toLine(row);
        if (result.csv.length + line.length > maxLength) return { ...result, isComplete: false };
        result.csv += line;
        result.rows++;
      }
      if (performance.now() > deadline) return { ...result, isComplete: false };
    }
    return { ...result, isComplete: true };
  });
  await access.recordExport(actor, chosen, table.rows);
  return table;
}
