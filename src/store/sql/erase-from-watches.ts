/** Watches of an erased person end, and the ledger of live sources no longer says that they were requested. */
import { foldName } from "#domain/folding.ts";
import type { PlatformName } from "#domain/record.ts";
import { isNamedIn, type Needles } from "../person.ts";
import type { SqlSteps, Steps } from "./sql.ts";

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
  // One too many that is forgotten is only requested again sooner.
  const fetches = yield* sql.all<{ source: string; request: string }>("SELECT source, request FROM source_fetches");
  for (const { source, request } of fetches) {
    if (!isNamedIn(request, needles)) continue;
    yield* sql.run("DELETE FROM source_fetches WHERE source = $1 AND request = $2", source, request);
  }
}
