/** Requests whose correct responses are known. Each check returns what is wrong, or null. */
import type { ExpectedState, ExpectedBatch } from "./expected-state.ts";
import { SOUND, TAG } from "./writer.ts";

export interface CheckedRequest {
  path: string;
  check(status: number, text: string): string | null;
}

const PAGE = 50;
const UNKNOWN_ID = "7000000000000000001";

export function pickRequest(state: ExpectedState, random: () => number): CheckedRequest | null {
  const horizon = state.horizon();
  const due = state.batches.filter((batch) => state.isDue(batch, horizon));
  const gone = state.batches.filter((batch) => state.isGone(batch, horizon));
  const batch = due[Math.floor(random() * due.length)];
  if (batch === undefined) return null;
  const erased = gone[Math.floor(random() * gone.length)];
  const kinds = [
    () => postDetail(batch, random),
    () => postDetail(batch, random),
    () => profile(batch),
    () => newestPosts(state, due),
    () => postCount(state, due),
    () => search(batch),
    trending,
    unknownPost,
    ...(erased === undefined ? [] : [() => erasedAccount(erased), () => erasedPost(erased, random)]),
  ];
  return kinds[Math.floor(random() * kinds.length)]?.() ?? null;
}

function postDetail(batch: ExpectedBatch, random: () => number): CheckedRequest {
  const { posts } = batch;
  const { id, text } = posts[Math.floor(random() * posts.length)] as ExpectedBatch["posts"][number];
  return {
    path: `/api/shortvideo/post/detail?videoId=${id}`,
    check: unlessErased(
      batch,
      expectBody((body: { itemInfo: { itemStruct: { id: string; desc: string } } }) => {
        const { itemStruct } = body.itemInfo;
        return itemStruct.id === id && itemStruct.desc === `${text} #${TAG}`
          ? null
          : `requested ${id}, got ${itemStruct.id}`;
      }),
    ),
  };
}

function profile(batch: ExpectedBatch): CheckedRequest {
  const { author } = batch;
  return {
    path: `/api/shortvideo/user/info-with-region?uniqueId=${author.name}`,
    check: unlessErased(
      batch,
      expectBody((body: { userInfo: { user: { id: string } } }) =>
        body.userInfo.user.id === author.id ? null : `requested ${author.id}, got ${body.userInfo.user.id}`,
      ),
    ),
  };
}

/** The first page of a list: in order, nothing foreign, and everything that is due. */
function newestPosts(state: ExpectedState, due: readonly ExpectedBatch[]): CheckedRequest {
  return {
    path: `/api/shortvideo/music/posts?musicId=${SOUND}&count=${PAGE}`,
    check: expectBody((body: { itemList: { id: string; createTime: number }[] }) => {
      const ids = body.itemList.map(({ id }) => id);
      if (ids.some((id, index) => index > 0 && id >= (ids[index - 1] as string))) return "the list is out of order";
      const sent = new Set(state.batches.flatMap(({ posts }) => posts.map(({ id }) => id)));
      const foreign = ids.find((id) => !sent.has(id));
      if (foreign !== undefined) return `${foreign} was never sent`;
      const last = ids.at(-1) ?? "";
      const returned = new Set(ids);
      const missing = due
        .flatMap(({ posts }) => posts)
        .find(({ id }) => !returned.has(id) && (ids.length < PAGE || id > last));
      // It may have been erased during the request.
      return missing === undefined || wasErased(state, missing.id) ? null : `${missing.id} is missing from the list`;
    }),
  };
}

function wasErased(state: ExpectedState, id: string): boolean {
  return state.batches.some(
    ({ posts, eraseStartedAt: eraseBegunAt }) => eraseBegunAt < Infinity && posts.some((post) => post.id === id),
  );
}

/** Between the posts due and the posts sent. */
function postCount(state: ExpectedState, due: readonly ExpectedBatch[]): CheckedRequest {
  return {
    path: `/api/shortvideo/music/info?musicId=${SOUND}`,
    check: expectBody((body: { data: { musicInfo: { stats: { videoCount: number } } } }) => {
      const { videoCount } = body.data.musicInfo.stats;
      const size = (batches: readonly ExpectedBatch[]) => batches.reduce((sum, { posts }) => sum + posts.length, 0);
      const least = size(due.filter(({ eraseStartedAt: eraseBegunAt }) => eraseBegunAt === Infinity));
      const most = size(state.batches);
      return videoCount >= least && videoCount <= most ? null : `counted ${videoCount}, not ${least} to ${most}`;
    }),
  };
}

function search(batch: ExpectedBatch): CheckedRequest {
  const { word, posts } = batch;
  return {
    path: `/api/shortvideo/search/general?keyword=${word}`,
    check: expectBody((body: { data: { common: { doc_id_str: string } }[] }) => {
      const ids = new Set(body.data.map(({ common }) => common.doc_id_str));
      const wanted = posts.map(({ id }) => id);
      const foreign = [...ids].find((id) => !wanted.includes(id));
      if (foreign !== undefined) return `${foreign} has no such word`;
      if (batch.eraseStartedAt < Infinity) return null;
      return ids.size === wanted.length ? null : `${ids.size} of ${wanted.length} posts found`;
    }),
  };
}

function trending(): CheckedRequest {
  return {
    path: "/api/shortvideo/trending/hashtag?period=120&limit=10",
    check: expectBody((body: { code: number; data: { list: { rank: number; hashtag_name: string }[] } }) => {
      const list = body.data.list.map(({ rank, hashtag_name }) => `${rank} ${hashtag_name}`).join(", ");
      return body.code === 0 && list === `1 ${TAG}` ? null : `ranked: ${list}`;
    }),
  };
}

function unknownPost(): CheckedRequest {
  return { path: `/api/shortvideo/post/detail?videoId=${UNKNOWN_ID}`, check: expectNotFound };
}

function erasedAccount({ author }: ExpectedBatch): CheckedRequest {
  return { path: `/api/shortvideo/user/info-with-region?uniqueId=${author.name}`, check: expectNotFound };
}

function erasedPost({ posts }: ExpectedBatch, random: () => number): CheckedRequest {
  const { id } = posts[Math.floor(random() * posts.length)] as ExpectedBatch["posts"][number];
  return { path: `/api/shortvideo/post/detail?videoId=${id}`, check: expectNotFound };
}

/** 200 and a body that passes the check. */
function expectBody(check: (body: never) => string | null): CheckedRequest["check"] {
  return (status, text) => {
    if (status !== 200) return `${status} ${text.slice(0, 200)}`;
    try {
      return check(JSON.parse(text) as never);
    } catch (error) {
      return `unexpected shape: ${String(error)}`;
    }
  };
}

/** If an erasure started during the request, 404 is right too. */
function unlessErased(batch: ExpectedBatch, check: CheckedRequest["check"]): CheckedRequest["check"] {
  return (status, text) => (batch.eraseStartedAt < Infinity && status === 404 ? null : check(status, text));
}

function expectNotFound(status: number, text: string): string | null {
  return status === 404 ? null : `${status} instead of 404: ${text.slice(0, 200)}`;
}
