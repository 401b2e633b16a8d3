/** CSV with a header. Lists are JSON arrays, times ISO 8601 in UTC, unknown values empty. */
import { type CsvWriter, createCsvWriter } from "#domain/csv.ts";
import type { ExportFormat } from "../format.ts";
import type { ExportColumn, ExportRow } from "../kinds.ts";

export const csv: ExportFormat = {
  name: "csv",
  extensions: [".csv"],
  mediaType: "text/csv; charset=utf-8; header=present",
  hasShapes: false,
  async *encode({ columns }, batches, { bom }) {
    const { header, line } = createRowWriter(columns);
    yield `${bom ? "\uFEFF" : ""}${header}`;
    for await (const rows of batches) {
      let lines = "";
      for (const row of rows) lines += line(row);
      yield lines;
    }
  },
};

interface RowWriter extends Pick<CsvWriter, "header"> {
  line: (row: ExportRow) => string;
}

export function createRowWriter(columns: readonly ExportColumn[]): RowWriter {
  const names = columns.map(({ name }) => name);
  const { header, line } = createCsvWriter(names);
  return { header, line: (row) => line(names.map((name) => row[name])) };
}
