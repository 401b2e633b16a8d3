/** A JSON object per line, with the documented columns. Times are ISO 8601 in UTC, unknown values null. */
import type { ExportFormat } from "../format.ts";

export const ndjson: ExportFormat = {
  name: "ndjson",
  extensions: [".ndjson", ".jsonl"],
  mediaType: "application/x-ndjson",
  hasShapes: false,
  async *encode(_kind, batches) {
    for await (const rows of batches) {
      let lines = "";
      for (const row of rows) lines += `${JSON.stringify(row)}\n`;
      yield lines;
    }
  },
};
