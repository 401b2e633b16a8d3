/** Shows records from the texts that are kept of them. Where none is kept, of a shape or of a record, it is drawn. */
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import { foldName } from "#domain/folding.ts";
import type { Page, PageRequest, Keyset } from "#domain/page.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import { renderingReader } from "../rendering-reader.ts";
import {
  MAX_STORED_PROJECTIONS,
  type Projection,
  type ProjectionRegistry,
  type Rendered,
  RawJson,
} from "#domain/projection.ts";
import type { Natives, PostList, Reader } from "../store.ts";
import type { Database } from "./database.ts";
import { listKey, pageOf, START } from "./pages.ts";
import { projectionsOf } from "../render.ts";

type Getting<N extends Natives> = Parameters<typeof renderingReader<N>>[0];
type Showing<N extends Natives> = ReturnType<typeof renderingReader<N>>;

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
  const textOf = (number: string) => `s.id = ${number} * ${MAX_STORED_PROJECTIONS} + ${slot}`;
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

export function createRenderedReads<N extends Natives>(
  db: Database,
  platform: PlatformName,
  book: ProjectionRegistry,
  getting: Getting<N>,
): Showing<N> {
  const drawing = renderingReader(getting, "json");

  const bySlot = Array.from({ length: MAX_STORED_PROJECTIONS }, (_, slot) => statementsFor(platform, slot));

  /** For where the shape's texts stand; undefined if none are kept. */
  const statementsOf = (kind: RecordKind, shape: Projection<never>): Statements | undefined =>
    bySlot[projectionsOf(book, platform, kind).indexOf(shape as unknown as Projection<object>)];

  return {
    async getRenderedAccountByName<Drawn>(name: string, as: Projection<Account<N["account"]>, Drawn>) {
      const sql = statementsOf("account", as);
      const row = sql && db.list<NamedRow>(sql.accountByName, foldName(name));
      if (row === undefined) return drawing.getRenderedAccountByName(name, as);
      const [id, ...shown] = row;
      return shownOf<Drawn>(id, ...shown);
    },
    async listRenderedFollowers<Drawn>(
      accountId: string,
      page: PageRequest,
      as: Projection<Account<N["account"]>, Drawn>,
    ) {
      const { limit, after = START } = page;
      const { at, id } = after;
      const sql = statementsOf("account", as);
      const rows = sql && db.lists<FollowerRow>(sql.followers, accountId, at, at, id, limit + 1);
      if (rows === undefined || rows.some(isHeldButNotShown)) return drawing.listRenderedFollowers(accountId, page, as);
      return pageOf(rows, limit, followerPosition, (row) => followerOf<Drawn>(accountId, row));
    },
    async getRenderedPost<Drawn>(id: string, as: Projection<Post<N["post"]>, Drawn>) {
      const sql = statementsOf("post", as);
      const row = sql && db.list<ShownRow>(sql.post, id);
      return row === undefined ? drawing.getRenderedPost(id, as) : shownOf<Drawn>(id, ...row);
    },
    async listRenderedPosts<Drawn>(
      list: PostList,
      key: string,
      page: PageRequest,
      as: Projection<Post<N["post"]>, Drawn>,
    ) {
      const { limit, after = START } = page;
      const { at, id } = after;
      const sql = statementsOf("post", as);
      const rows = sql && db.lists<PlacedRow>(sql.posts, list, listKey(list, key), at, at, id, limit + 1);
      return isWhole(rows) ? shownPage<Drawn>(rows, limit) : drawing.listRenderedPosts(list, key, page, as);
    },
    async listRenderedComments<Drawn>(
      postId: string,
      order: Parameters<Reader["listRenderedComments"]>[1],
      page: PageRequest,
      as: Projection<Comment<N["comment"]>, Drawn>,
    ) {
      // Comments have room for one shape.
      const [first] = projectionsOf(book, platform, "comment");
      const rows = first === as ? db.lists<PlacedRow>(...commentsAsked(postId, order, page)) : undefined;
      return isWhole(rows) ? shownPage<Drawn>(rows, page.limit) : drawing.listRenderedComments(postId, order, page, as);
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
function shownOf<Drawn>(id: string, ...[capturedAt, digest, text]: ShownRow): Rendered<Drawn> {
  return { id, capturedAt, body: new RawJson(text, digest) as Drawn };
}

function shownPage<Drawn>(rows: PlacedRow[], limit: number): Page<Rendered<Drawn>> {
  return pageOf(rows, limit, positionOf, ([id, capturedAt, digest, text]) =>
    shownOf<Drawn>(id, capturedAt, digest, text as string),
  );
}

function positionOf([id, , , , at, likes]: PlacedRow): Keyset {
  return likes === undefined ? { at, id } : { at, id, likes };
}

function isHeldButNotShown([, , , text, , , , , number]: FollowerRow): boolean {
  return text === null && number !== null;
}

function followerPosition([id, , , , at]: FollowerRow): Keyset {
  return { at, id };
}

function followerOf<Drawn>(accountId: string, row: FollowerRow): Follow & { shown: Rendered<Drawn> | null } {
  const [followerId, shownAt, digest, text, , since, capturedAt, source] = row;
  const shown = shownAt === null ? null : shownOf<Drawn>(followerId, shownAt, digest, text);
  return { accountId, followerId, since, capturedAt, source, shown };
}
