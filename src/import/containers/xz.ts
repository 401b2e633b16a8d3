/**
 * Reads xz with the xz-decompress package (xz-embedded in WebAssembly). One instance of that package decodes one stream
 * at a time: a second stream waits for the first, which for an xz inside an xz is a deadlock. So each stream uses its own
 * instance, and idle instances are pooled, since creating one costs more than decoding most small files.
 */
import { createRequire } from "node:module";
import { ReadableStream } from "node:stream/web";
import type { Refusal } from "#api/refusals.ts";
import type { ByteStream } from "./byte-stream.ts";
import { UnreadableError } from "./unreadable-error.ts";

interface Decoder {
  XzReadableStream: new (compressed: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>;
}

const MAX_IDLE = 2;
const load = createRequire(import.meta.url);
const idle: Decoder[] = [];

function acquireDecoder(): Decoder {
  const pooled = idle.pop();
  if (pooled !== undefined) return pooled;
  const path = load.resolve("xz-decompress");
  delete load.cache[path];
  const decoder = load(path) as Decoder;
  delete load.cache[path];
  return decoder;
}

/** Codes of xz-embedded's `enum xz_ret`. */
const REFUSALS_BY_CODE: Record<string, Refusal> = {
  "4": "too_much_memory: its xz dictionary",
  "5": "damaged: it is not an xz file",
  "6": "unsupported_compression: an xz filter or check",
  "7": "damaged",
  "8": "cut_short",
};

export async function* decodeXz(input: ByteStream): AsyncGenerator<Buffer> {
  const decoder = acquireDecoder();
  const output = new decoder.XzReadableStream(ReadableStream.from<Uint8Array>(input));
  const reader = output.getReader();
  let isComplete = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (value.length > 0) yield Buffer.from(value.buffer, value.byteOffset, value.length);
    }
    isComplete = true;
  } catch (error) {
    throw convertError(error);
  } finally {
    if (isComplete && idle.length < MAX_IDLE) idle.push(decoder);
    await reader.cancel().catch(() => undefined);
  }
}

function convertError(error: unknown): unknown {
  const number = error instanceof Error ? /error code (\d+)/.exec(error.message)?.[1] : undefined;
  if (number !== undefined) return new UnreadableError(REFUSALS_BY_CODE[number] ?? "damaged", error);
  // The package reads past the end of an input that stops between two blocks of its buffer.
  if (error instanceof TypeError) return new UnreadableError("cut_short", error);
  return error;
}
