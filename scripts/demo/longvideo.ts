/** Demo data of the long-video platform. */
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import type { Post } from "#domain/post.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import { DAY_S, HOUR_S } from "#domain/time.ts";
import type { Batch } from "#store/write/port.ts";
import type {
  NativeChannel,
  NativeComment,
  NativeThumbnail,
  NativeVideo,
} from "../../src/platforms/longvideo/native.ts";
import { countersAt, earlierCaptures } from "./engagement.ts";
import { createCharts } from "./charts.ts";
import { findCommenter } from "./comment-outlines.ts";
import { base64Id, initials } from "./identifiers.ts";
import type { Person } from "./people.ts";
import { at, type Random } from "./random.ts";
import type { PostOutline } from "./post-outlines.ts";
import { createScenario, SOURCE, type Scenario } from "./scenario.ts";
import { createSubtitles, createTrack } from "./subtitles.ts";
import { createFollowerHistory, assignHashtagIds, sumByAuthor, createHashtags } from "./totals.ts";
import { description, isNewBeginning, keywords, title, type TitleChoice } from "./writing.ts";

const FEATURED_VIDEO = "demoVideo01";
const FEATURED_TITLE = { text: "Street food in Portland: charcoal skewers after midnight", fits: null };

interface Channel extends Person {
  id: string;
  native: NativeChannel;
}

const PLAN = {
  seed: "longvideo",
  featured: {
    name: "marketlane",
    displayName: "Market Lane",
    topic: "street-food",
    city: "Portland",
    posts: 40,
    postedAt: null,
    engagement: { lifetimeViews: 861_300, likeRate: 0.041, commentRate: 0.0023 },
  },
  audience: 260,
};

const SHORTS_SHARE = 0.18;
const LIVE_NOW = 3;

export function longvideoWorld(now: number, base: string): Batch {
  const scenario = createScenario(PLAN, now, base);
  const { random, capturedAt, outlines } = scenario;
  const creators = scenario.creators.map((creator) => createChannel(scenario, creator));
  const audience = scenario.audience.map((person) => createChannel(scenario, person));

  const posts = outlines.map((outline, index) => createPost(scenario, outline, index, at(creators, outline.author)));
  startLiveStreams(outlines, posts);
  const history: NonNullable<Batch["history"]> = [];
  for (const [index, { age, engagement }] of outlines.entries()) {
    const points = earlierCaptures(
      random,
      scenario.hour,
      age,
      (ago) => toVisibleCounters(countersAt(engagement, age, ago)),
      index === 0,
    );
    if (points.length > 0) history.push({ kind: "post", id: at(posts, index).id, points });
  }

  const totals = sumByAuthor(posts);
  const accounts = [...creators, ...audience].map((channel, index): Account<NativeChannel> => {
    const creator = scenario.creators[index];
    const { posts: published = 0, views = 0 } = totals.get(channel.id) ?? {};
    const account: Account<NativeChannel> = {
      id: channel.id,
      name: channel.name,
      displayName: channel.displayName,
      bio: creator?.bio ?? null,
      verified: creator === undefined ? null : creator.reach > 1.5,
      private: null,
      createdAt: scenario.hour - random.integer(450, 4_000) * DAY_S,
      language: channel.language,
      country: channel.city.country,
      counters:
        creator === undefined
          ? {}
          : {
              followers: Math.floor(random.logNormal(22_000 * creator.reach, 0.8)),
              posts: published + random.integer(0, 30),
              views: views * 2,
            },
      native: channel.native,
      capturedAt,
      source: SOURCE,
    };
    if (creator !== undefined)
      history.push({
        kind: "account",
        id: account.id,
        points: createFollowerHistory(random, capturedAt, account.counters),
      });
    return account;
  });

  const hashtags = createHashtags(
    random,
    posts,
    assignHashtagIds(outlines, (name) => name),
    capturedAt,
    () => ({}),
  );
  const charts = createCharts(
    random,
    scenario.hour,
    posts.map(({ id, country }, index) => ({ id, country, outline: at(outlines, index) })),
  );
  const subtitles = createAllSubtitles(scenario, posts);
  return {
    accounts,
    hashtags,
    posts,
    history,
    comments: createComments(scenario, posts, creators, audience),
    subtitles,
    charts,
  };
}

function createChannel({ random, pictureUrl }: Scenario, person: Person): Channel {
  const id = `UC${base64Id(random, 22)}`;
  const thumbnails = [88, 240, 800].map((size) => ({
    url: pictureUrl("avatar", id, size, size, initials(person.displayName)),
    width: size,
    height: size,
  }));
  return { ...person, id, native: { title: person.displayName, customUrl: `@${person.name}`, thumbnails } };
}

