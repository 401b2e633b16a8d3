/** Every list that is given in pages, behind one shape, so that one test can walk them all. */
import assert from "node:assert/strict";
import type { Batch } from "#store/store.ts";
import type { TestHouse } from "./house.ts";
import { ask } from "./wire.ts";
import {
  aComment,
  aFollow,
  AMARA,
  anAccount,
  aPost,
  LONG_VIDEO,
  LONGVIDEO,
  PHOTOSHARE,
  RAFAEL,
  RAIN_SOUND,
  SHORTVIDEO,
  TALKED_ABOUT,
} from "./world.ts";

/** What an order is made of. */
export interface Ordered {
  id: string;
  /** Unix seconds; null when not known. */
  at: number | null;
  likes: number | null;
}

export interface Page {
  ids: string[];
  /** Parameters that ask for the next page; null at the end. */
  next: Record<string, string> | null;
  body: Record<string, unknown>;
}

export interface PagedList {
  name: string;
  operation: string;
  /** What the first page is asked with. */
  parameters: Record<string, string>;
  /** Parameter that chooses the size of a page, with sizes to try; none where the size is fixed. */
  size: { parameter: string; values: readonly number[] } | null;
  /** In what order; null where only relevance says. */
  order: ((a: Ordered, b: Ordered) => number) | null;
  /** What the world holds of it, in no order. */
  records: Ordered[];
  /** A batch that adds one more record to the list. */
  newcomer(record: Ordered): { platform: string; batch: Batch };
  read(body: never): { ids: string[]; next: Record<string, string> | null };
}

function byId(a: Ordered, b: Ordered): number {
  return a.id < b.id ? -1 : 1;
}

export function newestFirst(a: Ordered, b: Ordered): number {
  return (b.at ?? 0) - (a.at ?? 0) || byId(a, b);
}

/** Unknown likes come after none. */
function mostLikedFirst(a: Ordered, b: Ordered): number {
  return (b.likes ?? -1) - (a.likes ?? -1) || newestFirst(a, b);
}

function ordered({
  id,
  publishedAt,
  counters,
}: {
  id: string;
  publishedAt: number | null;
  counters: { likes?: number };
}): Ordered {
  return { id, at: publishedAt, likes: counters.likes ?? null };
}

function likesOf({ likes }: Ordered): { likes?: number } {
  return likes === null ? {} : { likes };
}

const topLevel = (batch: Batch) => (batch.comments ?? []).filter(({ parentId }) => parentId === null).map(ordered);
const postsOf = (batch: Batch) => (batch.posts ?? []).map(ordered);

function tokenOf(name: string, token: string): Record<string, string> | null {
  return token === "" ? null : { [name]: token };
}

function shortComments(sort: "newest" | "top"): PagedList {
  return {
    name: `post/comments, ${sort} first`,
    operation: "shortvideo/post/comments",
    parameters: { videoId: TALKED_ABOUT, sort },
    size: { parameter: "count", values: [1, 6, 7, 50] },
    order: sort === "top" ? mostLikedFirst : newestFirst,
    records: topLevel(SHORTVIDEO),
    newcomer: (record) => ({
      platform: "shortvideo",
      batch: { comments: [aComment(record.id, TALKED_ABOUT, { publishedAt: record.at, counters: likesOf(record) })] },
    }),
    read: ({ comments, cursor, has_more }: { comments: { cid: string }[]; cursor: number; has_more: number }) => ({
      ids: comments.map(({ cid }) => cid),
      next: has_more === 1 ? { cursor: String(cursor) } : null,
    }),
  };
}

function longComments(sort: "newest" | "top"): PagedList {
  return {
    name: `video/comments, ${sort} first`,
    operation: "longvideo/video/comments",
    parameters: { video_id: LONG_VIDEO, sort },
    size: null,
    order: sort === "top" ? mostLikedFirst : newestFirst,
    records: topLevel(LONGVIDEO),
    newcomer: (record) => ({
      platform: "longvideo",
      batch: { comments: [aComment(record.id, LONG_VIDEO, { publishedAt: record.at, counters: likesOf(record) })] },
    }),
    read: ({ comments, continuation_token }: { comments: { id: string }[]; continuation_token: string }) => ({
      ids: comments.map(({ id }) => id),
      next: tokenOf("continuation_token", continuation_token),
    }),
  };
}

interface Nodes {
  node: { pk: string };
}

