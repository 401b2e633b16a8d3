/** Finds what others have written about a person: see scrub.ts for what counts as a trace. */
import { isAscii } from "#domain/folding.ts";
import type { PlatformName } from "#domain/record.ts";
import { listPostIds } from "#store/lists/port.ts";
import type { SqlSteps, Steps } from "#store/sql/sql.ts";
import type { Mention } from "#store/write/concern.ts";
import { withVerb } from "#store/write/concerns.ts";
import type { RecordSteps } from "#store/write/unit.ts";
import type { Person } from "./person.ts";

/** Returns more than names the person. */
export function* findMentions(
  unit: RecordSteps,
  platform: PlatformName,
  { id, names, spellings }: Person,
  soundIds: readonly string[],
): Steps<Mention[]> {
  // The engine knows upper and lower case of ASCII alone: other spellings are found by the sign before them.
  const texts = [id, ...names, ...spellings];
  texts.push(...(texts.every(isAscii) ? ["＠"] : ["@", "＠"]));
  const sought = { platform, patterns: Array.from(new Set(texts), toPattern), soundIds };
  const found = new Map<string, Mention>();
  for (const { findMentions: find } of withVerb("findMentions")) {
    for (const mention of yield* find(unit, sought)) found.set(`${mention.kind}/${mention.key}`, mention);
  }
  return [...found.values()];
}

/** The posts that tag one of these accounts. */
export function* findTagged(sql: SqlSteps, platform: PlatformName, ids: readonly string[]): Steps<Mention[]> {
  const posts = yield* listPostIds(sql, platform, ["tagged"], ids);
  return posts.map((key): Mention => ({ kind: "post", key }));
}

/** For a text within JSON. */
export function toPattern(text: string): string {
  return `%${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
