/** Counts what an erasure would delete and change. It only reads: writers do not wait for it. */
import type { PlatformName } from "#domain/record.ts";
import { compositeKey } from "#store/undo/port.ts";
import { idsOf, isOfPerson } from "./person.ts";
import type { ErasureCounts } from "#store/write/port.ts";
import { type ErasurePlan, needlesOf, newResult, planErasure, type ErasureTarget } from "./erase.ts";
import { eraseFromJobs } from "./erase-from-jobs.ts";
import { batchesOf, type RecordSteps } from "#store/write/unit.ts";
import { scrubMentions } from "./scrub-others.ts";
import type { SqlSteps, Steps, Value } from "#store/sql/sql.ts";

export function* previewErasure(unit: RecordSteps, target: ErasureTarget): Steps<ErasureCounts> {
  const { platform, kind, id } = target;
  const dry = withoutWriting(unit);
  const plan = yield* planErasure(dry, target);
  const result = newResult();
  const comments = new Set<string>();
  yield* countPosts(dry.sql, platform, plan?.postIds ?? (kind === "post" ? [id] : []), result.counts, comments);
  if (kind === "comment") yield* addComments(dry.sql, comments, "id = $1 AND platform = $2", id, platform);
  if (plan !== null) yield* countAccount(dry, platform, plan, result.counts, comments);
  result.counts.comment = comments.size;
  yield* eraseFromJobs(dry.sql, needlesOf(target, plan), plan?.erasedPostIds ?? [], result);
  return result.counts;
}

function withoutWriting(unit: RecordSteps): RecordSteps {
  const ignore = () => undefined;
  return {
    ...unit,
    sql: unit.sql.withoutWriting(),
    putDocument: ignore,
    renderRecord: ignore,
    renderComment: ignore,
  };
}

/** Somebody's comment on a post of their own is one. */
function* addComments(sql: SqlSteps, keys: Set<string>, condition: string, ...values: Value[]): Steps<void> {
  const rows = yield* sql.all<{ post_id: string; id: string }>(
    `SELECT post_id, id FROM comments WHERE ${condition}`,
    ...values,
  );
  for (const { post_id, id } of rows) keys.add(compositeKey(post_id, id));
}

function* countPosts(
  sql: SqlSteps,
  platform: PlatformName,
  all: readonly string[],
  counts: ErasureCounts,
  comments: Set<string>,
): Steps<void> {
  for (const ids of batchesOf(all)) {
    const ofPosts = "post_id = ANY($1) AND platform = $2";
    yield* addComments(sql, comments, ofPosts, ids, platform);
    counts.subtitles += yield* sql.count(`subtitles WHERE ${ofPosts}`, ids, platform);
    counts.chart += yield* sql.count(`chart_entries WHERE ${ofPosts}`, ids, platform);
    const isPost = "id = ANY($1) AND platform = $2 AND kind = 'post'";
    counts.post += yield* sql.count(`records WHERE ${isPost}`, ids, platform);
    counts.history += yield* sql.count(`counter_points WHERE ${isPost}`, ids, platform);
  }
}

/** All but the posts. */
function* countAccount(
  dry: RecordSteps,
  platform: PlatformName,
  { person, postIds, comments: named, sounds, mentions }: ErasurePlan,
  counts: ErasureCounts,
  comments: Set<string>,
): Steps<void> {
  const { sql } = dry;
  const ids = idsOf(person);
  yield* addComments(sql, comments, "author_id = ANY($1) AND platform = $2", ids, platform);
  for (const { post_id, id } of named) comments.add(compositeKey(post_id, id));
  counts.follow += yield* sql.count("follows WHERE account_id = ANY($1) AND platform = $2", ids, platform);
  counts.follow += yield* sql.count(
    "follows WHERE follower_id = ANY($1) AND platform = $2 AND NOT account_id = ANY($1)",
    ids,
    platform,
  );
  const isAccount = "id = ANY($1) AND platform = $2 AND kind = 'account'";
  counts.account += yield* sql.count(`records WHERE ${isAccount}`, ids, platform);
  counts.history += yield* sql.count(`counter_points WHERE ${isAccount}`, ids, platform);
  counts.sound += sounds.length;

  const soundIds = new Set(sounds.map((sound) => sound.id));
  const posts = new Set(postIds);
  const erased = new Map<string, ReadonlySet<string>>([
    ["account", new Set(ids)],
    ["post", posts],
    ["sound", soundIds],
  ]);
  const ofOthers = {
    records: mentions.records.filter(({ kind, id }) => erased.get(kind)?.has(id) !== true),
    comments: mentions.comments.filter(({ post_id, id }) => !comments.has(compositeKey(post_id, id))),
    subtitles: mentions.subtitles.filter(({ post_id }) => !posts.has(post_id)),
  };
  counts.mention += yield* scrubMentions(dry, platform, ofOthers, isOfPerson(person, soundIds));
}
