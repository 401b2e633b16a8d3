/** Helpers for byte streams. All are lazy, keep back-pressure, and close their source when left early. */
import type { Refusal } from "#api/refusals.ts";
import { UnreadableError, toUnreadableError } from "./unreadable-error.ts";

export type ByteStream = AsyncIterable<Buffer>;

export interface PeekedStream {
  /** The first bytes: at least as many as requested, unless the stream is shorter. */
  head: Buffer;
  /** Whether `head` is the whole stream. */
  isWhole: boolean;
  /** The whole stream, including the head. */
  bytes: ByteStream;
  /** Closes the source without reading the rest. */
  close: () => Promise<void>;
}

/** Reads the beginning of a stream without consuming it. */
export async function peek(source: ByteStream, atLeast: number): Promise<PeekedStream> {
  const iterator = source[Symbol.asyncIterator]();
  const chunks: Buffer[] = [];
  let length = 0;
  let isWhole = false;
  let failure: UnreadableError | undefined;
  try {
    while (length < atLeast && !isWhole) {
      const next = await iterator.next();
      if (next.done === true) isWhole = true;
      else {
        chunks.push(next.value);
        length += next.value.length;
      }
    }
  } catch (error) {
    // What came before the failure is still worth reading, so it is thrown after the head.
    failure = toUnreadableError(error);
    isWhole = true;
  }
  const [first = Buffer.alloc(0)] = chunks;
  const head = chunks.length > 1 ? Buffer.concat(chunks) : first;
  const close = async (): Promise<void> => {
    await iterator.return?.();
  };

  async function* replay(): AsyncGenerator<Buffer> {
    try {
      if (head.length > 0) yield head;
      if (failure !== undefined) throw failure;
      if (isWhole) return;
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
    } finally {
      await close();
    }
  }
  return { head, isWhole, bytes: replay(), close };
}

export async function* countBytes(source: ByteStream, onBytes: (count: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    onBytes(chunk.length);
    yield chunk;
  }
}

/** The whole stream; throws the refusal if it is longer than the limit. */
export async function readAll(source: ByteStream, limit: number, refusal: Refusal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of source) {
    length += chunk.length;
    if (length > limit) throw new UnreadableError(refusal);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
