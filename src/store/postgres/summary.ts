/** Counts what the store holds. Reads whole indexes, so it takes some 100 ms per million records. */
import { DAY_MS, dayOf, startOfDay } from "#domain/time.ts";
import { countByKind, SUMMARY_DAYS } from "#store/records/source-counts.ts";
import type { CaptureDay, SourceSummary, StoreSummary } from "../store.ts";
import type { Sql } from "./sql.ts";

export async function summarize(sql: Sql, isDistributed: boolean, now: number): Promise<StoreSummary> {
  const size = await sql.get<{ bytes: number }>(
    isDistributed
      ? "SELECT coalesce(sum(citus_total_relation_size(logicalrelid)), 0)::bigint AS bytes FROM pg_dist_partition"
      : "SELECT pg_database_size(current_database()) AS bytes",
  );
  const sources = await sql.all<SourceSummary>(
    `SELECT platform, kind, source, count(*) AS records, min(captured_at) AS "oldestCapture",
       max(captured_at) AS "newestCapture" FROM records GROUP BY platform, kind, source
     UNION ALL
     SELECT platform, 'comment', source, count(*), min(captured_at), max(captured_at)
       FROM comments GROUP BY platform, source
     ORDER BY 1, 2, 3`,
  );
  const days = await sql.all<CaptureDay>(
    `SELECT platform, day, CAST(sum(records) AS bigint) AS records FROM (
       SELECT platform, captured_at / ${DAY_MS} AS day, count(*) AS records FROM records
         WHERE captured_at >= $1 AND captured_at < $2 GROUP BY platform, captured_at / ${DAY_MS}
       UNION ALL
       SELECT platform, captured_at / ${DAY_MS}, count(*) FROM comments
         WHERE captured_at >= $1 AND captured_at < $2 GROUP BY platform, captured_at / ${DAY_MS}
     ) AS counted GROUP BY platform, day ORDER BY platform, day`,
    startOfDay(dayOf(now) - SUMMARY_DAYS + 1),
    startOfDay(dayOf(now) + 1),
  );
  return {
    records: countByKind(sources),
    sources,
    captureDays: days,
    bytes: size?.bytes ?? 0,
  };
}
