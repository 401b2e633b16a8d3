/**
 * Finds where JSON values begin and end in bytes that arrive in any chunks, holding one record at a time, and has
 * JSON.parse build them. Structure is all it looks at: what is wrong inside a record is JSON.parse's to say.
 * Where a value is split depends on the bytes alone, never on the chunks, so ordinals are stable.
 */
import type { Refusal } from "#api/refusals.ts";
import type { Piece, Scalar, Wanted } from "./document.ts";
import { GrowingBuffer } from "./growing-buffer.ts";
import { openContainerPath, scalarsOnPath } from "./partial-json.ts";
import { type SizeLimits, sizeText } from "./size-limits.ts";
import { parseJson, tooDeep } from "./parse-json.ts";
import { UnreadableError } from "./unreadable-error.ts";

export interface JsonReading {
  limits: SizeLimits;
  wanted: Wanted;
  /** The path of an array whose elements are documents of their own however small it is. */
  alwaysSplit?: readonly string[];
}

/** A value under way: the file's own, or an element of an array that is being taken apart. */
interface Unit {
  /** Containers open outside it. */
  base: number;
  /** An array at the top of the file: it has elements, but no skeleton worth a document. */
  list: boolean;
  /** Its text before and between the arrays that were taken out of it. */
  parts: Buffer[];
  partBytes: number;
  emptied: string[][];
  refused: Refusal | null;
  /** Where it stands; null outside of any value. */
  path: string[] | null;
  scalars: Record<string, Scalar>;
  /** The array being taken out of it. */
  split: { path: string[]; scalars: Record<string, Scalar>; elements: number } | null;
}

const QUOTE = 34;
const COMMA = 44;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const NEWLINE = 10;

/** More are left for the next call, since a split may find thousands at once. */
const PIECES_AT_ONCE = 64;

const STRUCTURE = new Uint8Array(256);
for (const sign of [QUOTE, COMMA, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT]) STRUCTURE[sign] = 1;

export class JsonSplitter {
  readonly #limits: SizeLimits;
  readonly #wanted: Wanted;
  readonly #alwaysSplit: readonly string[] | undefined;
  readonly #window = new GrowingBuffer();
  #pieces: Piece[] = [];
  #ordinal = 0;

  /** Where the text of the innermost unit begins in the window, and how far we have read. */
  #from = 0;
  #at = 0;
  #inString = false;
  /** What has arrived ends with the backslash of an escape. */
  #escaped = false;
  /** The containers open: their openers, and their places counted from `#from`. */
  #open: number[] = [];
  #openAt: number[] = [];
  #units: Unit[] = [];
  /** Containers still open in a record that was given up and whose text is dropped; null while reading. */
  #skipping: number | null = null;
  /** Between values, something that is no value has begun. */
  #stray = false;

  constructor({ limits, wanted, alwaysSplit }: JsonReading) {
    this.#limits = limits;
    this.#wanted = wanted;
    this.#alwaysSplit = alwaysSplit;
  }

