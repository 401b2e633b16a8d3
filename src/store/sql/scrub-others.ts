/** Removes an erased person from what others have written: see ../scrub.ts for what counts as a trace. */
import type { PlatformName } from "#domain/record.ts";
import type { SubtitleLine } from "#domain/subtitle.ts";
import { documentOf, subtitleDocument } from "#search/documents.ts";
import type { Person } from "../person.ts";
import { RECORD_COLUMNS, type RecordRow } from "../record-row.ts";
import type { RemovedRecord } from "./record-removal.ts";
import { commentDocId, subtitleDocId } from "../search-doc-ids.ts";
import { type IsErased, scrubJson, scrubTrack } from "../scrub.ts";
import { batchesOf, type RecordSteps } from "./record-steps.ts";
import type { Steps } from "./sql.ts";

type RecordKind = RemovedRecord["kind"];

/** Returns the number of records, comments and subtitle tracks that were changed. */
export function* scrubOthers(
  unit: RecordSteps,
  platform: PlatformName,
  { id, names, spellings }: Person,
  soundIds: ReadonlySet<string>,
  isErased: IsErased,
): Steps<number> {
  const needles = toNeedles([id, ...names, ...spellings]);
  const mentioning = yield* findRecords(unit, platform, needles);
  for (const batch of batchesOf([...soundIds])) {
    // Posts embed the sound that they use.
    const rows = yield* unit.sql.all<{ post_id: string }>(
      "SELECT DISTINCT post_id FROM post_lists WHERE key = ANY($1) AND platform = $2 AND list = 'sound'",
      batch,
      platform,
    );
    for (const { post_id } of rows) mentioning.set(`post/${post_id}`, { kind: "post", id: post_id });
  }
  let count = 0;
  for (const [kind, group] of Map.groupBy(mentioning.values(), (record) => record.kind)) {
    for (const batch of batchesOf(group)) {
      const ids = batch.map((record) => record.id);
      count += yield* scrubRecords(unit, platform, kind, ids, isErased);
    }
  }
  count += yield* scrubComments(unit, platform, needles, isErased);
  count += yield* scrubSubtitles(unit, platform, needles, isErased);
  return count;
}

/** Lower case as engines make it: SQLite of ASCII only, PostgreSQL by the locale of the database. */
function toNeedles(texts: readonly string[]): string[] {
  const lower = texts.flatMap((text) => [
    text.toLowerCase(),
    text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()),
  ]);
  return Array.from(new Set(lower), (text) => `%${escapeLike(JSON.stringify(text).slice(1, -1))}%`);
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

/** A condition that one of the columns contains one of the needles, whose values follow `$1`. */
function containsAny(columns: readonly string[], needles: readonly string[]): string {
  return columns
    .flatMap((column) => needles.map((_, index) => String.raw`lower(${column}) LIKE $${index + 2} ESCAPE '\'`))
    .join(" OR ");
}

function* findRecords(
  unit: RecordSteps,
  platform: PlatformName,
  needles: readonly string[],
): Steps<Map<string, { kind: RecordKind; id: string }>> {
  const rows = yield* unit.sql.all<{ kind: RecordKind; id: string }>(
    `SELECT kind, id FROM records WHERE platform = $1 AND (${containsAny(["header", "native"], needles)})`,
    platform,
    ...needles,
  );
  return new Map(rows.map(({ kind, id }) => [`${kind}/${id}`, { kind, id }]));
}

function scrubRow<Row extends RecordRow>(row: Row, isErased: IsErased): Row | null {
  const header = scrubJson(row.header, isErased);
  const native = scrubJson(row.native, isErased);
  return header === row.header && native === row.native ? null : { ...row, header, native };
}

function* scrubRecords(
  unit: RecordSteps,
  platform: PlatformName,
  kind: RecordKind,
  ids: readonly string[],
  isErased: IsErased,
): Steps<number> {
  let count = 0;
  const rows = yield* unit.sql.all<RecordRow>(
    `SELECT ${RECORD_COLUMNS} FROM records WHERE id = ANY($1) AND platform = $2 AND kind = $3`,
    ids,
    platform,
    kind,
  );
  for (const row of rows) {
    const scrubbed = scrubRow(row, isErased);
    if (scrubbed === null) continue;
    count++;
    const { header, native } = scrubbed;
    yield* unit.sql.run(
      "UPDATE records SET header = $1, native = $2, version = version + 1 WHERE id = $3 AND platform = $4 AND kind = $5",
      header,
      native,
      row.id,
      platform,
      kind,
    );
    unit.renderRecord(platform, kind, scrubbed);
    unit.putDocument(platform, kind, row.id, documentOf(kind, JSON.parse(header) as object));
  }
  return count;
}

function* scrubComments(
  unit: RecordSteps,
  platform: PlatformName,
  needles: readonly string[],
  isErased: IsErased,
): Steps<number> {
  let count = 0;
  const rows = yield* unit.sql.all<RecordRow & { post_id: string }>(
    `SELECT post_id, ${RECORD_COLUMNS} FROM comments
     WHERE platform = $1 AND (${containsAny(["header", "native"], needles)})`,
    platform,
    ...needles,
  );
  for (const row of rows) {
    const scrubbed = scrubRow(row, isErased);
    if (scrubbed === null) continue;
    count++;
    const { post_id, header, native, id } = scrubbed;
    yield* unit.sql.run(
      "UPDATE comments SET header = $1, native = $2 WHERE post_id = $3 AND platform = $4 AND id = $5",
      header,
      native,
      post_id,
      platform,
      id,
    );
    unit.renderComment(platform, post_id, scrubbed);
    unit.putDocument(
      platform,
      "comment",
      commentDocId(post_id, id),
      documentOf("comment", JSON.parse(header) as object),
    );
  }
  return count;
}

function* scrubSubtitles(
  unit: RecordSteps,
  platform: PlatformName,
  needles: readonly string[],
  isErased: IsErased,
): Steps<number> {
  let count = 0;
  const rows = yield* unit.sql.all<{ post_id: string; language: string; automatic: unknown; lines: string }>(
    `SELECT post_id, language, automatic, lines FROM subtitles
     WHERE platform = $1 AND (${containsAny(["lines"], needles)})`,
    platform,
    ...needles,
  );
  for (const { post_id, language, automatic: flag, lines: json } of rows) {
    const automatic = Boolean(flag);
    const track = { language, lines: JSON.parse(json) as SubtitleLine[] };
    const scrubbed = scrubTrack(track, isErased);
    if (scrubbed === track) continue;
    count++;
    yield* unit.sql.run(
      "UPDATE subtitles SET lines = $1 WHERE post_id = $2 AND platform = $3 AND language = $4 AND automatic = $5",
      JSON.stringify(scrubbed.lines),
      post_id,
      platform,
      language,
      automatic,
    );
    unit.putDocument(platform, "subtitle", subtitleDocId(post_id, language, automatic), subtitleDocument(scrubbed));
  }
  return count;
}
