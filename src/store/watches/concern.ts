import { provisionalId } from "#domain/provisional-id.ts";
import type { Concern } from "#store/write/concern.ts";

export const watches: Concern = {
  /** Watches of an erased account end. */
  *remove({ sql }, selection) {
    if (!("of" in selection) || selection.of !== "account") return [];
    const { platform, ids } = selection;
    const stored = yield* sql.all<{ id: string; target: string }>(
      // The words of a search or a hashtag may be a name by chance.
      "SELECT id, target FROM watches WHERE platform = $1 AND kind IN ('account', 'channel')",
      platform,
    );
    for (const { id, target } of stored) {
      const isTheirs = ids.includes(target) || ids.includes(provisionalId(target));
      if (isTheirs) yield* sql.run("DELETE FROM watches WHERE id = $1", id);
    }
    return [];
  },
};
