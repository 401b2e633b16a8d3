import assert from "node:assert/strict";
import { test } from "node:test";
import { parquetReadObjects } from "hyparquet";
import { EXPORT_KINDS, type ExportRow } from "../kinds.ts";
import { parquet } from "./parquet.ts";

test("a batch may have more rows than a call takes arguments: tracks have thousands of lines", async () => {
  const rows: ExportRow[] = Array.from({ length: 130_000 }, (_, line) => ({ post_id: "a", line }));
  async function* batches(): AsyncGenerator<ExportRow[]> {
    yield rows;
  }
  const subtitles = EXPORT_KINDS.find(({ name }) => name === "subtitles");
  assert.ok(subtitles !== undefined && !parquet.hasShapes);
  const chunks: Buffer[] = [];
  for await (const chunk of parquet.encode(subtitles, batches(), { bom: false })) chunks.push(Buffer.from(chunk));
  const file = new Uint8Array(Buffer.concat(chunks)).buffer;
  const read = await parquetReadObjects({ file, columns: ["line"], rowStart: rows.length - 1 });
  assert.deepEqual(read, [{ line: 129_999n }]);
});
