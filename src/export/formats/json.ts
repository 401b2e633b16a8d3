/** One JSON document with the records in the contract's own shapes; unknown values are null. */
import type { ExportFormat } from "../format.ts";

export const json: ExportFormat = {
  name: "json",
  extensions: [".json"],
  mediaType: "application/json",
  hasShapes: true,
  async *encode({ name }, batches) {
    yield `{"kind":"${name}","items":[`;
    let count = 0;
    for await (const batch of batches) {
      let items = "";
      for (const item of batch) items += `${count++ === 0 ? "" : ","}\n${JSON.stringify(item)}`;
      yield items;
    }
    // A document that was cut off is not valid JSON.
    yield `\n],"rows":${count}}\n`;
  },
};
