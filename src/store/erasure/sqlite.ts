/** The erased records, looked up one by one within a transaction. */
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { Database } from "#store/sqlite/database.ts";
import { erasedDigest } from "./keys.ts";
import { LIST_ERASURE_KEYS } from "./statements.ts";

const GET_ERASED = "SELECT 1 FROM erased WHERE platform = ? AND kind = ? AND id = ?";

export class ErasedIds {
  readonly #db: Database;
  #keys: readonly string[] | undefined;
  /** By platform, kind and id. */
  readonly #erased = new Map<string, boolean>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Another process may have erased something since the last transaction. */
  begin(): void {
    this.#keys = undefined;
    this.#erased.clear();
  }

  /** Most stores have erased nothing and have no key; then writes need not check each id. */
  get isUsed(): boolean {
    return this.#getKeys().length > 0;
  }

  #getKeys(): readonly string[] {
    return (this.#keys ??= this.#db.all<{ id: string }>(LIST_ERASURE_KEYS).map(({ id }) => id));
  }

  has(platform: PlatformName, kind: RecordKind, id: string): boolean {
    const cacheKey = `${platform}/${kind}/${id}`;
    let isErased = this.#erased.get(cacheKey);
    if (isErased === undefined) {
      isErased = this.#getKeys().some(
        (key) => this.#db.get(GET_ERASED, platform, kind, erasedDigest(key, id)) !== undefined,
      );
      this.#erased.set(cacheKey, isErased);
    }
    return isErased;
  }

  /** After it was marked as erased. */
  add(platform: PlatformName, kind: RecordKind, id: string): void {
    this.#erased.set(`${platform}/${kind}/${id}`, true);
  }
}
