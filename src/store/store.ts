/**
 * The questions that Triptych asks of its store, in domain words: one method per question, one type per answer.
 * Whoever answers a request holds a `Reader` and so cannot write; only `ingest/` is given a `Writer`.
 * `store.contract.ts` is the behaviour that every implementation must show.
 */
import type { Account } from "#domain/account.ts";
import type { Chart, ChartEntry } from "#domain/chart.ts";
import type { Comment } from "#domain/comment.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type {
  ClaimOutcome,
  ClaimRenewal,
  FileClaim,
  Job,
  JobFile,
  KindCounts,
  NumberedReject,
  Reject,
  ReportKind,
} from "#domain/job.ts";
import type { Page, PageRequest, Keyset } from "#domain/page.ts";
import type { Place } from "#domain/place.ts";
import type { Post } from "#domain/post.ts";
import type { CounterPoint, Counters, StoredRecord, PlatformName, RecordKind, SearchKind } from "#domain/record.ts";
import type { RateLimitExchange } from "#domain/rate-bucket.ts";
import type { Follow } from "#domain/relation.ts";
import type { SearchState } from "#domain/search-state.ts";
import type { Sound } from "#domain/sound.ts";
import type { SubtitleLine, SubtitleTrack } from "#domain/subtitle.ts";
import type { TokenRecord } from "#domain/token.ts";
import type { TableCopy } from "./table-copy.ts";
import type { RenderMode, Projection, Rendered, RawJsonText } from "#domain/projection.ts";
import type { TrendPeriod } from "./trends.ts";
import type { SearchDocument } from "#search/documents.ts";

/** The platform's own objects behind each kind of record. A slice names its own; the store does not look inside. */
export interface Natives {
  account: object;
  post: object;
  comment: object;
  sound: object;
  hashtag: object;
  place: object;
}

/** The lists that posts stand in. The key is an account id, a sound id, a hashtag's name or a place id. */
export type PostList = "author" | "sound" | "hashtag" | "tagged" | "place";

export type CommentOrder = "newest" | "top";

/** Reads of one platform's records. Lists are newest first, then by id; see `Position`. */
export interface Reader<N extends Natives = Natives> {
  getAccount(id: string): Promise<Account<N["account"]> | null>;
  getAccountByName(name: string): Promise<Account<N["account"]> | null>;
  /** In the order asked for; those not held are left out. */
  getAccounts(ids: readonly string[]): Promise<Account<N["account"]>[]>;
  getRenderedAccountByName<Drawn>(
    name: string,
    as: Projection<Account<N["account"]>, Drawn>,
  ): Promise<Rendered<Drawn> | null>;

  /** Whether any account is known by name only. */
  hasProvisionalAccounts(): Promise<boolean>;

  getPost(id: string): Promise<Post<N["post"]> | null>;
  getPosts(ids: readonly string[]): Promise<Post<N["post"]>[]>;
  getRenderedPost<Drawn>(id: string, as: Projection<Post<N["post"]>, Drawn>): Promise<Rendered<Drawn> | null>;
  listPosts(list: PostList, key: string, page: PageRequest): Promise<Page<Post<N["post"]>>>;
  listRenderedPosts<Drawn>(
    list: PostList,
    key: string,
    page: PageRequest,
    as: Projection<Post<N["post"]>, Drawn>,
  ): Promise<Page<Rendered<Drawn>>>;
  /** The posts of a list that were published in one second, by id: what an integer cursor is resolved against. */
  listPostKeysets(list: PostList, key: string, at: number): Promise<Keyset[]>;
  /** The best of a list by engagement, at most `limit`, drawn from its newest thousand. */
  listTopPosts(list: PostList, key: string, limit: number): Promise<Post<N["post"]>[]>;
  countPosts(list: PostList, key: string): Promise<number>;

  /** Top-level comments of a post. In order `top`, positions carry likes. */
  listComments(postId: string, order: CommentOrder, page: PageRequest): Promise<Page<Comment<N["comment"]>>>;
  listRenderedComments<Drawn>(
    postId: string,
    order: CommentOrder,
    page: PageRequest,
    as: Projection<Comment<N["comment"]>, Drawn>,
  ): Promise<Page<Rendered<Drawn>>>;
  /** Those of one second, of one number of likes, or all; by id. */
  listCommentKeysets(postId: string, within: { at?: number; likes?: number }): Promise<Keyset[]>;
  /** Top-level comments held of a post, and the sum of their known likes. */
  countComments(postId: string): Promise<{ comments: number; likes: number }>;

  getSound(id: string): Promise<Sound<N["sound"]> | null>;
  /** By name, without regard to case and marks. */
  getHashtag(name: string): Promise<Hashtag<N["hashtag"]> | null>;
  getPlace(id: string): Promise<Place<N["place"]> | null>;

