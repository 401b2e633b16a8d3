/** Who is being erased: every name that captures have shown, and the sounds that are theirs. */
import type { Account } from "#domain/account.ts";
import { isTelling } from "#domain/display-name.ts";
import { foldName } from "#domain/folding.ts";
import { type JsonText, parseJsonText } from "#domain/json-text.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Header } from "#domain/records.ts";
import { makerKeys } from "./erased-record.ts";
import { displayNameKey, isDisplayNameKey } from "./keys.ts";
import { addAuthorNames, addNames, createPerson, isOfPerson, type Person } from "./person.ts";
import { artistKeys } from "./scrub.ts";
import { readHeaders } from "#store/records/port.ts";
import type { RecordSteps } from "#store/write/unit.ts";
import { toPattern } from "./find-mentions.ts";
import { batchesOf, type SqlSteps, type Steps } from "#store/sql/sql.ts";

interface Known {
  id: string;
  /** Null if it is not stored: then `id` may also be a name. */
  account: Pick<Account, "name" | "displayName"> | null;
  postIds: readonly string[];
}

/** Touches of imports have the names that the account had before. */
export function* collectNames(sql: SqlSteps, platform: PlatformName, { id, account, postIds }: Known): Steps<Person> {
  const person = createPerson(id, account);
  const touches = yield* sql.all<{ image: JsonText<{ header: Header<"account"> }> }>(
    "SELECT image FROM job_records WHERE key = $1 AND platform = $2 AND kind = 'account' AND image LIKE '{%'",
    id,
    platform,
  );
  for (const { image } of touches) {
    addNames(person, parseJsonText(image).header);
  }
  for (const header of yield* readHeaders(sql, platform, "post", postIds)) {
    addAuthorNames(person, parseJsonText(header));
  }
  return person;
}

/** A sound is theirs if it names them as its artist; by a name that is not telling only if a post of theirs uses it. */
export function* findOwnSounds(
  sql: SqlSteps,
  platform: PlatformName,
  person: Person,
  postIds: readonly string[],
): Steps<string[]> {
  const used = new Set<string>();
  for (const batch of batchesOf(postIds)) {
    const rows = yield* sql.all<{ key: string }>(
      "SELECT DISTINCT key FROM post_lists WHERE post_id = ANY($1) AND platform = $2 AND list = 'sound'",
      batch,
      platform,
    );
    for (const { key } of rows) used.add(key);
  }
  const isErased = isOfPerson(person, used);
  const weakKeys = new Set([...person.displayNames].map(displayNameKey));
  const sounds: string[] = [];
  const rows = yield* sql.all<{ id: string; header: JsonText<Header<"sound">> }>(
    "SELECT id, header FROM records WHERE platform = $1 AND kind = 'sound'",
    platform,
  );
  for (const { id, header } of rows) {
    const keys = artistKeys(parseJsonText(header));
    const isTheirs =
      keys.some((key) => isErased("account", key)) || (used.has(id) && keys.some((key) => weakKeys.has(key)));
    if (isTheirs) sounds.push(id);
  }
  return sounds;
}

export interface NamedOnly {
  postIds: string[];
  comments: { post_id: string; id: string }[];
}

/** Posts and comments that were captured with a displayed name of theirs and without any id. */
export function* findNamedOnly(
  { sql, contains }: Pick<RecordSteps, "sql" | "contains">,
  platform: PlatformName,
  person: Person,
): Steps<NamedOnly> {
  const names = new Set([...person.displayNames].filter(isTelling).map(foldName));
  const patterns = Array.from(names, toPattern);
  if (patterns.length === 0) return { postIds: [], comments: [] };
  const isTheirs = isOfPerson(person, new Set());
  const isNamed = (kind: "post" | "comment", { header, native }: StoredTexts) =>
    makerKeys(kind, parseJsonText(header), () => parseJsonText(native)).some(
      (key) => isDisplayNameKey(key) && isTheirs("account", key),
    );
  // The engine knows upper and lower case of ASCII alone, and no accents: what has other characters is compared here.
  const named = ["octet_length(native) > length(native)"];
  named.push(...patterns.map((_, index) => contains("native", `$${index + 2}`)));
  const condition = `platform = $1 AND header LIKE '%"authorId":null%' AND (${named.join(" OR ")})`;
  const posts = yield* sql.all<StoredTexts & { id: string }>(
    `SELECT id, header, native FROM records WHERE kind = 'post' AND ${condition}`,
    platform,
    ...patterns,
  );
  const comments = yield* sql.all<StoredTexts & { post_id: string; id: string }>(
    `SELECT post_id, id, header, native FROM comments WHERE ${condition}`,
    platform,
    ...patterns,
  );
  return {
    postIds: posts.filter((post) => isNamed("post", post)).map(({ id }) => id),
    comments: comments.filter((one) => isNamed("comment", one)).map(({ post_id, id }) => ({ post_id, id })),
  };
}

interface StoredTexts {
  header: JsonText<object>;
  native: JsonText<object>;
}
