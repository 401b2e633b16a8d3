/** The demo world of the long-video platform. */
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import type { Post } from "#domain/post.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import { DAY_S, HOUR_S } from "#domain/time.ts";
import type { Batch } from "#store/writer.ts";
import type { NativeChannel, NativeComment, NativeThumbnail, NativeVideo } from "../src/platforms/longvideo/native.ts";
import { countersAt, earlierCaptures } from "./engagement.ts";
import { makeCharts } from "./charts.ts";
import { speaker } from "./comment-outlines.ts";
import { letterId, mediaAddress } from "./identifiers.ts";
import type { Person } from "./people.ts";
import { at, type Random } from "./random.ts";
import type { Sketch } from "./post-outlines.ts";
import { setStage, SOURCE, type Stage } from "./scenario.ts";
import { makeSubtitles, makeTrack } from "./subtitles.ts";
import { followingHistory, nameHashtags, tallyAuthors, tallyHashtags } from "./totals.ts";
import { textsOf } from "./topics.ts";
import { description, keywords, title } from "./writing.ts";

const KNOWN_VIDEO = "demoVideo01";

interface Channel extends Person {
  id: string;
  native: NativeChannel;
}

const PLAN = {
  seed: "longvideo",
  known: { name: "marketlane", displayName: "Market Lane", topic: "street-food", city: "Portland", posts: 40 },
  audience: 700,
};

/** A share of the videos of every author is that fresh or that short. */
const SHARE_OF_SHORTS = 0.18;
const LIVE_NOW = 3;

export function longvideoWorld(now: number): Batch {
  const stage = setStage(PLAN, now);
  const { random, capturedAt, sketches } = stage;
  const creators = stage.creators.map((creator) => makeChannel(random, creator));
  const audience = stage.audience.map((person) => makeChannel(random, person));

  const posts = sketches.map((sketch, index) => makePost(stage, sketch, index, at(creators, sketch.author)));
  goLive(sketches, posts);
  const history: NonNullable<Batch["history"]> = [];
  for (const [index, { age, attention }] of sketches.entries()) {
    const points = earlierCaptures(random, stage.hour, age, (ago) => watched(countersAt(attention, age, ago)));
    if (points.length > 0) history.push({ kind: "post", id: at(posts, index).id, points });
  }

  const earned = tallyAuthors(posts);
  const accounts = [...creators, ...audience].map((channel, index): Account<NativeChannel> => {
    const creator = stage.creators[index];
    const { posts: published = 0, views = 0 } = earned.get(channel.id) ?? {};
    const account: Account<NativeChannel> = {
      id: channel.id,
      name: channel.name,
      displayName: channel.displayName,
      bio: creator?.bio ?? null,
      verified: creator === undefined ? null : creator.reach > 1.5,
      private: null,
      createdAt: stage.hour - random.integer(450, 4_000) * DAY_S,
      language: channel.language,
      country: channel.city.country,
      counters:
        creator === undefined
          ? {}
          : {
              followers: Math.floor(random.heavyTail(22_000 * creator.reach, 0.8)),
              posts: published + random.integer(0, 30),
              views: views * 2,
            },
      native: channel.native,
      capturedAt,
      source: SOURCE,
    };
    if (creator !== undefined)
      history.push({ kind: "account", id: account.id, points: followingHistory(random, capturedAt, account.counters) });
    return account;
  });

  const hashtags = tallyHashtags(
    random,
    posts,
    nameHashtags(sketches, (name) => name),
    capturedAt,
    () => ({}),
  );
  const charts = makeCharts(
    random,
    stage.hour,
    posts.map(({ id, country }, index) => ({ id, country, sketch: at(sketches, index) })),
  );
  const subtitles = subtitle(stage, posts);
  return {
    accounts,
    hashtags,
    posts,
    history,
    comments: makeComments(stage, posts, creators, audience),
    subtitles,
    charts,
  };
}

function makeChannel(random: Random, person: Person): Channel {
  const id = `UC${letterId(random, 22)}`;
  const thumbnails = [88, 240, 800].map((size) => ({
    url: mediaAddress("longvideo", "channels", id, `${size}.jpg`),
    width: size,
    height: size,
  }));
  return { ...person, id, native: { title: person.displayName, customUrl: `@${person.name}`, thumbnails } };
}

