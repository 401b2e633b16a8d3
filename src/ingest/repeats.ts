/**
 * The same author, sound or hashtag comes with every post that carries it. What an import has just kept and meets again
 * word for word needs no second look at the store: merging it once more would change nothing.
 */
import { createHash } from "node:crypto";
import type { PlatformName } from "#domain/record.ts";
import type { GatheredRecord } from "./collecting.ts";

const REMEMBERED = 200_000;

export class Repeats {
  /** Oldest first: a Map keeps the order of insertion. */
  readonly #seen = new Map<string, string>();

  /** True if the very same capture of this record was the last one met. */
  isRepeat(platform: PlatformName, { kind, postId, capture }: GatheredRecord): boolean {
    // Posts and comments are rarely met twice in one file: remembering them would only push the others out.
    if (kind === "post" || kind === "comment" || postId !== null) return false;
    const key = `${platform}/${kind}/${capture.id}`;
    const mark = createHash("md5").update(JSON.stringify(capture)).digest("base64");
    if (this.#seen.get(key) === mark) return true;
    this.#seen.delete(key);
    this.#seen.set(key, mark);
    if (this.#seen.size > REMEMBERED) this.#seen.delete(this.#seen.keys().next().value as string);
    return false;
  }

  /** A batch that failed to commit was not kept after all. */
  forget(): void {
    this.#seen.clear();
  }
}
