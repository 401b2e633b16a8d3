/** Short videos, without what some captures leave out. */
import type { Post } from "#domain/post.ts";
import type { Sound } from "#domain/sound.ts";
import type { NativePost, NativeSound } from "../../src/platforms/shortvideo/native.ts";
import { countersAt } from "./engagement.ts";
import { fileUrl, timestampId } from "./identifiers.ts";
import { at, type Random } from "./random.ts";
import type { Member } from "./shortvideo-members.ts";
import { pickSound } from "./shortvideo-sounds.ts";
import type { PostOutline } from "./post-outlines.ts";
import { SOURCE, type Scenario } from "./scenario.ts";
import { caption } from "./writing.ts";

export const FEATURED_POST = "7300000000000000001";
const FEATURED_CAPTION =
  "I opened the kiln with both eyes closed, and the moon jar survived. Cone six, iron under a milky white. 🏺";

export function createPost(
  scenario: Scenario,
  outline: PostOutline,
  index: number,
  creators: readonly Member[],
  sounds: readonly Sound<NativeSound>[],
  tagIds: ReadonlyMap<string, string>,
): Post<NativePost> {
  const { random, hour, capturedAt } = scenario;
  const { subject, age, begun } = outline;
  const author = at(creators, outline.author);
  const id = index === 0 ? FEATURED_POST : timestampId(random, hour - age);
  const mentioned = random.chance(0.14)
    ? random.sample(creators, random.integer(1, 2)).filter((other) => other !== author)
    : [];
  const text = [
    index === 0 ? FEATURED_CAPTION : caption(random, subject, begun),
    ...mentioned.map(({ name }) => `@${name}`),
    ...outline.hashtags.map((name) => `#${name}`),
  ].join(" ");
  // Some captures lack the music: then the sound is unknown.
  const sound = index % 6 !== 0 && random.chance(0.02) ? null : pickSound(random, sounds, index);
  const durationS = random.chance(0.015) ? null : Math.min(175, Math.max(6, Math.floor(random.logNormal(24, 0.6))));
  const post: Post<NativePost> = {
    id,
    authorId: author.id,
    publishedAt: hour - age,
    title: null,
    text,
    language: random.chance(0.02) ? null : subject.language,
    country: subject.city.country,
    hashtags: outline.hashtags,
    soundId: sound?.id ?? null,
    taggedIds: mentioned.map((other) => other.id),
    placeId: null,
    durationS,
    counters: countersAt(outline.engagement, age, 0),
    native: {
      author: author.native,
      video: createVideo(scenario, subject.topic.key, id, durationS),
      challenges: outline.hashtags.map((title) => ({ id: tagIds.get(title) ?? "", title })),
      textExtra: [
        ...mentioned.map(({ name }) => ({ userUniqueId: name })),
        ...outline.hashtags.map((hashtagName) => ({ hashtagName })),
      ],
      isAd: false,
    },
    capturedAt,
    source: SOURCE,
  };
  if (sound !== null) {
    const { artist: _, ...music } = sound.native;
    post.native.music = music;
  }
  if (index !== 0) dropSomeFields(random, post);
  return post;
}

function createVideo(
  { random, pictureUrl }: Scenario,
  topic: string,
  id: string,
  durationS: number | null,
): NonNullable<NativePost["video"]> {
  const definition = random.pick(["540p", "540p", "720p"]);
  const width = definition === "720p" ? 720 : 576;
  const height = Math.round((width * 16) / 9 / 2) * 2;
  const cover = pictureUrl(topic, id, width, height);
  return {
    id,
    ...(durationS === null ? {} : { duration: durationS }),
    cover,
    originCover: cover,
    dynamicCover: cover,
    playAddr: fileUrl("shortvideo", "videos", id, "play.mp4"),
    downloadAddr: fileUrl("shortvideo", "videos", id, "download.mp4"),
    format: "mp4",
    definition,
    ratio: definition,
    bitrate: random.integer(420_000, 2_400_000),
    codecType: "h264",
    width,
    height,
  };
}

/** Captures differ in completeness. */
function dropSomeFields(random: Random, post: Post<NativePost>): void {
  if (random.chance(0.07)) delete post.counters.saves;
  if (random.chance(0.05)) delete post.counters.reposts;
  if (random.chance(0.03)) delete post.counters.shares;
  if (random.chance(0.04)) {
    delete post.native.video?.bitrate;
    delete post.native.video?.definition;
  }
  if (random.chance(0.02)) delete post.native.textExtra;
}

/** A counter that the latest capture lacks was never captured before either. */
export function onlyKnownCounters(post: Post, counters: Post["counters"]): Post["counters"] {
  const { saves, reposts, shares, ...rest } = counters;
  return {
    ...rest,
    ...(post.counters.saves === undefined || saves === undefined ? {} : { saves }),
    ...(post.counters.reposts === undefined || reposts === undefined ? {} : { reposts }),
    ...(post.counters.shares === undefined || shares === undefined ? {} : { shares }),
  };
}
