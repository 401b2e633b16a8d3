/**
 * Splits a stream of JSON into documents, holding one record at a time; JSON.parse parses each. Only brackets and
 * strings are looked at: what is wrong inside a record is for JSON.parse to find. Where a value is split depends on the
 * bytes alone, never on the chunks, so that indexes are stable.
 */
import type { Refusal } from "#api/refusals.ts";
import type { ElementLocation, IndexFilter, UnindexedItem } from "./document.ts";
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  JsonScanner,
  NEWLINE,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  SPACE,
} from "./json-scanner.ts";
import { nestedTooDeepError, parseJson } from "./parse-json.ts";
import { openContainerPath, scalarsOnPath } from "./partial-json.ts";
import { formatSize, type SizeLimits } from "./size-limits.ts";
import { UnreadableError } from "./unreadable-error.ts";

export interface JsonOptions {
  limits: SizeLimits;
  isWanted: IndexFilter;
  /** The path of an array that is always split, however small it is. */
  alwaysSplit?: readonly string[];
}

/** A value whose end has not been read: one at the top level, or an element of an array that is being split. */
class OpenValue {
  /** The array it is an element of; null at the top level. */
  readonly array: SplitArray | null;
  /** Its index in that array. */
  readonly index: number;
  /** An array at the top level: its elements are documents, the array itself is not. */
  isList = false;
  /** The brackets open in it, and their offsets from the start of its text. */
  readonly brackets: number[] = [];
  readonly bracketOffsets: number[] = [];
  /** Its text before and between the arrays that were split. */
  chunks: Buffer[] = [];
  chunkBytes = 0;
  readonly splitPaths: string[][] = [];
  /** Set once it is refused: its text is dropped, and only its open brackets are counted. */
  refusal: Refusal | null = null;
  depthInRefused = 0;

  constructor(array: SplitArray | null) {
    this.array = array;
    this.index = array?.length ?? 0;
  }

  get isComplete(): boolean {
    return this.refusal === null ? this.brackets.length === 0 : this.depthInRefused === 0;
  }

  open(bracket: number, offset: number): void {
    this.brackets.push(bracket);
    this.bracketOffsets.push(offset);
  }

  closeTo(depth: number): void {
    this.brackets.length = depth;
    this.bracketOffsets.length = depth;
  }

  refuse(reason: Refusal): void {
    this.refusal = reason;
    this.chunks = [];
    this.chunkBytes = 0;
    this.depthInRefused = this.brackets.length;
    this.closeTo(0);
  }
}

/** An array whose elements are read as values. Its bracket is the innermost one that is open in its owner. */
interface SplitArray {
  owner: OpenValue;
  /** Null if the array is a list at the top level. */
  location: ElementLocation | null;
  /** Elements read so far. */
  length: number;
}

/** Limits the items of one call, since a split may find thousands of elements in one chunk. */
const MAX_ITEMS = 64;

export class JsonSplitter {
  readonly #limits: SizeLimits;
  readonly #isWanted: IndexFilter;
  readonly #alwaysSplit: readonly string[] | undefined;
  /** `start` is where the text of the innermost value begins. */
  readonly #scanner = new JsonScanner();
  /** The innermost open value; null between values. */
  #value: OpenValue | null = null;
  /** Text between values that is not a bracketed value. */
  #isInLooseText = false;
  #items: UnindexedItem[] = [];
  #nextIndex = 0;

  constructor({ limits, isWanted, alwaysSplit }: JsonOptions) {
    this.#limits = limits;
    this.#isWanted = isWanted;
    this.#alwaysSplit = alwaysSplit;
  }

  push(chunk: Buffer): void {
    const needsText = this.#value === null ? this.#isInLooseText : this.#value.refusal === null;
    if (!needsText) this.#scanner.start = this.#scanner.position;
    this.#scanner.push(chunk);
  }

