import type { Concern } from "#store/write/concern.ts";
import { deleteFromTrends } from "./statements.ts";

export const trends: Concern = {
  *forget(unit, { platform, kind, rows }) {
    if (kind !== "post") return;
    yield* deleteFromTrends(
      unit,
      platform,
      rows.map(({ key }) => key),
    );
  },
};
