/** Who is being erased: every name that captures have shown, and the sounds that are theirs. */
import type { Account } from "#domain/account.ts";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Sound } from "#domain/sound.ts";
import { displayNameKey } from "../erasure-keys.ts";
import { isOf, type Person } from "../person.ts";
import { artistKeys } from "../scrub.ts";
import { batchesOf } from "./record-steps.ts";
import type { SqlSteps, Steps } from "./sql.ts";

interface Known {
  id: string;
  /** Null if it is not stored: then `id` may also be a name. */
  account: Account | null;
  postIds: readonly string[];
}

/** Posts have the names that their author had when they were captured, and touches of imports those that it had before. */
export function* collectNames(sql: SqlSteps, platform: PlatformName, { id, account, postIds }: Known): Steps<Person> {
  const person: Person = { id, names: new Set(), spellings: new Set(), displayNames: new Set() };
  const addName = (name: string | null | undefined) => {
    if (name == null || foldName(name) === "") return;
    person.names.add(foldName(name));
    person.spellings.add(name.replace(/^@/, ""));
  };
  const addDisplayName = (name: string | null | undefined) => {
    if (name != null && name !== "") person.displayNames.add(name);
  };
  addName(account === null ? id : account.name);
  addDisplayName(account?.displayName);
  const stored = yield* sql.all<{ name: string }>(
    "SELECT name FROM account_names WHERE id = $1 AND platform = $2",
    id,
    platform,
  );
  for (const { name } of stored) addName(name);
  const touches = yield* sql.all<{ image: string }>(
    "SELECT image FROM job_records WHERE key = $1 AND platform = $2 AND kind = 'account' AND image LIKE '{%'",
    id,
    platform,
  );
  for (const { image } of touches) {
    const { header } = JSON.parse(image) as { header: Account };
    addName(header.name);
    addDisplayName(header.displayName);
  }
  for (const batch of batchesOf(postIds)) {
    const rows = yield* sql.all<{ header: string }>(
      "SELECT header FROM records WHERE id = ANY($1) AND platform = $2 AND kind = 'post'",
      batch,
      platform,
    );
    for (const { header } of rows) {
      const { authorId, authorNames = [] } = JSON.parse(header) as Post;
      // Of a post with several authors the names may be those of another.
      if (authorId !== id) continue;
      for (const name of authorNames) addDisplayName(name);
      // A single one may be either.
      if (authorNames.length === 2) addName(authorNames[0]);
    }
  }
  return person;
}

/** A sound is theirs if it names them as its artist; by a name that is not telling only if a post of theirs uses it. */
export function* findOwnSounds(
  sql: SqlSteps,
  platform: PlatformName,
  person: Person,
  postIds: readonly string[],
): Steps<{ id: string; header: string }[]> {
  const used = new Set<string>();
  for (const batch of batchesOf(postIds)) {
    const rows = yield* sql.all<{ key: string }>(
      "SELECT DISTINCT key FROM post_lists WHERE post_id = ANY($1) AND platform = $2 AND list = 'sound'",
      batch,
      platform,
    );
    for (const { key } of rows) used.add(key);
  }
  const isErased = isOf(person, used);
  const weakKeys = new Set([...person.displayNames].map(displayNameKey));
  const sounds: { id: string; header: string }[] = [];
  const rows = yield* sql.all<{ id: string; header: string }>(
    "SELECT id, header FROM records WHERE platform = $1 AND kind = 'sound'",
    platform,
  );
  for (const { id, header } of rows) {
    const keys = artistKeys(JSON.parse(header) as Sound);
    const isTheirs =
      keys.some((key) => isErased("account", key)) || (used.has(id) && keys.some((key) => weakKeys.has(key)));
    if (isTheirs) sounds.push({ id, header });
  }
  return sounds;
}