export const PAGED_LISTS: readonly PagedList[] = [
  {
    name: "music/posts",
    operation: "shortvideo/music/posts",
    parameters: { musicId: RAIN_SOUND },
    size: { parameter: "count", values: [1, 5, 7, 100] },
    order: newestFirst,
    records: postsOf(SHORTVIDEO),
    newcomer: (record) => ({
      platform: "shortvideo",
      batch: { posts: [aPost(record.id, { publishedAt: record.at, soundId: RAIN_SOUND })] },
    }),
    read: ({ itemList, hasMore, cursor }: { itemList: { id: string }[]; hasMore: boolean; cursor: number }) => ({
      ids: itemList.map(({ id }) => id),
      next: hasMore ? { cursor: String(cursor) } : null,
    }),
  },
  shortComments("newest"),
  shortComments("top"),
  {
    name: "search/general",
    operation: "shortvideo/search/general",
    parameters: { keyword: "lantern" },
    size: null,
    order: null,
    records: postsOf(SHORTVIDEO),
    newcomer: (record) => ({
      platform: "shortvideo",
      batch: {
        posts: [aPost(record.id, { publishedAt: record.at, text: "One more lantern", counters: likesOf(record) })],
      },
    }),
    read: (body: {
      data: { common: { doc_id_str: string } }[];
      cursor: number;
      has_more: number;
      log_pb: { impr_id: string };
    }) => ({
      ids: body.data.map(({ common }) => common.doc_id_str),
      next: body.has_more === 1 ? { cursor: String(body.cursor), search_id: body.log_pb.impr_id } : null,
    }),
  },
  {
    name: "long-video search",
    operation: "longvideo/search",
    parameters: { query: "lantern" },
    size: null,
    order: null,
    records: postsOf(LONGVIDEO),
    newcomer: (record) => ({
      platform: "longvideo",
      batch: {
        posts: [aPost(record.id, { publishedAt: record.at, title: "One more lantern", counters: likesOf(record) })],
      },
    }),
    read: ({ videos, continuation_token }: { videos: { video_id: string }[]; continuation_token: string }) => ({
      ids: videos.map(({ video_id }) => video_id),
      next: tokenOf("continuation_token", continuation_token),
    }),
  },
  longComments("newest"),
  longComments("top"),
  {
    name: "get-posts",
    operation: "photoshare/get-posts",
    parameters: { username_or_url: AMARA.name ?? "" },
    size: { parameter: "amount", values: [1, 6, 7, 100] },
    order: newestFirst,
    records: postsOf(PHOTOSHARE),
    newcomer: (record) => ({
      platform: "photoshare",
      batch: { posts: [aPost(record.id, { publishedAt: record.at, authorId: AMARA.id })] },
    }),
    read: ({ posts, pagination_token }: { posts: Nodes[]; pagination_token: string }) => ({
      ids: posts.map(({ node }) => node.pk),
      next: tokenOf("pagination_token", pagination_token),
    }),
  },
  {
    name: "get-user-tagged-posts",
    operation: "photoshare/get-user-tagged-posts",
    parameters: { username_or_url: RAFAEL.name ?? "" },
    size: { parameter: "amount", values: [1, 6, 7, 100] },
    order: newestFirst,
    records: postsOf(PHOTOSHARE),
    newcomer: (record) => ({
      platform: "photoshare",
      batch: { posts: [aPost(record.id, { publishedAt: record.at, taggedIds: [RAFAEL.id] })] },
    }),
    read: ({ tagged_posts, pagination_token }: { tagged_posts: Nodes[]; pagination_token: string }) => ({
      ids: tagged_posts.map(({ node }) => node.pk),
      next: tokenOf("pagination_token", pagination_token),
    }),
  },
  {
    name: "get-followers",
    operation: "photoshare/get-followers",
    parameters: { username_or_url: AMARA.name ?? "", data: "followers" },
    size: { parameter: "amount", values: [1, 6, 7, 50] },
    order: newestFirst,
    records: (PHOTOSHARE.follows ?? [])
      .filter(({ accountId }) => accountId === AMARA.id)
      .map(({ followerId, since }) => ({ id: followerId, at: since, likes: null })),
    newcomer: ({ id, at }) => ({
      platform: "photoshare",
      batch: {
        accounts: [anAccount(id, `late_${id}`)],
        follows: [aFollow(AMARA.id, id, at)],
      },
    }),
    read: ({ users, pagination_token }: { users: { id: string }[]; pagination_token: string }) => ({
      ids: users.map(({ id }) => id),
      next: tokenOf("pagination_token", pagination_token),
    }),
  },
  {
    name: "search-hashtag",
    operation: "photoshare/search-hashtag",
    parameters: { hashtag: "paprika" },
    size: null,
    order: newestFirst,
    records: postsOf(PHOTOSHARE),
    newcomer: (record) => ({
      platform: "photoshare",
      batch: { posts: [aPost(record.id, { publishedAt: record.at, hashtags: ["PaPrIkA"] })] },
    }),
    read: ({
      posts,
      pagination_token,
    }: {
      posts: { edges: { node: { id: string } }[] };
      pagination_token: string;
    }) => ({
      ids: posts.edges.map(({ node }) => node.id),
      next: tokenOf("pagination_token", pagination_token),
    }),
  },
];

export function listNamed(name: string): PagedList {
  const list = PAGED_LISTS.find((candidate) => candidate.name === name);
  if (list === undefined) throw new Error(`${name} is not a paged list`);
  return list;
}

export async function readPage(house: TestHouse, list: PagedList, more: Record<string, string> = {}): Promise<Page> {
  const answer = await ask(house.address, list.operation, { ...list.parameters, ...more });
  assert.equal(answer.status, 200, `${list.name}: ${answer.text.slice(0, 300)}`);
  const body = JSON.parse(answer.text) as Record<string, unknown>;
  return { ...list.read(body as never), body };
}

/** From the first page to the last; `between` runs before each next page. Gives up on a walk that does not end. */
export async function walk(
  house: TestHouse,
  list: PagedList,
  options: { size?: number | undefined; between?: (page: Page) => Promise<void>; atMost?: number } = {},
): Promise<Page[]> {
  const { size, between, atMost = 400 } = options;
  const sized: Record<string, string> =
    size === undefined || list.size === null ? {} : { [list.size.parameter]: String(size) };
  const pages: Page[] = [];
  let next: Record<string, string> | null = {};
  while (next !== null) {
    assert.ok(
      pages.length < atMost,
      `${list.name}: the walk does not end; ${JSON.stringify(pages.slice(-3).map(({ ids }) => ids))}`,
    );
    const page: Page = await readPage(house, list, { ...sized, ...next });
    pages.push(page);
    next = page.next;
    if (next !== null) await between?.(page);
  }
  return pages;
}

export function idsOf(pages: readonly Page[]): string[] {
  return pages.flatMap(({ ids }) => ids);
}
