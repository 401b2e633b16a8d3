/**
 * Erases a record with everything derived from it, and stores a digest of its id so that later imports skip it. An account
 * is erased with its posts, sounds, comments and relations, and leaves the records of others.
 */
import type { Account } from "#domain/account.ts";
import { isProvisional } from "#domain/provisional-id.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { ErasureResult } from "#store/write/port.ts";
import { isDisplayNameKey, unknownAccountKey } from "./keys.ts";
import { eraseFromJobs, findErasedPosts } from "./erase-from-jobs.ts";
import { eraseFromWatches } from "./erase-from-watches.ts";
import type { LearntId } from "./learn.ts";
import { idsOf, isOfPerson, type Needles, type Person, personKeys } from "./person.ts";
import { collectNames, findNamedOnly, findOwnSounds, type NamedOnly } from "./find-person.ts";
import { markErased } from "./statements.ts";
import { batchesOf, type RecordSteps } from "#store/write/unit.ts";
import { scrubTouches } from "#store/undo/statements.ts";
import { markDeleted } from "./purge-state.ts";
import { removeRecords, removeRows } from "#store/records/removal.ts";
import type { IsErased } from "./scrub.ts";
import { findMentions, findTagged, type Mentions, scrubMentions } from "./scrub-others.ts";
import type { SqlSteps, Steps } from "#store/sql/sql.ts";

export interface ErasureTarget {
  platform: PlatformName;
  kind: "account" | "post" | "comment";
  id: string;
}

/** What an erasure of an account will touch. Read without a lock: see `findErasure`. */
export interface ErasurePlan {
  person: Person;
  postIds: string[];
  /** Those that have only a displayed name of theirs. */
  comments: NamedOnly["comments"];
  /** Posts erased before that the history of imports still names. */
  erasedPostIds: string[];
  sounds: { id: string; header: string }[];
  mentions: Mentions;
}

/** As it is stored: unpaired surrogates become U+FFFD. */
export function toTarget(platform: PlatformName, kind: ErasureTarget["kind"], rawId: string): ErasureTarget {
  return { platform, kind, id: rawId.toWellFormed() };
}

/** First of three: from its commit on, imports skip the person and leave out what others say about them. */
export function* markTarget({ sql }: Pick<RecordSteps, "sql">, { platform, kind, id }: ErasureTarget): Steps<void> {
  if (kind !== "account") return yield* markErased(sql, platform, kind, [id]);
  const { account, person } = yield* findPerson(sql, platform, id);
  const isIdUnknown = account === null || isProvisional(id);
  // Captures that know only a name are skipped too. No name itself is stored.
  const unknown = isIdUnknown ? [...person.names].map(unknownAccountKey) : [];
  yield* markErased(sql, platform, "account", [...personKeys(person), ...unknown]);
}

interface FoundPerson {
  account: Account | null;
  person: Person;
}

function* findPerson(sql: SqlSteps, platform: PlatformName, id: string): Steps<FoundPerson> {
  const account = yield* getAccount(sql, platform, id);
  const person = yield* collectNames(sql, platform, { id, account, postIds: yield* listPosts(sql, platform, [id]) });
  return { account, person };
}

/**
 * Second: finds everything about the person. It reads every record of the platform, which takes seconds per gigabyte, so
 * it needs no transaction: what is written meanwhile no longer names anybody who is marked.
 */
export function* planErasure(unit: RecordSteps, { platform, kind, id }: ErasureTarget): Steps<ErasurePlan | null> {
  if (kind !== "account") return null;
  const { sql } = unit;
  const { person } = yield* findPerson(sql, platform, id);
  const named = yield* findNamedOnly(unit, platform, person);
  const postIds = [...(yield* listPosts(sql, platform, idsOf(person))), ...named.postIds];
  const sounds = yield* findOwnSounds(sql, platform, person, postIds);
  const soundIds = new Set(sounds.map((sound) => sound.id));
  return {
    person,
    postIds,
    comments: named.comments,
    erasedPostIds: yield* findErasedPosts(sql, platform),
    sounds,
    mentions: yield* findMentions(unit, platform, person, soundIds),
  };
}

/** Third, all or nothing. If it fails, erasing again does everything again. */
export function* eraseTarget(unit: RecordSteps, target: ErasureTarget, plan: ErasurePlan | null): Steps<ErasureResult> {
  const { platform, kind, id } = target;
  const result = newResult();
  if (plan !== null) yield* eraseAccount(unit, platform, plan, result);
  else if (kind === "post") yield* erasePosts(unit, platform, [id], result);
  else result.counts.comment += yield* removeRows(unit, "comment", "id = $1 AND platform = $2", id, platform);
  const needles = needlesOf(target, plan);
  yield* eraseFromJobs(unit.sql, needles, plan?.erasedPostIds ?? [], result);
  yield* eraseFromWatches(unit.sql, platform, needles);
  yield* markDeleted(unit.sql);
  return result;
}

/** By which the history of imports and watches name the target. */
export function needlesOf({ id }: ErasureTarget, plan: ErasurePlan | null): Needles {
  return { ids: new Set([id, ...(plan?.postIds ?? [])]), names: [...(plan?.person.names ?? [])] };
}

export function newResult(): ErasureResult {
  const counts = { account: 0, post: 0, comment: 0, subtitles: 0, follow: 0, chart: 0 };
  return { counts: { ...counts, sound: 0, history: 0, mention: 0, file: 0 }, jobs: [] };
}

function* getAccount(sql: SqlSteps, platform: PlatformName, id: string): Steps<Account | null> {
  const header = (yield* getHeaders(sql, platform, "account", [id])).get(id);
  return header === undefined ? null : (JSON.parse(header) as Account);
}

