/**
 * JSON of any size, from bytes in any chunks. An array at the top gives a document per element; so does any array inside
 * a value that has grown past `splitBytes`, and then the rest of that value follows as a skeleton in which the array
 * stands empty. Values that follow each other without an array around them are read one after the other.
 */
import type { Bytes } from "./byte-stream.ts";
import type { Piece } from "./document.ts";
import { type JsonReading, JsonSplitter } from "./json-splitter.ts";

export async function* readJson(bytes: Bytes, reading: JsonReading): AsyncGenerator<Piece[]> {
  const scanner = new JsonSplitter(reading);
  for await (const chunk of bytes) {
    scanner.push(chunk);
    for (let more = true; more;) {
      more = scanner.scan();
      yield scanner.take();
    }
  }
  scanner.end();
  yield scanner.take();
}
