/** The demo world of the short-video platform. */
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import type { Post } from "#domain/post.ts";
import type { Sound } from "#domain/sound.ts";
import type { Batch } from "#store/store.ts";
import type { NativeComment, NativePost, NativeSound, NativeUser } from "../src/platforms/shortvideo/native.ts";
import { countersAt, DAY, earlierCaptures } from "./attention.ts";
import { speaker } from "./conversation.ts";
import { letterId, mediaAddress, timedId } from "./identifiers.ts";
import type { Creator, Person } from "./people.ts";
import { at, type Random } from "./random.ts";
import { countUses, makeSounds, pickSound } from "./shortvideo-sounds.ts";
import type { Sketch } from "./sketches.ts";
import { setStage, SOURCE, type Stage } from "./stage.ts";
import { type Earned, followingHistory, nameHashtags, tallyAuthors, tallyHashtags } from "./tally.ts";
import { caption } from "./writing.ts";

export const KNOWN_POST = "7300000000000000001";

interface Member extends Person {
  id: string;
  bio: string;
  verified: boolean;
  joinedAgo: number;
  native: NativeUser;
}

const PLAN = {
  seed: "shortvideo",
  known: { name: "nora.lindqvist", displayName: "Nora Lindqvist", topic: "pottery", city: "Glasgow", posts: 48 },
  audience: 700,
};

const ARTISTS = 36;

export function shortvideoWorld(now: number): Batch {
  const stage = setStage(PLAN, now);
  const { random, capturedAt } = stage;
  const creators = stage.creators.map((creator, index) => makeMember(random, creator, creator.bio, index === 0 || random.chance(0.2)));
  const artists = Array.from({ length: ARTISTS }, () => makeMember(random, stage.registry.person(), "🎵", random.chance(0.6)));
  const audience = stage.audience.map((person) => makeMember(random, person, "", false));
  const sounds = makeSounds(random, artists, creators, capturedAt);
  const tagIds = nameHashtags(stage.sketches, () => timedId(random, random.integer(500, 1_500) * DAY));

  const history: NonNullable<Batch["history"]> = [];
  const posts = stage.sketches.map((sketch, index) => {
    const post = makePost(stage, sketch, index, creators, sounds, tagIds);
    const points = earlierCaptures(random, stage.hour, sketch.age, (ago) => withoutUnknown(post, countersAt(sketch.attention, sketch.age, ago)));
    if (points.length > 0) history.push({ kind: "post", id: post.id, points });
    return post;
  });
  countUses(random, sounds, posts);

  const earned = tallyAuthors(posts);
  const accounts = [...creators, ...artists, ...audience].map((member, index) => {
    const account = makeAccount(stage, member, earned.get(member.id), stage.creators[index]);
    if (index < creators.length) {
      history.push({ kind: "account", id: account.id, points: followingHistory(random, capturedAt, account.counters) });
    }
    return account;
  });

  const hashtags = tallyHashtags(random, posts, tagIds, capturedAt, (name, id) => ({
    desc: `#${name}`,
    coverLarger: mediaAddress("shortvideo", "hashtags", id, "cover.jpeg"),
    isCommerce: false,
  }));
  return { accounts, sounds, hashtags, posts, history, comments: makeComments(stage, posts, creators, audience) };
}

function makeMember(random: Random, person: Person, bio: string, verified: boolean): Member {
  const joinedAgo = random.integer(450, 2_200) * DAY;
  const id = timedId(random, joinedAgo);
  const native: NativeUser = {
    id,
    uniqueId: person.name,
    nickname: person.displayName,
    avatarLarger: mediaAddress("shortvideo", "avatars", id, "1080.jpeg"),
    avatarMedium: mediaAddress("shortvideo", "avatars", id, "720.jpeg"),
    avatarThumb: mediaAddress("shortvideo", "avatars", id, "100.jpeg"),
    signature: bio,
    verified,
    secUid: `MS4wLjABAAAA${letterId(random, 43)}`,
  };
  return { ...person, id, bio, verified, joinedAgo, native };
}

function makeAccount(stage: Stage, member: Member, earned: Earned | undefined, creator: Creator | undefined): Account<NativeUser> {
  const { random, hour, capturedAt } = stage;
  const followers = Math.floor(random.heavyTail(creator === undefined ? 120 : 18_000 * creator.reach, 0.9));
  const following = random.integer(8, 900);
  const renamed = hour - random.integer(20, 400) * DAY;
  return {
    id: member.id,
    name: member.name,
    displayName: member.displayName,
    bio: member.bio,
    verified: member.verified,
    private: creator === undefined && random.chance(0.1),
    createdAt: hour - member.joinedAgo,
    language: member.language,
    country: member.city.country,
    counters: {
      followers,
      following,
      posts: (earned?.posts ?? 0) + random.integer(0, 12),
      likes: (earned?.likes ?? 0) + random.integer(0, 4_000),
      friends: Math.floor(Math.min(followers, following) * 0.3),
    },
    native: {
      ...member.native,
      shortId: "",
      ftc: false,
      relation: 0,
      openFavorite: random.chance(0.3),
      ...(creator !== undefined && random.chance(0.6) ? { bioLink: { link: `${member.name}.example`, risk: 0 } } : {}),
      commentSetting: 0,
      commerceUserInfo: { commerceUser: random.chance(0.1) },
      duetSetting: 0,
      stitchSetting: 0,
      secret: false,
      isADVirtual: false,
      roomId: "",
      uniqueIdModifyTime: renamed,
      ttSeller: false,
      downloadSetting: 0,
      profileTab: { showMusicTab: false, showQuestionTab: random.chance(0.1), showPlayListTab: random.chance(0.2) },
      followingVisibility: 1,
      nickNameModifyTime: renamed,
      isEmbedBanned: false,
      canExpPlaylist: creator !== undefined,
      profileEmbedPermission: 1,
      suggestAccountBind: false,
      isOrganization: 0,
      UserStoryStatus: 0,
    },
    capturedAt,
    source: SOURCE,
  };
}

