/** Comments before any platform: mostly on the post, sometimes in reply to each other. */
import { viewsAt } from "./engagement.ts";
import { at, type Random } from "./random.ts";
import type { PostOutline } from "./post-outlines.ts";
import { comment, reply } from "./writing.ts";

export interface CommentOutline {
  /** Index among the posts. */
  post: number;
  /** The comment it replies to; null at the top level. */
  parent: CommentOutline | null;
  /** Index among all people: the audience first, then the creators. */
  author: number;
  /** Seconds before the start of the current hour. */
  ago: number;
  /** Its place on the way from the post to that hour: the parent's fractions, then one of the way from there. */
  fractions: number[];
  text: string;
  likes: number;
  replies: number;
}

const REPLY_SHARE = 0.18;

export function createCommentOutlines(
  random: Random,
  posts: readonly PostOutline[],
  audience: number,
  creators: number,
): CommentOutline[] {
  const outlines: CommentOutline[] = [];
  for (const [post, { age, engagement, subject, author: creator }] of posts.entries()) {
    const likes = viewsAt(engagement, age, 0) * engagement.likeRate;
    const total = engagement.storedComments;
    const replies = Math.floor(total * REPLY_SHARE);
    const create = (parent: CommentOutline | null, fraction: number, author: number, text: string): CommentOutline => {
      const start = parent?.ago ?? age;
      return {
        post,
        parent,
        author,
        ago: start - Math.floor(start * fraction),
        fractions: [...(parent?.fractions ?? []), fraction],
        text,
        likes: Math.floor(Math.min(random.logNormal(parent === null ? 3 : 1, 1.6), likes * 0.2)),
        replies: 0,
      };
    };
    const topLevel: CommentOutline[] = [];
    for (let index = 0; index < total - replies; index++) {
      const fraction = random.fraction() ** 2.5;
      topLevel.push(create(null, fraction, pickAuthor(random, audience, creators), comment(random, subject)));
    }
    outlines.push(...topLevel);
    for (let index = 0; index < replies; index++) {
      const parent = random.pickEarly(topLevel, 2);
      const fraction = random.fraction() ** 3;
      const author = random.chance(0.35) ? audience + creator : pickAuthor(random, audience, creators);
      parent.replies++;
      outlines.push(create(parent, fraction, author, reply(random, subject)));
    }
  }
  return outlines;
}

/** Some of the audience comment everywhere; now and then a creator does. */
function pickAuthor(random: Random, audience: number, creators: number): number {
  if (random.chance(0.06)) return audience + random.integer(0, creators - 1);
  return Math.floor(random.fraction() ** 1.6 * audience);
}

/** The person with the index of `CommentOutline.author`. */
export function findCommenter<Member>(
  audience: readonly Member[],
  creators: readonly Member[],
  author: number,
): Member {
  return author < audience.length ? at(audience, author) : at(creators, author - audience.length);
}
