/**
 * Records by id: one statement per table. With Citus, a list and its records may be on different machines, so pages read
 * ids first; then one statement asks the machines that store one of them. Of a key with several columns each is looked up by
 * itself: a few rows too many are read, but every plan uses the primary key.
 */
import type { Comment } from "#domain/comment.ts";
import type { PlatformName, RecordKind, StoredRecord } from "#domain/record.ts";
import type { SubtitleLine, SubtitleTrack } from "#domain/subtitle.ts";
import { parseRecordRow, RECORD_COLUMNS, type RecordRow } from "../record-row.ts";
import type { RecordLoader, TrackKey } from "../search-queries.ts";
import type { Sql } from "./sql.ts";

export class RecordsById {
  readonly #sql: Sql;
  readonly #platform: PlatformName;

  constructor(sql: Sql, platform: PlatformName) {
    this.#sql = sql;
    this.#platform = platform;
  }

  async get<Stored extends StoredRecord<object>>(kind: RecordKind, id: string): Promise<Stored | null> {
    const row = await this.#sql.get<RecordRow>(
      `SELECT ${RECORD_COLUMNS} FROM records WHERE id = $1 AND platform = $2 AND kind = $3`,
      id,
      this.#platform,
      kind,
    );
    return parse<Stored>(row);
  }

  /** In the order of the ids; missing records are left out. */
  async list<Stored extends StoredRecord<object>>(kind: RecordKind, ids: readonly string[]): Promise<Stored[]> {
    return (await this.listEach<Stored>(kind, ids)).filter((record) => record !== null);
  }

  /** In the order of the ids; null for missing records. */
  async listEach<Stored extends StoredRecord<object>>(
    kind: RecordKind,
    ids: readonly string[],
  ): Promise<(Stored | null)[]> {
    if (ids.length === 0) return [];
    const rows = await this.#sql.all<RecordRow>(
      `SELECT ${RECORD_COLUMNS} FROM records WHERE id = ANY($1) AND platform = $2 AND kind = $3`,
      [...new Set(ids)],
      this.#platform,
      kind,
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => parse<Stored>(byId.get(id.toWellFormed())));
  }
}

export function createRecordLoader(sql: Sql): RecordLoader {
  return {
    async records(keys) {
      if (keys.length === 0) return [];
      const rows = await sql.all<RecordRow & { platform: string; kind: string }>(
        `SELECT ${RECORD_COLUMNS}, platform, kind FROM records
         WHERE id = ANY($1) AND platform = ANY($2) AND kind = ANY($3)`,
        distinct(keys, ({ id }) => id),
        distinct(keys, ({ platform }) => platform),
        distinct(keys, ({ kind }) => kind),
      );
      const find = indexRows(rows, ({ platform, kind, id }) => [platform, kind, id]);
      return keys.map(({ platform, kind, id }) => parse<StoredRecord<object>>(find(platform, kind, id)));
    },

    async comments(keys) {
      if (keys.length === 0) return [];
      const rows = await sql.all<RecordRow & { platform: string; post_id: string }>(
        `SELECT ${RECORD_COLUMNS}, platform, post_id FROM comments
         WHERE post_id = ANY($1) AND platform = ANY($2) AND id = ANY($3)`,
        distinct(keys, ({ postId }) => postId),
        distinct(keys, ({ platform }) => platform),
        distinct(keys, ({ id }) => id),
      );
      const find = indexRows(rows, ({ platform, post_id, id }) => [platform, post_id, id]);
      return keys.map(({ platform, postId, id }) => parse<Comment>(find(platform, postId, id)));
    },

    async subtitles(keys) {
      if (keys.length === 0) return [];
      const rows = await sql.all<TrackRow & { platform: string }>(
        `SELECT ${TRACK_COLUMNS}, platform FROM subtitles
         WHERE post_id = ANY($1) AND platform = ANY($2) AND language = ANY($3)`,
        distinct(keys, ({ postId }) => postId),
        distinct(keys, ({ platform }) => platform),
        distinct(keys, ({ language }) => language),
      );
      const keyOf = (key: TrackKey) => [key.platform, key.postId, key.language, String(key.automatic)];
      const find = indexRows(rows, ({ post_id, automatic, ...row }) =>
        keyOf({ ...row, postId: post_id, automatic: Boolean(automatic) }),
      );
      return keys.map((key) => {
        const row = find(...keyOf(key));
        return row === undefined ? null : toTrack(row);
      });
    },
  };
}

function distinct<Key>(keys: readonly Key[], part: (key: Key) => string): string[] {
  return [...new Set(keys.map(part))];
}

/** Keys are compared as they are stored: unpaired surrogates become U+FFFD. */
function indexRows<Row>(rows: readonly Row[], keyOf: (row: Row) => string[]): (...key: string[]) => Row | undefined {
  const byKey = new Map(rows.map((row) => [JSON.stringify(keyOf(row)), row]));
  return (...key) => byKey.get(JSON.stringify(key.map((part) => part.toWellFormed())));
}

function parse<Stored extends StoredRecord<object>>(row: RecordRow | undefined): Stored | null {
  return row === undefined ? null : parseRecordRow<Stored>(row);
}

export const TRACK_COLUMNS = "post_id, language, automatic, lines, captured_at, source";

export interface TrackRow {
  post_id: string;
  language: string;
  automatic: boolean | number;
  /** JSON */
  lines: string;
  captured_at: number;
  source: string;
}

export function toTrack({ post_id, language, automatic, lines, captured_at, source }: TrackRow): SubtitleTrack {
  return {
    postId: post_id,
    language,
    automatic: Boolean(automatic),
    lines: JSON.parse(lines) as SubtitleLine[],
    capturedAt: captured_at,
    source,
  };
}
