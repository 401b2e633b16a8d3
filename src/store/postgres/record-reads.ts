import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { RecordRow } from "../record-row.ts";
import type { Sql } from "./sql.ts";

/** The headers (JSON) of stored records, by id. */
export async function getHeaders(
  sql: Sql,
  platform: PlatformName,
  kind: RecordKind,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql.all<Pick<RecordRow, "id" | "header">>(
    "SELECT id, header FROM records WHERE id = ANY($1) AND platform = $2 AND kind = $3",
    ids,
    platform,
    kind,
  );
  return new Map(rows.map(({ id, header }) => [id, header]));
}
