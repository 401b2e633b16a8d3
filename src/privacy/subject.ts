/** Everything that is stored about one person, from every table, with when and where it was captured. */
import type { Account } from "#domain/account.ts";
import { isFields } from "#domain/fields.ts";
import { foldName } from "#domain/folding.ts";
import { parseJsonText } from "#domain/json-text.ts";
import type { ReportKind } from "#domain/job.ts";
import type { PlatformName } from "#domain/record.ts";
import { makerKeys } from "#store/erasure/erased-record.ts";
import {
  addAuthorNames,
  addNames,
  createPerson,
  idsOf,
  isNamedIn,
  isOfPerson,
  type Person,
} from "#store/erasure/person.ts";
import { type IsErased, scrubJson, scrubText } from "#store/erasure/scrub.ts";
import type { Store } from "#store/store.ts";
import {
  decodeTrackRow,
  type RowFilter,
  type Rows,
  type TableName,
  type TableReader,
  TABLES,
} from "#store/copy/port.ts";
import { findAccount } from "./find-account.ts";

type Value = string | number | null;
type Row = Record<string, unknown>;
type RecordRow = Rows["records" | "comments"];

export interface SubjectReport {
  platform: PlatformName;
  id: string;
  names: string[];
  /** Null if only others name the person. */
  profile: Row | null;
  /** What is stored under another name, without an id. */
  formerProfiles: Row[];
  posts: Row[];
  comments: Row[];
  subtitles: Row[];
  sounds: Row[];
  follows: Row[];
  followers: Row[];
  history: Row[];
  charts: Row[];
  /** Records of others that tag or mention the person, or use a sound of theirs. */
  mentions: Row[];
  /** What imports have replaced of all this, as long as they can be undone. */
  earlier: Row[];
  /** Imports with a file that is named after the person or one of their posts. */
  imports: Row[];
  /** Which live sources are asked for again and again. */
  watches: Row[];
  /** By source: how much was captured, and between which moments; null if they are unknown. */
  sources: Record<string, { rows: number; firstCapturedAt: string | null; lastCapturedAt: string | null }>;
}

/** Null if nothing is stored under this id or name. */
export async function exportSubject(
  store: Pick<Store, "reader" | "tables">,
  platform: PlatformName,
  idOrName: string,
): Promise<SubjectReport | null> {
  const account = await findAccount(store, platform, idOrName);
  const report = await store.tables.snapshot((tables) => collect(tables, platform, account?.id ?? idOrName, account));
  const { posts, comments, sounds, follows, followers, mentions, formerProfiles, watches } = report;
  const lists = [posts, comments, sounds, follows, followers, mentions, formerProfiles, watches];
  return report.profile === null && lists.every((list) => list.length === 0) ? null : report;
}

async function collect(
  tables: TableReader,
  platform: PlatformName,
  id: string,
  account: Account | null,
): Promise<SubjectReport> {
  const person = await collectNames(tables, platform, id, account);
  const ids = new Set(idsOf(person));
  const report: SubjectReport = {
    platform,
    id,
    names: [...new Set([...person.spellings, ...person.displayNames])],
    profile: null,
    formerProfiles: [],
    posts: [],
    comments: [],
    subtitles: [],
    sounds: [],
    follows: [],
    followers: [],
    history: [],
    charts: [],
    mentions: [],
    earlier: [],
    imports: [],
    watches: [],
    sources: {},
  };
  const postIds = new Set<string>();
  const soundIds = new Set<string>();
  const isTheirs = isOfPerson(person, soundIds);
  // First what is theirs: posts of others may use their sounds.
  for await (const row of rowsOf(tables, "records", platform, "ifAuthorHasId")) {
    const [, kind, recordId] = row;
    if (!isMaker(kind, row, isTheirs)) continue;
    if (kind === "post") postIds.add(recordId);
    else soundIds.add(recordId);
  }
  for await (const row of rowsOf(tables, "records", platform)) {
    const [, kind, recordId] = row;
    if (kind === "account" && recordId === id) report.profile = toObject("records", row);
    else if (kind === "account" && ids.has(recordId)) report.formerProfiles.push(toObject("records", row));
    else if (kind === "post" && postIds.has(recordId)) report.posts.push(toObject("records", row));
    else if (kind === "sound" && soundIds.has(recordId)) report.sounds.push(toObject("records", row));
    else if (isMentionedIn(row, isTheirs)) report.mentions.push(toMention("records", row));
  }
  for await (const row of rowsOf(tables, "comments", platform)) {
    if (isMaker("comment", row, isTheirs)) report.comments.push(toObject("comments", row));
    else if (isMentionedIn(row, isTheirs)) report.mentions.push(toMention("comments", row));
  }
  for await (const row of rowsOf(tables, "subtitles", platform)) {
    if (postIds.has(row[1])) report.subtitles.push(toObject("subtitles", row));
    else for (const mention of mentionsInTrack(row, isTheirs)) report.mentions.push(mention);
  }
  for await (const row of rowsOf(tables, "follows", platform)) {
    if (ids.has(row[2])) report.follows.push(toObject("follows", row));
    else if (ids.has(row[1])) report.followers.push(toObject("follows", row));
  }
  const records: Record<string, ReadonlySet<string>> = { account: ids, post: postIds, sound: soundIds };
  for await (const row of rowsOf(tables, "counter_points", platform)) {
    if (records[row[1]]?.has(row[2]) === true) report.history.push(toObject("counter_points", row));
  }
  for await (const row of rowsOf(tables, "chart_entries", platform)) {
    if (postIds.has(row[5])) report.charts.push(toObject("chart_entries", row));
  }
  const commentIds = new Set(report.comments.map((comment) => comment["id"]));
  const isOwn = ([, kind, key]: Rows["job_records"], { post_id: postId }: Row): boolean => {
    if (kind === "chart") return typeof postId === "string" && postIds.has(postId);
    if (kind === "comment") return commentIds.has(parseJsonText(key)[1]);
    if (kind === "follow") return parseJsonText(key).some((one) => ids.has(one));
    if (kind === "subtitles") return postIds.has(parseJsonText(key)[0]);
    return records[kind]?.has(key) === true;
  };
  for await (const row of rowsOf(tables, "job_records", platform)) {
    const [, kind, key, , , image] = row;
    if (image?.startsWith("{") !== true) continue;
    const stored = JSON.parse(image) as Row;
    if (isOwn(row, stored)) report.earlier.push({ kind, key, stored });
  }
  for await (const row of rowsOf(tables, "watches", null)) {
    const [, on, kind, target] = row;
    const isPerson = on === platform && ["account", "channel"].includes(kind);
    if (isPerson && (target === id || person.names.has(foldName(target))))
      report.watches.push(toObject("watches", row));
  }
  const needles = { ids: new Set([id, ...postIds]), names: [...person.names] };
  for await (const row of rowsOf(tables, "job_files", null)) {
    if (isNamedIn(row[1], needles)) report.imports.push({ job: row[0], file: row[1] });
  }
  report.sources = countSources(report);
  return report;
}

