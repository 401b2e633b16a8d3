/** Demo data of the short-video platform. */
import type { Comment } from "#domain/comment.ts";
import type { Post } from "#domain/post.ts";
import { DAY_S } from "#domain/time.ts";
import type { Batch } from "#store/write/port.ts";
import type { NativeComment } from "../../src/platforms/shortvideo/native.ts";
import { countersAt, earlierCaptures } from "./engagement.ts";
import { findCommenter } from "./comment-outlines.ts";
import { timeOfTimestampId, timestampId } from "./identifiers.ts";
import { at } from "./random.ts";
import { createAccount, createMember, type Member } from "./shortvideo-members.ts";
import { createPost, FEATURED_POST, onlyKnownCounters } from "./shortvideo-posts.ts";
import { assignSoundCounts, createSounds } from "./shortvideo-sounds.ts";
import { createScenario, SOURCE, type Scenario } from "./scenario.ts";
import { createFollowerHistory, assignHashtagIds, sumByAuthor, createHashtags } from "./totals.ts";

export const PLAN = {
  seed: "shortvideo",
  featured: {
    name: "nora.lindqvist",
    displayName: "Nora Lindqvist",
    topic: "pottery",
    city: "Glasgow",
    posts: 48,
    postedAt: timeOfTimestampId(FEATURED_POST),
    engagement: { lifetimeViews: 2_431_900, likeRate: 0.112 },
  },
  audience: 260,
};

const ARTISTS = 36;
const ARTIST_BIOS = [
  "Songs for slow evenings 🎵",
  "New single out now 🎧",
  "I sing what I cook 🎤",
  "Loops, rain, repeat 🎹",
];

export function shortvideoWorld(now: number, base: string): Batch {
  const scenario = createScenario(PLAN, now, base);
  const { random, capturedAt } = scenario;
  const creators = scenario.creators.map((creator, index) =>
    createMember(scenario, creator, creator.bio, index === 0 || random.chance(0.2), 18_000 * creator.reach),
  );
  const artists = Array.from({ length: ARTISTS }, () =>
    createMember(scenario, scenario.people.createPerson(), random.pick(ARTIST_BIOS), random.chance(0.6), 60_000),
  );
  const audience = scenario.audience.map((person) => createMember(scenario, person, "", false, 120));
  const sounds = createSounds(scenario, artists, creators);
  const tagIds = assignHashtagIds(scenario.outlines, () =>
    timestampId(random, scenario.hour - random.integer(500, 1_500) * DAY_S),
  );

  const history: NonNullable<Batch["history"]> = [];
  const posts = scenario.outlines.map((outline, index) => {
    const post = createPost(scenario, outline, index, creators, sounds, tagIds);
    const points = earlierCaptures(
      random,
      scenario.hour,
      outline.age,
      (ago) => onlyKnownCounters(post, countersAt(outline.engagement, outline.age, ago)),
      index === 0,
    );
    if (points.length > 0) history.push({ kind: "post", id: post.id, points });
    return post;
  });
  assignSoundCounts(random, sounds, posts);

  const totals = sumByAuthor(posts);
  const accounts = [...creators, ...artists, ...audience].map((member, index) => {
    const account = createAccount(scenario, member, totals.get(member.id), scenario.creators[index]);
    if (index < creators.length) {
      history.push({
        kind: "account",
        id: account.id,
        points: createFollowerHistory(random, capturedAt, account.counters),
      });
    }
    return account;
  });

  const hashtags = createHashtags(random, posts, tagIds, capturedAt, (name, id) => ({
    desc: `#${name}`,
    coverLarger: scenario.pictureUrl("hashtag", id, 720, 720),
    isCommerce: false,
  }));
  return { accounts, sounds, hashtags, posts, history, comments: createComments(scenario, posts, creators, audience) };
}

function createComments(
  scenario: Scenario,
  posts: readonly Post[],
  creators: readonly Member[],
  audience: readonly Member[],
): Comment<NativeComment>[] {
  const { random, hour, capturedAt } = scenario;
  const ids = new Map(scenario.comments.map((comment) => [comment, timestampId(random, scenario.hour - comment.ago)]));
  return scenario.comments.map((comment) => {
    const author = findCommenter(audience, creators, comment.author);
    const thumb = author.native.avatarThumb ?? "";
    return {
      id: ids.get(comment) ?? "",
      postId: at(posts, comment.post).id,
      parentId: comment.parent === null ? null : (ids.get(comment.parent) ?? null),
      authorId: author.id,
      text: comment.text,
      publishedAt: hour - comment.ago,
      counters: { likes: comment.likes, replies: comment.replies },
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