function createPost(scenario: Scenario, outline: PostOutline, index: number, channel: Channel): Post<NativeVideo> {
  const { random, hour, capturedAt } = scenario;
  const { subject, age, engagement, begun } = outline;
  const isFeatured = index === 0;
  const id = isFeatured ? FEATURED_VIDEO : base64Id(random, 11);
  const short = !isFeatured && random.chance(SHORTS_SHARE);
  const wasLive = !isFeatured && !short && random.chance(0.06);
  if (isFeatured) isNewBeginning(begun, FEATURED_TITLE.text);
  const { text: heading, fits } = isFeatured ? FEATURED_TITLE : title(random, subject, begun, short);
  const durationS = isFeatured ? 912 : randomDuration(random, short, wasLive, fits);
  const { category } = subject.topic;
  const text = `${description(random, subject, begun)}\n\nhttps://${channel.name.replaceAll(/[._]/g, "-")}.example\n\n${outline.hashtags.map((name) => `#${name}`).join(" ")}`;
  const native: NativeVideo = {
    channelTitle: channel.displayName,
    categoryId: category.id,
    keywords: keywords(random, subject, outline.hashtags),
    thumbnails: createThumbnails(scenario, subject.topic.key, id),
    isLive: false,
    wasLive,
    type: short ? "SHORT" : "NORMAL",
  };
  // Nothing depends on it, but without this draw all that follows would be other people and videos.
  if (!short && durationS > 480) random.chance(0.4);
  return {
    id,
    authorId: channel.id,
    category: category.name,
    publishedAt: hour - age,
    title: heading,
    text,
    language: !isFeatured && random.chance(0.03) ? null : subject.language,
    country: subject.city.country,
    hashtags: outline.hashtags,
    soundId: null,
    taggedIds: [],
    placeId: null,
    durationS,
    counters: toVisibleCounters(countersAt(engagement, age, 0)),
    native,
    capturedAt,
    source: SOURCE,
  };
}

function randomDuration(random: Random, short: boolean, wasLive: boolean, fits: TitleChoice["fits"]): number {
  if (fits !== null) return random.integer(...fits);
  if (short) return random.integer(14, 60);
  if (wasLive) return random.integer(2_400, 10_800);
  return Math.min(5_400, Math.max(180, Math.floor(random.logNormal(620, 0.7))));
}

function createThumbnails({ pictureUrl }: Scenario, topic: string, id: string): NativeThumbnail[] {
  const sizes = [
    [120, 90],
    [320, 180],
    [480, 360],
    [1280, 720],
  ] as const;
  return sizes.map(([width, height]) => ({
    url: pictureUrl(topic, id, width, height),
    width,
    height,
  }));
}

/** This platform shows only views, likes and comments. */
function toVisibleCounters({ views, likes, comments }: ReturnType<typeof countersAt>): Post["counters"] {
  return { views, likes, comments };
}

/** Some recent videos are still live, so their duration is unknown. */
function startLiveStreams(outlines: readonly PostOutline[], posts: readonly Post<NativeVideo>[]): void {
  const fresh = posts.filter((post, index) => {
    const { age } = at(outlines, index);
    return post.native.type === "NORMAL" && age > HOUR_S / 4 && age < 4 * HOUR_S;
  });
  for (const post of fresh.slice(0, LIVE_NOW)) {
    post.native.isLive = true;
    post.native.wasLive = false;
    post.durationS = null;
  }
}

/** About a fifth of the videos have subtitles, the featured one in three languages. */
function createAllSubtitles({ random, outlines, capturedAt }: Scenario, posts: readonly Post[]): SubtitleTrack[] {
  return posts.flatMap(({ id, durationS }, index) => {
    if (durationS === null || (index > 0 && index % 5 !== 0)) return [];
    const video = { id, durationS, subject: at(outlines, index).subject };
    if (index > 0) return createSubtitles(random, video, capturedAt);
    return (["en", "es", "ja"] as const).map((language) =>
      createTrack(random, video, language, language !== "en", capturedAt),
    );
  });
}

function createComments(
  scenario: Scenario,
  posts: readonly Post[],
  creators: readonly Channel[],
  audience: readonly Channel[],
): Comment<NativeComment>[] {
  const { random, hour, capturedAt } = scenario;
  const topIds = new Map(
    scenario.comments.filter(({ parent }) => parent === null).map((comment) => [comment, `Ug${base64Id(random, 24)}`]),
  );
  return scenario.comments.map((comment) => {
    const author = findCommenter(audience, creators, comment.author);
    const parentId = comment.parent === null ? null : (topIds.get(comment.parent) ?? null);
    return {
      id: parentId === null ? (topIds.get(comment) ?? "") : `${parentId}.${base64Id(random, 22)}`,
      postId: at(posts, comment.post).id,
      parentId,
      authorId: author.id,
      text: comment.text,
      publishedAt: hour - comment.ago,
      counters: { likes: comment.likes, replies: comment.replies },
      native: {
        authorName: `@${author.name}`,
        authorChannelId: author.id,
        authorThumbnails: (author.native.thumbnails ?? []).slice(0, 1),
      },
      capturedAt,
      source: SOURCE,
    };
  });
}