function* listPosts(sql: SqlSteps, platform: PlatformName, authorIds: readonly string[]): Steps<string[]> {
  const posts = yield* sql.all<{ post_id: string }>(
    "SELECT DISTINCT post_id FROM post_lists WHERE key = ANY($1) AND platform = $2 AND list = 'author'",
    authorIds,
    platform,
  );
  return posts.map(({ post_id }) => post_id);
}

/** The headers (JSON) of stored records, by id. */
function* getHeaders(
  sql: SqlSteps,
  platform: PlatformName,
  kind: RecordKind,
  ids: readonly string[],
): Steps<Map<string, string>> {
  const rows = yield* sql.all<{ id: string; header: string }>(
    "SELECT id, header FROM records WHERE id = ANY($1) AND platform = $2 AND kind = $3",
    ids,
    platform,
    kind,
  );
  return new Map(rows.map(({ id, header }) => [id, header]));
}

function* erasePosts(
  unit: RecordSteps,
  platform: PlatformName,
  all: readonly string[],
  { counts }: ErasureResult,
): Steps<void> {
  const { sql } = unit;
  for (const ids of batchesOf(all)) {
    yield* markErased(sql, platform, "post", ids);
    for (const kind of ["comment", "subtitles", "chart"] as const) {
      counts[kind] += yield* removeRows(unit, kind, "post_id = ANY($1) AND platform = $2", ids, platform);
    }
    counts.history += yield* sql.count(
      "counter_points WHERE id = ANY($1) AND platform = $2 AND kind = 'post'",
      ids,
      platform,
    );
    const headers = yield* getHeaders(sql, platform, "post", ids);
    counts.post += headers.size;
    yield* removeRecords(
      unit,
      ids.map((id) => ({ platform, kind: "post", id, header: headers.get(id) ?? null })),
    );
  }
  const erased = new Set(all);
  // Another post may have taken its place in a chart.
  yield* scrubTouches(sql, platform, (kind, id) => kind === "post" && erased.has(id), "chart");
}

/**
 * What is stored under ids that turn out to be of somebody erased: a file with the subtitles of a post of theirs may have
 * come first, or one that knew them by another name alone. Mentions of that name in the texts of others stay.
 */
export function* removeLearnt(unit: RecordSteps, learnt: readonly LearntId[]): Steps<void> {
  for (const [platform, group] of Map.groupBy(learnt, (one) => one.platform)) {
    const accounts = group.flatMap(({ kind, id }) => (kind === "account" && !isDisplayNameKey(id) ? id : []));
    const ofAccounts = accounts.length > 0 ? yield* listPosts(unit.sql, platform, accounts) : [];
    const posts = new Set([...group.flatMap(({ kind, id }) => (kind === "post" ? id : [])), ...ofAccounts]);
    if (posts.size > 0) yield* erasePosts(unit, platform, [...posts], newResult());
    if (posts.size > 0 || accounts.length > 0) yield* markDeleted(unit.sql);
    if (accounts.length === 0) continue;
    const erased = new Set(accounts);
    const isErased: IsErased = (kind, key) => kind === "account" && erased.has(key);
    yield* scrubMentions(unit, platform, yield* findTagged(unit.sql, platform, accounts), isErased);
    yield* eraseAccounts(unit, platform, accounts, newResult());
    yield* scrubTouches(unit.sql, platform, isErased);
  }
}

function* eraseAccount(
  unit: RecordSteps,
  platform: PlatformName,
  { person, postIds, comments, sounds, mentions }: ErasurePlan,
  result: ErasureResult,
): Steps<void> {
  const { sql } = unit;
  const { counts } = result;
  yield* erasePosts(unit, platform, postIds, result);
  yield* eraseAccounts(unit, platform, idsOf(person), result);
  for (const [postId, group] of Map.groupBy(comments, (comment) => comment.post_id)) {
    const ids = group.map(({ id }) => id);
    const condition = "post_id = $1 AND platform = $2 AND id = ANY($3)";
    counts.comment += yield* removeRows(unit, "comment", condition, postId, platform, ids);
  }
  const soundIds = new Set(sounds.map((sound) => sound.id));
  yield* markErased(sql, platform, "sound", soundIds);
  yield* removeRecords(
    unit,
    sounds.map((sound) => ({ platform, kind: "sound", ...sound })),
  );
  counts.sound += sounds.length;
  const isErased = isOfPerson(person, soundIds);
  counts.mention += yield* scrubMentions(unit, platform, mentions, isErased);
  yield* scrubTouches(sql, platform, isErased);
}

/** All but the posts. */
function* eraseAccounts(
  unit: RecordSteps,
  platform: PlatformName,
  ids: readonly string[],
  { counts }: ErasureResult,
): Steps<void> {
  const { sql } = unit;
  counts.comment += yield* removeRows(unit, "comment", "author_id = ANY($1) AND platform = $2", ids, platform);
  for (const column of ["account_id", "follower_id"]) {
    counts.follow += yield* removeRows(unit, "follow", `${column} = ANY($1) AND platform = $2`, ids, platform);
  }
  yield* sql.run("DELETE FROM post_lists WHERE key = ANY($1) AND platform = $2 AND list = 'tagged'", ids, platform);
  const headers = yield* getHeaders(sql, platform, "account", ids);
  counts.account += headers.size;
  counts.history += yield* sql.count(
    "counter_points WHERE id = ANY($1) AND platform = $2 AND kind = 'account'",
    ids,
    platform,
  );
  yield* removeRecords(
    unit,
    ids.map((id) => ({ platform, kind: "account", id, header: headers.get(id) ?? null })),
  );
  // Stores of earlier versions may still have rows of former names.
  yield* sql.run("DELETE FROM account_names WHERE id = ANY($1) AND platform = $2", ids, platform);
}
