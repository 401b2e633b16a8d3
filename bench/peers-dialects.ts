/** How each contender is asked the same, and where its answer holds the posts. Peers are asked in their fastest way. */
import { type Captured, LIST_SIZE, SEARCH_SIZE, type Task, wordsOf } from "./peers-questions.ts";

/** A post as answered; numbers may come as digits. */
export interface Answered {
  id: string;
  desc: string;
  createTime: number | string;
  author: { uniqueId: string };
  stats: { playCount: number | string };
  video: { cover: string };
  music: { id: string; title: string };
}

export interface Dialect {
  headers: Record<string, string>;
  pathOf: Record<Task, (post: Captured) => string>;
  postsIn: (task: Task, answer: unknown) => Answered[];
}

export function triptychDialect(token: string): Dialect {
  return {
    headers: bearer(token),
    pathOf: {
      "look-up": ({ id }) => `/api/shortvideo/post/detail?videoId=${id}`,
      list: ({ music }) => `/api/shortvideo/music/posts?musicId=${music.id}&count=${LIST_SIZE}`,
      search: (post) => `/api/shortvideo/search/general?${query({ keyword: wordsOf(post).join(" ") })}`,
    },
    postsIn(task, answer) {
      if (task === "look-up") return [(answer as { itemInfo: { itemStruct: Answered } }).itemInfo.itemStruct];
      if (task === "list") return (answer as { itemList: Answered[] }).itemList;
      return (answer as { data: { item: Answered }[] }).data.map(({ item }) => item);
    },
  };
}

/**
 * Its file holds the newest posts first, so that it need not sort. Its own text search (`q`) reads every field and knows
 * phrases only: a pattern on the text is faster and finds both words anywhere.
 */
export const JSON_SERVER_DIALECT: Dialect = {
  headers: {},
  pathOf: {
    "look-up": ({ id }) => `/posts/${id}`,
    list: ({ music }) => `/posts?${query({ "music.id": music.id, _limit: LIST_SIZE })}`,
    search(post) {
      const [first, second] = wordsOf(post);
      return `/posts?${query({ desc_like: `^(?=.*${first})(?=.*${second})`, _limit: SEARCH_SIZE })}`;
    },
  },
  postsIn: (task, answer) => (task === "look-up" ? [answer as Answered] : (answer as Answered[])),
};

/** Its `search` reads every field and knows phrases only; a filter on the text is faster and finds both words anywhere. */
export function directusDialect(token: string): Dialect {
  return {
    headers: bearer(token),
    pathOf: {
      "look-up": ({ id }) => `/items/posts/${id}`,
      list: ({ music }) =>
        `/items/posts?${query({ "filter[musicId][_eq]": music.id, sort: "-createTime", limit: LIST_SIZE })}`,
      search(post) {
        const [first, second] = wordsOf(post);
        const both = { "filter[_and][0][desc][_contains]": first, "filter[_and][1][desc][_contains]": second };
        return `/items/posts?${query({ ...both, limit: SEARCH_SIZE })}`;
      },
    },
    postsIn(task, answer) {
      const { data } = answer as { data: unknown };
      return task === "look-up" ? [data as Answered] : (data as Answered[]);
    },
  };
}

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

function query(parameters: Record<string, string | number>): string {
  const texts = Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]);
  return new URLSearchParams(texts).toString();
}
