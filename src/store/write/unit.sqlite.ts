import type { RecordSteps } from "./unit.ts";
import type { RecordRow } from "./record-row.ts";
import type { RowWriter } from "./batch.sqlite.ts";
import { stepsOn } from "#store/sqlite/shared-sql.ts";
import { markTrendsStale } from "#store/trends/sqlite.ts";

export function recordSteps(rows: RowWriter): RecordSteps {
  const { index, rendered, lists } = rows;
  const { db } = rows.state;
  return {
    sql: stepsOn(db),
    listColumns: { key: "platform, list, at, post_id", rest: ["record"] },
    contains: (column, parameter) => String.raw`${column} LIKE ${parameter} ESCAPE '\'`,
    removeFromLists(platform, posts) {
      for (const { id, post } of posts) lists.remove(platform, id, post);
    },
    putDocument: (platform, kind, id, document) => index.put(platform, kind, id, document, "stored"),
    removeDocuments(platform, kind, ids) {
      for (const id of ids) index.delete(platform, kind, id);
    },
    renderRecord(platform, kind, record) {
      const { number } = db.get<{ number: number }>(
        "SELECT number FROM records WHERE platform = ? AND kind = ? AND id = ?",
        platform,
        kind,
        record.id,
      ) as { number: number };
      rendered.write(platform, kind, number, toRenderable(record));
    },
    renderComment: (platform, postId, comment) => rendered.writeComment(platform, postId, toRenderable(comment)),
    apply: (changes, merge) => void rows.write([changes], merge),
    charts: {
      names: "country, section, day, rank",
      toKey: (entry) => entry,
      fromKey: (_platform, { country, section }) => ({ country: String(country), section: String(section) }),
    },
    markTrendsStale: () => markTrendsStale(db),
  };
}

function toRenderable({ captured_at: capturedAt, ...row }: RecordRow) {
  return { ...row, capturedAt };
}
