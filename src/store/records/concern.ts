import type { Account } from "#domain/account.ts";
import { replaceReferences } from "#domain/account-references.ts";
import { foldName } from "#domain/folding.ts";
import { type JsonText, parseJsonText } from "#domain/json-text.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Header } from "#domain/records.ts";
import { documentOf } from "#search/documents.ts";
import { listPostIds } from "#store/lists/port.ts";
import { batchesOf, type SqlSteps, step, type Steps } from "#store/sql/sql.ts";
import type { Concern, Mention, Removal, Selection } from "#store/write/concern.ts";
import { someOf, type Where, whereDue } from "#store/write/keyed-rows.ts";
import { findRowsWith, scrubRow } from "#store/write/mentions.ts";
import {
  imageOf,
  mergeImage,
  type NonCommentKind,
  parseImage,
  parseRecordRow,
  RECORD_COLUMNS,
  type RecordKey,
  type RecordRow,
} from "#store/write/record-row.ts";
import { encodeRecord } from "#store/write/row-encoder.ts";
import type { RecordSteps } from "#store/write/unit.ts";

type AccountHeader = JsonText<Header<"account">>;

const KINDS: ReadonlySet<string> = new Set<NonCommentKind>(["account", "post", "sound", "hashtag", "place"]);

function isRecordKind(kind: string): kind is NonCommentKind {
  return KINDS.has(kind);
}

const IDENTIFIED = "id = ANY($1) AND platform = $2 AND kind = $3";

export const records: Concern = {
  *remove(unit, selection) {
    const where = whereSelected(selection);
    if (where === null) return [];
    const removed = yield* unit.sql.remove<RecordKey & { header: string }>(
      "platform, kind, id, header",
      `records WHERE ${where.condition}`,
      ...where.values,
    );
    for (const { platform, kind, id, header } of removed) {
      if (kind === "account") yield* removeName(unit.sql, platform, id, header);
    }
    return Map.groupBy(removed, ({ kind }) => kind)
      .entries()
      .map(([kind, rows]): Removal => {
        return {
          kind,
          count: rows.length,
          rows: rows.map(({ platform, id: key, header }) => ({ platform, key, header })),
        };
      })
      .toArray();
  },
  *count({ sql }, expiry) {
    if (!isRecordKind(expiry.kind)) return 0;
    const { condition, values } = whereDueOf(expiry);
    return yield* sql.count(`records WHERE ${condition}`, ...values);
  },
  *findMentions(unit, sought) {
    const rows = yield* findRowsWith<RecordKey>(unit, "records", "kind, id", ["header", "native"], sought);
    return rows.map(({ kind, id: key }): Mention => ({ kind, key }));
  },
  *scrub(unit, { platform, mentions, rules }, { counts }) {
    for (const [kind, group] of Map.groupBy(mentions, (mention) => mention.kind)) {
      if (!isRecordKind(kind)) continue;
      for (const batch of batchesOf(group.map(({ key }) => key))) {
        for (const row of yield* readRows(unit.sql, platform, kind, batch)) {
          const scrubbed = scrubRow(row, rules);
          if (scrubbed === null) continue;
          counts.mention++;
          yield* rewrite(unit, platform, kind, scrubbed);
          if (kind === "account" && nameOf(row.header) !== nameOf(scrubbed.header)) {
            yield* removeName(unit.sql, platform, row.id, row.header);
          }
        }
      }
    }
  },
  *rekey(unit, { platform, from, to, merge }) {
    const { sql } = unit;
    const [[placeholder], [account]] = [
      yield* readRows(sql, platform, "account", [from]),
      yield* readRows(sql, platform, "account", [to]),
    ];
    const imageOfRow = (row: RecordRow | undefined) => (row === undefined ? null : imageOf(row));
    // An import that is undone later finds the account under the new id.
    yield* unit.moveTouches(
      { platform, kind: "account", from, to },
      account !== undefined,
      (own = imageOfRow(account), other = imageOfRow(placeholder)) =>
        other === null
          ? own
          : mergeImage(platform, "account", own, encodeRecord("account", parseImage(to, other)), merge),
    );
    for (const batch of batchesOf(yield* listPostIds(sql, platform, ["author", "tagged"], [from]))) {
      for (const row of yield* readRows(sql, platform, "post", batch)) {
        const post = replaceReferences(parseJsonText<object>(row.header), (id) => (id === from ? to : id));
        yield* rewrite(unit, platform, "post", { ...row, header: JSON.stringify(post) });
      }
    }
    if (placeholder === undefined) return;
    yield* step(unit.documents.remove(platform, "account", [from]));
    yield* sql.run("DELETE FROM records WHERE id = $1 AND platform = $2 AND kind = 'account'", from, platform);
    yield* removeName(sql, platform, from, placeholder.header);
    // The placeholder's data is merged like any other capture.
    const incoming = encodeRecord("account", { ...parseRecordRow<Account>(placeholder), id: to });
    const change = { kind: "account" as const, postId: null, incoming, point: null };
    yield* step(unit.apply({ platform, records: [change], subtitles: [], follows: [], chartEntries: [] }, merge));
  },
};

function whereSelected(selection: Selection): Where | null {
  if ("source" in selection) return { condition: "source = $1", values: [selection.source] };
  if ("expiry" in selection) {
    const { expiry, limit } = selection;
    return isRecordKind(expiry.kind) ? someOf("records", "platform, kind, id", whereDueOf(expiry), limit) : null;
  }
  const [kind, ids] = "of" in selection ? [selection.of, selection.ids] : [selection.kind, selection.keys];
  return isRecordKind(kind) ? { condition: IDENTIFIED, values: [ids, selection.platform, kind] } : null;
}

function whereDueOf(expiry: Parameters<typeof whereDue>[0]): Where {
  const { condition, values } = whereDue(expiry);
  return { condition: `${condition} AND kind = $${values.length + 1}`, values: [...values, expiry.kind] };
}

function readRows(
  sql: SqlSteps,
  platform: PlatformName,
  kind: NonCommentKind,
  ids: readonly string[],
): Steps<RecordRow[]> {
  return sql.all<RecordRow>(`SELECT ${RECORD_COLUMNS} FROM records WHERE ${IDENTIFIED}`, ids, platform, kind);
}

/** Writes a changed header and native object, with what is derived from them. Lists stay. */
function* rewrite(unit: RecordSteps, platform: PlatformName, kind: NonCommentKind, row: RecordRow): Steps<void> {
  const { id, header, native } = row;
  yield* unit.sql.run(
    "UPDATE records SET header = $1, native = $2, version = version + 1 WHERE id = $3 AND platform = $4 AND kind = $5",
    header,
    native,
    id,
    platform,
    kind,
  );
  unit.rendered.writeRecord(platform, kind, row);
  unit.documents.put(platform, kind, id, documentOf(kind, parseJsonText<object>(header)));
}

function* removeName(sql: SqlSteps, platform: PlatformName, id: string, header: AccountHeader): Steps<void> {
  const text = "DELETE FROM account_names WHERE name = $1 AND platform = $2 AND id = $3";
  yield* sql.run(text, nameOf(header), platform, id);
}

/** The folded name, in the form in which names of accounts are stored. */
function nameOf(header: AccountHeader): string {
  return foldName(parseJsonText(header).name ?? "");
}
