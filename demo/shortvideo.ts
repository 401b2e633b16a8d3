/** The demo world of the short-video platform. */
import type { Comment } from "#domain/comment.ts";
import type { Post } from "#domain/post.ts";
import { DAY_S } from "#domain/time.ts";
import type { Batch } from "#store/writer.ts";
import type { NativeComment } from "../src/platforms/shortvideo/native.ts";
import { countersAt, earlierCaptures } from "./engagement.ts";
import { speaker } from "./comment-outlines.ts";
import { mediaAddress, timedId } from "./identifiers.ts";
import { at } from "./random.ts";
import { makeAccount, makeMember, type Member } from "./shortvideo-members.ts";
import { makePost, withoutUnknown } from "./shortvideo-posts.ts";
import { countUses, makeSounds } from "./shortvideo-sounds.ts";
import { setStage, SOURCE, type Stage } from "./scenario.ts";
import { followingHistory, nameHashtags, tallyAuthors, tallyHashtags } from "./totals.ts";

const PLAN = {
  seed: "shortvideo",
  known: { name: "nora.lindqvist", displayName: "Nora Lindqvist", topic: "pottery", city: "Glasgow", posts: 48 },
  audience: 700,
};

const ARTISTS = 36;
const ARTIST_BIOS = [
  "Songs for slow evenings 🎵",
  "New single out now 🎧",
  "I sing what I cook 🎤",
  "Loops, rain, repeat 🎹",
];

export function shortvideoWorld(now: number): Batch {
  const stage = setStage(PLAN, now);
  const { random, capturedAt } = stage;
  const creators = stage.creators.map((creator, index) =>
    makeMember(random, creator, creator.bio, index === 0 || random.chance(0.2), 18_000 * creator.reach),
  );
  const artists = Array.from({ length: ARTISTS }, () =>
    makeMember(random, stage.registry.person(), random.pick(ARTIST_BIOS), random.chance(0.6), 60_000),
  );
  const audience = stage.audience.map((person) => makeMember(random, person, "", false, 120));
  const sounds = makeSounds(random, artists, creators, capturedAt);
  const tagIds = nameHashtags(stage.sketches, () => timedId(random, random.integer(500, 1_500) * DAY_S));

  const history: NonNullable<Batch["history"]> = [];
  const posts = stage.sketches.map((sketch, index) => {
    const post = makePost(stage, sketch, index, creators, sounds, tagIds);
    const points = earlierCaptures(random, stage.hour, sketch.age, (ago) =>
      withoutUnknown(post, countersAt(sketch.attention, sketch.age, ago)),
    );
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

function makeComments(
  stage: Stage,
  posts: readonly Post[],
  creators: readonly Member[],
  audience: readonly Member[],
): Comment<NativeComment>[] {
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
