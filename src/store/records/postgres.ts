/** Accounts, posts, sounds, hashtags and places of one batch, with their list entries, names and search documents. */
import { groupsBy } from "#domain/groups.ts";
import { parseJsonText } from "#domain/json-text.ts";
import { present } from "#domain/present.ts";
import type { Header } from "#domain/records.ts";
import type { EncodedRecord } from "#store/write/encoded-record.ts";
import {
  imageOf,
  mergeImage,
  mergeRecord,
  type NonCommentKind,
  type RecordKey,
  toRecordRow,
} from "#store/write/record-row.ts";
import { columnNames } from "#store/sql/table.ts";
import type { Merge } from "#store/write/port.ts";
import type { RecordCapture } from "#store/write/captures.ts";
import { toNamedAccount } from "./account-name.ts";
import { writeNames } from "./account-names.postgres.ts";
import type { MovedPost } from "#store/lists/port.ts";
import type { Sql } from "#store/postgres/sql.ts";
import { RECORDS, type RecordTableRow } from "./tables.ts";
import { type BatchOrder, type ChangedEntry, VersionedRows } from "#store/postgres/versioned-rows.ts";

interface RecordValue {
  row: RecordTableRow;
  /** Null for a record as it is stored. */
  encoded: EncodedRecord | null;
}

type IncomingRecord = RecordKey & { encoded: EncodedRecord };

export type RecordRows = VersionedRows<RecordCapture, RecordKey, RecordTableRow, RecordValue, IncomingRecord>;

const LOAD = `SELECT ${columnNames(RECORDS).join(", ")} FROM records WHERE id = ANY($1) AND platform = $2 AND kind = $3`;

export function createRecordRows(
  merge: Merge,
  order: BatchOrder,
  movePosts: (sql: Sql, posts: readonly MovedPost[]) => Promise<void>,
): RecordRows {
  return new VersionedRows(
    {
      table: RECORDS,
      kindOf: ({ kind }) => kind,
      keyOf: ({ platform, kind, id }) => [platform, kind, id],
      incomingOf: (platform, { kind, incoming }) => ({ platform, kind, id: incoming.id, encoded: incoming }),
      fromRow: (row): RecordValue => ({ row, encoded: null }),
      merge(current, { platform, kind, encoded: incoming }) {
        const encoded =
          current === undefined ? incoming : mergeRecord(platform, kind, current.row, incoming, merge)?.encoded;
        return encoded === undefined ? null : { row: { ...toRecordRow(encoded), platform, kind, version: 0 }, encoded };
      },
      read: readRecords,
      touchKeyOf: ({ id }) => id,
      imageOf,
      mergeImage: (image, { platform, kind, encoded }) => mergeImage(platform, kind, image, encoded, merge),
      isCopied: ({ kind }) => kind === "post",
      document: {
        kindOf: ({ kind }) => kind,
        idOf: ({ id }) => id,
        sourceOf: ({ header }) => header,
        of: ({ encoded }) => present(encoded).document,
      },
      async derive(sql, entries) {
        const { account = [], post = [] } = Object.groupBy(entries, ({ kind }) => kind);
        const names = account.map((entry) => {
          const { platform, before, now } = changeOf<"account">(entry);
          return toNamedAccount(platform, before, now);
        });
        await Promise.all([writeNames(sql, names), movePosts(sql, post.map(changeOf<"post">))]);
      },
    },
    order,
  );
}

async function readRecords(sql: Sql, records: readonly RecordKey[]): Promise<RecordTableRow[]> {
  const groups = groupsBy(records, ({ platform, kind }) => `${platform}/${kind}`);
  const reads = groups.map((group) => {
    const [{ platform, kind }] = group;
    return sql.all<RecordTableRow>(LOAD, [...new Set(group.map(({ id }) => id))], platform, kind);
  });
  return (await Promise.all(reads)).flat();
}

/** Value of a changed record. */
function changeOf<Kind extends NonCommentKind>({ stored, value: { row, encoded } }: ChangedEntry<RecordValue>) {
  const before = stored === undefined ? null : (parseJsonText(stored.row.header) as Header<Kind>);
  return { platform: row.platform, before, now: present(encoded) };
}
