/** Converts any text to UTF-8 without byte order mark and NUL, in chunks that end between characters. */
import { isUtf8 } from "node:buffer";
import { type ByteStream, peek } from "./byte-stream.ts";

const INVALID_UTF8 = "some bytes are not UTF-8; they were replaced";

export async function* toUtf8(source: ByteStream, note: (text: string) => void): AsyncGenerator<Buffer> {
  const { head, bytes, close } = await peek(source, 3);
  try {
    if (head[0] === 0xff && head[1] === 0xfe) yield* fromUtf16("utf-16le", bytes);
    else if (head[0] === 0xfe && head[1] === 0xff) yield* fromUtf16("utf-16be", bytes);
    else yield* fromUtf8(bytes, head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0, note);
  } finally {
    await close();
  }
}

async function* fromUtf16(encoding: string, bytes: ByteStream): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of bytes) yield removeNul(Buffer.from(decoder.decode(chunk, { stream: true })));
  yield removeNul(Buffer.from(decoder.decode()));
}

async function* fromUtf8(bytes: ByteStream, bomLength: number, note: (text: string) => void): AsyncGenerator<Buffer> {
  let skip = bomLength;
  let incomplete: Buffer = Buffer.alloc(0);
  let isNoted = false;
  const toValid = (chunk: Buffer): Buffer => {
    if (isUtf8(chunk)) return removeNul(chunk);
    if (!isNoted) note(INVALID_UTF8);
    isNoted = true;
    return removeNul(Buffer.from(chunk.toString("utf8")));
  };
  for await (const input of bytes) {
    const text = skip > 0 ? input.subarray(skip) : input;
    skip = Math.max(0, skip - input.length);
    const chunk = incomplete.length === 0 ? text : Buffer.concat([incomplete, text]);
    const end = chunk.length - incompleteLength(chunk);
    incomplete = chunk.subarray(end);
    if (end > 0) yield toValid(chunk.subarray(0, end));
  }
  if (incomplete.length > 0) yield toValid(incomplete);
}

/** The number of bytes at the end that start a character which continues in the next chunk. */
function incompleteLength(chunk: Buffer): number {
  for (let back = 1; back <= Math.min(3, chunk.length); back++) {
    const byte = chunk[chunk.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > back ? back : 0;
    }
  }
  return 0;
}

function removeNul(chunk: Buffer): Buffer {
  return chunk.includes(0) ? (chunk.filter((byte) => byte !== 0) as Buffer) : chunk;
}
