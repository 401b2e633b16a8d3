/** The erased records among those of a batch. */
import { present } from "#domain/present.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import { erasedDigest } from "./keys.ts";
import { LIST_ERASURE_KEYS } from "./statements.ts";
import type { Sql } from "#store/postgres/sql.ts";

export class ErasedIds {
  /** By platform, kind and id. */
  readonly #erased = new Set<string>();
  /** Whether the store has erased anything at all. */
  isUsed = false;

  /** Most stores have erased nothing and have no key: then the ids are not even listed. */
  async load(sql: Sql, listIds: () => Iterable<string>): Promise<void> {
    const keys = await sql.all<{ id: string }>(LIST_ERASURE_KEYS);
    if (keys.length === 0) return;
    this.isUsed = true;
    const idByDigest = new Map<string, string>();
    for (const id of listIds()) for (const key of keys) idByDigest.set(erasedDigest(key.id, id), id);
    const rows = await sql.all<{ platform: string; kind: RecordKind; id: string }>(
      "SELECT platform, kind, id FROM erased WHERE id = ANY($1)",
      [...idByDigest.keys()],
    );
    for (const { platform, kind, id } of rows) this.add(platform, kind, present(idByDigest.get(id)));
  }

  add(platform: PlatformName, kind: RecordKind, id: string): void {
    this.#erased.add(keyOf(platform, kind, id));
  }

  has(platform: PlatformName, kind: RecordKind, id: string): boolean {
    return this.#erased.size > 0 && this.#erased.has(keyOf(platform, kind, id));
  }
}

function keyOf(platform: PlatformName, kind: RecordKind, id: string): string {
  return `${platform}/${kind}/${id}`;
}
