/** Questions whose right answers are known from the ledger. Each check says what is wrong, or null. */
import type { ExpectedState, ExpectedBatch } from "./expected-state.ts";
import { SOUND, TAG } from "./writer.ts";

export interface CheckedRequest {
  path: string;
  check(status: number, text: string): string | null;
}

const PAGE = 50;
const UNKNOWN_ID = "7000000000000000001";

export function pickRequest(ledger: ExpectedState, random: () => number): CheckedRequest | null {
  const horizon = ledger.horizon();
  const due = ledger.batches.filter((batch) => ledger.isDue(batch, horizon));
  const gone = ledger.batches.filter((batch) => ledger.isGone(batch, horizon));
  const batch = due[Math.floor(random() * due.length)];
  if (batch === undefined) return null;
  const lost = gone[Math.floor(random() * gone.length)];
  const kinds = [
    () => postDetail(batch, random),
    () => postDetail(batch, random),
    () => profile(batch),
    () => newestPosts(ledger, due),
    () => postCount(ledger, due),
    () => search(batch),
    trending,
    unknownPost,
    ...(lost === undefined ? [] : [() => erasedPerson(lost), () => erasedPost(lost, random)]),
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
          : `asked for ${id}, given ${itemStruct.id}`;
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
        body.userInfo.user.id === author.id ? null : `asked for ${author.id}, given ${body.userInfo.user.id}`,
      ),
    ),
  };
}

/** The newest page of a list: nothing foreign, in order, and no gap where something is due. */
function newestPosts(ledger: ExpectedState, due: readonly ExpectedBatch[]): CheckedRequest {
  return {
    path: `/api/shortvideo/music/posts?musicId=${SOUND}&count=${PAGE}`,
    check: expectBody((body: { itemList: { id: string; createTime: number }[] }) => {
      const ids = body.itemList.map(({ id }) => id);
      if (ids.some((id, index) => index > 0 && id >= (ids[index - 1] as string))) return "the list is out of order";
      const sent = new Set(ledger.batches.flatMap(({ posts }) => posts.map(({ id }) => id)));
      const foreign = ids.find((id) => !sent.has(id));
      if (foreign !== undefined) return `${foreign} was never sent`;
      const last = ids.at(-1) ?? "";
      const given = new Set(ids);
      const missing = due
        .flatMap(({ posts }) => posts)
        .find(({ id }) => !given.has(id) && (ids.length < PAGE || id > last));
      // Erased while the question was under way.
      return missing === undefined || wasErased(ledger, missing.id) ? null : `${missing.id} is missing from the list`;
    }),
  };
}

function wasErased(ledger: ExpectedState, id: string): boolean {
  return ledger.batches.some(
    ({ posts, eraseStartedAt: eraseBegunAt }) => eraseBegunAt < Infinity && posts.some((post) => post.id === id),
  );
}

/** Between what is due and what was sent. */
function postCount(ledger: ExpectedState, due: readonly ExpectedBatch[]): CheckedRequest {
  return {
    path: `/api/shortvideo/music/info?musicId=${SOUND}`,
    check: expectBody((body: { data: { musicInfo: { stats: { videoCount: number } } } }) => {
      const { videoCount } = body.data.musicInfo.stats;
      const size = (batches: readonly ExpectedBatch[]) => batches.reduce((sum, { posts }) => sum + posts.length, 0);
      const least = size(due.filter(({ eraseStartedAt: eraseBegunAt }) => eraseBegunAt === Infinity));
      const most = size(ledger.batches);
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

function erasedPerson({ author }: ExpectedBatch): CheckedRequest {
  return { path: `/api/shortvideo/user/info-with-region?uniqueId=${author.name}`, check: expectNotFound };
}

function erasedPost({ posts }: ExpectedBatch, random: () => number): CheckedRequest {
  const { id } = posts[Math.floor(random() * posts.length)] as ExpectedBatch["posts"][number];
  return { path: `/api/shortvideo/post/detail?videoId=${id}`, check: expectNotFound };
}

/** 200 and a body that the given check finds nothing wrong with. */
function expectBody(check: (body: never) => string | null): CheckedRequest["check"] {
  return (status, text) => {
    if (status !== 200) return `${status} ${text.slice(0, 200)}`;
    try {
      return check(JSON.parse(text) as never);
    } catch (error) {
      return `not the promised shape: ${String(error)}`;
    }
  };
}

/** Where an erasure began while the question was under way, it may be found or not. */
function unlessErased(batch: ExpectedBatch, check: CheckedRequest["check"]): CheckedRequest["check"] {
  return (status, text) => (batch.eraseStartedAt < Infinity && status === 404 ? null : check(status, text));
}

function expectNotFound(status: number, text: string): string | null {
  return status === 404 ? null : `${status} instead of 404: ${text.slice(0, 200)}`;
}
