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

type ShownRow = [capturedAt: number, digest: string, text: string];
type NamedRow = [id: string, ...ShownRow];
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

/** What does not change from one question to the next is part of a statement: handing it over takes longer than using it. */
function statementsFor(platform: PlatformName, slot: number) {
  const textOf = (number: string) => `s.id = ${number} * ${MOST_SHAPES} + ${slot}`;
  const quoted = `'${platform.replaceAll("'", "''")}'`;
  const here = (table: string) => `${table}.platform = ${quoted}`;
  return {
    // The index of ids holds the numbers: no record is read.
    post: `SELECT ${SHOWN} FROM records r CROSS JOIN shown s
      WHERE ${here("r")} AND r.kind = 'post' AND r.id = ? AND ${textOf("r.number")}`,
    accountByName: `SELECT n.id, ${SHOWN} FROM account_names n CROSS JOIN records r CROSS JOIN shown s
      WHERE ${here("n")} AND n.name = ? AND ${here("r")} AND r.kind = 'account' AND r.id = n.id
        AND ${textOf("r.number")}`,
    // `at <= ?` bounds the range that is read; the clause in brackets only settles ties at its edge.
    posts: `SELECT l.post_id, ${SHOWN}, l.at FROM post_lists l LEFT JOIN shown s ON ${textOf("l.record")}
      WHERE ${here("l")} AND l.list = ? AND l.key = ? AND l.at <= ? AND (l.at < ? OR l.post_id > ?)
      ORDER BY l.at DESC, l.post_id LIMIT ?`,
    followers: `SELECT f.follower_id, ${SHOWN}, f.at, f.since, f.captured_at, f.source, r.number FROM follows f
      LEFT JOIN records r ON ${here("r")} AND r.kind = 'account' AND r.id = f.follower_id
      LEFT JOIN shown s ON ${textOf("r.number")}
      WHERE ${here("f")} AND f.account_id = ? AND f.at <= ? AND (f.at < ? OR f.follower_id > ?)
      ORDER BY f.at DESC, f.follower_id LIMIT ?`,
    newestComments: `SELECT c.id, c.captured_at, c.digest, c.shown, c.at FROM comments c
      WHERE ${here("c")} AND c.post_id = ? AND c.parent_id IS NULL AND c.at <= ? AND (c.at < ? OR c.id > ?)
      ORDER BY c.at DESC, c.id LIMIT ?`,
    topComments: `SELECT c.id, c.captured_at, c.digest, c.shown, c.at, c.likes FROM comments c
      WHERE ${here("c")} AND c.post_id = ? AND c.parent_id IS NULL AND c.likes <= ?
        AND (c.likes < ? OR c.at < ? OR (c.at = ? AND c.id > ?))
      ORDER BY c.likes DESC, c.at DESC, c.id LIMIT ?`,
  };
}

type Statements = ReturnType<typeof statementsFor>;

export function shownReads<N extends Natives>(
  db: Database,
  platform: PlatformName,
  book: ShapeBook,
  getting: Getting<N>,
): Showing<N> {
  const drawing = drawingReader(getting, "written");

  const bySlot = Array.from({ length: MOST_SHAPES }, (_, slot) => statementsFor(platform, slot));

  /** For where the shape's texts stand; undefined if none are kept. */
  const statementsOf = (kind: RecordKind, shape: Shape<never>): Statements | undefined =>
    bySlot[shapesOf(book, platform, kind).indexOf(shape as unknown as Shape<object>)];

  return {
    async showAccountByName<Drawn>(name: string, as: Shape<Account<N["account"]>, Drawn>) {
      const sql = statementsOf("account", as);
      const row = sql && db.list<NamedRow>(sql.accountByName, foldName(name));
      if (row === undefined) return drawing.showAccountByName(name, as);
      const [id, ...shown] = row;
      return shownOf<Drawn>(id, ...shown);
    },
    async showFollowers<Drawn>(accountId: string, page: PageRequest, as: Shape<Account<N["account"]>, Drawn>) {
      const { limit, after = START } = page;
      const { at, id } = after;
      const sql = statementsOf("account", as);
      const rows = sql && db.lists<FollowerRow>(sql.followers, accountId, at, at, id, limit + 1);
      if (rows === undefined || rows.some(isHeldButNotShown)) return drawing.showFollowers(accountId, page, as);
      return pageOf(rows, limit, followerPosition, (row) => followerOf<Drawn>(accountId, row));
    },
    async showPost<Drawn>(id: string, as: Shape<Post<N["post"]>, Drawn>) {
      const sql = statementsOf("post", as);
      const row = sql && db.list<ShownRow>(sql.post, id);
      return row === undefined ? drawing.showPost(id, as) : shownOf<Drawn>(id, ...row);
    },
    async showPosts<Drawn>(list: PostList, key: string, page: PageRequest, as: Shape<Post<N["post"]>, Drawn>) {
      const { limit, after = START } = page;
      const { at, id } = after;
      const sql = statementsOf("post", as);
      const rows = sql && db.lists<PlacedRow>(sql.posts, list, listKey(list, key), at, at, id, limit + 1);
      return isWhole(rows) ? shownPage<Drawn>(rows, limit) : drawing.showPosts(list, key, page, as);
    },
    async showComments<Drawn>(
      postId: string,
      order: Parameters<Reader["showComments"]>[1],
      page: PageRequest,
      as: Shape<Comment<N["comment"]>, Drawn>,
    ) {
      // Comments have room for one shape.
      const [first] = shapesOf(book, platform, "comment");
      const rows = first === as ? db.lists<PlacedRow>(...commentsAsked(postId, order, page)) : undefined;
      return isWhole(rows) ? shownPage<Drawn>(rows, page.limit) : drawing.showComments(postId, order, page, as);
    },
  };

  function commentsAsked(
    postId: string,
    order: "newest" | "top",
    { limit, after = START }: PageRequest,
  ): [sql: string, ...values: (string | number)[]] {
    const { at, id, likes = Number.MAX_SAFE_INTEGER } = after;
    const { newestComments, topComments } = bySlot[0] as Statements;
    if (order === "newest") return [newestComments, postId, at, at, id, limit + 1];
    return [topComments, postId, likes, likes, at, at, id, limit + 1];
  }
}

/** Another program may have written to the store, and drawn nothing. */
function isWhole(rows: PlacedRow[] | undefined): rows is PlacedRow[] {
  return rows !== undefined && rows.every(([, , , text]) => text !== null);
}

/** Where a drawing is asked for, its text does as well: see `Shown`. */
function shownOf<Drawn>(id: string, ...[capturedAt, digest, text]: ShownRow): Shown<Drawn> {
  return { id, capturedAt, body: new Written(text, digest) as Drawn };
}

function shownPage<Drawn>(rows: PlacedRow[], limit: number): Page<Shown<Drawn>> {
  return pageOf(rows, limit, positionOf, ([id, capturedAt, digest, text]) =>
    shownOf<Drawn>(id, capturedAt, digest, text as string),
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
  const shown = shownAt === null ? null : shownOf<Drawn>(followerId, shownAt, digest, text);
  return { accountId, followerId, since, capturedAt, source, shown };
}