  listFollowers(accountId: string, page: PageRequest): Promise<Page<Follow>>;
  /** With the accounts of the followers; null for those of which nothing else is held. */
  listRenderedFollowers<Drawn>(
    accountId: string,
    page: PageRequest,
    as: Projection<Account<N["account"]>, Drawn>,
  ): Promise<Page<Follow & { shown: Rendered<Drawn> | null }>>;
  countFollowers(accountId: string): Promise<number>;

  listSubtitleLanguages(postId: string): Promise<Pick<SubtitleTrack, "language" | "automatic">[]>;
  getSubtitles(postId: string, language: string): Promise<SubtitleTrack | null>;

  /** The newest day held of a chart. */
  getChart(country: string, section: string): Promise<Chart | null>;

  /** Captured counters, oldest first. */
  listCounters(kind: RecordKind, id: string): Promise<CounterPoint[]>;

  searchPosts(search: PostSearch): Promise<SearchPage<Post<N["post"]>>>;
  searchAccounts(text: string, limit: number): Promise<NameMatches<Account<N["account"]>>>;
  searchHashtags(text: string, limit: number): Promise<NameMatches<Hashtag<N["hashtag"]>>>;
  searchPlaces(text: string, limit: number): Promise<NameMatches<Place<N["place"]>>>;
  searchSounds(text: string, limit: number): Promise<NameMatches<Sound<N["sound"]>>>;
  /** Hashtags and continuations that people write beside the query, most used first. */
  suggestKeywords(text: string, limit: number): Promise<string[]>;
  /** Anything of one kind that matches, best first, with what the matches have in common. */
  search(kind: SearchKind, search: Search): Promise<SearchResults>;

  listTrends<K extends TrendKind>(kind: K, request: TrendRequest): Promise<TrendPage<K, N>>;
}

/** A search in the query language of docs/search.md. */
export interface Search {
  text: string;
  /** How many were given before this page. */
  offset: number;
  limit: number;
  /** Unix seconds; the clock that freshness is measured by. */
  now: number;
  /** Given with the page before: nothing that is written meanwhile is shown, nothing is given twice or left out. */
  state?: SearchState | undefined;
  /** No other spelling is tried where nothing matches. */
  asTyped?: boolean;
}

export interface PostSearch extends Search {
  /** Only posts published at or after this second, and before the other. */
  publishedSince?: number | undefined;
  publishedUntil?: number | undefined;
  /** Preferences: matching posts come first, others are not left out. */
  language?: string | undefined;
  country?: string | undefined;
}

export interface SearchPage<Item> {
  items: Item[];
  /** For the next page. */
  state: SearchState;
  /** Offset of the next page; absent at the end. */
  next?: number;
  /** Nothing matched the text as it was typed: this is what was searched instead. */
  corrected: string | null;
}

export interface NameMatches<Item> {
  items: Scored<Item>[];
  corrected: string | null;
}

export interface Scored<Item> {
  item: Item;
  /** Comparable across kinds: higher is better. */
  score: number;
}

/** One match. `doc` is what a `SearchState` remembers it by. */
export type Hit = { doc: number; score: number } & (
  | { kind: "post"; record: Post }
  | { kind: "account"; record: Account }
  | { kind: "hashtag"; record: Hashtag }
  | { kind: "sound"; record: Sound }
  | { kind: "place"; record: Place }
  | { kind: "comment"; record: Comment }
  /** The line that holds most of the words; `record` is its track without the other lines. */
  | { kind: "subtitle"; record: SubtitleTrack; line: SubtitleLine }
);

export interface SearchResults {
  hits: Hit[];
  /** Matches beyond this page: a next page has something. */
  more: boolean;
  /** For the next page: add to `given` the `doc` of each hit that was shown. */
  state: SearchState;
  corrected: string | null;
  /** Counted over all matches that were looked at: `counted` of them, and `complete` tells whether there are no others. */
  facets: Facets;
}

export interface Facets {
  counted: number;
  complete: boolean;
  /** Account ids; folded hashtags without `#`; language codes; months as `2026-11`. */
  author: Map<string, number>;
  hashtag: Map<string, number>;
  language: Map<string, number>;
  month: Map<string, number>;
}

export type TrendKind = "post" | "hashtag" | "sound";

export interface TrendRequest {
  /** ISO 3166 alpha-2, or null for all. */
  country: string | null;
  days: TrendPeriod;
  offset: number;
  limit: number;
  /** Only posts of one of these categories or hashtags, among the first 2,000 of the ranking; null for all. */
  topic?: readonly string[] | null;
}

