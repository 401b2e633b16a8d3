/** Remembers erased ids, so that later imports skip them. */
import { present } from "#domain/present.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import { createErasureKey, erasedDigest, KEY_KIND } from "./keys.ts";
import { batchesOf, type SqlSteps, type Steps } from "#store/sql/sql.ts";
import { ERASED } from "./tables.ts";

export const LIST_ERASURE_KEYS = `SELECT id FROM erased WHERE kind = '${KEY_KIND}' ORDER BY at, id`;

export function* isMarkedErased(sql: SqlSteps, platform: PlatformName, kind: RecordKind, id: string): Steps<boolean> {
  const keys = yield* sql.all<{ id: string }>(LIST_ERASURE_KEYS);
  const rows = yield* sql.all(
    "SELECT 1 FROM erased WHERE id = ANY($1) AND platform = $2 AND kind = $3",
    keys.map((key) => erasedDigest(key.id, id)),
    platform,
    kind,
  );
  return rows.length > 0;
}

/** Those of the ids that are erased. */
export function* filterErased(
  sql: SqlSteps,
  platform: PlatformName,
  kind: RecordKind,
  ids: ReadonlySet<string>,
): Steps<string[]> {
  const erased: string[] = [];
  for (const { id: key } of yield* sql.all<{ id: string }>(LIST_ERASURE_KEYS)) {
    for (const batch of batchesOf([...ids])) {
      const byDigest = new Map(batch.map((id) => [erasedDigest(key, id), id]));
      const rows = yield* sql.all<{ id: string }>(
        "SELECT id FROM erased WHERE id = ANY($1) AND platform = $2 AND kind = $3",
        [...byDigest.keys()],
        platform,
        kind,
      );
      for (const { id } of rows) erased.push(present(byDigest.get(id)));
    }
  }
  return erased;
}

export function* markErased(
  sql: SqlSteps,
  platform: PlatformName,
  kind: RecordKind,
  ids: Iterable<string>,
): Steps<void> {
  if (sql.isDry) return;
  const at = Math.floor(Date.now() / 1000);
  let key = (yield* sql.all<{ id: string }>(LIST_ERASURE_KEYS))[0]?.id;
  if (key === undefined) {
    key = createErasureKey();
    yield* sql.upsert(ERASED, [{ platform: "", kind: KEY_KIND, id: key, at }]);
  }
  const digests = new Set(Array.from(ids, (id) => erasedDigest(key, id)));
  yield* sql.upsert(
    ERASED,
    Array.from(digests, (id) => ({ platform, kind, id, at })),
  );
}
