/** What can be exported, as flat columns: an entry per kind. docs/export-columns.md is generated from it. */
import { withoutContacts, withoutLikesGiven } from "#domain/account.ts";
import { type JsonText, parseJsonText } from "#domain/json-text.ts";
import type { Post } from "#domain/post.ts";
import type { Header } from "#domain/records.ts";
import type { Margins, PlatformName, SearchKind } from "#domain/record.ts";
import { decodeTrackRow, type Rows, type TableName } from "#store/copy/port.ts";
import { formatTime } from "./format-time.ts";

/** Null is unknown. A time is ISO 8601 in UTC. */
export type Cell = string | number | boolean | readonly string[] | null;

/** By the name of the column, in the order of the columns. */
export type ExportRow = Record<string, Cell>;

export type PlatformRow = ExportRow & { platform: PlatformName };

export type CellType = "text" | "integer" | "number" | "boolean" | "time" | "list";

export interface ExportColumn {
  name: string;
  type: CellType;
  meaning: string;
  /** What of a person it shows; a pseudonymised export replaces it. */
  person?: PersonalData;
}

/** `when` says in which rows it is about an account; by default in all. */
export type PersonalData =
  /** The id of an account, or a list of them. */
  | { as: "id"; when?: (row: ExportRow) => boolean }
  /** The name of the account whose id is in the column `of`; looked up if the record does not have it. */
  | { as: "name"; of: string; lookUp?: "name" | "displayName"; when?: (row: ExportRow) => boolean }
  /** May mention accounts as @name, and end with the name that is in the column `endsWith`, after a dash. */
  | { as: "text"; endsWith?: string };

/** The displayed name of an author as captured with a post or comment; null if unknown. */
export type AuthorNameOf = (platform: PlatformName, native: object) => string | null;

type NonCommentKind = Rows["records"][1];

/** A record has its kind second. */
type Row<Name extends TableName, Kind> = Name extends "records" ? Extract<Rows["records"], { 1: Kind }> : Rows[Name];

export interface ExportKind<Name extends TableName = TableName, Kind extends NonCommentKind = NonCommentKind> {
  name: string;
  summary: string;
  table: Name;
  /** Of the table `records`. */
  recordKind?: Kind;
  /** What a query is about; null if these cannot be chosen by one. */
  searchKind: SearchKind | null;
  columns: readonly ExportColumn[];
  /** What one row of the table is exported as. */
  toRows(row: Row<Name, Kind>, authorNameOf: AuthorNameOf): PlatformRow[];
}

const ID: PersonalData = { as: "id" };
const TEXT: PersonalData = { as: "text" };
const isAboutAccount = ({ kind }: ExportRow) => kind === "account";

const text = (name: string, meaning: string, person?: PersonalData): ExportColumn =>
  column("text", name, meaning, person);
const integer = (name: string, meaning: string): ExportColumn => column("integer", name, meaning);
const time = (name: string, meaning: string): ExportColumn => column("time", name, meaning);

function column(type: CellType, name: string, meaning: string, person?: PersonalData): ExportColumn {
  return person === undefined ? { name, type, meaning } : { name, type, meaning, person };
}

const PLATFORM = text("platform", "`shortvideo`, `longvideo` or `photoshare`");
const APPROXIMATE = column("list", "approximate", "columns whose values are only known roughly, such as `likes`");
const CAPTURED = [
  time("captured_at", "when it was last captured"),
  text("source", "the tool it was captured with"),
] as const;
const LANGUAGE = text("language", "BCP 47 code");
const COUNTRY = text("country", "ISO 3166 alpha-2 code");
const AUTHOR = [
  text("author_id", "account id of the author", ID),
  text("author_name", "the author's name in URLs", { as: "name", of: "author_id", lookUp: "name" }),
  text("author_display_name", "the author's displayed name", { as: "name", of: "author_id", lookUp: "displayName" }),
] as const;

const POST_COUNTERS = ["views", "likes", "comments", "shares", "saves", "reposts"] as const;
const ACCOUNT_COUNTERS = ["followers", "following", "posts", "likes", "friends"] as const;

