import { compositeKey, type Image } from "#store/undo/port.ts";
import type { Concern } from "#store/write/concern.ts";
import { keyedRows, moveRows } from "#store/write/keyed-rows.ts";
import { relationImage } from "#store/write/relation.ts";
import { FOLLOW_ROWS } from "./relation.ts";

interface FollowRow {
  account_id: string;
  follower_id: string;
  at: number;
  since: number | null;
  captured_at: number;
  source: string;
}

const COLUMNS = ["account_id", "follower_id", ...FOLLOW_ROWS.restored].join(", ");

const newer = (column: string) =>
  `CASE WHEN excluded.captured_at > follows.captured_at THEN excluded.${column} ELSE follows.${column} END`;

const SINCE = `coalesce(${newer("since")}, excluded.since, follows.since)`;

/** Merges two follows like two captures of one: see relation.ts. Without a date, a follow has that of its first capture. */
const MERGED = `since = ${SINCE}, captured_at = ${newer("captured_at")}, source = ${newer("source")},
  at = coalesce(${SINCE}, CASE WHEN excluded.at < follows.at THEN excluded.at ELSE follows.at END)`;

export const follows: Concern = {
  ...keyedRows({
    kind: "follow",
    table: "follows",
    key: ["account_id", "follower_id"],
    owners: { account: ["account_id", "follower_id"] },
  }),
  *rekey(unit, rekeying) {
    const { sql, moveTouches } = unit;
    const { platform, from, to } = rekeying;
    const rows = yield* sql.all<FollowRow>(
      `SELECT ${COLUMNS} FROM follows WHERE platform = $1 AND (account_id = $2 OR follower_id = $2)`,
      platform,
      from,
    );
    for (const follow of rows) {
      const { account_id, follower_id } = follow;
      const replace = (id: string) => (id === from ? to : id);
      const moved: [string, string] = [replace(account_id), replace(follower_id)];
      const stored = yield* sql.get<FollowRow>(
        `SELECT ${COLUMNS} FROM follows WHERE account_id = $1 AND platform = $2 AND follower_id = $3`,
        moved[0],
        platform,
        moved[1],
      );
      const imageOf = (row: FollowRow | undefined) => (row === undefined ? null : relationImage(FOLLOW_ROWS, row));
      yield* moveTouches(
        { platform, kind: "follow", from: compositeKey(account_id, follower_id), to: compositeKey(...moved) },
        stored !== undefined,
        (own = imageOf(stored), other = imageOf(follow)) => mergeImages(own, other),
      );
    }
    for (const [column, other] of [
      ["account_id", "follower_id"],
      ["follower_id", "account_id"],
    ] as const) {
      const table = { name: "follows", column, key: `platform, ${other}`, rest: FOLLOW_ROWS.restored, updates: MERGED };
      yield* moveRows(sql, table, rekeying);
    }
  },
};

/** The same as `MERGED` for the imported states of two follows. */
function mergeImages(own: Image, other: Image): Image {
  if (own === null || other === null) return own ?? other;
  const stored = JSON.parse(own) as FollowRow;
  const moved = JSON.parse(other) as FollowRow;
  const isNewer = moved.captured_at > stored.captured_at;
  const since = (isNewer ? moved.since : stored.since) ?? moved.since ?? stored.since;
  const at = since ?? Math.min(stored.at, moved.at);
  return relationImage(FOLLOW_ROWS, { ...(isNewer ? moved : stored), since, at });
}
