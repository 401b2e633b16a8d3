/** Rendered reads from pre-rendered JSON. Renders on read where a projection or a record has none. */
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import { foldName } from "#domain/folding.ts";
import type { Keyset, Page, PageRequest } from "#domain/page.ts";
import type { Post } from "#domain/post.ts";
import {
  MAX_STORED_PROJECTIONS,
  type Projection,
  type ProjectionRegistry,
  RawJson,
  type Rendered,
} from "#domain/projection.ts";
import { present } from "#domain/present.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import type { Natives } from "#store/records/port.ts";
import { START, toPage } from "#store/sql/pages.ts";
import { listKey } from "#store/lists/port.ts";
import type { CommentOrder } from "#store/comments/port.ts";
import type { PostList } from "#store/lists/port.ts";
import { projectionsOf } from "./render.ts";
import { type RecordReads, type RenderedReads, renderingReader } from "./rendering-reader.ts";
import type { Database } from "#store/sqlite/database.ts";

type RenderedTuple = [capturedAt: number, digest: string, json: string];
type NamedTuple = [id: string, ...RenderedTuple];
/** `json` is null where a record has not been rendered. */
type ListedTuple = [id: string, capturedAt: number, digest: string, json: string | null, at: number, likes?: number];
/** The rendered part is null if the follower's account is not stored, as is `number` then. */
type FollowerTuple = [
  id: string,
  ...(RenderedTuple | [null, null, null]),
  at: number,
  since: number | null,
  followCapturedAt: number,
  source: string,
  number: number | null,
];

const RENDERED = "s.captured_at, s.digest, s.json";

/** Platform and slot are written into the SQL: binding them takes longer than using them. */
function createStatements(platform: PlatformName, slot: number) {
  const hasRendered = (number: string) => `s.id = ${number} * ${MAX_STORED_PROJECTIONS} + ${slot}`;
  const quoted = `'${platform.replaceAll("'", "''")}'`;
  const isOfPlatform = (table: string) => `${table}.platform = ${quoted}`;
  return {
    // The index on ids contains the numbers, so the record itself is not read.
    post: `SELECT ${RENDERED} FROM records r CROSS JOIN rendered_records s
      WHERE ${isOfPlatform("r")} AND r.kind = 'post' AND r.id = ? AND ${hasRendered("r.number")}`,
    account: `SELECT ${RENDERED} FROM records r CROSS JOIN rendered_records s
      WHERE ${isOfPlatform("r")} AND r.kind = 'account' AND r.id = ? AND ${hasRendered("r.number")}`,
    accountByName: `SELECT n.id, ${RENDERED} FROM account_names n CROSS JOIN records r CROSS JOIN rendered_records s
      WHERE ${isOfPlatform("n")} AND n.name = ? AND ${isOfPlatform("r")} AND r.kind = 'account' AND r.id = n.id
        AND ${hasRendered("r.number")}
      ORDER BY n.captured_at DESC, n.id LIMIT 1`,
    // `at <= ?` bounds the index range; the clause in brackets only breaks ties at its start.
    posts: `SELECT l.post_id, ${RENDERED}, l.at FROM post_lists l LEFT JOIN rendered_records s ON ${hasRendered("l.record")}
      WHERE ${isOfPlatform("l")} AND l.list = ? AND l.key = ? AND l.at <= ? AND (l.at < ? OR l.post_id > ?)
      ORDER BY l.at DESC, l.post_id LIMIT ?`,
    followers: `SELECT f.follower_id, ${RENDERED}, f.at, f.since, f.captured_at, f.source, r.number FROM follows f
      LEFT JOIN records r ON ${isOfPlatform("r")} AND r.kind = 'account' AND r.id = f.follower_id
      LEFT JOIN rendered_records s ON ${hasRendered("r.number")}
      WHERE ${isOfPlatform("f")} AND f.account_id = ? AND f.at <= ? AND (f.at < ? OR f.follower_id > ?)
      ORDER BY f.at DESC, f.follower_id LIMIT ?`,
    newestComments: `SELECT c.id, c.captured_at, c.digest, c.rendered, c.at FROM comments c
      WHERE ${isOfPlatform("c")} AND c.post_id = ? AND c.parent_id IS NULL AND c.at <= ? AND (c.at < ? OR c.id > ?)
      ORDER BY c.at DESC, c.id LIMIT ?`,
    topComments: `SELECT c.id, c.captured_at, c.digest, c.rendered, c.at, c.likes FROM comments c
      WHERE ${isOfPlatform("c")} AND c.post_id = ? AND c.parent_id IS NULL AND c.likes <= ?
        AND (c.likes < ? OR c.at < ? OR (c.at = ? AND c.id > ?))
      ORDER BY c.likes DESC, c.at DESC, c.id LIMIT ?`,
  };
}

type Statements = ReturnType<typeof createStatements>;

