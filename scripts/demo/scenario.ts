/** What the demo data of all three platforms shares: people, outlines of posts, and outlines of comments. */
import { DAY_S, HOUR_MS, HOUR_S } from "#domain/time.ts";
import { CITIES } from "./cities.ts";
import { type CommentOutline, createCommentOutlines } from "./comment-outlines.ts";
import type { Engagement } from "./engagement.ts";
import { type PictureUrl, pictureUrls } from "./identifiers.ts";
import { type Creator, describeCreator, type Person, PersonFactory } from "./people.ts";
import { at, Random } from "./random.ts";
import { assignCommentCounts, createPostOutlines, makeFeatured, type PostOutline } from "./post-outlines.ts";
import { listLanguages, TOPICS } from "./topics.ts";

export interface Scenario {
  random: Random;
  /** Start of the current hour, Unix seconds: all times are counted back from it. */
  hour: number;
  /** The same in Unix milliseconds: when everything was last captured. */
  capturedAt: number;
  pictureUrl: PictureUrl;
  people: PersonFactory;
  /** The first is the featured one, which examples name. */
  creators: Creator[];
  audience: Person[];
  /** The first is the featured creator's featured post. */
  outlines: PostOutline[];
  comments: CommentOutline[];
}

interface ScenarioPlan {
  seed: string;
  featured: {
    name: string;
    displayName: string;
    topic: string;
    city: string;
    posts: number;
    /** Of its featured post, Unix seconds; null for three weeks ago. */
    postedAt: number | null;
    engagement: Partial<Engagement>;
  };
  audience: number;
}

export const SOURCE = "demo";

const POSTS = 480;
const COMMENTS = 3_000;
const FEATURED_POST_COMMENTS = 200;
const FEATURED_AGE = 21 * DAY_S + 5 * HOUR_S;

export function createScenario(plan: ScenarioPlan, now: number, base: string): Scenario {
  const random = new Random(plan.seed);
  const hour = Math.floor(now / HOUR_MS) * HOUR_S;
  const people = new PersonFactory(random, [plan.featured.name]);
  const creators = [createFeaturedCreator(random, plan), ...createCreators(people)];
  const audience = Array.from({ length: plan.audience }, () => people.createPerson());
  const outlines = createPostOutlines(random, creators, POSTS, new Map([[0, plan.featured.posts]]));
  const featured = at(outlines, 0);
  const { postedAt, engagement } = plan.featured;
  makeFeatured(featured, postedAt === null ? FEATURED_AGE : hour - postedAt, engagement);
  assignCommentCounts(random, outlines, COMMENTS, new Map([[featured, FEATURED_POST_COMMENTS]]));
  const comments = createCommentOutlines(random, outlines, audience.length, creators.length);
  const pictureUrl = pictureUrls(base);
  return { random, hour, capturedAt: hour * 1_000, pictureUrl, people, creators, audience, outlines, comments };
}

function createFeaturedCreator(random: Random, { featured }: ScenarioPlan): Creator {
  const topic = TOPICS.find(({ key }) => key === featured.topic);
  const city = CITIES.find(({ name }) => name === featured.city);
  if (topic === undefined || city === undefined)
    throw new Error(`unknown topic ${featured.topic} or city ${featured.city}`);
  const { name, displayName } = featured;
  return { ...describeCreator(random, { name, displayName, language: "en", city, topic }), reach: 4 };
}

/** Every topic in every language it is written in; popular topics have more creators. */
function createCreators(people: PersonFactory): Creator[] {
  return TOPICS.flatMap((topic, popularity) =>
    listLanguages(topic).flatMap((language) => {
      const count = language === "en" ? (popularity < 6 ? 3 : 2) : language === "es" || popularity < 2 ? 2 : 1;
      return Array.from({ length: count }, () => people.createCreator(topic, language));
    }),
  );
}
