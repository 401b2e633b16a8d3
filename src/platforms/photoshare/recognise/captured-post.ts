/** A captured post, whichever format it came in, and how it is collected. */
import type { Collector, SourceFile } from "#api/importer.ts";
import type { Counters } from "#domain/record.ts";
import { type Fields, omitUnknown, readList, readObject } from "#import/capture/field-readers.ts";
import type { NativePost } from "../native.ts";
import { type CapturedPlace, collectPlace } from "./captured-place.ts";
import { type CapturedSound, collectSound } from "./captured-sound.ts";
import { type CapturedUser, collectUser, mergeUsers, readUser, toEmbeddedUser } from "./captured-user.ts";
import { findHashtags, uniqueHashtags } from "./hashtags-in-text.ts";
import { type EnclosingContext, postIdFromCode, postIdFromUrl, readSubjectName } from "./enclosing-context.ts";
import { findMediaMargins } from "./media-parts.ts";

export interface CapturedPost {
  id?: string | undefined;
  author?: CapturedUser | undefined;
  /** Those who published it together with the author. */
  coauthors?: CapturedUser[] | undefined;
  /** It names two different authors. */
  hasTwoAuthors?: boolean | undefined;
  publishedAt?: number | undefined;
  title?: string | undefined;
  text?: string | undefined;
  /** Those listed beside the text. */
  hashtags?: string[] | undefined;
  tagged?: CapturedUser[] | undefined;
  place?: CapturedPlace | undefined;
  sound?: CapturedSound | undefined;
  durationS?: number | undefined;
  counters?: Counters | undefined;
  native?: NativePost | undefined;
}

/** Returns the post's id, or undefined if the post was refused. */
export function collectPost(
  post: CapturedPost,
  collect: Collector,
  enclosing: EnclosingContext = {},
): string | undefined {
  const postId = wholeId(post);
  if (postId === undefined) {
    collect.refuse("post_without_id");
    return undefined;
  }
  if (post.hasTwoAuthors) {
    collect.refuse("post_with_two_authors");
    return undefined;
  }
  const author = findAuthor(post, enclosing);
  const hashtags = listHashtags(post, enclosing.hashtag);
  // The hashtag itself is in lower case, however people write it.
  for (const name of hashtags ?? []) collect.hashtag({ name: name.toLowerCase() });
  const authorId = author === undefined ? undefined : collectUser(author, collect);
  const coauthorIds = post.coauthors?.map((coauthor) => collectUser(coauthor, collect)).filter((id) => id !== authorId);
  collect.post({
    id: postId,
    authorId,
    coauthorIds,
    publishedAt: post.publishedAt,
    title: post.title,
    text: post.text,
    hashtags,
    soundId: post.sound === undefined ? undefined : collectSound(post.sound, collect),
    taggedIds: collectTagged(post, collect, enclosing.taggedId),
    placeId: post.place === undefined ? enclosing.placeId : collectPlace(post.place, collect),
    durationS: post.durationS,
    counters: post.counters,
    native: { ...post.native, user: post.native?.user ?? toEmbeddedUser(author) },
    approximate: findMediaMargins(post.native ?? {}),
  });
  return postId;
}

/** The code has all digits of an id that a number or a spreadsheet has rounded. */
function wholeId({ id, native }: CapturedPost): string | undefined {
  const inCode = postIdFromCode(native?.code);
  if (id === undefined || inCode === undefined) return id;
  const isRounded = inCode.length === id.length && Math.abs(Number(inCode) - Number(id)) < 10 ** (id.length - 14);
  return isRounded ? inCode : id;
}

/** Lists of one account's posts may name it by id only, or not at all: then `--of` names it. */
function findAuthor({ id, author: own }: CapturedPost, enclosing: EnclosingContext): CapturedUser | undefined {
  const author = own ?? enclosing.author;
  const { document, hashtag, placeId, taggedId } = enclosing;
  const isMixedList = hashtag !== undefined || placeId !== undefined || taggedId !== undefined;
  if (document === undefined || author?.name !== undefined || isMixedList) return author;
  const name = readSubjectName(document.file);
  // `--of` may name a post, whose code looks like an account's name.
  if (name === undefined || postIdFromUrl(document.file.subject) === id) return author;
  const idInFile = subjectIds.get(document.file) ?? author?.id;
  if (idInFile !== author?.id) return author;
  if (idInFile !== undefined) subjectIds.set(document.file, idInFile);
  return { ...author, name };
}

/** The id that goes with the name in `--of`: the first author's. A list of several authors is not one account's. */
const subjectIds = new WeakMap<SourceFile, string>();

/** Fields that `over` knows win; the rest come from `under`. */
export function mergePosts(under: CapturedPost, over: CapturedPost): CapturedPost {
  const author =
    under.author !== undefined && over.author !== undefined
      ? mergeUsers(under.author, over.author)
      : (over.author ?? under.author);
  return {
    ...under,
    ...omitUnknown(over),
    author,
    counters: { ...under.counters, ...over.counters },
    native: { ...under.native, ...over.native },
  };
}

/** The author is in `user`, in `owner` or in both, which must name the same person. Some tools put its name beside. */
export function readAuthor(item: Fields): Pick<CapturedPost, "author" | "coauthors" | "hasTwoAuthors"> {
  const coauthors = readList(item["coauthor_producers"])?.flatMap((value) => readUser(value) ?? []);
  const user = readUser(item["user"]);
  const owner = readUser({ username: item["username"], ...readObject(item["owner"]) });
  if (user === undefined || owner === undefined) return { author: user ?? owner, coauthors };
  if (!differ(user.id, owner.id) || !differ(user.name, owner.name))
    return { author: mergeUsers(owner, user), coauthors };
  // In a coauthor's list, the coauthor may be the user.
  return coauthors?.some(({ id }) => id === user.id) ? { author: owner, coauthors } : { hasTwoAuthors: true };
}

function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one.toLowerCase() !== other.toLowerCase();
}

function listHashtags(post: CapturedPost, enclosing: string | undefined): string[] | undefined {
  const inText = findHashtags(post.text ?? "");
  // Some tools cut hashtags at letters with accents.
  const whole = (post.hashtags ?? []).filter((name) => !inText.some((longer) => isStart(name, longer)));
  const listed = [...whole, ...(enclosing === undefined ? [] : [enclosing])];
  if (post.text === undefined && listed.length === 0) return undefined;
  return uniqueHashtags([...inText, ...listed]);
}

function isStart(name: string, longer: string): boolean {
  return name.length < longer.length && longer.toLowerCase().startsWith(name.toLowerCase());
}

function collectTagged(post: CapturedPost, collect: Collector, enclosing: string | undefined): string[] | undefined {
  if (post.tagged === undefined && enclosing === undefined) return undefined;
  const ids = (post.tagged ?? []).map((user) => collectUser(user, collect));
  return [...new Set(enclosing === undefined ? ids : [...ids, enclosing])];
}
