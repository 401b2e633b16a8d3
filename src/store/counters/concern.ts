import { batchesOf, step } from "#store/sql/sql.ts";
import type { Concern } from "#store/write/concern.ts";
import { countDue, moveRows, someOf, whereDue } from "#store/write/keyed-rows.ts";

const KEY = "platform, kind, id, captured_at";

export const counters: Concern = {
  *remove(unit, selection) {
    let count = 0;
    if ("of" in selection && (selection.of === "post" || selection.of === "account")) {
      const { of: kind, platform, ids } = selection;
      const ofRecords = "counter_points WHERE id = ANY($1) AND platform = $2 AND kind = $3";
      count = yield* unit.sql.removeCounted(ofRecords, ids, platform, kind);
    } else if ("expiry" in selection && selection.expiry.kind === "history") {
      const { condition, values } = someOf("counter_points", KEY, whereDue(selection.expiry), selection.limit);
      count = yield* unit.sql.removeCounted(`counter_points WHERE ${condition}`, ...values);
      if (count > 0) yield* step(unit.markTrendsStale());
    }
    return [{ kind: "history", count, rows: [] }];
  },
  *forget({ sql }, { platform, kind, rows }) {
    for (const batch of batchesOf(rows.filter(({ header }) => header !== undefined))) {
      yield* sql.run(
        "DELETE FROM counter_points WHERE id = ANY($1) AND platform = $2 AND kind = $3",
        batch.map(({ key }) => key),
        platform,
        kind,
      );
    }
  },
  *count({ sql }, expiry) {
    return expiry.kind === "history" ? yield* countDue(sql, "counter_points", expiry) : 0;
  },
  *rekey({ sql }, rekeying) {
    const condition = "AND kind = 'account'";
    const key = "platform, kind, captured_at";
    yield* moveRows(sql, { name: "counter_points", column: "id", key, rest: ["counters"], condition }, rekeying);
  },
};
