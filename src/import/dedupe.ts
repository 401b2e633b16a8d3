/**
 * Detects repeated captures: the same author, sound or hashtag comes with every post that has it. An identical capture
 * need not be compared with the store again, since merging it twice changes nothing.
 */
import { hash } from "node:crypto";
import type { PlatformName, RecordKind } from "#domain/record.ts";

const MAX_RECORDS = 50_000;
/** Longer captures are stored as hashes. */
const MAX_PLAIN_LENGTH = 80;

export class SeenRecords {
  /** The last capture of each record, oldest first. */
  readonly #captures = new Map<string, string>();
  readonly #isEnabled: boolean;

  constructor(isEnabled: boolean) {
    this.#isEnabled = isEnabled;
  }

  /** Whether this capture is identical to the last one of the record. */
  isDuplicate(platform: PlatformName, kind: RecordKind, id: string, capture: string): boolean {
    // Posts and comments are rarely repeated in one file and would only evict the others.
    if (!this.#isEnabled || kind === "post" || kind === "comment") return false;
    const key = `${platform}/${kind}/${id}`;
    const digest = capture.length <= MAX_PLAIN_LENGTH ? capture : hash("sha1", capture, "base64");
    if (this.#captures.get(key) === digest) return true;
    this.#captures.delete(key);
    this.#captures.set(key, digest);
    if (this.#captures.size > MAX_RECORDS) this.#captures.delete(this.#captures.keys().next().value ?? "");
    return false;
  }
}
