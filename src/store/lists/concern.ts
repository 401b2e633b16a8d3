import type { Header } from "#domain/records.ts";
import { present } from "#domain/present.ts";
import { step } from "#store/sql/sql.ts";
import type { Concern, Mention } from "#store/write/concern.ts";
import { moveRows } from "#store/write/keyed-rows.ts";
import { listPostIds } from "./port.ts";

export const lists: Concern = {
  /** Posts of others that tag an erased account leave its list; posts of the account are removed themselves. */
  *remove(unit, selection) {
    if (!("of" in selection) || selection.of !== "account") return [];
    const { ids, platform } = selection;
    yield* unit.sql.run(
      "DELETE FROM post_lists WHERE key = ANY($1) AND platform = $2 AND list = 'tagged'",
      ids,
      platform,
    );
    return [];
  },
  *forget(unit, { platform, kind, rows }) {
    if (kind !== "post") return;
    const posts = rows.map(({ key: id, header }) => ({ id, post: JSON.parse(present(header)) as Header<"post"> }));
    yield* step(unit.lists.remove(platform, posts));
  },
  /** Posts embed the sound that they use. */
  *findMentions({ sql }, { platform, soundIds }) {
    const posts = yield* listPostIds(sql, platform, ["sound"], soundIds);
    return posts.map((key): Mention => ({ kind: "post", key }));
  },
  *rekey(unit, rekeying) {
    const condition = "AND list IN ('author', 'tagged')";
    yield* moveRows(unit.sql, { name: "post_lists", column: "key", ...unit.lists.columns, condition }, rekeying);
  },
};
