/**
 * The records that judged queries look for, in one line each. Their ids are readable, so that a miss explains itself.
 * Times are counted back from the start of the run: freshness and windows are measured by the service's own clock.
 */
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import { DAY_S } from "#domain/time.ts";
import type { Batch } from "#store/write/port.ts";
import { aComment, anAccount, aPost } from "../world.ts";

export type Platform = "shortvideo" | "longvideo" | "photoshare";

export interface Needle {
  platform: Platform;
  batch: Batch;
}

export const RUN_AT = Math.floor(Date.now() / 1000);
const provenance = { capturedAt: RUN_AT * 1000, source: "test" };

export interface PostDetails {
  tags?: string[];
  views?: number;
  likes?: number;
  /** Days before the run; 200 when nothing is said. */
  daysAgo?: number;
  /** A moment of the calendar instead, such as `2024-03-10T00:00:00Z`. */
  at?: string;
  by?: string;
  sound?: string;
  language?: string;
  country?: string;
  tagged?: string[];
}

function details({
  tags,
  views,
  likes,
  daysAgo,
  at,
  by,
  sound,
  language,
  country,
  tagged,
}: PostDetails): Partial<Post> {
  const seen = views ?? 4_000;
  return {
    publishedAt: at === undefined ? RUN_AT - Math.round((daysAgo ?? 200) * DAY_S) : Date.parse(at) / 1000,
    hashtags: tags ?? [],
    counters: { views: seen, likes: likes ?? Math.floor(seen / 20) },
    authorId: by ?? null,
    soundId: sound ?? null,
    language: language ?? null,
    country: country ?? null,
    taggedIds: tagged ?? [],
    capturedAt: provenance.capturedAt,
  };
}

export function short(id: string, text: string, more: PostDetails = {}): Needle {
  return { platform: "shortvideo", batch: { posts: [aPost(id, { text: written(text, more), ...details(more) })] } };
}

export function long(id: string, title: string, text: string, more: PostDetails = {}): Needle {
  return {
    platform: "longvideo",
    batch: { posts: [aPost(id, { title, text: written(text, more), ...details(more) })] },
  };
}

export function photo(id: string, text: string, more: PostDetails = {}): Needle {
  return { platform: "photoshare", batch: { posts: [aPost(id, { text: written(text, more), ...details(more) })] } };
}

/** Platforms repeat hashtags in the caption. */
function written(text: string, { tags = [] }: PostDetails): string {
  return [text, ...tags.map((name) => `#${name}`)].join(" ");
}

export function person(
  platform: Platform,
  id: string,
  name: string,
  displayName: string,
  more: { bio?: string; followers?: number } = {},
): Needle {
  const account = anAccount(id, name, {
    displayName,
    bio: more.bio ?? null,
    counters: { followers: more.followers ?? 300 },
    capturedAt: provenance.capturedAt,
  });
  return { platform, batch: { accounts: [account] } };
}

export function place(id: string, name: string, city: string, address: string | null = null, posts = 50): Needle {
  const spot = {
    id,
    name,
    city,
    address,
    latitude: null,
    longitude: null,
    counters: { posts },
    native: {},
    ...provenance,
  };
  return { platform: "photoshare", batch: { places: [spot] } };
}

export function tag(name: string, posts = 50, platform: Platform = "photoshare"): Needle {
  const hashtag = { id: foldName(name), name, platformId: null, counters: { posts }, native: {}, ...provenance };
  return { platform, batch: { hashtags: [hashtag] } };
}

export function song(id: string, title: string, artistName: string, posts = 50): Needle {
  const sound = {
    id,
    title,
    artistName,
    artistId: null,
    durationS: 30,
    counters: { posts },
    native: {},
    ...provenance,
  };
  return { platform: "shortvideo", batch: { sounds: [sound] } };
}

export function remark(platform: Platform, id: string, postId: string, text: string, likes = 3): Needle {
  const comment = aComment(id, postId, { text, counters: { likes }, publishedAt: RUN_AT - 30 * DAY_S });
  return { platform, batch: { comments: [comment] } };
}

/** What is said in a long video, a sentence every four seconds. */
export function spoken(postId: string, language: string, ...sentences: string[]): Needle {
  const lines = sentences.map((text, index) => ({ startS: index * 4, durationS: 3.5, text }));
  return {
    platform: "longvideo",
    batch: { subtitles: [{ postId, language, automatic: false, lines, ...provenance }] },
  };
}
