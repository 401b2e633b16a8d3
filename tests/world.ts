/**
 * A small world of invented people, for tests that need to know every record by name. Many records share a second, many
 * counters are unknown, hashtags come in several scripts and cases. Its times lie in the past whenever the test runs.
 */
import type { Account } from "#domain/account.ts";
import { blankRecord } from "#domain/blank-record.ts";
import type { Comment } from "#domain/comment.ts";
import type { Post } from "#domain/post.ts";
import type { Follow } from "#domain/relation.ts";
import type { Sound } from "#domain/sound.ts";
import { DAY_S } from "#domain/time.ts";
import { OPERATIONS } from "#platforms/registry.ts";
import type { Batch } from "#store/write/port.ts";
import { BEHAVIOUR } from "./spec-tables.ts";

/** Unix seconds of the world's first day. */
export const T0 = 1_700_000_000;
/** Unix milliseconds; a whole second, as HTTP dates are. */
export const CAPTURED_AT = (T0 + DAY_S) * 1000;

const provenance = { capturedAt: CAPTURED_AT, source: "test" };

export function anAccount(id: string, name: string, more: Partial<Account> = {}): Account {
  return { ...blankRecord("account"), id, name, native: {}, ...provenance, ...more };
}

export function aPost(id: string, more: Partial<Post> = {}): Post {
  return { ...blankRecord("post"), id, publishedAt: T0, native: {}, ...provenance, ...more };
}

export function aComment(id: string, postId: string, more: Partial<Comment> = {}): Comment {
  return { ...blankRecord("comment"), id, postId, publishedAt: T0, native: {}, ...provenance, ...more };
}

export function aSound(id: string, more: Partial<Sound> = {}): Sound {
  return { ...blankRecord("sound"), id, native: {}, ...provenance, ...more };
}

export function aFollow(accountId: string, followerId: string, since: number | null): Follow {
  return { accountId, followerId, since, ...provenance };
}

/** The same digits before a number: ids of one length, in the order of their numbers. */
function numbered(prefix: string, number: number): string {
  return prefix + String(number).padStart(4, "0");
}

function times<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Seven to a second, every eleventh without a time, in an order that is neither that of times nor that of ids. */
function scatteredTime(index: number): number | null {
  return index % 11 === 10 ? null : T0 + Math.floor(((index * 17) % 60) / 7);
}

/** Four steps of likes, one of them unknown. */
function scatteredLikes(index: number): { likes?: number } {
  return index % 4 === 3 ? {} : { likes: (index % 4) * 10 };
}

export const INES = anAccount("6800000000000000001", "ines.varga", {
  displayName: "Ines Varga",
  country: "HU",
  counters: { followers: 1200 },
});
const TOMAS = anAccount("6800000000000000002", "tomas_okafor", { displayName: "Tomas Okafor" });

export const RAIN_SOUND = "7100000000000000001";
export const QUIET_SOUND = "7100000000000000002";
export const TALKED_ABOUT = numbered("730000000000000", 1);

/** Thirty-eight posts with one sound; all of them answer to "lantern". */
const shortPosts = times(38, (index) =>
  aPost(numbered("730000000000000", index + 1), {
    authorId: index % 2 === 0 ? INES.id : TOMAS.id,
    publishedAt: scatteredTime(index),
    text: `Lantern market, walk ${index + 1} #NightMarket`,
    hashtags: ["NightMarket"],
    soundId: RAIN_SOUND,
    counters: scatteredLikes(index),
    native: {
      author: { id: INES.id, uniqueId: "ines.varga", nickname: "Ines Varga" },
      video: { playAddr: "https://media.example/play.mp4", downloadAddr: "https://media.example/marked.mp4" },
    },
  }),
);

const shortComments = times(40, (index) =>
  aComment(numbered("740000000000000", index + 1), TALKED_ABOUT, {
    authorId: TOMAS.id,
    text: `Comment ${index + 1}`,
    publishedAt: scatteredTime(index),
    counters: scatteredLikes(index),
  }),
);
const shortReplies = times(3, (index) =>
  aComment(numbered("741000000000000", index + 1), TALKED_ABOUT, {
    parentId: shortComments[0]?.id ?? null,
    text: "A reply",
  }),
);

export const SHORTVIDEO: Batch = {
  accounts: [INES, TOMAS],
  sounds: [
    {
      id: RAIN_SOUND,
      title: "Rain on Tin",
      artistName: "Mei Holloway",
      artistId: null,
      durationS: 30,
      counters: {},
      native: {},
      ...provenance,
    },
    {
      id: QUIET_SOUND,
      title: "Quiet",
      artistName: null,
      artistId: null,
      durationS: null,
      counters: { posts: 4321 },
      native: {},
      ...provenance,
    },
  ],
  posts: shortPosts,
  comments: [...shortComments, ...shortReplies],
};

export const CHANNEL = anAccount("UCworldChannel0000000001", "Harbour Kitchen", { displayName: "Harbour Kitchen" });
export const LONG_VIDEO = "world0000001";
export const SILENT_VIDEO = "world0000002";

const longVideos = times(47, (index) =>
  aPost(numbered("world000", index + 1), {
    authorId: CHANNEL.id,
    publishedAt: scatteredTime(index),
    title: `Lantern workshop ${index + 1}`,
    text: "How a paper lantern is made.",
    durationS: 95,
    language: index % 3 === 0 ? "hu" : "en",
    country: index % 5 === 0 ? "HU" : "US",
    counters: index % 4 === 3 ? {} : { views: index * 100 },
    native: { channelTitle: "Harbour Kitchen", type: "NORMAL" },
  }),
);

