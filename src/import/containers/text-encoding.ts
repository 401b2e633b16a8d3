/** Any text as UTF-8 without byte order mark and NUL, in chunks that end between characters. */
import { isUtf8 } from "node:buffer";
import { type Bytes, peek } from "./byte-stream.ts";

const WRONG = "some bytes are not UTF-8; they were replaced";

export async function* toUtf8(source: Bytes, note: (text: string) => void): AsyncGenerator<Buffer> {
  const { head, bytes, close } = await peek(source, 3);
  try {
    if (head[0] === 0xff && head[1] === 0xfe) yield* fromUtf16("utf-16le", bytes);
    else if (head[0] === 0xfe && head[1] === 0xff) yield* fromUtf16("utf-16be", bytes);
    else yield* checked(bytes, head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0, note);
  } finally {
    await close();
  }
}

async function* fromUtf16(encoding: string, bytes: Bytes): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of bytes) yield withoutNul(Buffer.from(decoder.decode(chunk, { stream: true })));
  yield withoutNul(Buffer.from(decoder.decode()));
}

async function* checked(bytes: Bytes, mark: number, note: (text: string) => void): AsyncGenerator<Buffer> {
  let skip = mark;
  let rest: Buffer = Buffer.alloc(0);
  let noted = false;
  const sound = (chunk: Buffer): Buffer => {
    if (isUtf8(chunk)) return withoutNul(chunk);
    if (!noted) note(WRONG);
    noted = true;
    return withoutNul(Buffer.from(chunk.toString("utf8")));
  };
  for await (const arrived of bytes) {
    const fresh = skip > 0 ? arrived.subarray(skip) : arrived;
    skip = Math.max(0, skip - arrived.length);
    const chunk = rest.length === 0 ? fresh : Buffer.concat([rest, fresh]);
    const end = chunk.length - unfinished(chunk);
    rest = chunk.subarray(end);
    if (end > 0) yield sound(chunk.subarray(0, end));
  }
  if (rest.length > 0) yield sound(rest);
}

/** How many bytes at the end begin a character that the next chunk goes on with. */
function unfinished(chunk: Buffer): number {
  for (let back = 1; back <= Math.min(3, chunk.length); back++) {
    const byte = chunk[chunk.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > back ? back : 0;
    }
  }
  return 0;
}

function withoutNul(chunk: Buffer): Buffer {
  return chunk.includes(0) ? (chunk.filter((byte) => byte !== 0) as Buffer) : chunk;
}