async function* rowsOf<Name extends TableName>(
  tables: TableReader,
  table: Name,
  platform: PlatformName | null,
  withoutNative: RowFilter["withoutNative"] = false,
): AsyncGenerator<Rows[Name]> {
  const filter = platform === null ? {} : { platforms: [platform], withoutNative };
  for await (const rows of tables.read(table, filter)) yield* rows;
}

/** Every name that captures have shown, as an erasure looks for them. */
async function collectNames(
  tables: TableReader,
  platform: PlatformName,
  id: string,
  account: Account | null,
): Promise<Person> {
  const person = createPerson(id, account);
  for await (const [, name, of] of rowsOf(tables, "account_names", platform)) {
    if (of === id) addNames(person, { name, displayName: null });
  }
  for await (const [, kind, key, , , image] of rowsOf(tables, "job_records", platform)) {
    if (kind !== "account" || key !== id || image?.startsWith("{") !== true) continue;
    addNames(person, (JSON.parse(image) as { header: Account }).header);
  }
  for await (const [, kind, , header] of rowsOf(tables, "records", platform, true)) {
    if (kind === "post") addAuthorNames(person, parseJsonText(header));
  }
  return person;
}

/** Of a post, a sound or a comment: whether they published it. */
function isMaker(kind: ReportKind, [, , , header, native]: RecordRow, isTheirs: IsErased): boolean {
  const keys = makerKeys(kind, parseJsonText<object>(header), () => parseJsonText(native));
  return keys.some((key) => isTheirs("account", key));
}

/** Header and native object: a record mentions somebody if erasing them would change it. */
function isMentionedIn(row: RecordRow, isTheirs: IsErased): boolean {
  return [row[3], row[4]].some((json) => scrubJson(json, isTheirs) !== json);
}

/** A time of 0 is unknown. */
function toTime(at: Value): string | null {
  return typeof at === "number" && at > 0 ? new Date(at).toISOString() : null;
}

const JSON_COLUMNS = new Set(["header", "native", "lines", "counters"]);

function toObject(table: TableName, row: readonly Value[]): Row {
  return Object.fromEntries(
    TABLES[table].map((column, index) => {
      const value = row[index] ?? null;
      if (column === "captured_at") return ["capturedAt", toTime(value)];
      return [column, JSON_COLUMNS.has(column) && typeof value === "string" ? JSON.parse(value) : value];
    }),
  );
}

/** What others wrote is theirs: only where the person is mentioned, and the text around it. */
function toMention(table: "records" | "comments", [, kindOrPost, id, json, , capturedAt, source]: RecordRow): Row {
  const header: { text?: string | null; bio?: string | null } = parseJsonText<object>(json);
  return {
    ...(table === "records" ? { kind: kindOrPost, id } : { kind: "comment", id, postId: kindOrPost }),
    text: header.text ?? header.bio ?? null,
    capturedAt: toTime(capturedAt),
    source,
  };
}

/** Of subtitles, the lines that mention the person. */
function mentionsInTrack(row: Rows["subtitles"], isTheirs: IsErased): Row[] {
  const { postId, language, lines, capturedAt, source } = decodeTrackRow(row);
  return lines.flatMap(({ text }) => {
    if (scrubText(text, isTheirs) === text) return [];
    return { kind: "subtitles", postId, language, text, capturedAt: toTime(capturedAt), source };
  });
}

function countSources(report: SubjectReport): SubjectReport["sources"] {
  const sources: SubjectReport["sources"] = {};
  for (const row of Object.values<unknown>({ ...report }).flat()) {
    if (!isFields(row) || typeof row["source"] !== "string") continue;
    const at = typeof row["capturedAt"] === "string" ? row["capturedAt"] : null;
    const known = (sources[row["source"]] ??= { rows: 0, firstCapturedAt: at, lastCapturedAt: at });
    known.rows++;
    if (at === null) continue;
    if (known.firstCapturedAt === null || at < known.firstCapturedAt) known.firstCapturedAt = at;
    if (known.lastCapturedAt === null || at > known.lastCapturedAt) known.lastCapturedAt = at;
  }
  return sources;
}
