/** One JSON document with the records in the contract's own shapes; unknown values are null. */
import type { Projection } from "#domain/projection.ts";
import type { ExportFormat } from "../format.ts";
import { recordOf } from "../kinds.ts";

export const json: ExportFormat = {
  name: "json",
  extensions: [".json"],
  mediaType: "application/json",
  usesNative: true,
  async *encode(kind, batches, { shapeOf }) {
    yield `{"kind":"${kind.name}","items":[`;
    let count = 0;
    for await (const { rows, sources } of batches) {
      let items = "";
      for (const [index, source] of sources.entries()) {
        const platform = source[0] as string;
        const shape = shapeOf(platform) as Projection<object> | null;
        const item = shape === null ? rows[index] : { platform, item: shape.project(recordOf(source)) };
        items += `${count++ === 0 ? "" : ","}\n${JSON.stringify(item)}`;
      }
      yield items;
    }
    // A document that was cut off is not valid JSON.
    yield `\n],"rows":${count}}\n`;
  },
};
