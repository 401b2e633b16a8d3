/** Shows records from the texts that are kept of them. Where none is kept, of a shape or of a record, it is drawn. */
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import { foldName } from "#domain/folding.ts";
import type { Page, PageRequest, Position } from "#domain/page.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import { drawingReader } from "../drawing-reader.ts";
import { MOST_SHAPES, type Shape, type ShapeBook, type Shown, Written } from "#domain/shown.ts";
import type { Natives, PostList, Reader } from "../store.ts";
import type { Database } from "./database.ts";
import { listKey, pageOf, START } from "./pages.ts";
import { shapesOf } from "../writing-out.ts";

type Getting<N extends Natives> = Parameters<typeof drawingReader<N>>[0];
type Showing<N extends Natives> = ReturnType<typeof drawingReader<N>>;

type ShownRow = [id: string, capturedAt: number, digest: string, text: string];
type PlacedRow = [id: string, capturedAt: number, digest: string, text: string | null, at: number, likes?: number];

/** Of a follower that is not held, nothing is shown. */
type FollowerRow = [
  id: string,
  ...([capturedAt: number, digest: string, text: string] | [null, null, null]),
  at: number,
  since: number | null,
  followCapturedAt: number,
  source: string,
  number: number | null,
];

const SHOWN = "s.captured_at, s.digest, s.text";
// The index of ids holds the numbers: no record is read.
const POST = `SELECT r.id, ${SHOWN} FROM records r CROSS JOIN shown s
  WHERE r.platform = ? AND r.kind = 'post' AND r.id = ? AND s.id = r.number * ${MOST_SHAPES} + ?`;
const BY_NAME = `SELECT n.id, ${SHOWN} FROM account_names n CROSS JOIN records r CROSS JOIN shown s
  WHERE n.platform = ? AND n.name = ? AND r.platform = n.platform AND r.kind = 'account' AND r.id = n.id
    AND s.id = r.number * ${MOST_SHAPES} + ?`;
// `at <= ?` bounds the range that is read; the clause in brackets only settles ties at its edge.
const POSTS = `SELECT l.post_id, ${SHOWN}, l.at FROM post_lists l LEFT JOIN shown s ON s.id = l.record * ${MOST_SHAPES} + ?
  WHERE l.platform = ? AND l.list = ? AND l.key = ? AND l.at <= ? AND (l.at < ? OR l.post_id > ?)
  ORDER BY l.at DESC, l.post_id LIMIT ?`;
const NEWEST_COMMENTS = `SELECT id, captured_at, digest, shown, at FROM comments
  WHERE platform = ? AND post_id = ? AND parent_id IS NULL AND at <= ? AND (at < ? OR id > ?)
  ORDER BY at DESC, id LIMIT ?`;
const TOP_COMMENTS = `SELECT id, captured_at, digest, shown, at, likes FROM comments
  WHERE platform = ? AND post_id = ? AND parent_id IS NULL AND likes <= ?
    AND (likes < ? OR at < ? OR (at = ? AND id > ?))
  ORDER BY likes DESC, at DESC, id LIMIT ?`;

const FOLLOWERS = `SELECT f.follower_id, ${SHOWN}, f.at, f.since, f.captured_at, f.source, r.number
  FROM follows f
  LEFT JOIN records r ON r.platform = f.platform AND r.kind = 'account' AND r.id = f.follower_id
  LEFT JOIN shown s ON s.id = r.number * ${MOST_SHAPES} + ?
  WHERE f.platform = ? AND f.account_id = ? AND f.at <= ? AND (f.at < ? OR f.follower_id > ?)
  ORDER BY f.at DESC, f.follower_id LIMIT ?`;

