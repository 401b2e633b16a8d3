/** A post before any platform: author, time, subject, hashtags and engagement. */
import { DAY_S } from "#domain/time.ts";
import { type Engagement, createEngagement, MAX_COMMENTS_PER_VIEW, viewsAt } from "./engagement.ts";
import type { Creator } from "./people.ts";
import { at, type Random } from "./random.ts";
import { type Subject, hashtags } from "./writing.ts";

export interface PostOutline {
  /** Index among the creators. */
  author: number;
  /** Seconds between publication and the start of the current hour. */
  age: number;
  subject: Subject;
  hashtags: string[];
  engagement: Engagement;
  /** How the texts of the same author begin so far, shared by all outlines of the author. */
  begun: Set<string>;
}

const OLDEST = 400 * DAY_S;

/** Ages of posts that are in the last hour even when the current hour is nearly over. */
const JUST_NOW: readonly number[] = [0, 0, 1, 4, 15, 50];

/** `least`: minimum number of posts by creator index, for featured creators. */
export function createPostOutlines(
  random: Random,
  creators: readonly Creator[],
  total: number,
  least: ReadonlyMap<number, number>,
): PostOutline[] {
  const sum = creators.reduce((diligence, creator) => diligence + creator.diligence, 0);
  const outlines: PostOutline[] = [];
  for (const [author, creator] of creators.entries()) {
    const posts = Math.max(least.get(author) ?? 5, Math.ceil((total * creator.diligence) / sum));
    const begun = new Set<string>();
    for (let post = 0; post < posts; post++) outlines.push(createPostOutline(random, creator, author, begun));
  }
  for (const [index, age] of JUST_NOW.entries()) {
    const fresh = at(outlines, Math.floor(((index + 0.5) * outlines.length) / JUST_NOW.length));
    fresh.age = age;
    fresh.engagement.secondWind = null;
  }
  return outlines;
}

function createPostOutline(random: Random, creator: Creator, author: number, begun: Set<string>): PostOutline {
  // The exponent makes recent posts more frequent.
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
    engagement: createEngagement(random, creator.reach, age),
    begun,
  };
}

/** Turns an outline into the featured post, which examples name. It still grows, whatever its age. */
export function makeFeatured(outline: PostOutline, age: number, engagement: Partial<Engagement>): void {
  outline.age = age;
  outline.subject.thing = 0;
  outline.engagement = {
    lifetimeViews: 2_400_000,
    pace: 6 * DAY_S,
    secondWind: 45 * DAY_S,
    windLength: 48 * DAY_S,
    likeRate: 0.09,
    commentRate: 0.001,
    shareRate: 0.006,
    saveRate: 0.011,
    storedComments: 0,
    ...engagement,
  };
}

/** Sets the number of comments per post: `total` in all, hundreds for few posts, none for some; `fixed` overrides. */
export function assignCommentCounts(
  random: Random,
  outlines: readonly PostOutline[],
  total: number,
  fixed: ReadonlyMap<PostOutline, number>,
): void {
  const weights = outlines.map(({ engagement, age }) =>
    random.chance(0.06) ? 0 : viewsAt(engagement, age, 0) ** 0.8 * random.between(0.3, 1.7),
  );
  const assign = (scale: number): number => {
    let sum = 0;
    for (const [index, outline] of outlines.entries()) {
      const most = Math.min(480, viewsAt(outline.engagement, outline.age, 0) * MAX_COMMENTS_PER_VIEW);
      outline.engagement.storedComments = fixed.get(outline) ?? Math.floor(Math.min(most, scale * at(weights, index)));
      sum += outline.engagement.storedComments;
    }
    return sum;
  };
  let scale = 0.0001;
  while (assign(scale) < total && scale < 1_000) scale *= 1.05;
}
