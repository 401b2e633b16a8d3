/** Before anybody is measured: each contender's answers hold the posts that were asked for, as they were given to it. */
import assert from "node:assert/strict";
import type { Contender } from "./http-contenders.ts";
import { spreadOf } from "./http-rounds.ts";
import { drawPlaces } from "./load-patterns.ts";
import type { Answered, Dialect } from "./peers-dialects.ts";
import { type Captured, LIST_SIZE, type Questions, SEARCH_SIZE, type Task, TASKS, wordsOf } from "./peers-questions.ts";

const CHECKED = 20;

/** The median length of the checked answers, in bytes. */
export async function checkAnswers(
  { name, address }: Contender,
  { headers, pathOf, postsIn }: Dialect,
  questions: Questions,
): Promise<Record<Task, number>> {
  const bytes: Record<Task, number> = { "look-up": 0, list: 0, search: 0 };
  for (const task of TASKS) {
    const lengths: number[] = [];
    for (const asking of sample(task, questions)) {
      const path = pathOf[task](asking);
      const answer = await fetch(address + path, { headers });
      const body = await answer.text();
      if (!answer.ok) throw new Error(`${name} answered ${path} with ${answer.status}: ${body}`);
      check[task](asking, postsIn(task, JSON.parse(body)).map(factsOf), questions.posts, `${name}, ${path}`);
      lengths.push(Buffer.byteLength(body));
    }
    bytes[task] = spreadOf(lengths).median;
  }
  return bytes;
}

/** Of searches only those that find few posts: of more, each contender chooses others. */
function sample(task: Task, { askedBy, posts }: Questions): Captured[] {
  const all = askedBy[task];
  const drawn = [...drawPlaces("uniform", all.length, 3 * CHECKED, 2)].map((place) => all[place] as Captured);
  const fit = drawn.filter((post) => task !== "search" || posts.filter(holding(post)).length <= SEARCH_SIZE);
  if (fit.length < CHECKED) throw new Error(`too few questions of ${task} to check`);
  return fit.slice(0, CHECKED);
}

type Facts = ReturnType<typeof factsOf>;

function factsOf({ id, desc, createTime, author, stats, video, music }: Answered | Captured) {
  return {
    id,
    desc,
    createTime: Number(createTime),
    author: author.uniqueId,
    views: Number(stats.playCount),
    cover: video.cover,
    sound: music.id,
    title: music.title,
  };
}

const check: Record<Task, (asking: Captured, found: Facts[], posts: Captured[], where: string) => void> = {
  "look-up"(asking, found, _posts, where) {
    assert.deepEqual(found, [factsOf(asking)], where);
  },
  list(asking, found, posts, where) {
    const ofSound = posts.filter(({ music }) => music.id === asking.music.id);
    const newest = ofSound.toSorted((a, b) => b.createTime - a.createTime).slice(0, LIST_SIZE);
    assert.deepEqual(found, newest.map(factsOf), where);
  },
  /** Within words peers find more, and one may as well find the beginning of a word: none may find less. */
  search(asking, found, posts, where) {
    const words = wordsOf(asking);
    const byId = new Map(found.map((facts) => [facts.id, facts]));
    const wanted = posts.filter(({ desc }) => words.every((word) => desc.split(" ").includes(word)));
    for (const post of wanted) assert.deepEqual(byId.get(post.id), factsOf(post), where);
    assert.deepEqual(
      found.filter((facts) => !holding(asking)(facts)),
      [],
      where,
    );
  },
};

function holding(asking: Captured): (post: { desc: string }) => boolean {
  const words = wordsOf(asking);
  return ({ desc }) => words.every((word) => desc.includes(word));
}
