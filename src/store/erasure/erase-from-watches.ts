/** Watches of an erased person end. */
import { foldName } from "#domain/folding.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Needles } from "./person.ts";
import type { SqlSteps, Steps } from "#store/sql/sql.ts";

export function* eraseFromWatches(sql: SqlSteps, platform: PlatformName, needles: Needles): Steps<void> {
  const watches = yield* sql.all<{ id: string; target: string }>(
    // The words of a search or a hashtag may be a name by chance.
    "SELECT id, target FROM watches WHERE platform = $1 AND kind IN ('account', 'channel')",
    platform,
  );
  for (const { id, target } of watches) {
    const isTheirs = needles.ids.has(target) || needles.names.includes(foldName(target));
    if (isTheirs) yield* sql.run("DELETE FROM watches WHERE id = $1", id);
  }
}