  /** Scans what was pushed. Returns true if there is more to scan after the items are taken. */
  scan(): boolean {
    while (!this.#scanner.isAtEnd) {
      if (this.#items.length >= MAX_ITEMS) return true;
      if (this.#value === null) this.#scanBetweenValues();
      else this.#scanValue(this.#value);
    }
    this.#enforceSizeLimit();
    return false;
  }

  /** Returns the items completed since the last call. */
  take(): UnindexedItem[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  /** The end of the input: refuses what is incomplete. */
  end(): void {
    if (this.#isInLooseText) this.#endLooseText();
    for (let value = this.#value; value !== null; value = value.array?.owner ?? null) {
      const text = this.#scanner.buffer.text(this.#scanner.start, this.#scanner.position).trim();
      if (value.refusal !== null) this.#emit({ refused: value.refusal });
      else if (value.isList) this.#emit({ refused: "cut_short: the list has no end" });
      else if (value.chunks.length > 0) this.#emit({ refused: "cut_short: only the elements before were read" });
      else if (value.array !== null && value.isComplete && /["\]}]$/.test(text)) this.#emitValue(value, text);
      else if (text !== "") {
        this.#emit({ refused: "cut_short" });
        // A list around it is incomplete too; one refusal is enough.
        if (value.array?.owner.isList === true) break;
      }
      this.#scanner.start = this.#scanner.position;
    }
    this.#value = null;
  }

  #scanBetweenValues(): void {
    const scanner = this.#scanner;
    if (scanner.isInString) {
      scanner.leaveString();
      return;
    }
    const byte = scanner.peek();
    const isOpening = byte === OPEN_OBJECT || byte === OPEN_ARRAY;
    if (this.#isInLooseText && (isOpening || byte === NEWLINE)) this.#endLooseText();
    if (!this.#isInLooseText && byte > SPACE && byte !== COMMA) {
      scanner.start = scanner.position;
      this.#isInLooseText = !isOpening;
    }
    if (byte === QUOTE) scanner.isInString = true;
    scanner.position++;
    if (!isOpening) return;
    const value = new OpenValue(null);
    value.open(byte, 0);
    this.#value = value;
    if (byte === OPEN_ARRAY) this.#splitList(value);
  }

  /** Scalars are allowed between values; anything else is refused as not JSON. */
  #endLooseText(): void {
    const scanner = this.#scanner;
    this.#isInLooseText = false;
    scanner.isInString = false;
    const text = scanner.buffer.text(scanner.start, scanner.position);
    scanner.start = scanner.position;
    this.#emit(() => ({ kind: "json", value: parseJson(text, this.#limits.jsonDepth) }));
  }

  #scanValue(value: OpenValue): void {
    const scanner = this.#scanner;
    const splitAt = scanner.start + this.#limits.splitBytes;
    // A comma matters between two elements, and for checking the size of a value that has grown.
    const byte = scanner.next(value.refusal !== null || value.brackets.length === 0 ? 0 : splitAt);
    if (byte === null) return;
    if (byte === COMMA) this.#onComma(value);
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#onOpen(value, byte);
    else this.#onClose(value, byte);
    if (scanner.position - scanner.start > this.#limits.splitBytes) this.#onGrown();
  }

  #onComma(value: OpenValue): void {
    if (value.array === null || !value.isComplete) return;
    this.#finish(value, this.#scanner.position - 1);
    this.#value = new OpenValue(value.array);
  }

  #onOpen(value: OpenValue, bracket: number): void {
    const { position, start } = this.#scanner;
    if (value.refusal !== null) value.depthInRefused++;
    else if (value.brackets.length >= this.#limits.jsonDepth) {
      this.#refuse(value, nestedTooDeepError(this.#limits.jsonDepth).refusal);
      value.depthInRefused++;
    } else {
      value.open(bracket, position - 1 - start);
      if (bracket === OPEN_ARRAY && this.#mustSplit(value)) this.#splitArray(value, value.brackets.length - 1);
    }
  }

  #mustSplit(value: OpenValue): boolean {
    const path = this.#alwaysSplit;
    if (path === undefined || value.array !== null) return false;
    if (value.brackets.length !== path.length + 1 || value.brackets.indexOf(OPEN_ARRAY) !== path.length) return false;
    return (
      openContainerPath(this.#joinText(value, this.#scanner.start, this.#scanner.position)).join("/") === path.join("/")
    );
  }

  #onClose(value: OpenValue, bracket: number): void {
    const { position } = this.#scanner;
    if (value.refusal !== null && value.depthInRefused > 0) {
      value.depthInRefused--;
      if (value.isComplete && value.array === null) this.#finish(value, position - 1);
      return;
    }
    // Brackets left open inside this one are an error that JSON.parse reports; the next record can still be read.
    const depth = value.brackets.lastIndexOf(bracket === CLOSE_OBJECT ? OPEN_OBJECT : OPEN_ARRAY);
    if (depth !== -1) {
      value.closeTo(depth);
      if (depth === 0 && value.array === null) this.#finish(value, position);
    } else if (value.array !== null && bracket === CLOSE_ARRAY) {
      this.#finish(value, position - 1);
      this.#endArray(value.array);
    }
  }

  /** Emits the value, whose text ends at `end`. */
  #finish(value: OpenValue, end: number): void {
    const scanner = this.#scanner;
    const { start } = scanner;
    scanner.start = scanner.position;
    if (value.refusal !== null) this.#emit({ refused: value.refusal });
    else if (value.chunks.length > 0 || !scanner.isBlank(start, end)) {
      this.#emitValue(value, () => this.#joinText(value, start, end));
    }
    if (value.array !== null) value.array.length++;
    this.#value = value.array?.owner ?? null;
  }

  /** The owner of the array continues with its closing bracket. */
  #endArray({ owner }: SplitArray): void {
    if (owner.isList) {
      this.#value = null;
      return;
    }
    owner.closeTo(owner.brackets.length - 1);
    this.#scanner.start = this.#scanner.position - 1;
  }

  #emitValue(value: OpenValue, text: string | (() => string)): void {
    this.#emit(() => {
      const item: UnindexedItem = {
        kind: "json",
        value: parseJson(typeof text === "string" ? text : text(), this.#limits.jsonDepth),
      };
      const location = value.array?.location ?? null;
      if (location !== null) item.location = location;
      if (value.chunks.length > 0) item.splitPaths = value.splitPaths;
      return item;
    });
  }

  #emit(item: UnindexedItem | (() => UnindexedItem)): void {
    const index = this.#nextIndex++;
    if (!this.#isWanted(index)) this.#items.push({ skipped: true });
    else if (typeof item !== "function") this.#items.push(item);
    else {
      try {
        this.#items.push(item());
      } catch (error) {
        if (!(error instanceof UnreadableError)) throw error;
        this.#items.push({ refused: error.refusal });
      }
    }
  }

  #joinText({ chunks }: OpenValue, start: number, end: number): string {
    if (chunks.length === 0) return this.#scanner.buffer.text(start, end);
    return Buffer.concat([...chunks, this.#scanner.buffer.copy(start, end)]).toString();
  }

  /** The text of the value exceeds `splitBytes`: splits its outermost array, if it has one. */
  #onGrown(): void {
    const value = this.#value;
    if (value === null || value.refusal !== null) return;
    this.#enforceSizeLimit();
    if (value.refusal !== null) return;
    const array = value.brackets.indexOf(OPEN_ARRAY);
    if (array !== -1) this.#splitArray(value, array);
  }

  #enforceSizeLimit(): void {
    const { recordBytes } = this.#limits;
    let bytes = this.#scanner.position - this.#scanner.start;
    if (this.#value === null) {
      if (this.#isInLooseText && bytes > recordBytes) this.#endLooseText();
      return;
    }
    if (this.#value.refusal !== null) return;
    for (let value: OpenValue | null = this.#value; value !== null; value = value.array?.owner ?? null) {
      bytes += value.chunkBytes;
    }
    if (bytes > recordBytes) this.#refuse(this.#value, `record_too_large: more than ${formatSize(recordBytes)}`);
  }

  #refuse(value: OpenValue, reason: Refusal): void {
    value.refuse(reason);
    this.#scanner.start = this.#scanner.position;
  }

  #splitList(owner: OpenValue): void {
    owner.isList = true;
    this.#scanner.start = this.#scanner.position;
    this.#value = new OpenValue({ owner, location: null, length: 0 });
  }

  /** Turns the open array at `depth` into one whose elements are values, and reads it again from its first element. */
  #splitArray(owner: OpenValue, depth: number): void {
    const { start } = this.#scanner;
    const end = start + (owner.bracketOffsets[depth] ?? 0) + 1;
    const text = this.#joinText(owner, start, end);
    const path = openContainerPath(text);
    const outer = owner.array?.location ?? null;
    const location = {
      path: outer === null ? path : [...outer.path, String(owner.index), ...path],
      scalars: { ...outer?.scalars, ...scalarsOnPath(text, path, this.#limits.jsonDepth) },
    };
    owner.splitPaths.push(path);
    owner.chunks.push(this.#scanner.buffer.copy(start, end));
    owner.chunkBytes += end - start;
    owner.closeTo(depth + 1);
    this.#scanner.rewind(end);
    this.#value = new OpenValue({ owner, location, length: 0 });
  }
}
