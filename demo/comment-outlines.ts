/** What people say below the posts: mostly to the post, sometimes to each other. */
import { viewsAt } from "./engagement.ts";
import { at, type Random } from "./random.ts";
import type { Sketch } from "./post-outlines.ts";
import { comment, reply } from "./writing.ts";

export interface Remark {
  /** Index among the sketches. */
  post: number;
  /** The remark it answers; null at the top level. */
  parent: Remark | null;
  /** Index among all people: the audience first, then the creators. */
  author: number;
  /** Seconds before the start of the present hour. */
  ago: number;
  text: string;
  likes: number;
  replies: number;
}

const SHARE_OF_REPLIES = 0.18;

export function converse(random: Random, sketches: readonly Sketch[], audience: number, creators: number): Remark[] {
  const remarks: Remark[] = [];
  for (const [post, sketch] of sketches.entries()) {
    const { age, attention, subject } = sketch;
    const likes = viewsAt(attention, age, 0) * attention.likeRate;
    const total = attention.heldComments;
    const answers = Math.floor(total * SHARE_OF_REPLIES);
    const draw = (parent: Remark | null, ago: number, author: number, text: string): Remark => ({
      post,
      parent,
      author,
      ago,
      text,
      likes: Math.floor(Math.min(random.heavyTail(parent === null ? 3 : 1, 1.6), likes * 0.2)),
      replies: 0,
    });
    const top: Remark[] = [];
    for (let index = 0; index < total - answers; index++) {
      const ago = age - Math.floor(age * random.fraction() ** 2.5);
      top.push(draw(null, ago, pickAuthor(random, audience, creators), comment(random, subject)));
    }
    remarks.push(...top);
    for (let index = 0; index < answers; index++) {
      const parent = random.pickEarly(top, 2);
      const ago = parent.ago - Math.floor(parent.ago * random.fraction() ** 3);
      const author = random.chance(0.35) ? audience + sketch.author : pickAuthor(random, audience, creators);
      parent.replies++;
      remarks.push(draw(parent, ago, author, reply(random, subject)));
    }
  }
  return remarks;
}

/** Some of the audience are everywhere; now and then a creator drops by. */
function pickAuthor(random: Random, audience: number, creators: number): number {
  if (random.chance(0.06)) return audience + random.integer(0, creators - 1);
  return Math.floor(random.fraction() ** 1.6 * audience);
}

/** People in the order that `Remark.author` counts them. */
export function speaker<Someone>(audience: readonly Someone[], creators: readonly Someone[], author: number): Someone {
  return author < audience.length ? at(audience, author) : at(creators, author - audience.length);
}
