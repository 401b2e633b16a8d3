/** Small moves on streams of bytes. All are lazy, pass back-pressure on, and close their source when left early. */
import type { Refusal } from "#api/refusals.ts";
import { UnreadableError, systemFault } from "./unreadable-error.ts";

export type Bytes = AsyncIterable<Buffer>;

export interface Peeked {
  /** The first bytes: at least as many as asked for, unless the stream is shorter. */
  head: Buffer;
  /** True when `head` is all there is. */
  whole: boolean;
  /** The stream from its beginning, head included. */
  bytes: Bytes;
  /** Closes the source without reading on. */
  close: () => Promise<void>;
}

/** Looks at the beginning of a stream without losing it. */
export async function peek(source: Bytes, atLeast: number): Promise<Peeked> {
  const iterator = source[Symbol.asyncIterator]();
  const chunks: Buffer[] = [];
  let length = 0;
  let whole = false;
  let fault: UnreadableError | undefined;
  try {
    while (length < atLeast && !whole) {
      const next = await iterator.next();
      if (next.done === true) whole = true;
      else {
        chunks.push(next.value);
        length += next.value.length;
      }
    }
  } catch (error) {
    // What came before the fault is still worth reading; the fault is told where it stands.
    fault = systemFault(error);
    whole = true;
  }
  const head = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  const close = async (): Promise<void> => {
    await iterator.return?.();
  };

  async function* replay(): AsyncGenerator<Buffer> {
    try {
      if (head.length > 0) yield head;
      if (fault !== undefined) throw fault;
      if (whole) return;
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
    } finally {
      await close();
    }
  }
  return { head, whole, bytes: replay(), close };
}

/** Counts what passes. */
export async function* counted(source: Bytes, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    count(chunk.length);
    yield chunk;
  }
}

export async function drain(source: Bytes): Promise<void> {
  const iterator = source[Symbol.asyncIterator]();
  while ((await iterator.next()).done !== true);
}

/** Everything in one piece, or a refusal beyond the limit. */
export async function gather(source: Bytes, limit: number, beyond: Refusal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of source) {
    length += chunk.length;
    if (length > limit) throw new UnreadableError(beyond);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
