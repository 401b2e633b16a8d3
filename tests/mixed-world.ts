/** A world for comparing stores: large enough for random questions, with everything that stores could treat otherwise. */
import { demoWorld } from "#import/demo-world.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import type { Batch } from "#store/write/port.ts";
import { budget, sampleComments } from "#testing/budget.ts";
import { multilingualPosts } from "./multilingual-posts.ts";
import { aComment, anAccount, aPost, T0, WORLD } from "./world.ts";

/** Ids, names and texts as captures may bring them: equal standings, equal seconds, letters that fold or sort oddly. */
function oddWorld(platform: string): { platform: string; batch: Batch } {
  const names = ["Ådne.Fjell", "ådne.fjell2", "STRASSE", "straße", "İlker", "ilker.i", "名もなき人", "_x_", "10", "9"];
  const texts = [
    "lantern LANTERN läntern",
    "ﬁeld ﬀ",
    "שָׁלוֹם عليكم",
    "東京タワー夜景",
    "👩‍👩‍👧 tea",
    "a\u0000b tea",
    "100% \\ {tea} 'q'",
  ];
  return {
    platform,
    batch: {
      accounts: names.map((name, index) => anAccount(`odd ${name}`, name, { counters: { followers: index % 3 } })),
      posts: Array.from({ length: 60 }, (_, index) =>
        aPost(`odd-${String.fromCodePoint(0x41 + ((index * 37) % 58))}-${index}`, {
          authorId: `odd ${names[index % names.length]}`,
          publishedAt: index % 7 === 6 ? null : T0 + (index % 3),
          title: index % 2 === 0 ? (texts[index % texts.length] as string) : null,
          text: texts[(index * 3) % texts.length] as string,
          hashtags: ["Tea", "tea", "TÉA", "東京"].slice(index % 4),
          counters: index % 5 === 0 ? {} : { likes: index % 2, views: 10 },
        }),
      ),
      comments: Array.from({ length: 60 }, (_, index) =>
        aComment(`odd-${index}`, "odd-A-0", {
          text: texts[index % texts.length] as string,
          counters: { likes: index % 2 },
        }),
      ),
    },
  };
}

/** The tests' own world, posts in many scripts, and the odd ones. */
export function oddWorlds(): { platform: string; batch: Batch }[] {
  return [
    ...WORLD,
    { platform: "shortvideo", batch: { posts: [...multilingualPosts(budget("multilingualPosts"))] } },
    ...PLATFORMS.map(({ name }) => oddWorld(name)),
  ];
}

/**
 * The demo world too, with as many of its posts and follows as the budget allows: trends are computed from all of them.
 * Without the histories and subtitles of the other posts.
 */
export function mixedWorld(now: number): { platform: string; batch: Batch }[] {
  const every = Math.round(100 / budget("demoPostPercent"));
  const sample = <Item>(items: readonly Item[] = []) => items.filter((_, index) => index % every === 0);
  const demo = [...sampleComments(demoWorld(now))];
  const kept = new Set(demo.flatMap(({ batch }) => sample(batch.posts)).map(({ id }) => id));
  return [
    ...demo.map(({ platform, batch }) => ({
      platform,
      batch: {
        ...batch,
        posts: sample(batch.posts),
        follows: sample(batch.follows),
        history: batch.history?.filter(({ kind, id }) => kind !== "post" || kept.has(id)) ?? [],
        subtitles: batch.subtitles?.filter(({ postId }) => kept.has(postId)) ?? [],
      },
    })),
    ...oddWorlds(),
  ];
}