export interface Trend<Item> {
  item: Item;
  /** 1 is first. */
  rank: number;
  /** The rank in the period before; null if it was not among its first 1,000. */
  previousRank: number | null;
  /** Posts that carry it and gained anything in the period (1 for a post). */
  posts: number;
  /** Views gained within the period. */
  views: number;
  /** Views gained per day, oldest first; `at` is the day's first second. */
  series: { at: number; value: number }[];
  /** The posts that gained most, best first, at most 5; of a hashtag or sound, among its newest 200. */
  topPostIds: string[];
}

export interface TrendPage<K extends TrendKind, N extends Natives> {
  items: Trend<K extends "post" ? Post<N["post"]> : K extends "hashtag" ? Hashtag<N["hashtag"]> : Sound<N["sound"]>>[];
  /** At most 1,000: a ranking shows no more. On a topic, counted no further than one past this page. */
  total: number;
  /** The first second of the last day that counts: the day that the store was last brought to. */
  day: number;
}

/** One batch of records of one platform. All of it is kept, or none. */
export interface Batch {
  accounts?: Account[];
  posts?: Post[];
  comments?: Comment[];
  sounds?: Sound[];
  hashtags?: Hashtag[];
  places?: Place[];
  subtitles?: SubtitleTrack[];
  follows?: Follow[];
  charts?: Chart[];
  chartEntries?: ChartEntry[];
  /** Older or additional observations of counters, beside the ones the records above carry. */
  history?: { kind: RecordKind; id: string; points: CounterPoint[] }[];
}

export interface Writer {
  /**
   * Keeps a batch. Writing a record again replaces it and adds its counters to the history if they differ from the
   * newest known ones; erased records stay erased.
   */
  write(platform: PlatformName, batch: Batch): Promise<void>;
  /**
   * Merges changes with what is held by the rule given, all of them in one transaction. `checkpoint` is told the outcome before the
   * commit, and what it returns is committed with it: a job's progress is never ahead of its records, nor behind.
   * Trends may follow later, at the latest when the checkpoint's file is done.
   */
  apply(
    changes: readonly Changes[],
    merge: Merge,
    checkpoint?: (outcome: WriteCounts) => Checkpoint,
  ): Promise<WriteCounts>;
  /** What `apply` would do; nothing is kept. */
  preview(changes: readonly Changes[], merge: Merge): Promise<WriteCounts>;
  /** A person known by name only turned out to have this id: all that refers to the name now refers to the id. */
  mergePlaceholder(platform: PlatformName, provisionalId: string, id: string, merge: Merge): Promise<void>;
  /** Takes out all that was captured by one source, as if it had never been kept; the number of records that went. */
  deleteSource(source: string): Promise<number>;
  /** Removes an account with all it published, or one post or comment, for good: a later `put` does not bring it back. */
  erase(platform: PlatformName, kind: "account" | "post" | "comment", id: string): Promise<void>;
  /** Brings trends to the day that it is. Every write does; a store that is not written needs to be told. */
  rollOverTrends(): Promise<void>;
}

/** A record that has counters: any kind. */
export type AnyRecord = StoredRecord<object> & { counters: Counters };

/** What a store derives from a record, as it goes into rows. */
export interface IndexFields {
  /** Folded, of an account. */
  name: string | null;
  /** Of a post or comment. */
  authorId: string | null;
  /** When it was published, Unix seconds; 0 when not known. */
  at: number;
  /** The lists that a post stands in. */
  lists: [list: PostList, key: string][];
  /** Of a comment. */
  parentId: string | null;
  likes: number;
  /** What text search holds of it. */
  document: SearchDocument;
}

export interface EncodedRecord extends IndexFields {
  id: string;
  /** JSON of all but id, native, capturedAt and source. */
  header: string;
  /** JSON */
  native: string;
  capturedAt: number;
  source: string;
  /** By the shapes that are kept of its kind, in their order; absent where they are to be drawn when it is kept. */
  rendered?: readonly RawJsonText[];
}

/** How records become rows: pure, and handed to whoever reads files. */
export interface RowEncoder {
  serialise: (record: AnyRecord) => { header: string; native: string };
  indexFields: (kind: RecordKind, record: AnyRecord) => IndexFields;
  /** Where texts are kept. To be called last: what is drawn may share parts with the record. */
  render?: (platform: PlatformName, kind: RecordKind, record: AnyRecord) => RawJsonText[];
}

export interface RecordChange {
  kind: RecordKind;
  /** For comments: the post they belong to. */
  postId: string | null;
  /** What one capture shows; it is kept as it is where nothing is held. */
  incoming: EncodedRecord;
  /** The counters that this capture shows. */
  point: CounterPoint | null;
}