export function createRenderedReads<N extends Natives>(
  db: Database,
  platform: PlatformName,
  registry: ProjectionRegistry,
  reader: RecordReads<N>,
): RenderedReads<N> {
  const fallback = renderingReader(reader, "json");
  const bySlot = Array.from({ length: MAX_STORED_PROJECTIONS }, (_, slot) => createStatements(platform, slot));

  /** Undefined for a projection that is not stored. */
  function statementsFor(kind: RecordKind, projection: Projection<never>): Statements | undefined {
    const stored: readonly Projection<never>[] = projectionsOf(registry, platform, kind);
    return bySlot[stored.indexOf(projection)];
  }

  return {
    async getRenderedAccount<Wire>(id: string, projection: Projection<Account<N["account"]>, Wire>) {
      const sql = statementsFor("account", projection);
      const row = sql && db.getTuple<RenderedTuple>(sql.account, id);
      return row === undefined ? fallback.getRenderedAccount(id, projection) : toRendered<Wire>(id, ...row);
    },
    async getRenderedAccountByName<Wire>(name: string, projection: Projection<Account<N["account"]>, Wire>) {
      const sql = statementsFor("account", projection);
      const row = sql && db.getTuple<NamedTuple>(sql.accountByName, foldName(name));
      return row === undefined ? fallback.getRenderedAccountByName(name, projection) : toRendered<Wire>(...row);
    },
    async listRenderedFollowers<Wire>(
      accountId: string,
      request: PageRequest,
      projection: Projection<Account<N["account"]>, Wire>,
    ) {
      const { limit, after = START } = request;
      const { at, id } = after;
      const sql = statementsFor("account", projection);
      const rows = sql && db.allTuples<FollowerTuple>(sql.followers, accountId, at, at, id, limit + 1);
      if (rows === undefined || rows.some(isUnrendered))
        return fallback.listRenderedFollowers(accountId, request, projection);
      return toPage(rows, limit, followerKeyset, (row) => toFollower<Wire>(accountId, row));
    },
    async getRenderedPost<Wire>(id: string, projection: Projection<Post<N["post"]>, Wire>) {
      const sql = statementsFor("post", projection);
      const row = sql && db.getTuple<RenderedTuple>(sql.post, id);
      return row === undefined ? fallback.getRenderedPost(id, projection) : toRendered<Wire>(id, ...row);
    },
    async listRenderedPosts<Wire>(
      list: PostList,
      key: string,
      request: PageRequest,
      projection: Projection<Post<N["post"]>, Wire>,
    ) {
      const { limit, after = START } = request;
      const { at, id } = after;
      const sql = statementsFor("post", projection);
      const rows = sql && db.allTuples<ListedTuple>(sql.posts, list, listKey(list, key), at, at, id, limit + 1);
      return isRendered(rows)
        ? toRenderedPage<Wire>(rows, limit)
        : fallback.listRenderedPosts(list, key, request, projection);
    },
    async listRenderedComments<Wire>(
      postId: string,
      order: CommentOrder,
      request: PageRequest,
      projection: Projection<Comment<N["comment"]>, Wire>,
    ) {
      // Comments store one projection only.
      const [stored] = projectionsOf(registry, platform, "comment");
      const rows =
        stored === projection ? db.allTuples<ListedTuple>(...commentQuery(postId, order, request)) : undefined;
      return isRendered(rows)
        ? toRenderedPage<Wire>(rows, request.limit)
        : fallback.listRenderedComments(postId, order, request, projection);
    },
  };

  function commentQuery(
    postId: string,
    order: CommentOrder,
    { limit, after = START }: PageRequest,
  ): [sql: string, ...values: (string | number)[]] {
    const { at, id, likes = Number.MAX_SAFE_INTEGER } = after;
    const { newestComments, topComments } = present(bySlot[0]);
    if (order === "newest") return [newestComments, postId, at, at, id, limit + 1];
    return [topComments, postId, likes, likes, at, at, id, limit + 1];
  }
}

/** A program without projections, such as a command, may have written a record without rendering it. */
function isRendered(rows: ListedTuple[] | undefined): rows is ListedTuple[] {
  return rows !== undefined && rows.every(([, , , json]) => json !== null);
}

function isUnrendered([, , , json, , , , , number]: FollowerTuple): boolean {
  return json === null && number !== null;
}

function toRendered<Wire>(id: string, capturedAt: number, digest: string, json: string): Rendered<Wire> {
  return { id, capturedAt, body: new RawJson(json, digest) };
}

function toRenderedPage<Wire>(rows: ListedTuple[], limit: number): Page<Rendered<Wire>> {
  return toPage(rows, limit, listedKeyset, ([id, capturedAt, digest, json]) =>
    toRendered<Wire>(id, capturedAt, digest, json as string),
  );
}

function listedKeyset([id, , , , at, likes]: ListedTuple): Keyset {
  return likes === undefined ? { at, id } : { at, id, likes };
}

function followerKeyset([id, , , , at]: FollowerTuple): Keyset {
  return { at, id };
}

function toFollower<Wire>(accountId: string, row: FollowerTuple): Follow & { account: Rendered<Wire> | null } {
  const [followerId, accountCapturedAt, digest, json, , since, capturedAt, source] = row;
  const account = accountCapturedAt === null ? null : toRendered<Wire>(followerId, accountCapturedAt, digest, json);
  return { accountId, followerId, since, capturedAt, source, account };
}
