/** Hashtags: `challenge` objects, and the names in a post. */
import type { Collector } from "#api/importer.ts";
import {
  type Fields,
  isFields,
  omitUnknown,
  readFilledText,
  readFirstCount,
  readFlag,
  readId,
  readObjectAt,
  readUrl,
  readText,
} from "#import/capture/field-readers.ts";
import type { NativeHashtag } from "../native.ts";

/** Without `#`. A name without letters or digits cannot be looked up, so it is ignored. */
export function readHashtagName(value: unknown): string | undefined {
  const name = readFilledText(value)
    ?.trim()
    .replace(/^[#＃]+/, "");
  return name !== undefined && name.length <= 150 && /[\p{L}\p{N}]/u.test(name) ? name : undefined;
}

export function findHashtags(text: string | undefined): string[] {
  return [...(text ?? "").matchAll(/#([\p{L}\p{M}\p{N}_]+)/gu)].flatMap(([, name]) => readHashtagName(name) ?? []);
}

export function collectHashtag(
  name: string,
  challenge: Fields,
  collect: Collector,
  counters?: { posts?: number | undefined; views?: number | undefined },
): void {
  collect.hashtag({
    name,
    id: readId(challenge["id"]) ?? null,
    counters: counters === undefined ? undefined : omitUnknown(counters),
    native: omitUnknown<NativeHashtag>({
      desc: readText(challenge["desc"]),
      coverLarger: readUrl(challenge["coverLarger"]),
      isCommerce: readFlag(challenge["isCommerce"]),
    }),
  });
}

/** `{challenge, stats}`, as in `challengeInfo`. */
export function isChallengeDetail(object: Fields): boolean {
  const { challenge } = object;
  return isFields(challenge) && "title" in challenge && "id" in challenge;
}

export function collectChallengeDetail(object: Fields, collect: Collector): void {
  const challenge = readObjectAt(object["challenge"]);
  const name = readHashtagName(challenge["title"]);
  if (name === undefined) return collect.refuse("hashtag_without_name");
  const stats = [object["statsV2"], object["stats"], challenge["stats"]].filter(isFields);
  const posts = readFirstCount(stats, "videoCount");
  const views = readFirstCount(stats, "viewCount");
  // TikTok writes zero for both where it did not count.
  collectHashtag(name, challenge, collect, posts === 0 && views === 0 ? undefined : { posts, views });
}