  /** The pieces completed since the last call. */
  take(): Piece[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  push(chunk: Buffer): void {
    if (this.#skipping !== null || (this.#units.length === 0 && !this.#stray)) this.#from = this.#at;
    this.#window.append(chunk, this.#from);
    this.#at -= this.#from;
    this.#from = 0;
  }

  /** Reads on in what was pushed, and says whether to ask again after taking the pieces. */
  scan(): boolean {
    const more = this.#scan();
    if (!more) this.#refuseOversized();
    return more;
  }

  end(): void {
    if (this.#stray) this.#endStray();
    for (let unit = this.#units.pop(); unit !== undefined; unit = this.#units.pop()) {
      const text = this.#window.text(this.#from, this.#at).trim();
      if (unit.refused !== null) this.#emit({ refused: unit.refused });
      else if (unit.list) this.#emit({ refused: "cut_short: its list has no end" });
      else if (unit.parts.length > 0) this.#emit({ refused: "cut_short: only the elements before were read" });
      else if (unit.base > 0 && this.#open.length === unit.base && /["\]}]$/.test(text)) {
        this.#emit(() => this.#value(text, unit));
      } else if (text !== "") {
        this.#emit({ refused: "cut_short" });
        // That the list around it has no end goes without saying.
        if (this.#units.at(-1)?.list === true) this.#units.pop();
      }
      this.#from = this.#at;
      this.#open.length = Math.max(0, unit.base - 1);
    }
  }

  /** Reads on until the window is used up or enough pieces are ready; says whether there is more to read. */
  #scan(): boolean {
    while (this.#at < this.#window.length) {
      if (this.#pieces.length >= PIECES_AT_ONCE) return true;
      if (this.#inString) this.#leaveString();
      else if (this.#units.length === 0) this.#between();
      else this.#inside();
    }
    return false;
  }

  /** Passes over what does not matter: scalars, whole strings, and commas deeper than between two elements. */
  #inside(): void {
    const { bytes, length } = this.#window;
    const { base } = this.#units.at(-1)!;
    const shallow = this.#skipping !== null || this.#open.length === base;
    const full = this.#from + this.#limits.splitBytes;
    let at = this.#at;
    for (;;) {
      while (at < length && STRUCTURE[bytes[at]!] === 0) at++;
      if (at >= length) break;
      const sign = bytes[at]!;
      if (sign === QUOTE) {
        let end = at + 1;
        while (end < length && bytes[end] !== QUOTE) end += bytes[end] === BACKSLASH ? 2 : 1;
        if (end >= length) {
          this.#inString = true;
          this.#at = at + 1;
          return;
        }
        at = end + 1;
      } else if (sign === COMMA && !shallow && at < full) at++;
      else {
        this.#at = at;
        this.#structure(sign);
        return;
      }
    }
    this.#at = at;
  }

  #structure(sign: number): void {
    if (sign === COMMA) this.#comma();
    else if (sign === OPEN_OBJECT || sign === OPEN_ARRAY) this.#opened(sign);
    else this.#closed(sign);
    this.#at++;
    if (this.#at - this.#from > this.#limits.splitBytes && this.#skipping === null) this.#grown();
  }

  #leaveString(): void {
    const { bytes, length } = this.#window;
    let at = this.#escaped ? this.#at + 1 : this.#at;
    while (at < length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    this.#escaped = at > length;
    this.#inString = at >= length;
    this.#at = Math.min(at + 1, length);
  }

  #between(): void {
    const sign = this.#window.bytes[this.#at]!;
    const opens = sign === OPEN_OBJECT || sign === OPEN_ARRAY;
    if (this.#stray && (opens || sign === NEWLINE)) this.#endStray();
    if (opens) {
      this.#from = this.#at;
      this.#units.push(newUnit(0, null));
      this.#openContainer(sign);
      this.#at++;
      if (sign === OPEN_ARRAY) this.#takeApart(0, true);
      return;
    }
    if (!this.#stray && sign > 32 && sign !== COMMA) {
      this.#stray = true;
      this.#from = this.#at;
    }
    if (sign === QUOTE) this.#inString = true;
    this.#at++;
  }

  /** Scalars may stand between values too; all else is no JSON. */
  #endStray(): void {
    this.#stray = false;
    this.#inString = false;
    const text = this.#window.text(this.#from, this.#at);
    this.#from = this.#at;
    this.#emit(() => ({ kind: "json", value: parseJson(text, this.#limits.jsonDepth) }));
  }

  #openContainer(sign: number): void {
    this.#open.push(sign);
    this.#openAt.push(this.#at - this.#from);
  }

  #opened(sign: number): void {
    const unit = this.#units.at(-1)!;
    if (this.#skipping !== null) this.#skipping++;
    else if (this.#open.length - unit.base >= this.#limits.jsonDepth) {
      this.#giveUp(tooDeep(this.#limits.jsonDepth).refusal);
      this.#skipping!++;
    } else {
      this.#openContainer(sign);
      if (sign === OPEN_ARRAY && this.#alwaysSplit !== undefined && this.#units.length === 1) this.#splitIfAsked();
    }
  }

  #splitIfAsked(): void {
    const wanted = this.#alwaysSplit!;
    if (this.#open.length !== wanted.length + 1 || this.#open.indexOf(OPEN_ARRAY) !== wanted.length) return;
    const text = this.#textSoFar(this.#at + 1);
    if (openContainerPath(text).join("/") !== wanted.join("/")) return;
    this.#takeApart(this.#open.length - 1, false);
    this.#at--;
  }

  #closed(sign: number): void {
    const unit = this.#units.at(-1)!;
    const element = this.#units.length > 1;
    if (this.#skipping !== null && this.#skipping > 0) {
      if (--this.#skipping === 0 && !element) this.#finish(this.#at);
      return;
    }
    const opener = sign === CLOSE_OBJECT ? OPEN_OBJECT : OPEN_ARRAY;
    const match = this.#open.lastIndexOf(opener);
    if (match >= unit.base) {
      // Whatever was left open inside it is broken; JSON.parse will say so, and the next record can be read.
      this.#open.length = match;
      this.#openAt.length = match;
      if (match === 0 && !element) this.#finish(this.#at + 1);
    } else if (element && sign === CLOSE_ARRAY) {
      this.#finish(this.#at);
      this.#endArray(unit.base);
    }
  }

  #comma(): void {
    const unit = this.#units.at(-1)!;
    if (this.#units.length < 2) return;
    const done = this.#skipping === null ? this.#open.length === unit.base : this.#skipping === 0;
    if (!done) return;
    this.#finish(this.#at);
    this.#from = this.#at + 1;
    this.#units.push(this.#nextElement(unit.base));
  }

  #nextElement(base: number): Unit {
    const array = this.#units.at(-1)!.split!;
    const element = newUnit(base, this.#units.at(-1)!.list ? null : array.path);
    element.scalars = array.scalars;
    return element;
  }

  /** The split array has closed: its owner goes on with the closing bracket. */
  #endArray(base: number): void {
    this.#open.length = base - 1;
    this.#openAt.length = base - 1;
    const owner = this.#units.at(-1)!;
    owner.split = null;
    this.#from = this.#at;
    if (owner.list) {
      this.#units.pop();
      this.#from = this.#at + 1;
    }
  }

  /** Ends the innermost unit at `end` and says what became of it. */
  #finish(end: number): void {
    const unit = this.#units.pop()!;
    this.#skipping = null;
    const tail = this.#from;
    this.#from = this.#at + 1;
    if (unit.refused !== null) this.#emit({ refused: unit.refused });
    else if (unit.parts.length > 0) {
      const text = Buffer.concat([...unit.parts, this.#window.copy(tail, end)]).toString();
      this.#emit(() => ({ ...this.#value(text, unit), emptied: unit.emptied }));
    } else if (!this.#blank(tail, end)) {
      this.#emit(() => this.#value(this.#window.text(tail, end), unit));
    }
    const array = this.#units.at(-1)?.split;
    if (array !== null && array !== undefined) array.elements++;
  }

  #blank(from: number, to: number): boolean {
    const { bytes } = this.#window;
    let at = from;
    while (at < to && bytes[at]! <= 32) at++;
    return at >= to;
  }

  #value(text: string, unit: Unit): Piece {
    const value = parseJson(text, this.#limits.jsonDepth);
    if (unit.path === null) return { kind: "json", value };
    return { kind: "json", value, within: { path: unit.path, scalars: unit.scalars } };
  }

  #emit(piece: Piece | (() => Piece)): void {
    const ordinal = this.#ordinal++;
    if (!this.#wanted(ordinal)) this.#pieces.push({ skipped: true });
    else if (typeof piece !== "function") this.#pieces.push(piece);
    else {
      try {
        this.#pieces.push(piece());
      } catch (error) {
        if (!(error instanceof UnreadableError)) throw error;
        this.#pieces.push({ refused: error.refusal });
      }
    }
  }

  #textSoFar(end: number): string {
    return Buffer.concat([...this.#units.at(-1)!.parts, this.#window.copy(this.#from, end)]).toString();
  }

  /** The active text has passed `splitBytes`: take its outermost open array apart, or wait for the hard limit. */
  #grown(): void {
    const { base } = this.#units.at(-1)!;
    const array = this.#open.indexOf(OPEN_ARRAY, base);
    if (this.#tooLarge()) this.#refuseOversized();
    else if (array !== -1) this.#takeApart(array, false);
  }

  #tooLarge(): boolean {
    let bytes = this.#at - this.#from;
    for (const unit of this.#units) bytes += unit.partBytes;
    return bytes > this.#limits.recordBytes;
  }

  #refuseOversized(): void {
    if (this.#skipping !== null) return;
    if (this.#units.length > 0 && this.#tooLarge()) {
      this.#giveUp(`record_too_large: more than ${sizeText(this.#limits.recordBytes)}`);
    } else if (this.#stray && this.#at - this.#from > this.#limits.recordBytes) this.#endStray();
  }

  #giveUp(reason: Refusal): void {
    const unit = this.#units.at(-1)!;
    unit.refused = reason;
    unit.parts = [];
    unit.partBytes = 0;
    this.#skipping = this.#open.length - unit.base;
    this.#open.length = unit.base;
    this.#openAt.length = unit.base;
    this.#from = this.#at;
  }

  /** Makes an open array one whose elements are units of their own, and reads it again from its first element. */
  #takeApart(array: number, list: boolean): void {
    const owner = this.#units.at(-1)!;
    const inside = this.#from + this.#openAt[array]! + 1;
    owner.list = list;
    if (list) owner.split = { path: [], scalars: {}, elements: 0 };
    else {
      const text = this.#textSoFar(inside);
      const path = openContainerPath(text);
      const before = owner.path === null ? [] : [...owner.path, String(this.#units.at(-2)!.split!.elements)];
      const scalars = { ...owner.scalars, ...scalarsOnPath(text, path, this.#limits.jsonDepth) };
      owner.split = { path: [...before, ...path], scalars, elements: 0 };
      owner.emptied.push(path);
      owner.parts.push(this.#window.copy(this.#from, inside));
      owner.partBytes += inside - this.#from;
    }
    this.#open.length = array + 1;
    this.#openAt.length = array + 1;
    this.#inString = false;
    this.#escaped = false;
    this.#from = inside;
    this.#at = inside;
    this.#units.push(this.#nextElement(array + 1));
  }
}

function newUnit(base: number, path: string[] | null): Unit {
  return { base, list: false, parts: [], partBytes: 0, emptied: [], refused: null, path, scalars: {}, split: null };
}