const longComments = times(47, (index) =>
  aComment(numbered("UgComment", index + 1), LONG_VIDEO, {
    text: `Remark ${index + 1}`,
    publishedAt: scatteredTime(index),
    counters: scatteredLikes(index),
  }),
);

export const KANJI_LINE = "提灯を作る".repeat(100);

export const CHART_DAY = ["world0000007", "world0000003", "world0000011"];

export const LONGVIDEO: Batch = {
  accounts: [CHANNEL],
  posts: longVideos,
  comments: [...longComments, aComment("UgReply0001", LONG_VIDEO, { parentId: longComments[0]?.id ?? null })],
  subtitles: [
    {
      postId: LONG_VIDEO,
      language: "en",
      automatic: false,
      lines: [{ startS: 0, durationS: 2.5, text: "Hello." }],
      ...provenance,
    },
    {
      postId: LONG_VIDEO,
      language: "ja",
      automatic: true,
      lines: [{ startS: 0, durationS: 2, text: KANJI_LINE }],
      ...provenance,
    },
  ],
  charts: [
    { country: "US", section: "now", day: "2023-11-14", postIds: ["world0000001", "world0000002"], ...provenance },
    { country: "US", section: "now", day: "2023-11-15", postIds: CHART_DAY, ...provenance },
  ],
};

export const AMARA = anAccount("5500001", "amara.petrovic", {
  displayName: "Amara Petrovic",
  bio: "Bakes at night. amara@bakery.example, +36 1 555 0123",
  native: {
    address_street: "12 Mill Lane",
    zip: "1051",
    bio_links: [{ title: "Bakery", url: "https://bakery.example/" }],
  },
});
export const RAFAEL = anAccount("5500002", "rafael.sundqvist", {
  displayName: "Rafael Sundqvist",
  counters: { followers: 77 },
});
const followers = times(44, (index) => anAccount(numbered("56", index + 1), `guest_${index + 1}`));

/** The same tag as people write it. */
const SPELLINGS = ["Paprika", "paprika", "PAPRIKA", "páprika"];

const photos = times(58, (index) =>
  aPost(numbered("33000000000", index + 1), {
    authorId: AMARA.id,
    publishedAt: scatteredTime(index),
    text: `Loaf ${index + 1}`,
    hashtags: [SPELLINGS[index % SPELLINGS.length] as string, ...(index % 9 === 0 ? ["東京散歩", "شاي"] : [])],
    taggedIds: [RAFAEL.id],
    placeId: "880001",
    counters: scatteredLikes(index),
    native: { media_type: 1, image_versions2: { candidates: [{ url: "https://media.example/loaf.jpg", width: 640 }] } },
  }),
);

/** The first of the photos. */
export const PHOTO = numbered("33000000000", 1);

const photoComments = times(41, (index) =>
  aComment(numbered("1800000000000", index + 1), PHOTO, {
    authorId: index % 2 === 0 ? RAFAEL.id : null,
    text: `Crust ${index + 1}`,
    publishedAt: scatteredTime(index),
    counters: scatteredLikes(index),
  }),
);
const photoReplies = times(5, (index) =>
  aComment(numbered("1900000000000", index + 1), PHOTO, {
    parentId: photoComments[0]?.id ?? null,
    text: `A reply ${index + 1}`,
    publishedAt: scatteredTime(index),
  }),
);

export const PHOTOSHARE: Batch = {
  accounts: [AMARA, RAFAEL, ...followers],
  posts: photos,
  comments: [...photoComments, ...photoReplies],
  hashtags: [
    { id: "paprika", name: "Paprika", platformId: "17840000000000001", counters: {}, native: {}, ...provenance },
  ],
  places: [
    {
      id: "880001",
      name: "Paprika Square",
      latitude: 47.5,
      longitude: 19,
      address: "Paprika Square 1",
      city: "Budapest",
      counters: {},
      native: {},
      ...provenance,
    },
  ],
  follows: [
    ...followers.map(({ id }, index) => aFollow(AMARA.id, id, T0 + Math.floor(index / 6))),
    aFollow(RAFAEL.id, AMARA.id, null),
  ],
};

export const WORLD: { platform: string; batch: Batch }[] = [
  { platform: "shortvideo", batch: SHORTVIDEO },
  { platform: "longvideo", batch: LONGVIDEO },
  { platform: "photoshare", batch: PHOTOSHARE },
];

/** What the parameters of each platform's operations name in this world; `cross-platform` are those that span platforms. */
export const NAMED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  shortvideo: {
    musicId: RAIN_SOUND,
    uniqueId: "ines.varga",
    keyword: "lantern",
    videoId: TALKED_ABOUT,
    url: `https://www.tiktok.com/@ines.varga/video/${TALKED_ABOUT}`,
  },
  longvideo: { video_id: LONG_VIDEO, query: "lantern" },
  photoshare: { username_or_url: "amara.petrovic", search_query: "paprika", hashtag: "paprika" },
  "cross-platform": { q: "lantern", id: "amara.petrovic", account: "amara.petrovic", video_id: LONG_VIDEO },
};

/** The example of each operation, without what is optional, about this world: each answers 200. */
export const GOOD_REQUESTS: Readonly<Record<string, Record<string, string>>> = Object.fromEntries(
  OPERATIONS.map(({ name, group, endpoint }) => {
    const properties = endpoint.input.properties as Record<string, { default?: unknown }>;
    const required = (endpoint.input.required ?? []).filter(
      (parameter) => properties[parameter]?.default === undefined,
    );
    const named = { ...endpoint.example, ...NAMED[group.name], ...BEHAVIOUR[name]?.request };
    return [name, Object.fromEntries(required.map((parameter) => [parameter, named[parameter] ?? ""]))];
  }),
);