export function shownReads<N extends Natives>(
  db: Database,
  platform: PlatformName,
  book: ShapeBook,
  getting: Getting<N>,
): Showing<N> {
  const drawing = drawingReader(getting, "written");

  /** Where the shape's texts stand; below zero if none are kept. */
  const slotOf = (kind: RecordKind, shape: Shape<never>) =>
    shapesOf(book, platform, kind).indexOf(shape as unknown as Shape<object>);

  return {
    async showAccountByName<Drawn>(name: string, as: Shape<Account<N["account"]>, Drawn>) {
      const slot = slotOf("account", as);
      if (slot < 0) return drawing.showAccountByName(name, as);
      const row = db.list<ShownRow>(BY_NAME, platform, foldName(name), slot);
      return row === undefined ? drawing.showAccountByName(name, as) : shownOf<Drawn>(row);
    },
    async showFollowers<Drawn>(accountId: string, page: PageRequest, as: Shape<Account<N["account"]>, Drawn>) {
      const slot = slotOf("account", as);
      if (slot < 0) return drawing.showFollowers(accountId, page, as);
      const { limit, after = START } = page;
      const { at, id } = after;
      const rows = db.lists<FollowerRow>(FOLLOWERS, slot, platform, accountId, at, at, id, limit + 1);
      if (rows.some(isHeldButNotShown)) return drawing.showFollowers(accountId, page, as);
      return pageOf(rows, limit, followerPosition, (row) => followerOf<Drawn>(accountId, row));
    },
    async showPost<Drawn>(id: string, as: Shape<Post<N["post"]>, Drawn>) {
      const slot = slotOf("post", as);
      if (slot < 0) return drawing.showPost(id, as);
      const row = db.list<ShownRow>(POST, platform, id, slot);
      return row === undefined ? drawing.showPost(id, as) : shownOf<Drawn>(row);
    },
    async showPosts<Drawn>(list: PostList, key: string, page: PageRequest, as: Shape<Post<N["post"]>, Drawn>) {
      const slot = slotOf("post", as);
      if (slot < 0) return drawing.showPosts(list, key, page, as);
      const { limit, after = START } = page;
      const { at, id } = after;
      const rows = db.lists<PlacedRow>(POSTS, slot, platform, list, listKey(list, key), at, at, id, limit + 1);
      return isWhole(rows) ? shownPage<Drawn>(rows, limit) : drawing.showPosts(list, key, page, as);
    },
    async showComments<Drawn>(
      postId: string,
      order: Parameters<Reader["showComments"]>[1],
      page: PageRequest,
      as: Shape<Comment<N["comment"]>, Drawn>,
    ) {
      if (slotOf("comment", as) !== 0) return drawing.showComments(postId, order, page, as);
      const rows = db.lists<PlacedRow>(...commentsAsked(postId, order, page));
      return isWhole(rows) ? shownPage<Drawn>(rows, page.limit) : drawing.showComments(postId, order, page, as);
    },
  };

  function commentsAsked(
    postId: string,
    order: "newest" | "top",
    { limit, after = START }: PageRequest,
  ): [sql: string, ...values: (string | number)[]] {
    const { at, id, likes = Number.MAX_SAFE_INTEGER } = after;
    if (order === "newest") return [NEWEST_COMMENTS, platform, postId, at, at, id, limit + 1];
    return [TOP_COMMENTS, platform, postId, likes, likes, at, at, id, limit + 1];
  }
}

/** Another program may have written to the store, and drawn nothing. */
function isWhole(rows: readonly PlacedRow[]): boolean {
  return rows.every(([, , , text]) => text !== null);
}

/** Where a drawing is asked for, its text does as well: see `Shown`. */
function shownOf<Drawn>([id, capturedAt, digest, text]: ShownRow): Shown<Drawn> {
  return { id, capturedAt, body: new Written(text, digest) as Drawn };
}

function shownPage<Drawn>(rows: PlacedRow[], limit: number): Page<Shown<Drawn>> {
  return pageOf(rows, limit, positionOf, ([id, capturedAt, digest, text]) =>
    shownOf<Drawn>([id, capturedAt, digest, text as string]),
  );
}

function positionOf([id, , , , at, likes]: PlacedRow): Position {
  return likes === undefined ? { at, id } : { at, id, likes };
}

function isHeldButNotShown([, , , text, , , , , number]: FollowerRow): boolean {
  return text === null && number !== null;
}

function followerPosition([id, , , , at]: FollowerRow): Position {
  return { at, id };
}

function followerOf<Drawn>(accountId: string, row: FollowerRow): Follow & { shown: Shown<Drawn> | null } {
  const [followerId, shownAt, digest, text, , since, capturedAt, source] = row;
  const shown = shownAt === null ? null : shownOf<Drawn>([followerId, shownAt, digest, text]);
  return { accountId, followerId, since, capturedAt, source, shown };
}
