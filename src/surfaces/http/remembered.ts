/** An answer in the memory of answers: how its bytes lie there, and how they are given again. */
import { type CutText, JSON_TYPE } from "./answer.ts";
import type { Compressed } from "./compression.ts";
import type { Encoding } from "./negotiation.ts";

/** What may be given again, to whoever may read it, while nothing is written and the hour is not over. */
export interface Lasting {
  etag: string;
  /** Its own headers, as they are written to the wire: none of the request, of the caller, or of the form it goes in. */
  lines: string;
  /** The text, or all of it compressed. */
  body: CutText | Compressed;
}

/** Its own lines, then headers of its form and an empty line, then the body: as it goes over the wire. Where it is cut, only lines and body. */
export interface Layout {
  head: string;
  /** In bytes, where the text is cut: of each part. */
  cut: readonly number[] | null;
  /** In bytes, of all. */
  length: number;
}

export function layOut({ lines, body }: Lasting): Layout {
  if ("encoding" in body) {
    const { length } = body.bytes;
    const head = `${lines}content-encoding: ${body.encoding}\r\n${formLines(length)}`;
    return { head, cut: null, length: head.length + length };
  }
  const cut = body.pieces.map((part) => Buffer.byteLength(part));
  const length = cut.reduce((sum, part) => sum + part, 0);
  if (cut.length > 1) return { head: lines, cut, length: lines.length + length };
  const head = lines + formLines(length);
  return { head, cut: null, length: head.length + length };
}

function formLines(length: number): string {
  return `content-type: ${JSON_TYPE}\r\ncontent-length: ${length}\r\n\r\n`;
}

export function writeInto(room: Buffer, { head }: Layout, { body }: Lasting): void {
  let at = room.write(head, "latin1");
  if ("encoding" in body) body.bytes.copy(room, at);
  else for (const part of body.pieces) at += room.write(part, at);
}

/** What is known of an answer whose bytes are kept. */
export interface Kept<Subject> {
  subject: Subject;
  etag: string;
  /** Null where it goes as it is. */
  encoding: Encoding | null;
  linesLength: number;
  headLength: number;
  cut: readonly number[] | null;
  between: CutText["between"];
}

/** Lent: whatever is remembered or looked for next may be written over its bytes. */
export class Remembered<Subject> {
  readonly #kept: Kept<Subject>;
  readonly #bytes: Buffer;

  constructor(kept: Kept<Subject>, bytes: Buffer) {
    this.#kept = kept;
    this.#bytes = bytes;
  }

  get subject(): Subject {
    return this.#kept.subject;
  }

  get etag(): string {
    return this.#kept.etag;
  }

  get encoding(): Encoding | null {
    return this.#kept.encoding;
  }

  /** Of the text, or of what it was compressed to; in bytes. */
  get bodyLength(): number {
    return this.#bytes.length - this.#kept.headLength;
  }

  /** Its own headers. */
  lines(): string {
    return this.#bytes.toString("latin1", 0, this.#kept.linesLength);
  }

  /** From its own headers to its last byte; null where something of the request stands in it. */
  wire(): Buffer | null {
    return this.#kept.cut === null ? this.#bytes : null;
  }

  /** As it was. */
  copy(): Lasting {
    const { etag, encoding, headLength, cut, between } = this.#kept;
    const body = this.#bytes.subarray(headLength);
    const lasting = { etag, lines: this.lines() };
    if (encoding !== null) return { ...lasting, body: { encoding, bytes: Buffer.from(body) } };
    let at = 0;
    const pieces = (cut ?? [body.length]).map((length) => body.toString("utf8", at, (at += length)));
    return { ...lasting, body: { pieces, between } };
  }
}
