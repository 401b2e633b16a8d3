/** Demo data of the photo-sharing platform. */
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import type { Post } from "#domain/post.ts";
import { HOUR_S } from "#domain/time.ts";
import type { Batch } from "#store/write/port.ts";
import type { NativeComment, NativePost, NativeUser } from "../../src/platforms/photoshare/native.ts";
import { idToCode } from "../../src/platforms/photoshare/shortcode.ts";
import { countersAt, earlierCaptures } from "./engagement.ts";
import { findCommenter } from "./comment-outlines.ts";
import { numericId, photoId, timeOfPhotoId } from "./identifiers.ts";
import type { Person } from "./people.ts";
import { countFollows, createFollows } from "./photoshare-followers.ts";
import { createMedia } from "./photoshare-media.ts";
import { assignPlaceCounts, createPlaces, type PlaceInCity } from "./photoshare-places.ts";
import { createCreatorProfile, featuredProfile, type SmallProfile, createSmallProfile } from "./photoshare-profiles.ts";
import { at, type Random } from "./random.ts";
import type { PostOutline } from "./post-outlines.ts";
import { createScenario, SOURCE, type Scenario } from "./scenario.ts";
import { createFollowerHistory, assignHashtagIds, sumByAuthor, createHashtags } from "./totals.ts";
import { altText, caption } from "./writing.ts";

const FEATURED_POST = "3382845430393690647";
const FEATURED_CAPTION =
  "Three hours in the queue for charcoal skewers, and nobody left it. Ask for extra lime and eat while it still burns your fingers. 🔥";

interface Member extends Person {
  id: string;
  bio: string | null;
  small: SmallProfile;
  native: NativeUser;
}

export const PLAN = {
  seed: "photoshare",
  featured: {
    name: "luna.marchetti",
    displayName: "Luna Marchetti",
    topic: "street-food",
    city: "Bristol",
    posts: 68,
    postedAt: timeOfPhotoId(FEATURED_POST),
    engagement: { lifetimeViews: 148_900, likeRate: 0.137, commentRate: 0.0064 },
  },
  audience: 480,
};

/** The number of creators whom others tag, in turn. */
const OFTEN_TAGGED = 12;

export function photoshareWorld(now: number, base: string): Batch {
  const scenario = createScenario(PLAN, now, base);
  const { random, hour, capturedAt } = scenario;
  const creators = scenario.creators.map((creator, index): Member => {
    const id = numericId(random, 10);
    const small = createSmallProfile(scenario, id, creator, index === 0 || random.chance(0.2), false);
    const profile = (index === 0 ? featuredProfile : createCreatorProfile)(
      scenario,
      small,
      creator,
      hour - random.integer(1, 23) * HOUR_S,
    );
    return { ...creator, id, small, ...profile };
  });
  const audience = scenario.audience.map((person): Member => {
    const id = numericId(random, 11);
    const small = createSmallProfile(scenario, id, person, random.chance(0.01), random.chance(0.35));
    return { ...person, id, bio: null, small, native: small };
  });
  const places = createPlaces(random, capturedAt);
  const tag = createTagger(random, creators.slice(0, OFTEN_TAGGED));

  const history: NonNullable<Batch["history"]> = [];
  const posts = scenario.outlines.map((outline, index) => {
    const post = createPost(scenario, outline, index, at(creators, outline.author), places, tag);
    const points = earlierCaptures(
      random,
      hour,
      outline.age,
      (ago) => toVisibleCounters(post, countersAt(outline.engagement, outline.age, ago)),
      index === 0,
    );
    if (points.length > 0) history.push({ kind: "post", id: post.id, points });
    return post;
  });
  assignPlaceCounts(random, places, posts);

  const follows = createFollows(
    random,
    hour,
    creators.map(({ id }) => id),
    audience.map(({ id }) => id),
  );
  const accounts = [
    ...createCreatorAccounts(scenario, creators, posts, countFollows(follows)),
    ...audience.map((member) => createAccount(scenario, member, {})),
  ];
  for (const account of accounts.slice(0, creators.length)) {
    history.push({
      kind: "account",
      id: account.id,
      points: createFollowerHistory(random, capturedAt, account.counters),
    });
  }

  const tagIds = assignHashtagIds(scenario.outlines, () => `17841${numericId(random, 12)}`);
  const hashtags = createHashtags(random, posts, tagIds, capturedAt, (_name, id) => ({
    profile_pic_url: scenario.pictureUrl("hashtag", id, 150, 150),
    allow_following: true,
    is_following: false,
    is_top_media_only: false,
  }));
  // This platform counts a hashtag's posts, not its views.
  for (const hashtag of hashtags) delete hashtag.counters.views;
  const comments = createComments(scenario, posts, creators, audience);
  return { accounts, hashtags, places: places.map(({ place }) => place), posts, history, comments, follows };
}

