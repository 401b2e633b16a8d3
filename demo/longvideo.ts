/** Demo data of the long-video platform. */
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import type { Post } from "#domain/post.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import { DAY_S, HOUR_S } from "#domain/time.ts";
import type { Batch } from "#store/writer.ts";
import type { NativeChannel, NativeComment, NativeThumbnail, NativeVideo } from "../src/platforms/longvideo/native.ts";
import { countersAt, earlierCaptures } from "./engagement.ts";
import { createCharts } from "./charts.ts";
import { findCommenter } from "./comment-outlines.ts";
import { base64Id, mediaUrl } from "./identifiers.ts";
import type { Person } from "./people.ts";
import { at, type Random } from "./random.ts";
import type { PostOutline } from "./post-outlines.ts";
import { createScenario, SOURCE, type Scenario } from "./scenario.ts";
import { createSubtitles, createTrack } from "./subtitles.ts";
import { createFollowerHistory, assignHashtagIds, sumByAuthor, createHashtags } from "./totals.ts";
import { getTexts } from "./topics.ts";
import { description, keywords, title } from "./writing.ts";

const FEATURED_VIDEO = "demoVideo01";

interface Channel extends Person {
  id: string;
  native: NativeChannel;
}

const PLAN = {
  seed: "longvideo",
  featured: { name: "marketlane", displayName: "Market Lane", topic: "street-food", city: "Portland", posts: 40 },
  audience: 260,
};

const SHORTS_SHARE = 0.18;
const LIVE_NOW = 3;

export function longvideoWorld(now: number): Batch {
  const scenario = createScenario(PLAN, now);
  const { random, capturedAt, outlines } = scenario;
  const creators = scenario.creators.map((creator) => createChannel(random, creator));
  const audience = scenario.audience.map((person) => createChannel(random, person));

  const posts = outlines.map((outline, index) => createPost(scenario, outline, index, at(creators, outline.author)));
  startLiveStreams(outlines, posts);
  const history: NonNullable<Batch["history"]> = [];
  for (const [index, { age, engagement }] of outlines.entries()) {
    const points = earlierCaptures(random, scenario.hour, age, (ago) =>
      toVisibleCounters(countersAt(engagement, age, ago)),
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

function createChannel(random: Random, person: Person): Channel {
  const id = `UC${base64Id(random, 22)}`;
  const thumbnails = [88, 240, 800].map((size) => ({
    url: mediaUrl("longvideo", "channels", id, `${size}.jpg`),
    width: size,
    height: size,
  }));
  return { ...person, id, native: { title: person.displayName, customUrl: `@${person.name}`, thumbnails } };
}

function createPost(scenario: Scenario, outline: PostOutline, index: number, channel: Channel): Post<NativeVideo> {
  const { random, hour, capturedAt } = scenario;
  const { subject, age, engagement } = outline;
  const isFeatured = index === 0;
  const id = isFeatured ? FEATURED_VIDEO : base64Id(random, 11);
  const short = !isFeatured && random.chance(SHORTS_SHARE);
  const wasLive = !isFeatured && !short && random.chance(0.06);
  const durationS = isFeatured ? 912 : randomDuration(random, short, wasLive);
  const { category } = subject.topic;
  const text = `${description(random, subject)}\n\nhttps://${channel.name.replaceAll(/[._]/g, "-")}.example\n\n${outline.hashtags.map((name) => `#${name}`).join(" ")}`;
  const native: NativeVideo = {
    channelTitle: channel.displayName,
    categoryId: category.id,
    keywords: keywords(random, subject, outline.hashtags),
    thumbnails: createThumbnails(id),
    isLive: false,
    wasLive,
    type: short ? "SHORT" : "NORMAL",
  };
  if (!short && durationS > 480 && random.chance(0.4)) {
    const parts = getTexts(subject.topic, subject.language).things.slice(0, 4);
    native.chapters = parts.map((name, part) => ({
      title: name,
      startS: Math.floor((durationS * part) / parts.length),
    }));
  }
  return {
    id,
    authorId: channel.id,
    category: category.name,
    publishedAt: hour - age,
    title: isFeatured ? "Street food in Portland: charcoal skewers after midnight" : title(random, subject),
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

function randomDuration(random: Random, short: boolean, wasLive: boolean): number {
  if (short) return random.integer(14, 60);
  if (wasLive) return random.integer(2_400, 10_800);
  return Math.min(7_200, Math.max(95, Math.floor(random.logNormal(620, 0.8))));
}

function createThumbnails(id: string): NativeThumbnail[] {
  const sizes = [
    [120, 90],
    [320, 180],
    [480, 360],
    [1280, 720],
  ] as const;
  return sizes.map(([width, height]) => ({
    url: mediaUrl("longvideo", "videos", id, `${width}x${height}.jpg`),
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
    delete post.native.chapters;
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
