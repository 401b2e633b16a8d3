/**
 * Reads xz with the xz-decompress package (xz-embedded in WebAssembly). One copy of that package decodes one stream at
 * a time: a second one waits until the first has ended, which for an xz inside an xz is never. So each stream borrows a
 * copy of its own, and copies are kept for the next file, since making one costs more than most small files.
 */
import { createRequire } from "node:module";
import { ReadableStream } from "node:stream/web";
import type { Refusal } from "#api/refusals.ts";
import type { Bytes } from "./byte-stream.ts";
import { UnreadableError } from "./unreadable-error.ts";

interface Decoder {
  XzReadableStream: new (compressed: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>;
}

const KEPT_COPIES = 2;
const load = createRequire(import.meta.url);
const idle: Decoder[] = [];

function borrow(): Decoder {
  const kept = idle.pop();
  if (kept !== undefined) return kept;
  const place = load.resolve("xz-decompress");
  delete load.cache[place];
  const copy = load(place) as Decoder;
  delete load.cache[place];
  return copy;
}

/** Numbers of xz-embedded's `enum xz_ret`. */
const REASONS: Record<string, Refusal> = {
  "4": "too_much_memory: its xz dictionary",
  "5": "damaged: it is not an xz file",
  "6": "unsupported_compression: an xz filter or check",
  "7": "damaged",
  "8": "cut_short",
};

export async function* decodeXz(input: Bytes): AsyncGenerator<Buffer> {
  const decoder = borrow();
  const output = new decoder.XzReadableStream(ReadableStream.from<Uint8Array>(input));
  const reader = output.getReader();
  let sound = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (value.length > 0) yield Buffer.from(value.buffer, value.byteOffset, value.length);
    }
    sound = true;
  } catch (error) {
    throw xzFault(error);
  } finally {
    if (sound && idle.length < KEPT_COPIES) idle.push(decoder);
    await reader.cancel().catch(() => undefined);
  }
}

function xzFault(error: unknown): unknown {
  const number = error instanceof Error ? /error code (\d+)/.exec(error.message)?.[1] : undefined;
  if (number !== undefined) return new UnreadableError(REASONS[number] ?? "damaged", error);
  // The package reads past the end of an input that stops between two blocks of its own buffer.
  if (error instanceof TypeError) return new UnreadableError("cut_short", error);
  return error;
}
