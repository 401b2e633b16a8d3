/**
 * The same author, sound or hashtag comes with every post that carries it. What an import has just met word for word
 * needs no second look at the store: merging it once more would change nothing.
 */
import { hash } from "node:crypto";
import type { PlatformName, RecordKind } from "#domain/record.ts";

const REMEMBERED = 50_000;
/** Shorter captures are remembered as they are. */
const SHORT = 80;

export class SeenRecords {
  /** Oldest first: a Map keeps the order of insertion. */
  readonly #seen = new Map<string, string>();
  readonly #active: boolean;

  constructor(active: boolean) {
    this.#active = active;
  }

  /** True if the very same capture of this record was the last one met. */
  isRepeat(platform: PlatformName, kind: RecordKind, id: string, capture: string): boolean {
    // Posts and comments are rarely met twice in one file: remembering them would only push the others out.
    if (!this.#active || kind === "post" || kind === "comment") return false;
    const key = `${platform}/${kind}/${id}`;
    const mark = capture.length <= SHORT ? capture : hash("sha1", capture, "base64");
    if (this.#seen.get(key) === mark) return true;
    this.#seen.delete(key);
    this.#seen.set(key, mark);
    if (this.#seen.size > REMEMBERED) this.#seen.delete(this.#seen.keys().next().value as string);
    return false;
  }
}
