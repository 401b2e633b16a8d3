/**
 * What a platform provides to read captures. Containers open files and yield documents; an importer reads one named
 * format, a recogniser finds the platform's native objects at any depth of any document. Both pass records to a
 * `Collector`. Only an id is mandatory: what is missing is left out, never guessed and never zero.
 */
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Place } from "#domain/place.ts";
import type { Post } from "#domain/post.ts";
import type { Sound } from "#domain/sound.ts";
import type { SubtitleLine } from "#domain/subtitle.ts";
import type { AnyRecord } from "#store/write/encoded-record.ts";
import type { Refusal } from "./refusals.ts";

/** A part of a file: a JSON value, a row of a table, or a whole text. */
export interface SourceDocument {
  kind: "json" | "row" | "text";
  value: unknown;
  /** Ordinal within the file; the same bytes give the same numbers. */
  index: number;
  /** Unix milliseconds, as the container says, else `--captured-at` or the file's time; null if unknown. */
  capturedAt: number | null;
  origin: { url?: string };
  /** For an element of a large array: where it was in its document, and the scalars around it. */
  location?: { path: string[]; scalars: Record<string, unknown> };
  /** Paths of large arrays that are empty here because their elements were documents before it. */
  splitPaths?: string[][];
}

/** The file that a document is from. */
export interface SourceFile {
  /** For reports. */
  name: string;
  /** Folder names and the file's name without compression suffixes: some formats store facts there. */
  segments: readonly string[];
  /** What a list is about that does not say so itself, such as whose followers it contains (`--of`). */
  subject: string | null;
  /** Names of the files in its folder, on disk or in a zip, in the same set for all of them; absent in a tar. */
  siblings?: () => ReadonlySet<string>;
  /** Names of subtitle files are ids of their videos (`--names-are-ids`). */
  namesAreIds?: boolean;
}

/** A record as one capture shows it. `null` and absent both mean unknown. */
export type Observed<Record extends { id: string }> = { id: string } & {
  [Key in keyof Omit<Record, "id" | "source" | "capturedAt">]?: Record[Key] | null | undefined;
} & {
  /** Unix milliseconds, if the object says so; the document's or the file's otherwise. */
  capturedAt?: number | null | undefined;
};

/** Some formats know accounts by name only. */
export type AccountRef = { id: string } | { name: string };

/** A hashtag by its name; its id only if the platform's own is known. */
export type ObservedHashtag = Omit<Observed<Hashtag>, "id"> & { id?: string | null; name: string };

export interface ObservedFollow {
  account: AccountRef;
  follower: AccountRef;
  since?: number | null;
}

export interface ObservedSubtitles {
  postId: string;
  language: string;
  automatic: boolean;
  lines: SubtitleLine[];
  /** The post's id may as well be something else: the track is refused unless the post is stored. */
  isUncertain?: boolean;
  /** Unix milliseconds; by default that of the document. */
  capturedAt?: number | undefined;
}

export interface ObservedChartEntry {
  /** ISO 3166 alpha-2, upper case. */
  country: string;
  section: string;
  /** YYYY-MM-DD */
  day: string;
  /** Orders the chart; need not be dense. */
  rank: number;
  postId: string;
  /** Unix milliseconds; by default that of the document. */
  capturedAt?: number | undefined;
}

/** Receives what importers find. `account` returns the id by which posts and comments can refer to the account. */
export interface Collector {
  account(observed: Observed<Account> | (Omit<Observed<Account>, "id"> & { id?: string | null; name: string })): string;
  post(observed: Observed<Post>): void;
  comment(observed: Observed<Comment> & { postId: string }): void;
  sound(observed: Observed<Sound>): void;
  hashtag(observed: ObservedHashtag): void;
  place(observed: Observed<Place> & { name: string }): void;
  subtitles(observed: ObservedSubtitles): void;
  follow(observed: ObservedFollow): void;
  chartEntry(observed: ObservedChartEntry): void;
  /** A record that cannot be imported. It is listed in the rejects file. */
  refuse(reason: Refusal): void;
  /** A record that is left out on purpose, such as an advertisement. It is only counted. */
  skip(reason: string): void;
}

/** A format with a name of its own. */
export interface Importer {
  /** For reports, such as `yt-dlp`. */
  name: string;
  /** Whether the document has this format. Must be fast and certain: checks a few fields. */
  detects(document: SourceDocument, file: SourceFile): boolean;
  read(document: SourceDocument, file: SourceFile, collect: Collector): void;
  /** Whether its format names the site of a record, so that `read` itself says what is of another one. */
  namesSites?: boolean;
}

/** A kind of record as which a table without a known format can be read, with the columns that the user names. */
export interface MappableKind {
  /** What a column can be mapped to. */
  fields: readonly string[];
  /** Fields of which one must be mapped. */
  idFields: readonly string[];
  /** Collects a row, given by field. Returns the fields whose cells could not be read. */
  read(cells: Readonly<Record<string, unknown>>, collect: Collector): string[];
  /** The record as responses show it, with null for what is unknown; as it is stored if no response shows it. */
  project(record: AnyRecord): unknown;
}

/**
 * Looks at one object of any document. Returns true if it is one of the platform's native objects and was collected; the
 * caller then does not descend into it, so call `walk` for the parts that may contain more.
 */
export type Recogniser = (
  object: Record<string, unknown>,
  collect: Collector,
  walk: (part: unknown) => void,
  context: DocumentContext,
) => boolean;

/** The document that an object is in. */
export interface DocumentContext {
  /** The URL that returned the document, if the container has it. */
  url: string | null;
  file: SourceFile;
  /** As of the document. */
  capturedAt?: number | null;
  /** Whether lists in it may be empty because their elements were documents before it. */
  isSplit?: boolean;
}