/** How a held record and a found one become one: pure. */
export type Merge = (kind: RecordKind, held: AnyRecord, found: AnyRecord) => AnyRecord;

export interface Changes {
  platform: PlatformName;
  records: RecordChange[];
  subtitles: SubtitleTrack[];
  follows: Follow[];
  chartEntries: ChartEntry[];
}

export type WriteCounts = Partial<Record<ReportKind, KindCounts>>;

export interface Checkpoint {
  file: JobFile;
  rejects: Reject[];
  /** The file is read from the start again: what was refused in it before no longer counts. */
  restarted: boolean;
  /** Verified and renewed with the commit: where it is lost, `ClaimLost` is thrown and nothing is kept. */
  claim?: ClaimRenewal;
}

/** Imports as they are remembered, and who reads which file of them. The time of leases is the store's own. */
export interface Jobs {
  writeJob(job: Job): Promise<void>;
  getJob(id: string): Promise<Job | null>;
  /** The unfinished job of the same fingerprint, if there is one, under its new owner; else this one, kept from now on. */
  startJob(job: Job): Promise<Job>;
  /** Ends a job, unless a living claim shows that a file is still being read; whether it is done now. */
  finishJob(id: string, now: number): Promise<boolean>;
  /**
   * Takes a file to read, until the lease is over, unless it is done or somebody's living claim holds it. The claim of
   * `deadOwner` need not have expired. Waits for nobody.
   */
  claimFile(claim: FileClaim, leaseMs: number, deadOwner?: string | null): Promise<ClaimOutcome>;
  /** Renews what the owner still holds in the scope: the paths of these files. */
  renewClaims(scope: string, owner: string, leaseMs: number): Promise<string[]>;
  /** The file is read to its end; false if the claim was lost. */
  finishClaim(claim: FileClaim): Promise<boolean>;
  /** Leaves what the owner still holds in the scope to others, at once. */
  releaseClaims(scope: string, owner: string): Promise<void>;
  /** Newest first. */
  listJobs(limit: number): Promise<Job[]>;
  writeJobFile(file: JobFile): Promise<void>;
  /** In the order they were begun. */
  listJobFiles(jobId: string): Promise<JobFile[]>;
  /** In the order they were kept, with numbers above the given one. */
  listRejects(jobId: string, after: number, limit: number): Promise<NumberedReject[]>;
}

/** Access tokens at rest: only the digest of a secret is ever stored. */
export interface Tokens {
  writeToken(token: TokenRecord): Promise<void>;
  getToken(keyId: string): Promise<TokenRecord | null>;
  listTokens(): Promise<TokenRecord[]>;
}

/** What some process changed. */
export type StoreEvent =
  | { about: "token"; keyId: string }
  | { about: "erasure"; platform: PlatformName; kind: "account" | "post" | "comment"; id: string }
  | { about: "records"; platform: PlatformName }
  /** Events may have been missed. */
  | { about: "anything" };

export interface StoreEvents {
  /** Tells of every change by this process or, where several share the store, by any of them. What it returns ends it. */
  subscribe(listener: (event: StoreEvent) => void): () => void;
}

export type {
  CopyTableName as CopiedName,
  CopyRow as CopiedRow,
  CopyTable as CopiedTable,
  TableCopy as Copying,
  CopyProgress,
} from "./table-copy.ts";

export interface StoreSummary {
  /** Records held, per platform and kind. */
  records: Record<PlatformName, Partial<Record<RecordKind, number>>>;
  bytes: number;
}

export interface Store {
  /** Records that are asked for in a shape are shown in the form given. */
  reader<N extends Natives>(platform: PlatformName, form?: RenderMode): Reader<N>;
  writer: Writer;
  tokens: Tokens;
  jobs: Jobs;
  /** The rate limits of all processes on this store; null where there is only this one. */
  rateLimits: RateLimitExchange | null;
  events: StoreEvents;
  encoder: RowEncoder;
  tableCopy: TableCopy;
  /**
   * A number that differs from what it was as soon as anybody has written anything that is seen from here, at no more
   * cost than once a turn of the event loop; null where only asking the store would tell.
   */
  dataVersion(): number | null;
  isEmpty(): Promise<boolean>;
  /** Whether anything was ever erased. */
  hasErased(): Promise<boolean>;
  /**
   * What all processes that share the store must have alike: whoever comes first decides, and the decision is returned.
   * An embedded store has one process, which agrees with itself.
   */
  getOrSet(name: string, value: string): Promise<string>;
  /** Rejects when the store cannot answer. */
  ping(): Promise<void>;
  summary(): Promise<StoreSummary>;
  /** A full check of the store's integrity; the problems found, none when sound. */
  verify(): Promise<string[]>;
  close(): Promise<void>;
}
