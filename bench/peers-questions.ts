/** What all contenders are asked: a post, the newest posts of a sound, posts that hold two words. */
import { readFileSync } from "node:fs";
import type { item } from "./capture.ts";

export const TASKS = ["look-up", "list", "search"] as const;
export type Task = (typeof TASKS)[number];

export const LIST_SIZE = 30;
export const SEARCH_SIZE = 12;

export type Captured = ReturnType<typeof item>;

/** Each question is asked by a post: its id, its sound or its first two words. */
export interface Questions {
  askedBy: Record<Task, Captured[]>;
  posts: Captured[];
}

export function questionsIn(capture: string): Questions {
  const posts = readFileSync(capture, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Captured);
  const bySound = Map.groupBy(posts, ({ music }) => music.id);
  const ofFullPages = [...bySound.values()].filter(({ length }) => length >= LIST_SIZE);
  if (ofFullPages.length === 0) throw new Error(`${posts.length} posts are too few: no sound has ${LIST_SIZE}`);
  return {
    posts,
    askedBy: { "look-up": posts, list: ofFullPages.map(([post]) => post as Captured), search: posts },
  };
}

export function wordsOf({ desc }: Captured): [string, string] {
  const [first = "", second = ""] = desc.split(" ");
  return [first, second];
}
