/** Removes an erased person from what others have written: see scrub.ts for what counts as a trace. */
import { isAscii } from "#domain/folding.ts";
import type { PlatformName } from "#domain/record.ts";
import type { SubtitleLine } from "#domain/subtitle.ts";
import { documentOf, subtitleDocument } from "#search/documents.ts";
import type { Person } from "./person.ts";
import { type NonCommentKind, RECORD_COLUMNS, type RecordRow } from "#store/write/record-row.ts";
import { commentDocId, subtitleDocId } from "#store/search/doc-ids.ts";
import { type IsErased, scrubJson, scrubTrack } from "./scrub.ts";
import { batchesOf, type RecordSteps } from "#store/write/unit.ts";
import type { SqlSteps, Steps } from "#store/sql/sql.ts";

/** What may name a person: more is found than is changed. */
export interface Mentions {
  records: { kind: NonCommentKind; id: string }[];
  comments: { post_id: string; id: string }[];
  /** Of posts with such a track. */
  subtitles: { post_id: string }[];
}

export function* findMentions(
  unit: RecordSteps,
  platform: PlatformName,
  { id, names, spellings }: Person,
  soundIds: ReadonlySet<string>,
): Steps<Mentions> {
  const { sql } = unit;
  // The engine knows upper and lower case of ASCII alone: other spellings are found by the sign before them.
  const texts = [id, ...names, ...spellings];
  texts.push(...(texts.every(isAscii) ? ["＠"] : ["@", "＠"]));
  const needles = Array.from(new Set(texts), toPattern);
  const contains = (...columns: string[]) =>
    columns.flatMap((column) => needles.map((_, index) => unit.contains(column, `$${index + 2}`))).join(" OR ");
  const records = yield* sql.all<Mentions["records"][number]>(
    `SELECT kind, id FROM records WHERE platform = $1 AND (${contains("header", "native")})`,
    platform,
    ...needles,
  );
  const found = new Map(records.map((record) => [`${record.kind}/${record.id}`, { ...record }]));
  for (const batch of batchesOf([...soundIds])) {
    // Posts embed the sound that they use.
    const posts = yield* sql.all<{ post_id: string }>(
      "SELECT DISTINCT post_id FROM post_lists WHERE key = ANY($1) AND platform = $2 AND list = 'sound'",
      batch,
      platform,
    );
    for (const { post_id } of posts) found.set(`post/${post_id}`, { kind: "post", id: post_id });
  }
  return {
    records: [...found.values()],
    comments: yield* sql.all(
      `SELECT post_id, id FROM comments WHERE platform = $1 AND (${contains("header", "native")})`,
      platform,
      ...needles,
    ),
    subtitles: yield* sql.all(
      `SELECT DISTINCT post_id FROM subtitles WHERE platform = $1 AND (${contains("lines")})`,
      platform,
      ...needles,
    ),
  };
}

/** The posts that tag one of these accounts. */
export function* findTagged(sql: SqlSteps, platform: PlatformName, ids: readonly string[]): Steps<Mentions> {
  const posts = yield* sql.all<{ post_id: string }>(
    "SELECT DISTINCT post_id FROM post_lists WHERE key = ANY($1) AND platform = $2 AND list = 'tagged'",
    ids,
    platform,
  );
  return { records: posts.map(({ post_id: id }) => ({ kind: "post", id })), comments: [], subtitles: [] };
}

/** For a text within JSON. */
export function toPattern(text: string): string {
  return `%${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/** Returns the number of records, comments and subtitle tracks that were changed. */
export function* scrubMentions(
  unit: RecordSteps,
  platform: PlatformName,
  mentions: Mentions,
  isErased: IsErased,
): Steps<number> {
  let count = 0;
  for (const [kind, group] of Map.groupBy(mentions.records, (record) => record.kind)) {
    for (const batch of batchesOf(group)) {
      const ids = batch.map((record) => record.id);
      count += yield* scrubRecords(unit, platform, kind, ids, isErased);
    }
  }
  for (const batch of batchesOf(mentions.comments)) count += yield* scrubComments(unit, platform, batch, isErased);
  for (const batch of batchesOf(mentions.subtitles)) count += yield* scrubSubtitles(unit, platform, batch, isErased);
  return count;
}

function scrubRow<Row extends RecordRow>(row: Row, isErased: IsErased): Row | null {
  const header = scrubJson(row.header, isErased);
  const native = scrubJson(row.native, isErased);
  return header === row.header && native === row.native ? null : { ...row, header, native };
}

function* scrubRecords(
  unit: RecordSteps,
  platform: PlatformName,
  kind: NonCommentKind,
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
  comments: Mentions["comments"],
  isErased: IsErased,
): Steps<number> {
  let count = 0;
  const rows = yield* unit.sql.all<RecordRow & { post_id: string }>(
    `SELECT post_id, ${RECORD_COLUMNS} FROM comments WHERE post_id = ANY($1) AND platform = $2 AND id = ANY($3)`,
    comments.map(({ post_id }) => post_id),
    platform,
    comments.map(({ id }) => id),
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
  posts: Mentions["subtitles"],
  isErased: IsErased,
): Steps<number> {
  let count = 0;
  const rows = yield* unit.sql.all<{ post_id: string; language: string; automatic: unknown; lines: string }>(
    "SELECT post_id, language, automatic, lines FROM subtitles WHERE post_id = ANY($1) AND platform = $2",
    posts.map(({ post_id }) => post_id),
    platform,
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
