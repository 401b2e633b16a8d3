/** A post before any platform: who, when, about what, in which words, and how many people saw it. */
import { DAY_S, HOUR_S } from "#domain/time.ts";
import { type Attention, drawAttention, MOST_COMMENTS_PER_VIEW, viewsAt } from "./engagement.ts";
import type { Creator } from "./people.ts";
import { at, type Random } from "./random.ts";
import { type Subject, hashtags } from "./writing.ts";

export interface Sketch {
  /** Index among the creators. */
  author: number;
  /** Seconds between publication and the start of the present hour. */
  age: number;
  subject: Subject;
  hashtags: string[];
  attention: Attention;
}

const OLDEST = 400 * DAY_S;

/** So fresh that they are the last hour's even when the hour is nearly over. */
const JUST_NOW: readonly number[] = [0, 0, 1, 4, 15, 50];

/** `least` holds, by index of creator, how many posts those have at least who are known by name. */
export function sketchPosts(
  random: Random,
  creators: readonly Creator[],
  total: number,
  least: ReadonlyMap<number, number>,
): Sketch[] {
  const sum = creators.reduce((diligence, creator) => diligence + creator.diligence, 0);
  const sketches: Sketch[] = [];
  for (const [author, creator] of creators.entries()) {
    const posts = Math.max(least.get(author) ?? 6, Math.ceil((total * creator.diligence) / sum));
    for (let post = 0; post < posts; post++) sketches.push(sketchPost(random, creator, author));
  }
  for (const [index, age] of JUST_NOW.entries()) {
    const fresh = at(sketches, Math.floor(((index + 0.5) * sketches.length) / JUST_NOW.length));
    fresh.age = age;
    fresh.attention.secondWind = null;
  }
  return sketches;
}

function sketchPost(random: Random, creator: Creator, author: number): Sketch {
  // The power makes the last week as full as a quarter of the year before.
  const age = Math.max(60, Math.floor(OLDEST * random.fraction() ** 2.2));
  const subject = {
    topic: creator.topic,
    language: creator.language,
    city: creator.city,
    thing: random.integer(0, 29),
  };
  return {
    author,
    age,
    subject,
    hashtags: hashtags(random, subject),
    attention: drawAttention(random, creator.reach, age),
  };
}

/** Makes a sketch the well-known post that examples name. */
export function makeKnown(sketch: Sketch): void {
  sketch.age = 21 * DAY_S + 5 * HOUR_S;
  sketch.subject.thing = 0;
  sketch.attention = {
    lifetimeViews: 2_400_000,
    pace: 6 * DAY_S,
    secondWind: null,
    likeRate: 0.09,
    commentRate: 0.001,
    shareRate: 0.006,
    saveRate: 0.011,
    heldComments: 0,
  };
}

/**
 * Says how many comments the world holds of each post: `total` in all, hundreds for few posts, none for some, and
 * `fixed` for the known ones.
 */
export function allotComments(
  random: Random,
  sketches: readonly Sketch[],
  total: number,
  fixed: ReadonlyMap<Sketch, number>,
): void {
  const appetite = sketches.map(({ attention, age }) =>
    random.chance(0.06) ? 0 : viewsAt(attention, age, 0) ** 0.8 * random.between(0.3, 1.7),
  );
  const allot = (scale: number): number => {
    let sum = 0;
    for (const [index, sketch] of sketches.entries()) {
      const most = Math.min(480, viewsAt(sketch.attention, sketch.age, 0) * MOST_COMMENTS_PER_VIEW);
      sketch.attention.heldComments = fixed.get(sketch) ?? Math.floor(Math.min(most, scale * at(appetite, index)));
      sum += sketch.attention.heldComments;
    }
    return sum;
  };
  let scale = 0.0001;
  while (allot(scale) < total && scale < 1_000) scale *= 1.05;
}
