import type { Concern } from "#store/write/concern.ts";
import { keyedRows } from "#store/write/keyed-rows.ts";

export const charts: Concern = keyedRows({
  kind: "chart",
  table: "chart_entries",
  key: ["country", "section", "day", "rank"],
  owners: { post: ["post_id"] },
  columnsOf: (unit) => unit.charts,
});
