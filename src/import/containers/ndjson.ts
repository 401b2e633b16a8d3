/** JSON by lines: a broken line is refused with its number, and the next one is read. */
import type { Bytes } from "./byte-stream.ts";
import type { Piece } from "./document.ts";
import { GrowingBuffer } from "./growing-buffer.ts";
import type { JsonReading } from "./json-splitter.ts";
import { sizeText } from "./size-limits.ts";
import { parseJson } from "./parse-json.ts";
import { UnreadableError } from "./unreadable-error.ts";

const NEWLINE = 10;

/** Handing on one by one costs more than reading; handing on all of a chunk costs memory. */
const LINES_AT_ONCE = 32;

export async function* readNdjson(bytes: Bytes, { limits, wanted }: JsonReading): AsyncGenerator<Piece[]> {
  const carried = new GrowingBuffer();
  let carriedBytes = 0;
  let tooLong = false;
  let line = 0;
  let ordinal = 0;

  function read(from: Buffer, start: number, end: number): Piece | null {
    line++;
    while (start < end && from[start]! <= 32) start++;
    while (end > start && from[end - 1]! <= 32) end--;
    if (start === end && !tooLong) return null;
    if (!wanted(ordinal++)) return { skipped: true };
    if (tooLong || end - start > limits.recordBytes) {
      return { line, refused: `record_too_large: a line of more than ${sizeText(limits.recordBytes)}` };
    }
    try {
      return { kind: "json", line, value: parseJson(from.toString("utf8", start, end), limits.jsonDepth) };
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      return { line, refused: error.refusal };
    }
  }

  function keep(chunk: Buffer): void {
    if (tooLong || carriedBytes + chunk.length > limits.recordBytes) tooLong = true;
    if (tooLong) carriedBytes = 0;
    carried.append(tooLong ? EMPTY : chunk, carried.length - carriedBytes);
    carriedBytes = carried.length;
  }

  for await (const chunk of bytes) {
    let start = 0;
    let ready: Piece[] = [];
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      let piece: Piece | null;
      if (carriedBytes > 0 || tooLong) {
        keep(chunk.subarray(start, end));
        piece = read(carried.bytes, 0, carriedBytes);
        carriedBytes = 0;
        tooLong = false;
      } else piece = read(chunk, start, end);
      start = end + 1;
      if (piece !== null) ready.push(piece);
      if (ready.length === LINES_AT_ONCE) {
        yield ready;
        ready = [];
      }
    }
    if (ready.length > 0) yield ready;
    if (start < chunk.length) keep(chunk.subarray(start));
  }
  if (carriedBytes > 0 || tooLong) {
    const piece = read(carried.bytes, 0, carriedBytes);
    if (piece !== null) yield [piece];
  }
}

const EMPTY = Buffer.alloc(0);