/** From Unix milliseconds; 0 means unknown. */
const toCaptureTime = (capturedAt: number): string | null => (capturedAt > 0 ? formatTime(capturedAt) : null);

const secondsToTime = (seconds: number | null): string | null => (seconds === null ? null : formatTime(seconds * 1000));

/** With an id, the name is that of the account, which may be due to be deleted. */
function nameWithoutId(
  platform: PlatformName,
  { authorId }: Pick<Post, "authorId">,
  native: JsonText<object>,
  authorNameOf: AuthorNameOf,
): string | null {
  return authorId === null ? authorNameOf(platform, parseJsonText(native)) : null;
}

/** The platform's own object has no columns. */
function approximateColumns({ approximate = {} }: { approximate?: Margins }): string[] {
  const paths = Object.keys(approximate).filter((path) => !path.startsWith("native."));
  return paths.map((path) => (path === "publishedAt" ? "published_at" : path.replace("counters.", "")));
}

type OfTable = { [Name in Exclude<TableName, "records">]: ExportKind<Name> }[Exclude<TableName, "records">];
type OfRecords = { [Kind in NonCommentKind]: Required<ExportKind<"records", Kind>> }[NonCommentKind];

const KINDS: readonly (OfTable | OfRecords)[] = [
  {
    name: "accounts",
    summary: "People, channels and brands",
    table: "records",
    recordKind: "account",
    searchKind: "account",
    columns: [
      PLATFORM,
      text("id", "account id; empty for an account known by name only", ID),
      text("name", "its name in URLs, without @", { as: "name", of: "id" }),
      text("display_name", "its displayed name", { as: "name", of: "id" }),
      text("bio", "what it says of itself; contacts in it are hidden", TEXT),
      column("boolean", "verified", "whether the platform has verified it"),
      column("boolean", "private", "whether its posts are private"),
      time("created_at", "when it was created"),
      LANGUAGE,
      COUNTRY,
      ...ACCOUNT_COUNTERS.map((name) => integer(name, name === "likes" ? "likes received" : `number of ${name}`)),
      APPROXIMATE,
      ...CAPTURED,
    ],
    toRows(row) {
      const [platform, , id, header, , capturedAt, source] = row;
      const account = withoutContacts(parseJsonText(header));
      const { counters } = account;
      return [
        {
          platform,
          id,
          name: account.name,
          display_name: account.displayName,
          bio: account.bio,
          verified: account.verified,
          private: account.private,
          created_at: secondsToTime(account.createdAt),
          language: account.language,
          country: account.country,
          followers: counters.followers ?? null,
          following: counters.following ?? null,
          posts: counters.posts ?? null,
          likes: counters.likes ?? null,
          friends: counters.friends ?? null,
          approximate: approximateColumns(account),
          captured_at: toCaptureTime(capturedAt),
          source,
        },
      ];
    },
  },
  {
    name: "posts",
    summary: "Videos, photos and albums",
    table: "records",
    recordKind: "post",
    searchKind: "post",
    columns: [
      PLATFORM,
      text("id", "post id"),
      ...AUTHOR,
      time("published_at", "when it was published"),
      text("title", "title", TEXT),
      text("text", "caption or description", TEXT),
      LANGUAGE,
      COUNTRY,
      column("list", "hashtags", "hashtags without #"),
      text("sound_id", "the sound it uses"),
      column("list", "tagged_ids", "ids of the accounts tagged in it", ID),
      text("place_id", "the place it is at"),
      text("category", "the platform's name of its category"),
      column("number", "duration_s", "length in seconds"),
      ...POST_COUNTERS.map((name) => integer(name, `number of ${name}`)),
      APPROXIMATE,
      ...CAPTURED,
    ],
    toRows(row, authorNameOf) {
      const [platform, , id, header, native, capturedAt, source] = row;
      const post = parseJsonText(header);
      const { counters } = post;
      return [
        {
          platform,
          id,
          author_id: post.authorId,
          author_name: null,
          author_display_name: nameWithoutId(platform, post, native, authorNameOf),
          published_at: secondsToTime(post.publishedAt),
          title: post.title,
          text: post.text,
          language: post.language,
          country: post.country,
          hashtags: post.hashtags,
          sound_id: post.soundId,
          tagged_ids: post.taggedIds,
          place_id: post.placeId,
          category: post.category ?? null,
          duration_s: post.durationS,
          views: counters.views ?? null,
          likes: counters.likes ?? null,
          comments: counters.comments ?? null,
          shares: counters.shares ?? null,
          saves: counters.saves ?? null,
          reposts: counters.reposts ?? null,
          approximate: approximateColumns(post),
          captured_at: toCaptureTime(capturedAt),
          source,
        },
      ];
    },
  },
  {
    name: "comments",
    summary: "Comments and replies",
    table: "comments",
    searchKind: "comment",
    columns: [
      PLATFORM,
      text("post_id", "the post it is on"),
      text("id", "comment id"),
      text("parent_id", "the comment it replies to; empty at the top level"),
      ...AUTHOR,
      text("text", "what it says", TEXT),
      time("published_at", "when it was published"),
      integer("likes", "number of likes"),
      integer("replies", "number of replies"),
      APPROXIMATE,
      ...CAPTURED,
    ],
    toRows(row, authorNameOf) {
      const [platform, postId, id, header, native, capturedAt, source] = row;
      const comment = parseJsonText(header);
      return [
        {
          platform,
          post_id: postId,
          id,
          parent_id: comment.parentId,
          author_id: comment.authorId,
          author_name: null,
          author_display_name: nameWithoutId(platform, comment, native, authorNameOf),
          text: comment.text,
          published_at: secondsToTime(comment.publishedAt),
          likes: comment.counters.likes ?? null,
          replies: comment.counters.replies ?? null,
          approximate: approximateColumns(comment),
          captured_at: toCaptureTime(capturedAt),
          source,
        },
      ];
    },
  },
  {
    name: "followers",
    summary: "Who follows whom",
    table: "follows",
    searchKind: null,
    columns: [
      PLATFORM,
      text("account_id", "the account that is followed", ID),
      text("account_name", "its name in URLs", { as: "name", of: "account_id", lookUp: "name" }),
      text("follower_id", "the account that follows", ID),
      text("follower_name", "its name in URLs", { as: "name", of: "follower_id", lookUp: "name" }),
      time("since", "since when"),
      ...CAPTURED,
    ],
    toRows(row) {
      const [platform, accountId, followerId, , since, capturedAt, source] = row;
      return [
        {
          platform,
          account_id: accountId,
          account_name: null,
          follower_id: followerId,
          follower_name: null,
          since: secondsToTime(since),
          captured_at: toCaptureTime(capturedAt),
          source,
        },
      ];
    },
  },
  {
    name: "subtitles",
    summary: "Spoken words, a row per line",
    table: "subtitles",
    searchKind: "subtitle",
    columns: [
      PLATFORM,
      text("post_id", "the post it is spoken in"),
      LANGUAGE,
      column("boolean", "automatic", "whether speech recognition wrote it"),
      integer("line", "number of the line, from 1"),
      column("number", "start_s", "when the line starts, in seconds"),
      column("number", "duration_s", "how long it is shown, in seconds"),
      text("text", "what is said", TEXT),
      ...CAPTURED,
    ],
    toRows(row) {
      const { platform, postId, language, automatic, lines, capturedAt, source } = decodeTrackRow(row);
      return lines.map(({ startS, durationS, text: words }, index) => ({
        platform,
        post_id: postId,
        language,
        automatic,
        line: index + 1,
        start_s: startS,
        duration_s: durationS,
        text: words,
        captured_at: toCaptureTime(capturedAt),
        source,
      }));
    },
  },
  {
    name: "charts",
    summary: "Rankings published by a platform, a row per entry",
    table: "chart_entries",
    searchKind: null,
    columns: [
      PLATFORM,
      COUNTRY,
      text("section", "the platform's name of the chart"),
      text("day", "YYYY-MM-DD"),
      integer("rank", "from 1; there may be gaps"),
      text("post_id", "the post at this rank"),
      ...CAPTURED,
    ],
    toRows(row) {
      const [platform, country, section, day, rank, postId, capturedAt, source] = row;
      return [
        { platform, country, section, day, rank, post_id: postId, captured_at: toCaptureTime(capturedAt), source },
      ];
    },
  },
  {
    name: "counters",
    summary:
      "The history of counters as a long table: a row per record, capture and counter; captures that repeat the one before them are left out",
    table: "counter_points",
    searchKind: null,
    columns: [
      PLATFORM,
      text("kind", "`account`, `post`, `sound`, `hashtag` or `place`"),
      text("id", "the record's id; empty for an account known by name only", { as: "id", when: isAboutAccount }),
      text("name", "an account's name in URLs", { as: "name", of: "id", lookUp: "name", when: isAboutAccount }),
      time("captured_at", "when it was captured"),
      text("counter", "such as `views` or `followers`"),
      integer("value", "what was captured; unknown counters have no row"),
    ],
    toRows(row) {
      const [platform, kind, id, capturedAt, counters] = row;
      const captured = parseJsonText(counters);
      return Object.entries(kind === "account" ? withoutLikesGiven(captured) : captured).map(([counter, value]) => ({
        platform,
        kind,
        id,
        name: null,
        captured_at: toCaptureTime(capturedAt),
        counter,
        value,
      }));
    },
  },
  {
    name: "sounds",
    summary: "Tracks and original recordings",
    table: "records",
    recordKind: "sound",
    searchKind: "sound",
    columns: [
      PLATFORM,
      text("id", "sound id"),
      text("title", "title", { as: "text", endsWith: "artist_name" }),
      text("artist_name", "the artist's name", { as: "name", of: "artist_id" }),
      text("artist_id", "account id of the artist", ID),
      column("number", "duration_s", "length in seconds"),
      integer("posts", "number of posts that use it"),
      ...CAPTURED,
    ],
    toRows(row) {
      const [platform, , id, header, , capturedAt, source] = row;
      const sound = parseJsonText(header);
      return [
        {
          platform,
          id,
          title: sound.title,
          artist_name: sound.artistName,
          artist_id: sound.artistId,
          duration_s: sound.durationS,
          posts: sound.counters.posts ?? null,
          captured_at: toCaptureTime(capturedAt),
          source,
        },
      ];
    },
  },
  {
    name: "hashtags",
    summary: "Hashtags",
    table: "records",
    recordKind: "hashtag",
    searchKind: "hashtag",
    columns: [
      PLATFORM,
      text("id", "folded name: lower case, without accents"),
      text("name", "name without #, as written"),
      text("platform_id", "the platform's own id"),
      integer("posts", "number of posts"),
      integer("views", "number of views"),
      ...CAPTURED,
    ],
    toRows(row) {
      const [platform, , id, header, , capturedAt, source] = row;
      const hashtag = parseJsonText(header);
      return [
        {
          platform,
          id,
          name: hashtag.name,
          platform_id: hashtag.platformId,
          posts: hashtag.counters.posts ?? null,
          views: hashtag.counters.views ?? null,
          captured_at: toCaptureTime(capturedAt),
          source,
        },
      ];
    },
  },
  {
    name: "places",
    summary: "Places that posts are at",
    table: "records",
    recordKind: "place",
    searchKind: "place",
    columns: [
      PLATFORM,
      text("id", "place id"),
      text("name", "name"),
      column("number", "latitude", "degrees north"),
      column("number", "longitude", "degrees east"),
      text("address", "street address of the place"),
      text("city", "city"),
      integer("posts", "number of posts"),
      ...CAPTURED,
    ],
    toRows(row) {
      const [platform, , id, header, , capturedAt, source] = row;
      const place = parseJsonText(header);
      return [
        {
          platform,
          id,
          name: place.name,
          latitude: place.latitude,
          longitude: place.longitude,
          address: place.address,
          city: place.city,
          posts: place.counters.posts ?? null,
          captured_at: toCaptureTime(capturedAt),
          source,
        },
      ];
    },
  },
];

export const EXPORT_KINDS: readonly ExportKind[] = KINDS;

/** The record that a row has. */
export function recordOf(row: Rows["records" | "comments"]) {
  const [, , id, header, native, capturedAt, source] = row;
  return { ...parseJsonText<Header>(header), id, native: parseJsonText(native), capturedAt, source };
}
