/**
 * Erases a record with everything derived from it, and stores a digest of its id so that later imports skip it. An account
 * is erased with its posts, sounds, comments and relations, and leaves the records of others.
 */
import { isProvisional } from "#domain/provisional-id.ts";
import { parseJsonText } from "#domain/json-text.ts";
import type { Header } from "#domain/records.ts";
import type { PlatformName } from "#domain/record.ts";
import { listFileTexts } from "#store/jobs/port.ts";
import { listPostIds } from "#store/lists/port.ts";
import { readHeaders } from "#store/records/port.ts";
import { batchesOf, type SqlSteps, type Steps } from "#store/sql/sql.ts";
import { compositeKey } from "#store/undo/port.ts";
import type { ErasedKind, HistoryRules, Mention, Selection } from "#store/write/concern.ts";
import { withVerb } from "#store/write/concerns.ts";
import type { ErasureCounts, ErasureResult } from "#store/write/port.ts";
import { removeRows } from "#store/write/removal.ts";
import { type RecordSteps, withoutWriting } from "#store/write/unit.ts";
import { collectNames, findNamedOnly, findOwnSounds, type NamedOnly } from "./find-person.ts";
import { findMentions, findTagged } from "./find-mentions.ts";
import { eraseFileName, scrubLabel, scrubReason } from "./import-history.ts";
import { isDisplayNameKey, unknownAccountKey } from "./keys.ts";
import type { LearntId } from "./learn.ts";
import { idsOf, isNamedIn, isOfPerson, listPossibleIds, type Needles, type Person, personKeys } from "./person.ts";
import { markDeleted } from "./purge-state.ts";
import { scrubImage } from "./scrub-image.ts";
import { ERASED_TEXT, type IsErased, scrubJson, scrubText } from "./scrub.ts";
import { filterErased, markErased } from "./statements.ts";

export interface ErasureTarget {
  platform: PlatformName;
  kind: "account" | "post" | "comment";
  id: string;
}

/** The rows that an erasure of an account will touch, read without a lock: see `planErasure`. */
export interface ErasurePlan {
  person: Person;
  postIds: string[];
  /** Comments that have only a displayed name of theirs. */
  comments: NamedOnly["comments"];
  /** Posts erased before that the history of imports still names. */
  erasedPostIds: string[];
  soundIds: string[];
  mentions: Mention[];
}

/** The target with its id as stores have it: unpaired surrogates become U+FFFD. */
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
  account: Header<"account"> | null;
  person: Person;
}

function* findPerson(sql: SqlSteps, platform: PlatformName, id: string): Steps<FoundPerson> {
  const [header] = yield* readHeaders(sql, platform, "account", [id]);
  const account = header === undefined ? null : parseJsonText(header);
  const postIds = yield* listPostIds(sql, platform, ["author"], [id]);
  return { account, person: yield* collectNames(sql, platform, { id, account, postIds }) };
}

/**
 * Second: finds everything about the person. Reading every record of the platform takes seconds per gigabyte, so no
 * transaction is open: what is written meanwhile no longer names anybody who is marked.
 */
export function* planErasure(unit: RecordSteps, { platform, kind, id }: ErasureTarget): Steps<ErasurePlan | null> {
  if (kind !== "account") return null;
  const { sql } = unit;
  const { person } = yield* findPerson(sql, platform, id);
  const { comments, postIds: named } = yield* findNamedOnly(unit, platform, person);
  const postIds = [...(yield* listPostIds(sql, platform, ["author"], idsOf(person))), ...named];
  const soundIds = yield* findOwnSounds(sql, platform, person, postIds);
  const possibleIds = new Set<string>();
  for (const text of yield* listFileTexts(sql)) for (const one of listPossibleIds(text)) possibleIds.add(one);
  return {
    person,
    postIds,
    comments,
    // An import may have written the names of its files since those posts were erased.
    erasedPostIds: yield* filterErased(sql, platform, "post", possibleIds),
    soundIds,
    mentions: yield* findMentions(unit, platform, person, soundIds),
  };
}

/** Third, all or nothing. If it fails, erasing again does everything again. */
export function* eraseTarget(
  unit: RecordSteps,
  { platform, kind, id }: ErasureTarget,
  plan: ErasurePlan | null,
): Steps<ErasureResult> {
  const { postIds, person } = plan ?? { postIds: [], person: null };
  const needles = { ids: new Set([id, ...postIds]), names: [...(person?.names ?? [])] };
  const history = historyRules(needles, plan?.erasedPostIds ?? []);
  if (plan === null) {
    return yield* eraseAll(unit, { platform, ids: { [kind]: [id] }, mentions: [], isErased: () => false, history });
  }
  const { soundIds, comments, mentions } = plan;
  const ids = { post: postIds, account: idsOf(plan.person), sound: soundIds };
  const isErased = isOfPerson(plan.person, new Set(soundIds));
  return yield* eraseAll(unit, { platform, ids, comments, mentions, isErased, history });
}

