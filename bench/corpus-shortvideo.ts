/**
 * Short videos as the platform's own objects: posts with their authors and sounds, full profiles, and comments. Sounds
 * and people grow with the posts, so that a sound has about a hundred posts at every size.
 */
import {
  hashtags,
  popular,
  publishedAt,
  type Random,
  seeded,
  sentence,
  skewed,
  uniform,
  views,
  withHashtags,
  word,
} from "./random.ts";

const POSTS_PER_SOUND = 100;
const POSTS_PER_PERSON = 16;
const FORMAT = { format: "mp4", definition: "720p", codecType: "h264", width: 720, height: 1280 };
const SETTINGS = { shortId: "", downloadSetting: 3, followingVisibility: 1, profileEmbedPermission: 1 };
const REGIONS = ["US", "BR", "ID", "DE", "NG"];
const LANGUAGES = ["en", "pt", "id", "de", "en"];
const UNSET_FLAGS = "ftc openFavorite privateAccount secret isADVirtual ttSeller isEmbedBanned suggestAccountBind";
const ZERO_SETTINGS = "commentSetting duetSetting stitchSetting isOrganization UserStoryStatus";

export type CapturedPost = ReturnType<typeof capturedPost>;

export function* posts(count: number): Generator<CapturedPost> {
  const random = seeded(1);
  const people = countPeople(count);
  const sounds = Math.max(5, Math.round(count / POSTS_PER_SOUND));
  for (let number = 0; number < count; number++) {
    yield capturedPost(random, {
      tags: hashtags(random),
      text: sentence(random, 6, 20),
      createTime: publishedAt(number, count),
      views: views(random),
      person: popular(random, people),
      sound: popular(random, sounds),
    });
  }
}

export interface PostOutline {
  text: string;
  tags: string[];
  createTime: number;
  views: number;
  person: number;
  sound: number;
}

export function capturedPost(random: Random, outline: PostOutline) {
  const { text, tags, createTime, sound } = outline;
  const id = String((BigInt(createTime) << 32n) | BigInt(uniform(random, 4_294_967_295)));
  const media = `https://media.example/v/${id}`;
  const part = (divisor: number) => Math.floor(outline.views / divisor);
  return {
    id,
    desc: withHashtags(text, tags),
    createTime,
    author: person(outline.person),
    stats: {
      diggCount: part(11),
      shareCount: part(140),
      commentCount: part(90),
      playCount: outline.views,
      collectCount: part(60),
    },
    video: {
      id,
      duration: 5 + uniform(random, 170),
      cover: `${media}/cover.jpeg`,
      playAddr: `${media}/play.mp4`,
      downloadAddr: `${media}/download.mp4`,
      bitrate: 900_000 + uniform(random, 900_000),
      ...FORMAT,
    },
    music: {
      id: `71${String(sound).padStart(17, "0")}`,
      title: `${word(sound)} ${word(sound + 3)}`,
      authorName: word(sound + 11),
      duration: 30 + (sound % 90),
      coverLarge: `https://media.example/s/${sound}/large.jpeg`,
      playUrl: `https://media.example/s/${sound}/play.mp3`,
      original: sound % 3 === 0,
    },
    challenges: tags.map((title, index) => ({ id: `16${index}${title.length}${title}`, title })),
    textExtra: tags.map((hashtagName) => ({ hashtagName })),
  };
}

function countPeople(count: number): number {
  return Math.max(20, Math.round(count / POSTS_PER_PERSON));
}

function person(number: number) {
  const picture = `https://media.example/a/${number}`;
  return {
    id: `68${String(number).padStart(17, "0")}`,
    uniqueId: `${word(number)}.${number}`,
    nickname: `${word(number)} ${word(number + 7)}`,
    avatarLarger: `${picture}/1080.jpeg`,
    avatarMedium: `${picture}/720.jpeg`,
    avatarThumb: `${picture}/100.jpeg`,
    signature: `${word(number * 3)} ${word(number * 5)} ${word(number + 1)}`,
    verified: number % 97 === 0,
    secUid: `MS4wLjABAAAA${word(number)}${number}`,
  };
}

/** As `userInfo` of the platform's response about a person. */
export function* profiles(count: number) {
  const random = seeded(2);
  for (let number = 0; number < countPeople(count); number++) {
    const followers = skewed(random, 5_000_000);
    const stats = {
      followerCount: followers,
      followingCount: uniform(random, 2_000),
      heartCount: followers * 12,
      heart: followers * 12,
      videoCount: 1 + uniform(random, 400),
      diggCount: uniform(random, 9_000),
      friendCount: uniform(random, 300),
    };
    yield {
      user: {
        ...person(number),
        ...Object.fromEntries(UNSET_FLAGS.split(" ").map((name) => [name, false])),
        ...Object.fromEntries(ZERO_SETTINGS.split(" ").map((name) => [name, 0])),
        ...SETTINGS,
        createTime: 1_500_000_000 + uniform(random, 200_000_000),
        region: REGIONS[number % 5],
        language: LANGUAGES[number % 5],
        bioLink: { link: `https://pages.example/${number}`, risk: 0 },
        commerceUserInfo: { commerceUser: number % 11 === 0 },
        canExpPlaylist: number % 4 === 0,
        profileTab: { showMusicTab: false, showQuestionTab: false, showPlayListTab: number % 9 === 0 },
      },
      stats,
      statsV2: Object.fromEntries(Object.entries(stats).map(([name, value]) => [name, String(value)])),
    };
  }
}

/** Responses with all comments of a post, 50 to 60 of them. At most `max` posts, at even distances, have theirs captured. */
export function* commentLists(count: number, max: number) {
  const lists = Math.min(max, Math.ceil(count / 40));
  const step = Math.floor(count / lists);
  const people = countPeople(count);
  let number = 0;
  for (const { id, createTime } of posts(count)) {
    if (number % step === 0 && number < step * lists) {
      yield { aweme_id: id, comments: [...comments(createTime, number, people)] };
    }
    number++;
  }
}

function* comments(after: number, postNumber: number, people: number) {
  const random = seeded(3_000_000 + postNumber);
  const count = 50 + uniform(random, 11);
  for (let index = 0; index < count; index++) {
    const writer = person(uniform(random, people));
    yield {
      cid: `73${String(postNumber).padStart(12, "0")}${String(index).padStart(5, "0")}`,
      text: sentence(random, 3, 15),
      create_time: after + 60 + uniform(random, 400_000),
      digg_count: skewed(random, 3_000),
      reply_comment_total: skewed(random, 40),
      user: {
        uid: writer.id,
        unique_id: writer.uniqueId,
        nickname: writer.nickname,
        sec_uid: writer.secUid,
        avatar_thumb: { uri: `a/${writer.id}`, url_list: [writer.avatarThumb] },
      },
    };
  }
}
