/** What the three platforms' worlds have in common: people, posts in outline, and what is said below them. */
import { HOUR_MS, HOUR_S } from "#domain/time.ts";
import { CITIES } from "./cities.ts";
import { converse, type Remark } from "./comment-outlines.ts";
import { type Creator, describe, type Person, Registry } from "./people.ts";
import { at, Random } from "./random.ts";
import { allotComments, makeKnown, type Sketch, sketchPosts } from "./post-outlines.ts";
import { languagesOf, TOPICS } from "./topics.ts";

export interface Stage {
  random: Random;
  /** Start of the present hour, Unix seconds: all times are counted back from it. */
  hour: number;
  /** The same in Unix milliseconds: when everything was last captured. */
  capturedAt: number;
  registry: Registry;
  /** The first one is the one known by name. */
  creators: Creator[];
  audience: Person[];
  /** The first one is the known creator's known post. */
  sketches: Sketch[];
  remarks: Remark[];
}

export interface StagePlan {
  seed: string;
  known: { name: string; displayName: string; topic: string; city: string; posts: number };
  audience: number;
}

export const SOURCE = "demo";

const POSTS = 1_660;
const COMMENTS = 16_600;
const KNOWN_POST_COMMENTS = 240;

export function setStage(plan: StagePlan, now: number): Stage {
  const random = new Random(plan.seed);
  const hour = Math.floor(now / HOUR_MS) * HOUR_S;
  const registry = new Registry(random, [plan.known.name]);
  const creators = [knownCreator(random, plan), ...allCreators(registry)];
  const audience = Array.from({ length: plan.audience }, () => registry.person());
  const sketches = sketchPosts(random, creators, POSTS, new Map([[0, plan.known.posts]]));
  const known = at(sketches, 0);
  makeKnown(known);
  allotComments(random, sketches, COMMENTS, new Map([[known, KNOWN_POST_COMMENTS]]));
  const remarks = converse(random, sketches, audience.length, creators.length);
  return { random, hour, capturedAt: hour * 1_000, registry, creators, audience, sketches, remarks };
}

function knownCreator(random: Random, { known }: StagePlan): Creator {
  const topic = TOPICS.find(({ key }) => key === known.topic);
  const city = CITIES.find(({ name }) => name === known.city);
  if (topic === undefined || city === undefined)
    throw new Error(`nothing is written about ${known.topic} in ${known.city}`);
  const { name, displayName } = known;
  return { ...describe(random, { name, displayName, language: "en", city, topic }), reach: 4 };
}

/** Every topic is told in every language that it is written in; popular ones by more people. */
function allCreators(registry: Registry): Creator[] {
  return TOPICS.flatMap((topic, popularity) =>
    languagesOf(topic).flatMap((language) => {
      const people = language === "en" ? (popularity < 6 ? 3 : 2) : language === "es" || popularity < 2 ? 2 : 1;
      return Array.from({ length: people }, () => registry.creator(topic, language));
    }),
  );
}