/** Counts what an erasure would delete and change, by an erasure that does not write: writers do not wait for it. */
export function* previewErasure(unit: RecordSteps, target: ErasureTarget): Steps<ErasureCounts> {
  const dry = withoutWriting(unit);
  return (yield* eraseTarget(dry, target, yield* planErasure(dry, target))).counts;
}

/**
 * Erases what is stored under ids that turn out to be of somebody erased: a file with the subtitles of a post of theirs may
 * have come first, or one that knew them by another name alone. Mentions of that name in the texts of others stay.
 */
export function* removeLearnt(unit: RecordSteps, learnt: readonly LearntId[]): Steps<void> {
  for (const [platform, group] of Map.groupBy(learnt, (one) => one.platform)) {
    const account = group.flatMap(({ kind, id }) => (kind === "account" && !isDisplayNameKey(id) ? id : []));
    const theirs = yield* listPostIds(unit.sql, platform, ["author"], account);
    const post = [...new Set([...group.flatMap(({ kind, id }) => (kind === "post" ? id : [])), ...theirs])];
    if (post.length === 0 && account.length === 0) continue;
    const mentions = yield* findTagged(unit.sql, platform, account);
    const accounts = new Set(account);
    const isErased: IsErased = (kind, key) => kind === "account" && accounts.has(key);
    yield* eraseAll(unit, { platform, ids: { post, account }, mentions, isErased, history: null });
  }
}

interface Erasing {
  platform: PlatformName;
  ids: Partial<Record<ErasedKind, readonly string[]>>;
  comments?: NamedOnly["comments"];
  /** Rows of others that may name the erased people. */
  mentions: readonly Mention[];
  /** Whether an account or a sound is erased. */
  isErased: IsErased;
  history: HistoryRules | null;
}

function* eraseAll(unit: RecordSteps, erasing: Erasing): Steps<ErasureResult> {
  const { sql } = unit;
  const { platform, ids, comments = [], isErased, history } = erasing;
  const result: ErasureResult = { counts: { ...NO_COUNTS }, jobs: [] };
  const removed = new Set<string>();
  const remove = function* (selection: Selection): Steps<void> {
    for (const { kind, count, rows } of yield* removeRows(unit, selection)) {
      const before = removed.size;
      for (const { key } of rows) removed.add(`${kind}/${key}`);
      // A dry run may find a row twice, such as a comment on a post of its author.
      if (kind in result.counts)
        result.counts[kind as keyof ErasureCounts] += kind === "history" ? count : removed.size - before;
    }
  };
  for (const kind of ERASED_KINDS) {
    for (const batch of batchesOf(ids[kind] ?? [])) {
      yield* markErased(sql, platform, kind, batch);
      yield* remove({ of: kind, platform, ids: batch });
    }
  }
  const named = comments.map(({ post_id, id }) => compositeKey(post_id, id));
  yield* remove({ kind: "comment", platform, keys: named });
  const posts = new Set(ids.post);
  const isGone: IsErased = (kind, key) => (kind === "post" ? posts.has(key) : isErased(kind, key));
  const scrubbing = {
    platform,
    mentions: erasing.mentions.filter(({ kind, key }) => !removed.has(`${kind}/${key}`)),
    erased: ERASED_KINDS.filter((kind) => (ids[kind] ?? []).length > 0),
    rules: {
      json: (text: string) => scrubJson(text, isGone),
      text: (text: string) => scrubText(text, isGone),
      image: (kind: Mention["kind"], image: string) => scrubImage(kind, image, isGone),
    },
    history,
  };
  for (const { scrub } of withVerb("scrub")) yield* scrub(unit, scrubbing, result);
  yield* markDeleted(sql);
  return result;
}

const ERASED_KINDS = ["post", "account", "comment", "sound"] as const;

const NO_COUNTS: ErasureCounts = {
  account: 0,
  post: 0,
  comment: 0,
  subtitles: 0,
  follow: 0,
  chart: 0,
  sound: 0,
  history: 0,
  mention: 0,
  file: 0,
};

/** `erasedPostIds` may be of somebody else who was erased. */
function historyRules(needles: Needles, erasedPostIds: readonly string[]): HistoryRules {
  const earlier: Needles = { ids: new Set(erasedPostIds), names: [] };
  const isTheirs = (text: string) => isNamedIn(text, needles);
  const isNamed = (text: string) => isTheirs(text) || isNamedIn(text, earlier);
  return {
    isTheirs,
    isNamed,
    erasedText: ERASED_TEXT,
    fileName: eraseFileName,
    label: (label) => scrubLabel(label, isNamed),
    reason: (reason) => scrubReason(reason, isNamed),
  };
}
