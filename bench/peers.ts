/**
 * `npm run bench -- peers [--posts=20000 --rounds=5 --seconds=3 --connections=4]`: requests per second of the service beside
 * json-server and Directus, with and without its cache, with the same posts. The first run installs them.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drawIndices } from "./access-patterns.ts";
import { openPostCapture } from "./corpus.ts";
import { type CapturedPost, posts as shortVideos } from "./corpus-shortvideo.ts";
import { sendLoad } from "./load.ts";
import {
  installPeers,
  LIST_SIZE,
  type Peer,
  query,
  startDirectus,
  startJsonServer,
  type Task,
  twoWords,
} from "./peers-targets.ts";
import { atLeast, interleave, measured, ratios, type Result } from "./report.ts";
import { createToken, importCaptures, startService } from "./service.ts";

const MIN_TIMES_AHEAD = 5;
const DRAWN = 100_000;
const CHECKED = 10;

export async function run(options: Record<string, string>): Promise<Result[]> {
  const count = Number(options["posts"] ?? 20_000);
  const rounds = Number(options["rounds"] ?? 5);
  const load = { seconds: Number(options["seconds"] ?? 3), connections: Number(options["connections"] ?? 4) };
  const modules = await installPeers();
  const folder = mkdtempSync(join(tmpdir(), "triptych-peers-"));
  const posts = [...shortVideos(count)];
  const drawn = Array.from(new Set(drawIndices("uniform", count, DRAWN)), (index) => posts[index] as CapturedPost);
  const perRound = Math.floor(drawn.length / (rounds + 1));
  const peers: Peer[] = [];
  try {
    peers.push(await startTriptych(await openPostCapture(count), folder));
    peers.push(await startJsonServer(modules, posts, folder));
    for (const cache of [false, true]) peers.push(await startDirectus(modules, posts, cache));
    const results: Result[] = [];
    for (const task of ["look-up", "list", "search"] as const) {
      for (const peer of peers) await check(task, peer, drawn.slice(0, CHECKED), posts);
      const [ours = [], ...others] = await interleave(peers, rounds + 1, async ({ target, token, paths }, round) => {
        // Other posts in each round: no look-up or search is cached from an earlier one. For lists there are too few sounds.
        const own = drawn.slice(round * perRound, (round + 1) * perRound);
        const requests = own.map((post) => ({ path: paths[task](post) }));
        return (await sendLoad(target, { ...load, requests, headers: authorization(token) })).perSecond;
      });
      results.push(measured(`${task}: requests per second`, ours.slice(1)));
      for (const [index, rates] of others.entries()) {
        const name = `${task}: times ahead of ${peers[index + 1]?.target.name}`;
        results.push(atLeast(MIN_TIMES_AHEAD, measured(name, ratios(ours.slice(1), rates.slice(1)))));
      }
    }
    return results;
  } finally {
    for (const { target } of peers) await target.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startTriptych(capture: string, folder: string): Promise<Peer> {
  const settings = { DATA_DIR: join(folder, "triptych") };
  await importCaptures([capture], settings);
  return {
    token: await createToken(settings),
    target: await startService(settings, join(folder, "service.log")),
    paths: {
      "look-up": ({ id }) => `/api/shortvideo/post/detail?videoId=${id}`,
      list: ({ music }) => `/api/shortvideo/music/posts?musicId=${music.id}&count=${LIST_SIZE}`,
      search: (post) => `/api/shortvideo/search/general?${query({ keyword: twoWords(post).join(" ") })}`,
    },
    postsIn(task, body) {
      if (task === "look-up") return [(body as { itemInfo: { itemStruct: CapturedPost } }).itemInfo.itemStruct];
      if (task === "list") return (body as { itemList: CapturedPost[] }).itemList;
      return (body as { data: { item: CapturedPost }[] }).data.map(({ item }) => item);
    },
  };
}

function authorization(token: string): Record<string, string> {
  return token === "" ? {} : { authorization: `Bearer ${token}` };
}

/** Before anybody is measured: responses hold the posts that were requested. Of many matches each chooses its own. */
async function check(
  task: Task,
  { target, token, paths, postsIn }: Peer,
  requested: readonly CapturedPost[],
  posts: readonly CapturedPost[],
): Promise<void> {
  for (const post of requested) {
    const path = paths[task](post);
    const body: unknown = await (await fetch(target.url + path, { headers: authorization(token) })).json();
    const facts = ({ id, desc, video }: CapturedPost) => ({ id, desc, cover: video.cover });
    const found = postsIn(task, body).map(facts);
    const message = `${target.name}, ${path}`;
    if (task === "look-up") assert.deepEqual(found, [facts(post)], message);
    if (task === "search") {
      assert.ok(found.length > 0, message);
      assert.ok(
        found.every(({ desc }) => twoWords(post).every((word) => desc.includes(word))),
        message,
      );
    }
    if (task !== "list") continue;
    const ofSound = posts.filter(({ music }) => music.id === post.music.id);
    const newest = ofSound.toSorted((a, b) => b.createTime - a.createTime).slice(0, LIST_SIZE);
    assert.deepEqual(found, newest.map(facts), message);
  }
}