function makePost(
  stage: Stage,
  sketch: Sketch,
  index: number,
  creators: readonly Member[],
  sounds: readonly Sound<NativeSound>[],
  tagIds: ReadonlyMap<string, string>,
): Post<NativePost> {
  const { random, hour, capturedAt } = stage;
  const { subject, age } = sketch;
  const author = at(creators, sketch.author);
  const id = index === 0 ? KNOWN_POST : timedId(random, age);
  const mentioned = random.chance(0.14) ? random.sample(creators, random.integer(1, 2)).filter((other) => other !== author) : [];
  const text = [
    caption(random, subject),
    ...mentioned.map(({ name }) => `@${name}`),
    ...sketch.hashtags.map((name) => `#${name}`),
  ].join(" ");
  // Some captures lack the music: then the sound is not known, which is not the same as silence.
  const sound = index % 6 !== 0 && random.chance(0.02) ? null : pickSound(random, sounds, index);
  const durationS = random.chance(0.015) ? null : Math.min(175, Math.max(6, Math.floor(random.heavyTail(24, 0.6))));
  const post: Post<NativePost> = {
    id,
    authorId: author.id,
    publishedAt: hour - age,
    title: null,
    text,
    language: random.chance(0.02) ? null : subject.language,
    country: subject.city.country,
    hashtags: sketch.hashtags,
    soundId: sound?.id ?? null,
    taggedIds: mentioned.map((other) => other.id),
    placeId: null,
    durationS,
    counters: countersAt(sketch.attention, age, 0),
    native: {
      author: author.native,
      video: makeVideo(random, id, durationS),
      challenges: sketch.hashtags.map((title) => ({ id: tagIds.get(title) ?? "", title })),
      textExtra: [
        ...mentioned.map(({ name }) => ({ userUniqueId: name })),
        ...sketch.hashtags.map((hashtagName) => ({ hashtagName })),
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
  if (index !== 0) forgetSome(random, post);
  return post;
}

function makeVideo(random: Random, id: string, durationS: number | null): NonNullable<NativePost["video"]> {
  const definition = random.pick(["540p", "540p", "720p"]);
  const width = definition === "720p" ? 720 : 576;
  return {
    id,
    ...(durationS === null ? {} : { duration: durationS }),
    cover: mediaAddress("shortvideo", "videos", id, "cover.jpeg"),
    originCover: mediaAddress("shortvideo", "videos", id, "origin.jpeg"),
    dynamicCover: mediaAddress("shortvideo", "videos", id, "dynamic.webp"),
    playAddr: mediaAddress("shortvideo", "videos", id, "play.mp4"),
    downloadAddr: mediaAddress("shortvideo", "videos", id, "download.mp4"),
    format: "mp4",
    definition,
    ratio: definition,
    bitrate: random.integer(420_000, 2_400_000),
    codecType: "h264",
    width,
    height: Math.round((width * 16) / 9 / 2) * 2,
  };
}

/** Captures differ in completeness, so some of what a post could tell is not known. */
function forgetSome(random: Random, post: Post<NativePost>): void {
  if (random.chance(0.07)) delete post.counters.saves;
  if (random.chance(0.05)) delete post.counters.reposts;
  if (random.chance(0.03)) delete post.counters.shares;
  if (random.chance(0.04)) {
    delete post.native.video?.bitrate;
    delete post.native.video?.definition;
  }
  if (random.chance(0.02)) delete post.native.textExtra;
}

/** A counter that the newest capture lacks was never seen before either. */
function withoutUnknown(post: Post, counters: Post["counters"]): Post["counters"] {
  const { saves, reposts, shares, ...rest } = counters;
  return {
    ...rest,
    ...(post.counters.saves === undefined || saves === undefined ? {} : { saves }),
    ...(post.counters.reposts === undefined || reposts === undefined ? {} : { reposts }),
    ...(post.counters.shares === undefined || shares === undefined ? {} : { shares }),
  };
}

function makeComments(stage: Stage, posts: readonly Post[], creators: readonly Member[], audience: readonly Member[]): Comment<NativeComment>[] {
  const { random, hour, capturedAt } = stage;
  const ids = new Map(stage.remarks.map((remark) => [remark, timedId(random, remark.ago)]));
  return stage.remarks.map((remark) => {
    const author = speaker(audience, creators, remark.author);
    const thumb = author.native.avatarThumb ?? "";
    return {
      id: ids.get(remark) ?? "",
      postId: at(posts, remark.post).id,
      parentId: remark.parent === null ? null : (ids.get(remark.parent) ?? null),
      authorId: author.id,
      text: remark.text,
      publishedAt: hour - remark.ago,
      counters: { likes: remark.likes, replies: remark.replies },
      native: {
        user: {
          uid: author.id,
          unique_id: author.name,
          nickname: author.displayName,
          avatar_thumb: { uri: `avatars/${author.id}`, url_list: [thumb] },
        },
      },
      capturedAt,
      source: SOURCE,
    };
  });
}
