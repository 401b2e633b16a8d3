/** What can be exported, as flat columns: an entry per kind. docs/export-columns.md is generated from it. */
import { type Account, withoutContacts } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Place } from "#domain/place.ts";
import type { Post } from "#domain/post.ts";
import type { Counters, RecordKind, SearchKind, StoredRecord } from "#domain/record.ts";
import type { Sound } from "#domain/sound.ts";
import type { SubtitleLine, SubtitleTrack } from "#domain/subtitle.ts";
import type { TableName, TableRow } from "#store/tables.ts";

/** Null is unknown. A time is in Unix milliseconds. */
export type Cell = string | number | boolean | readonly string[] | null;

export type ColumnType = "text" | "integer" | "number" | "boolean" | "time" | "list";

export interface Column {
  name: string;
  type: ColumnType;
  meaning: string;
  /** What of a person it shows; a pseudonymised export replaces it. */
  person?: Person;
}

export type Person =
  /** The id of an account, or a list of them; `when` says for which rows. */
  | { as: "id"; when?: (cells: readonly Cell[]) => boolean }
  /** The name of the account whose id is in the column `of`; looked up if the record does not have it. */
  | { as: "name"; of: string; lookUp?: "name" | "displayName" }
  /** May mention accounts as @name. */
  | { as: "text" };

export interface ExportKind {
  name: string;
  summary: string;
  table: TableName;
  /** Of the table `records`. */
  recordKind?: Exclude<RecordKind, "comment">;
  /** What a query is about; null if these cannot be chosen by one. */
  searchKind: SearchKind | null;
  columns: readonly Column[];
  /** One row of the table as rows of cells, in the order of the columns. */
  toCells(row: TableRow): Cell[][];
}

const ID: Person = { as: "id" };
const TEXT: Person = { as: "text" };

const text = (name: string, meaning: string, person?: Person): Column => column("text", name, meaning, person);
const integer = (name: string, meaning: string): Column => column("integer", name, meaning);
const time = (name: string, meaning: string): Column => column("time", name, meaning);

function column(type: ColumnType, name: string, meaning: string, person?: Person): Column {
  return person === undefined ? { name, type, meaning } : { name, type, meaning, person };
}

const PLATFORM = text("platform", "`shortvideo`, `longvideo` or `photoshare`");
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

/** Cells of the AUTHOR columns; the names are looked up. */
const author = (id: string | null): Cell[] => [id, null, null];

const toMs = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1000);

const counts = (counters: Counters, names: readonly (keyof Counters)[]): Cell[] =>
  names.map((name) => counters[name] ?? null);

const POST_COUNTERS = ["views", "likes", "comments", "shares", "saves", "reposts"] as const;
const ACCOUNT_COUNTERS = ["followers", "following", "posts", "likes", "friends"] as const;

/** Of a row of `records` or `comments`. */
function headerOf<Kind extends StoredRecord<object>>(row: TableRow): Omit<Kind, keyof StoredRecord<object>> {
  return JSON.parse(row[3] as string) as Omit<Kind, keyof StoredRecord<object>>;
}

const provenanceOf = (row: TableRow): Cell[] => [row[5] ?? null, row[6] ?? null];

