/**
 * Short videos as the platform's own objects: posts with their people and sounds, full profiles, and comments. Sounds
 * and people grow with the posts, so that a sound has about a hundred posts at every size.
 */
import { item, seeded, word } from "./capture.ts";
import { even, popular, publishedAt, sentence, skewed, tagsOf, views } from "./corpus-text.ts";

const POSTS_A_SOUND = 100;
const POSTS_A_PERSON = 16;

type Post = ReturnType<typeof item>;

export function* posts(count: number): Generator<Post> {
  const random = seeded(1);
  const people = peopleFor(count);
  const sounds = Math.max(5, Math.round(count / POSTS_A_SOUND));
  for (let number = 0; number < count; number++) {
    const drawn = {
      tags: tagsOf(random),
      text: sentence(random, 6, 20),
      createTime: publishedAt(number, count),
      views: views(random),
    };
    const author = person(popular(random, people));
    yield { ...item(number, random, drawn), author, music: sound(popular(random, sounds)) };
  }
}

function peopleFor(count: number): number {
  return Math.max(20, Math.round(count / POSTS_A_PERSON));
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

function sound(number: number): Post["music"] {
  return {
    id: `71${String(number).padStart(17, "0")}`,
    title: `${word(number)} ${word(number + 3)}`,
    authorName: word(number + 11),
    duration: 30 + (number % 90),
    coverLarge: `https://media.example/s/${number}/large.jpeg`,
    playUrl: `https://media.example/s/${number}/play.mp3`,
    original: number % 3 === 0,
  };
}

/** As `userInfo` of the platform's answer about a person. */
export function* profiles(count: number) {
  const random = seeded(2);
  for (let number = 0; number < peopleFor(count); number++) {
    const followers = skewed(random, 5_000_000);
    const stats = {
      followerCount: followers,
      followingCount: even(random, 2_000),
      heartCount: followers * 12,
      heart: followers * 12,
      videoCount: 1 + even(random, 400),
      diggCount: even(random, 9_000),
      friendCount: even(random, 300),
    };
    yield {
      user: {
        ...person(number),
        shortId: "",
        createTime: 1_500_000_000 + even(random, 200_000_000),
        region: ["US", "BR", "ID", "DE", "NG"][number % 5],
        language: ["en", "pt", "id", "de", "en"][number % 5],
        ftc: false,
        openFavorite: false,
        bioLink: { link: `https://pages.example/${number}`, risk: 0 },
        commentSetting: 0,
        commerceUserInfo: { commerceUser: number % 11 === 0 },
        duetSetting: 0,
        stitchSetting: 0,
        downloadSetting: 3,
        privateAccount: false,
        secret: false,
        isADVirtual: false,
        ttSeller: false,
        followingVisibility: 1,
        isEmbedBanned: false,
        canExpPlaylist: number % 4 === 0,
        profileEmbedPermission: 1,
        profileTab: { showMusicTab: false, showQuestionTab: false, showPlayListTab: number % 9 === 0 },
        suggestAccountBind: false,
        isOrganization: 0,
        UserStoryStatus: 0,
      },
      stats,
      statsV2: Object.fromEntries(Object.entries(stats).map(([name, value]) => [name, String(value)])),
    };
  }
}

/**
 * Answers with all comments of a post, 50 to 60, written on the days after it. At most `most` posts have theirs
 * captured; they stand at even distances.
 */
export function* commentLists(count: number, most: number) {
  const many = Math.min(most, Math.ceil(count / 40));
  const step = Math.floor(count / many);
  const people = peopleFor(count);
  let number = 0;
  for (const { id, createTime } of posts(count)) {
    if (number % step === 0 && number < step * many) {
      yield { aweme_id: id, comments: [...comments(createTime, number, people)] };
    }
    number++;
  }
}

function* comments(after: number, postNumber: number, people: number) {
  const random = seeded(3_000_000 + postNumber);
  const many = 50 + even(random, 11);
  for (let place = 0; place < many; place++) {
    const writer = person(even(random, people));
    yield {
      cid: `73${String(postNumber).padStart(12, "0")}${String(place).padStart(5, "0")}`,
      text: sentence(random, 3, 15),
      create_time: after + 60 + even(random, 400_000),
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
