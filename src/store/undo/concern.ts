import type { Concern } from "#store/write/concern.ts";
import { forgetTouches, scrubTouches } from "./statements.ts";

export const undo: Concern = {
  *forget({ sql }, { platform, kind, rows }) {
    yield* forgetTouches(
      sql,
      platform,
      kind,
      rows.map(({ key }) => key),
    );
  },
  *scrub({ sql }, { platform, rules, erased }) {
    // A dry run counts none of these rows.
    if (sql.isDry) return;
    if (erased.includes("account")) yield* scrubTouches(sql, platform, rules, "");
    // Another post may have taken the place of an erased one.
    else if (erased.includes("post")) yield* scrubTouches(sql, platform, rules, "chart");
  },
};
