/**
 * How pages are walked, as tests/spec says it of each operation, and lists of which the world knows every record: those
 * are also held to their order, and to what is written between two pages.
 */
import assert from "node:assert/strict";
import { OPERATIONS } from "#platforms/registry.ts";
import type { Batch } from "#store/write/port.ts";
import type { TestServer } from "./test-server.ts";
import { BEHAVIOUR } from "./spec-tables.ts";
import { requestOperation } from "./http-client.ts";
import {
  aComment,
  aFollow,
  AMARA,
  anAccount,
  aPost,
  GOOD_REQUESTS,
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

/** What it takes to walk a list. */
export interface Walkable {
  name: string;
  operation: string;
  /** What the first page is asked with. */
  parameters: Record<string, string>;
  /** Parameter that chooses the size of a page, with sizes to try; none where the size is fixed. */
  size: { parameter: string; values: readonly number[] } | null;
}

export interface PagedList extends Walkable {
  /** In what order; null where only relevance says. */
  order: ((a: Ordered, b: Ordered) => number) | null;
  /** What the world holds of it, in no order. */
  records: Ordered[];
  /** A batch that adds one more record to the list. */
  newcomer(record: Ordered): { platform: string; batch: Batch };
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
  };
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
  },
];

const SIZE_PARAMETER = /^(?:count|amount|limit)$/;

/** Every operation with a parameter that asks for a next page. */
function pagedBy(pageParameter: RegExp): Walkable[] {
  return OPERATIONS.flatMap(({ name, endpoint }) => {
    const parameters = Object.entries(endpoint.input.properties as Record<string, { maximum?: number }>);
    if (!parameters.some(([parameter]) => pageParameter.test(parameter))) return [];
    const size = parameters.find(([parameter]) => SIZE_PARAMETER.test(parameter));
    return {
      name,
      operation: name,
      parameters: GOOD_REQUESTS[name] ?? {},
      size: size === undefined ? null : { parameter: size[0], values: [3, size[1].maximum ?? 50] },
    };
  });
}

export const PAGED_OPERATIONS: readonly Walkable[] = pagedBy(/cursor|token|search_id/i);
/** Pages with numbers: rankings, of which tests/world.ts has none and the demo data have. */
export const NUMBERED_OPERATIONS: readonly Walkable[] = pagedBy(/^page$/);

export function listNamed(name: string): PagedList {
  const list = PAGED_LISTS.find((candidate) => candidate.name === name);
  if (list === undefined) throw new Error(`${name} is not a paged list`);
  return list;
}

/** All values at a place such as `posts.edges[].node.id`. */
function valuesAt(body: unknown, place: string): unknown[] {
  return place.split(".").reduce<unknown[]>(
    (holders, step) =>
      holders.flatMap((holder) => {
        const value = (holder as Record<string, unknown>)[step.replace("[]", "")];
        return step.endsWith("[]") ? value : [value];
      }),
    [body],
  );
}

function nextOf(operation: string, body: unknown): Record<string, string> | null {
  const { next, more, increment } =
    BEHAVIOUR[operation]?.pages ?? assert.fail(`tests/spec does not say how to walk ${operation}`);
  const parameters = Object.entries(next).map(([parameter, place]) => {
    const [value] = valuesAt(body, place);
    return [parameter, String(increment === true ? Number(value) + 1 : value)];
  });
  const hasMore = more === undefined ? parameters.every(([, value]) => value !== "") : valuesAt(body, more)[0];
  return hasMore === true || hasMore === 1 ? (Object.fromEntries(parameters) as Record<string, string>) : null;
}

export async function readPage(server: TestServer, list: Walkable, more: Record<string, string> = {}): Promise<Page> {
  const response = await requestOperation(server.url, list.operation, { ...list.parameters, ...more });
  assert.equal(response.status, 200, `${list.name}: ${response.text.slice(0, 300)}`);
  const body = JSON.parse(response.text) as Record<string, unknown>;
  const next = nextOf(list.operation, body);
  return { ids: idsIn(list.operation, body), next, body };
}

/** Of the records of one page. */
export function idsIn(operation: string, body: unknown): string[] {
  return valuesAt(body, BEHAVIOUR[operation]?.pages?.ids ?? "") as string[];
}

/** From the first page to the last; `between` runs before each next page. Gives up on a walk that does not end. */
export async function walk(
  server: TestServer,
  list: Walkable,
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
    const page: Page = await readPage(server, list, { ...sized, ...next });
    pages.push(page);
    next = page.next;
    if (next !== null) await between?.(page);
  }
  return pages;
}

export function idsOf(pages: readonly Page[]): string[] {
  return pages.flatMap(({ ids }) => ids);
}