function makePost(stage: Stage, sketch: Sketch, index: number, channel: Channel): Post<NativeVideo> {
  const { random, hour, capturedAt } = stage;
  const { subject, age, attention } = sketch;
  const known = index === 0;
  const id = known ? KNOWN_VIDEO : letterId(random, 11);
  const short = !known && random.chance(SHARE_OF_SHORTS);
  const wasLive = !known && !short && random.chance(0.06);
  const durationS = known ? 912 : drawDuration(random, short, wasLive);
  const { category } = subject.topic;
  const text = `${description(random, subject)}\n\nhttps://${channel.name.replaceAll(/[._]/g, "-")}.example\n\n${sketch.hashtags.map((name) => `#${name}`).join(" ")}`;
  const native: NativeVideo = {
    channelTitle: channel.displayName,
    categoryId: category.id,
    keywords: keywords(random, subject, sketch.hashtags),
    thumbnails: stills(id),
    isLive: false,
    wasLive,
    type: short ? "SHORT" : "NORMAL",
  };
  if (!short && durationS > 480 && random.chance(0.4)) {
    const parts = textsOf(subject.topic, subject.language).things.slice(0, 4);
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
    title: known ? "Street food in Portland: charcoal skewers after midnight" : title(random, subject),
    text,
    language: !known && random.chance(0.03) ? null : subject.language,
    country: subject.city.country,
    hashtags: sketch.hashtags,
    soundId: null,
    taggedIds: [],
    placeId: null,
    durationS,
    counters: watched(countersAt(attention, age, 0)),
    native,
    capturedAt,
    source: SOURCE,
  };
}

function drawDuration(random: Random, short: boolean, wasLive: boolean): number {
  if (short) return random.integer(14, 60);
  if (wasLive) return random.integer(2_400, 10_800);
  return Math.min(7_200, Math.max(95, Math.floor(random.heavyTail(620, 0.8))));
}

function stills(id: string): NativeThumbnail[] {
  const sizes = [
    [120, 90],
    [320, 180],
    [480, 360],
    [1280, 720],
  ] as const;
  return sizes.map(([width, height]) => ({
    url: mediaAddress("longvideo", "videos", id, `${width}x${height}.jpg`),
    width,
    height,
  }));
}

/** This platform shows views, likes and comments. */
function watched({ views, likes, comments }: ReturnType<typeof countersAt>): Post["counters"] {
  return { views, likes, comments };
}

/** Some that began within the last hours are still on air: nobody knows yet how long they will be. */
function goLive(sketches: readonly Sketch[], posts: readonly Post<NativeVideo>[]): void {
  const fresh = posts.filter((post, index) => {
    const { age } = at(sketches, index);
    return post.native.type === "NORMAL" && age > HOUR_S / 4 && age < 4 * HOUR_S;
  });
  for (const post of fresh.slice(0, LIVE_NOW)) {
    post.native.isLive = true;
    post.native.wasLive = false;
    delete post.native.chapters;
    post.durationS = null;
  }
}

/** About a fifth of the videos have subtitles, the known one in three languages. */
function subtitle({ random, sketches, capturedAt }: Stage, posts: readonly Post[]): SubtitleTrack[] {
  return posts.flatMap(({ id, durationS }, index) => {
    if (durationS === null || (index > 0 && index % 5 !== 0)) return [];
    const video = { id, durationS, subject: at(sketches, index).subject };
    if (index > 0) return makeSubtitles(random, video, capturedAt);
    return (["en", "es", "ja"] as const).map((language) =>
      makeTrack(random, video, language, language !== "en", capturedAt),
    );
  });
}

function makeComments(
  stage: Stage,
  posts: readonly Post[],
  creators: readonly Channel[],
  audience: readonly Channel[],
): Comment<NativeComment>[] {
  const { random, hour, capturedAt } = stage;
  const topIds = new Map(
    stage.remarks.filter(({ parent }) => parent === null).map((remark) => [remark, `Ug${letterId(random, 24)}`]),
  );
  return stage.remarks.map((remark) => {
    const author = speaker(audience, creators, remark.author);
    const parentId = remark.parent === null ? null : (topIds.get(remark.parent) ?? null);
    return {
      id: parentId === null ? (topIds.get(remark) ?? "") : `${parentId}.${letterId(random, 22)}`,
      postId: at(posts, remark.post).id,
      parentId,
      authorId: author.id,
      text: remark.text,
      publishedAt: hour - remark.ago,
      counters: { likes: remark.likes, replies: remark.replies },
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