function createCreatorAccounts(
  scenario: Scenario,
  creators: readonly Member[],
  posts: readonly Post[],
  { followers, following }: ReturnType<typeof countFollows>,
): Account<NativeUser>[] {
  const { random } = scenario;
  const totals = sumByAuthor(posts);
  return creators.map((member, index) => {
    const published = totals.get(member.id)?.posts ?? 0;
    const account = createAccount(scenario, member, {
      followers:
        (followers.get(member.id) ?? 0) + Math.floor(random.logNormal(9_000 * at(scenario.creators, index).reach, 0.8)),
      following: (following.get(member.id) ?? 0) + random.integer(20, 700),
      posts: published + random.integer(0, 20),
    });
    account.native.total_clips_count = Math.floor(published * 0.25);
    return account;
  });
}

function createAccount(scenario: Scenario, member: Member, counters: Account["counters"]): Account<NativeUser> {
  return {
    id: member.id,
    name: member.name,
    displayName: member.displayName,
    bio: member.bio,
    verified: member.small.is_verified,
    private: member.small.is_private,
    createdAt: null,
    language: member.language,
    country: member.city.country,
    counters,
    native: member.native,
    capturedAt: scenario.capturedAt,
    source: SOURCE,
  };
}

/** Round-robin, so that all members are tagged about equally often. */
function createTagger(random: Random, members: readonly Member[]): (author: Member) => string[] {
  let next = 0;
  return (author) => {
    if (random.chance(0.35)) return [];
    const tagged: string[] = [];
    for (let left = random.integer(1, 3); left > 0; left--) {
      const { id } = at(members, next++ % members.length);
      if (id !== author.id) tagged.push(id);
    }
    return tagged;
  };
}

function createPost(
  scenario: Scenario,
  outline: PostOutline,
  index: number,
  author: Member,
  places: readonly PlaceInCity[],
  tag: (author: Member) => string[],
): Post<NativePost> {
  const { random, hour, capturedAt } = scenario;
  const { subject, age, begun } = outline;
  const id = index === 0 ? FEATURED_POST : photoId(random, hour - age);
  const here = places.filter(({ city }) => city === subject.city);
  const media = createMedia(scenario, subject.topic.key, id, hour - age, altText(subject));
  const isVideo = media.media_type === 2;
  const { is_private: _, ...user } = author.small;
  const post: Post<NativePost> = {
    id,
    authorId: author.id,
    publishedAt: hour - age,
    title: null,
    text: `${index === 0 ? FEATURED_CAPTION : caption(random, subject, begun)}\n\n${outline.hashtags.map((name) => `#${name}`).join(" ")}`,
    language: random.chance(0.02) ? null : subject.language,
    country: subject.city.country,
    hashtags: outline.hashtags,
    soundId: null,
    taggedIds: tag(author),
    placeId: index % 3 === 0 ? random.pick(here).place.id : null,
    durationS: isVideo ? random.integer(7, 90) : null,
    counters: {},
    native: {
      code: idToCode(id) ?? "",
      ...media,
      caption: { pk: `18${numericId(random, 15)}`, created_at: hour - age },
      user,
      like_and_view_counts_disabled: random.chance(0.03),
      comments_disabled: null,
      timeline_pinned_user_ids: index === 0 ? [author.id] : [],
      media_notes: { items: [] },
    },
    capturedAt,
    source: SOURCE,
  };
  post.counters = toVisibleCounters(post, countersAt(outline.engagement, age, 0));
  return post;
}

/** Photos have no views, and some people hide their likes. */
function toVisibleCounters(
  post: Post<NativePost>,
  { views, likes, comments }: ReturnType<typeof countersAt>,
): Post["counters"] {
  if (post.native.like_and_view_counts_disabled === true) return { comments };
  return post.native.media_type === 2 ? { views, likes, comments } : { likes, comments };
}

function createComments(
  scenario: Scenario,
  posts: readonly Post[],
  creators: readonly Member[],
  audience: readonly Member[],
): Comment<NativeComment>[] {
  const { random, hour, capturedAt } = scenario;
  const ids = new Map(scenario.comments.map((comment) => [comment, `18${numericId(random, 15)}`]));
  return scenario.comments.map((comment) => {
    const author = findCommenter(audience, creators, comment.author);
    return {
      id: ids.get(comment) ?? "",
      postId: at(posts, comment.post).id,
      parentId: comment.parent === null ? null : (ids.get(comment.parent) ?? null),
      authorId: author.id,
      text: comment.text,
      publishedAt: hour - comment.ago,
      counters: { likes: comment.likes, replies: comment.replies },
      native: { user: author.small },
      capturedAt,
      source: SOURCE,
    };
  });
}
