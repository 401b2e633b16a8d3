/** Read access to one platform's records. HTTP handlers get a `Reader` and therefore cannot write. */
import type { Account } from "#domain/account.ts";
import type { Chart, ChartDays, ChartFilter, ChartRank } from "#domain/chart.ts";
import type { Comment } from "#domain/comment.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Keyset, Page, PageRequest } from "#domain/page.ts";
import type { Place } from "#domain/place.ts";
import type { Post } from "#domain/post.ts";
import type { Projection, Rendered } from "#domain/projection.ts";
import type { CounterPoint, RecordKind } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import type { Sound } from "#domain/sound.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import type { Natives } from "./natives.ts";
import type { SearchReader } from "./search-reader.ts";
import type { TrendReader } from "./trend-reader.ts";

/** The lists a post is in. The key is an account id, a sound id, a hashtag name or a place id. */
export type PostList = "author" | "sound" | "hashtag" | "tagged" | "place";

export type CommentOrder = "newest" | "top";
/** Of either order. */
export type CommentSortKey = { at: number } | { likes: number };

/** Unix milliseconds. */
export interface CounterPeriod {
  since: number;
  /** Exclusive. */
  until: number;
  limit: number;
}

/** Lists are newest first, then by id; see `Keyset`. */
export type Reader<N extends Natives = Natives> = AccountReader<N> &
  PostReader<N> &
  CommentReader<N> &
  SearchReader<N> &
  TrendReader<N>;

export interface AccountReader<N extends Natives = Natives> {
  getAccount(id: string): Promise<Account<N["account"]> | null>;
  getAccountByName(name: string): Promise<Account<N["account"]> | null>;
  /** In the order of the ids; unknown ids are skipped. */
  getAccounts(ids: readonly string[]): Promise<Account<N["account"]>[]>;
  getRenderedAccount<Body>(
    id: string,
    projection: Projection<Account<N["account"]>, Body>,
  ): Promise<Rendered<Body> | null>;
  getRenderedAccountByName<Body>(
    name: string,
    projection: Projection<Account<N["account"]>, Body>,
  ): Promise<Rendered<Body> | null>;
  /** Whether any account is known by name only. */
  hasProvisionalAccounts(): Promise<boolean>;

  listFollowers(accountId: string, page: PageRequest): Promise<Page<Follow>>;
  /** With the follower's account, or null when only its id is known. */
  listRenderedFollowers<Body>(
    accountId: string,
    page: PageRequest,
    projection: Projection<Account<N["account"]>, Body>,
  ): Promise<Page<Follow & { account: Rendered<Body> | null }>>;
  countFollowers(accountId: string): Promise<number>;
  /** The accounts that it follows. */
  listFollowing(followerId: string, page: PageRequest): Promise<Page<Follow>>;
  countFollowing(followerId: string): Promise<number>;
}

export interface PostReader<N extends Natives = Natives> {
  getPost(id: string): Promise<Post<N["post"]> | null>;
  /** The id of some post, for an example; null if there is none. */
  getAnyPostId(): Promise<string | null>;
  /** In the order of the ids; unknown ids are skipped. */
  getPosts(ids: readonly string[]): Promise<Post<N["post"]>[]>;
  getRenderedPost<Body>(id: string, projection: Projection<Post<N["post"]>, Body>): Promise<Rendered<Body> | null>;
  listPosts(list: PostList, key: string, page: PageRequest): Promise<Page<Post<N["post"]>>>;
  listRenderedPosts<Body>(
    list: PostList,
    key: string,
    page: PageRequest,
    projection: Projection<Post<N["post"]>, Body>,
  ): Promise<Page<Rendered<Body>>>;
  /** The posts of a list published in one second, by id; integer cursors are resolved against them. */
  listPostKeysets(list: PostList, key: string, at: number): Promise<Keyset[]>;
  /** The posts with the most engagement among the list's newest thousand. */
  listTopPosts(list: PostList, key: string, limit: number): Promise<Post<N["post"]>[]>;
  countPosts(list: PostList, key: string): Promise<number>;

  getSound(id: string): Promise<Sound<N["sound"]> | null>;
  getPlace(id: string): Promise<Place<N["place"]> | null>;
  /** By name, ignoring case and diacritics. */
  getHashtag(name: string): Promise<Hashtag<N["hashtag"]> | null>;

  listSubtitleLanguages(postId: string): Promise<Pick<SubtitleTrack, "language" | "automatic">[]>;
  getSubtitles(postId: string, language: string): Promise<SubtitleTrack | null>;
  /** A chart's latest day, or the day given. */
  getChart(country: string, section: string, day?: string): Promise<Chart | null>;
  /** The stored charts by country and section. */
  listCharts(filter: ChartFilter): Promise<ChartDays[]>;
  /** A post's ranks in the newest charts that have it, at most `limit`, by day, country and section. */
  listChartRanks(postId: string, filter: ChartFilter, limit: number): Promise<ChartRank[]>;
  /** Captured counters of a period, oldest first; if there are more than the limit, the newest. */
  listCounters(kind: RecordKind, id: string, period?: Partial<CounterPeriod>): Promise<CounterPoint[]>;
}

export interface CommentReader<N extends Natives = Natives> {
  /** Top-level comments of a post. In order `top`, keysets carry likes. */
  listComments(postId: string, order: CommentOrder, page: PageRequest): Promise<Page<Comment<N["comment"]>>>;
  listRenderedComments<Body>(
    postId: string,
    order: CommentOrder,
    page: PageRequest,
    projection: Projection<Comment<N["comment"]>, Body>,
  ): Promise<Page<Rendered<Body>>>;
  getComment(postId: string, id: string): Promise<Comment<N["comment"]> | null>;
  /** The replies to a comment, oldest first, then by id. */
  listReplies(postId: string, commentId: string, page: PageRequest): Promise<Page<Comment<N["comment"]>>>;
  /** In any order: those published in one second or with one number of likes. */
  listCommentKeysets(postId: string, sortKey: CommentSortKey): Promise<Keyset[]>;
  /** In any order: of those with a higher sort key and of those with a lower one, at most `limit` nearest. */
  listNearestCommentKeysets(postId: string, sortKey: CommentSortKey, limit: number): Promise<Keyset[]>;
  /** Whether a comment or a reply of the post is stored; the post itself need not be. */
  hasComments(postId: string): Promise<boolean>;
  /** Stored top-level comments of a post, the replies to them, and the sum of the known likes of the former. */
  countComments(postId: string): Promise<{ comments: number; replies: number; likes: number }>;
}