export const EXPORT_KINDS: readonly ExportKind[] = [
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
      ...CAPTURED,
    ],
    toCells(row) {
      const {
        name,
        displayName,
        bio,
        verified,
        private: isPrivate,
        createdAt,
        language,
        country,
        counters,
      } = withoutContacts(headerOf<Account>(row));
      const own: Cell[] = [name, displayName, bio, verified, isPrivate, toMs(createdAt), language, country];
      return [[row[0] ?? null, row[2] ?? null, ...own, ...counts(counters, ACCOUNT_COUNTERS), ...provenanceOf(row)]];
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
      ...CAPTURED,
    ],
    toCells(row) {
      const post = headerOf<Post>(row);
      return [
        [
          row[0] ?? null,
          row[2] ?? null,
          ...author(post.authorId),
          toMs(post.publishedAt),
          post.title,
          post.text,
          post.language,
          post.country,
          post.hashtags,
          post.soundId,
          post.taggedIds,
          post.placeId,
          post.category ?? null,
          post.durationS,
          ...counts(post.counters, POST_COUNTERS),
          ...provenanceOf(row),
        ],
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
      ...CAPTURED,
    ],
    toCells(row) {
      const { parentId, authorId, text: words, publishedAt, counters } = headerOf<Comment>(row);
      const own: Cell[] = [parentId, ...author(authorId), words, toMs(publishedAt)];
      const ids = [row[0] ?? null, row[1] ?? null, row[2] ?? null];
      return [[...ids, ...own, ...counts(counters, ["likes", "replies"]), ...provenanceOf(row)]];
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
    toCells([platform, accountId, followerId, , since, capturedAt, source]) {
      const from = toMs((since ?? null) as number | null);
      return [
        [platform ?? null, accountId ?? null, null, followerId ?? null, null, from, capturedAt ?? null, source ?? null],
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
    toCells([platform, postId, language, automatic, lines, capturedAt, source]) {
      const track: Cell[] = [platform ?? null, postId ?? null, language ?? null, automatic === 1];
      return (JSON.parse(lines as string) as SubtitleLine[]).map(({ startS, durationS, text: words }, index) => [
        ...track,
        index + 1,
        startS,
        durationS,
        words,
        capturedAt ?? null,
        source ?? null,
      ]);
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
    toCells: (row) => [row],
  },
  {
    name: "counters",
    summary: "The history of counters as a long table: a row per record, capture and counter",
    table: "counter_points",
    searchKind: null,
    columns: [
      PLATFORM,
      text("kind", "`account`, `post`, `sound`, `hashtag` or `place`"),
      text("id", "the record's id", { as: "id", when: (cells) => cells[1] === "account" }),
      time("captured_at", "when it was captured"),
      text("counter", "such as `views` or `followers`"),
      integer("value", "what was captured; unknown counters have no row"),
    ],
    toCells: ([platform, kind, id, capturedAt, counters]) =>
      Object.entries(JSON.parse(counters as string) as Counters).map(([name, value]) => [
        platform ?? null,
        kind ?? null,
        id ?? null,
        capturedAt ?? null,
        name,
        value,
      ]),
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
      text("title", "title", TEXT),
      text("artist_name", "the artist's name", { as: "name", of: "artist_id" }),
      text("artist_id", "account id of the artist", ID),
      column("number", "duration_s", "length in seconds"),
      integer("posts", "number of posts that use it"),
      ...CAPTURED,
    ],
    toCells(row) {
      const { title, artistName, artistId, durationS, counters } = headerOf<Sound>(row);
      const own: Cell[] = [title, artistName, artistId, durationS, ...counts(counters, ["posts"])];
      return [[row[0] ?? null, row[2] ?? null, ...own, ...provenanceOf(row)]];
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
    toCells(row) {
      const { name, platformId, counters } = headerOf<Hashtag>(row);
      return [
        [
          row[0] ?? null,
          row[2] ?? null,
          name,
          platformId,
          ...counts(counters, ["posts", "views"]),
          ...provenanceOf(row),
        ],
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
    toCells(row) {
      const { name, latitude, longitude, address, city, counters } = headerOf<Place>(row);
      const own: Cell[] = [name, latitude, longitude, address, city, ...counts(counters, ["posts"])];
      return [[row[0] ?? null, row[2] ?? null, ...own, ...provenanceOf(row)]];
    },
  },
];

/** The record that a row of `records` or `comments` has. */
export function recordOf(row: TableRow): object {
  const [, , id, , native, capturedAt, source] = row;
  return { ...headerOf(row), id, native: JSON.parse(native as string) as object, capturedAt, source };
}

/** The track that a row of `subtitles` has. */
export function trackOf(row: TableRow): SubtitleTrack {
  const [, postId, language, automatic, lines, capturedAt, source] = row as [
    string,
    string,
    string,
    number,
    string,
    number,
    string,
  ];
  return {
    postId,
    language,
    automatic: automatic === 1,
    lines: JSON.parse(lines) as SubtitleLine[],
    capturedAt,
    source,
  };
}
