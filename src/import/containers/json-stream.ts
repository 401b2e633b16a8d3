/**
 * Reads JSON of any size. An array at the top level yields a document per element, and so does an array inside a value
 * longer than `splitBytes`; the rest of that value follows as a document in which the array is empty. Values that follow
 * each other without an array around them are read one after the other.
 */
import type { ByteStream } from "./byte-stream.ts";
import type { UnindexedItem } from "./document.ts";
import { type JsonOptions, JsonSplitter } from "./json-splitter.ts";

export async function* readJson(bytes: ByteStream, options: JsonOptions): AsyncGenerator<UnindexedItem[]> {
  const splitter = new JsonSplitter(options);
  for await (const chunk of bytes) {
    splitter.push(chunk);
    for (let hasMore = true; hasMore;) {
      hasMore = splitter.scan();
      yield splitter.take();
    }
  }
  splitter.end();
  yield splitter.take();
}
