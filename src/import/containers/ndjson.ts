/** Reads NDJSON: a broken line is refused with its number, and reading continues with the next. */
import type { ByteStream } from "./byte-stream.ts";
import type { UnindexedItem } from "./document.ts";
import { GrowingBuffer } from "./growing-buffer.ts";
import type { JsonOptions } from "./json-splitter.ts";
import { parseJson } from "./parse-json.ts";
import { formatSize } from "./size-limits.ts";
import { UnreadableError } from "./unreadable-error.ts";

const NEWLINE = 10;
const SPACE = 32;
const EMPTY = Buffer.alloc(0);

/** Yielding lines one by one is slow; yielding a whole chunk takes memory. */
const BATCH_LINES = 32;

export async function* readNdjson(
  bytes: ByteStream,
  { limits, isWanted }: JsonOptions,
): AsyncGenerator<UnindexedItem[]> {
  /** The line that started in an earlier chunk. */
  const carried = new GrowingBuffer();
  let carriedBytes = 0;
  let isTooLong = false;
  let line = 0;
  let nextIndex = 0;

  function parseLine(buffer: Buffer, lineStart: number, lineEnd: number): UnindexedItem | null {
    line++;
    let start = lineStart;
    let end = lineEnd;
    while (start < end && isBlank(buffer[start])) start++;
    while (end > start && isBlank(buffer[end - 1])) end--;
    if (start === end && !isTooLong) return null;
    if (!isWanted(nextIndex++)) return { skipped: true };
    if (isTooLong || end - start > limits.recordBytes) {
      return { line, refused: `record_too_large: a line of more than ${formatSize(limits.recordBytes)}` };
    }
    try {
      return { kind: "json", line, value: parseJson(buffer.toString("utf8", start, end), limits.jsonDepth) };
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      return { line, refused: error.refusal };
    }
  }

  function carry(chunk: Buffer): void {
    if (carriedBytes + chunk.length > limits.recordBytes) isTooLong = true;
    if (isTooLong) carriedBytes = 0;
    carried.append(isTooLong ? EMPTY : chunk, carried.length - carriedBytes);
    carriedBytes = carried.length;
  }

  for await (const chunk of bytes) {
    let start = 0;
    let items: UnindexedItem[] = [];
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      let item: UnindexedItem | null;
      if (carriedBytes > 0 || isTooLong) {
        carry(chunk.subarray(start, end));
        item = parseLine(carried.bytes, 0, carriedBytes);
        carriedBytes = 0;
        isTooLong = false;
      } else item = parseLine(chunk, start, end);
      start = end + 1;
      if (item !== null) items.push(item);
      if (items.length === BATCH_LINES) {
        yield items;
        items = [];
      }
    }
    if (items.length > 0) yield items;
    if (start < chunk.length) carry(chunk.subarray(start));
  }
  if (carriedBytes > 0 || isTooLong) {
    const item = parseLine(carried.bytes, 0, carriedBytes);
    if (item !== null) yield [item];
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte !== undefined && byte <= SPACE;
}
