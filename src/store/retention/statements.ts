import { select } from "#store/sql/select.ts";
import type { RetentionTable } from "./port.ts";
import type { Sql } from "#store/sql/sql.ts";
import { ANY_PLATFORM } from "#store/write/keyed-rows.ts";
import { RETENTION } from "./tables.ts";

export function createRetentionTable(sql: Sql): RetentionTable {
  return {
    async list() {
      const rules = await sql.all(select(RETENTION, ["source", "kind", "days"], "ORDER BY source, kind"));
      return rules.map((rule) => ({ ...rule }));
    },
    async write({ source, kind, days }) {
      await sql.run(
        `INSERT INTO retention (source, kind, days) VALUES ($1, $2, $3)
         ON CONFLICT (source, kind) DO UPDATE SET days = excluded.days`,
        source,
        kind,
        days,
      );
    },
    async hasSource(source) {
      const isOfSource = "kind IN ('account', 'post', 'sound', 'hashtag', 'place') AND source = $1";
      const record = await sql.get(`SELECT 1 FROM records WHERE ${ANY_PLATFORM} AND ${isOfSource} LIMIT 1`, source);
      if (record !== undefined) return true;
      const comment = await sql.get(`SELECT 1 FROM comments WHERE ${ANY_PLATFORM} AND source = $1 LIMIT 1`, source);
      return comment !== undefined;
    },
    async delete(source, kind) {
      return (await sql.run("DELETE FROM retention WHERE source = $1 AND kind = $2", source, kind)) > 0;
    },
  };
}
