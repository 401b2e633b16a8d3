/** A post as a capture shows it, whichever family it came in, and all that is kept of it. */
import type { Collector } from "#api/importer.ts";
import type { Counters } from "#domain/record.ts";
import { type Fields, omitUnknown } from "#import/capture/field-readers.ts";
import type { NativePost } from "../native.ts";
import { type CapturedPlace, collectPlace } from "./captured-place.ts";
import { type CapturedSound, collectSound } from "./captured-sound.ts";
import { type CapturedUser, collectUser, overlaidUser, readUser } from "./captured-user.ts";
import { eachOnce, hashtagsIn } from "./hashtags-in-text.ts";
import type { Surroundings } from "./enclosing-context.ts";

export interface CapturedPost {
  id?: string | undefined;
  author?: CapturedUser | undefined;
  /** Two different people are named as its author. */
  disputed?: boolean | undefined;
  publishedAt?: number | undefined;
  title?: string | undefined;
  text?: string | undefined;
  /** Those that the format lists beside the text. */
  hashtags?: string[] | undefined;
  tagged?: CapturedUser[] | undefined;
  place?: CapturedPlace | undefined;
  sound?: CapturedSound | undefined;
  durationS?: number | undefined;
  counters: Counters;
  native: NativePost;
}

export const ADVERTISEMENT = "advertisement";

/** Returns the post's id, or undefined when the post was refused. */
export function collectPost(post: CapturedPost, collect: Collector, around: Surroundings = {}): string | undefined {
  if (post.id === undefined) {
    collect.refuse("post_without_id");
    return undefined;
  }
  if (post.disputed) {
    collect.refuse("post_with_two_authors");
    return undefined;
  }
  const author = post.author ?? around.author;
  const hashtags = hashtagsOf(post, around.hashtag);
  // People write them as they like; the platform's own hashtag is in lower case.
  for (const name of hashtags ?? []) collect.hashtag({ name: name.toLowerCase() });
  collect.post({
    id: post.id,
    authorId: author === undefined ? undefined : collectUser(author, collect),
    publishedAt: post.publishedAt,
    title: post.title,
    text: post.text,
    hashtags,
    soundId: post.sound === undefined ? undefined : collectSound(post.sound, collect),
    taggedIds: taggedIdsOf(post, collect, around.taggedId),
    placeId: post.place === undefined ? around.placeId : collectPlace(post.place, collect),
    durationS: post.durationS,
    counters: post.counters,
    native: { ...post.native, user: post.native.user ?? shownUser(author) },
  });
  return post.id;
}

/** What `over` knows wins; what it does not say is taken from `under`. */
export function overlaidPost(under: CapturedPost, over: CapturedPost): CapturedPost {
  const author =
    under.author !== undefined && over.author !== undefined
      ? overlaidUser(under.author, over.author)
      : (over.author ?? under.author);
  return {
    ...under,
    ...omitUnknown(over),
    author,
    counters: { ...under.counters, ...over.counters },
    native: { ...under.native, ...over.native },
  };
}

/** The author is written as `user`, as `owner` or as both. Both must mean the same person. */
export function readAuthor(item: Fields): Pick<CapturedPost, "author" | "disputed"> {
  const user = readUser(item["user"]);
  const owner = readUser(item["owner"]);
  if (user === undefined || owner === undefined) return { author: user ?? owner };
  if (differ(user.id, owner.id) && differ(user.name, owner.name)) return { disputed: true };
  return { author: overlaidUser(owner, user) };
}

function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one.toLowerCase() !== other.toLowerCase();
}

function shownUser(author: CapturedUser | undefined): NativePost["user"] {
  if (author === undefined) return undefined;
  return omitUnknown({
    pk: author.id,
    username: author.name,
    full_name: author.displayName,
    is_verified: author.verified,
    profile_pic_url: author.native.profile_pic_url,
  });
}

function hashtagsOf(post: CapturedPost, above: string | undefined): string[] | undefined {
  const listed = [...(post.hashtags ?? []), ...(above === undefined ? [] : [above])];
  if (post.text === undefined && listed.length === 0) return undefined;
  return eachOnce([...hashtagsIn(post.text ?? ""), ...listed]);
}

function taggedIdsOf(post: CapturedPost, collect: Collector, listOf: string | undefined): string[] | undefined {
  if (post.tagged === undefined && listOf === undefined) return undefined;
  const ids = (post.tagged ?? []).map((user) => collectUser(user, collect));
  return [...new Set(listOf === undefined ? ids : [...ids, listOf])];
}
