/**
 * What a slice provides to read files that people have. Containers open what a capture came in and yield documents;
 * an importer knows one named format, a recogniser finds the platform's own objects at any depth of any document. Both
 * hand what they find to a `Collector`. Only an id is mandatory: everything else may be missing, and what is missing is
 * left out, never guessed and never zero.
 */
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Place } from "#domain/place.ts";
import type { Post } from "#domain/post.ts";
import type { Sound } from "#domain/sound.ts";
import type { SubtitleLine } from "#domain/subtitle.ts";
import type { Refusal } from "./refusals.ts";

/** One piece of a file: a JSON value, a table's row, or a whole text. */
export interface SourceDocument {
  kind: "json" | "row" | "text";
  value: unknown;
  /** Ordinal within the file, stable for the same bytes. */
  index: number;
  /** When the container says when it was captured, Unix milliseconds. */
  capturedAt: number | null;
  origin: { url?: string };
  /** For an element of a large list that was taken out of its document: where it stood, and the scalars around it. */
  within?: { path: string[]; scalars: Record<string, unknown> };
}

/** What is known of the file that a document is from. */
export interface SourceFile {
  /** As shown to people. */
  name: string;
  /** Folder names and the file's own name, without compression endings: some formats keep facts there. */
  segments: readonly string[];
  /** The person's `--of`: whose followers a list holds that does not say so itself. */
  of: string | null;
}

/** A record as far as one capture shows it. `null` and absent both mean: this capture does not say. */
export type Observed<Record extends { id: string }> = { id: string } & {
  [Key in keyof Omit<Record, "id" | "source" | "capturedAt">]?: Record[Key] | null | undefined;
} & {
  /** Unix milliseconds, where the object itself says; else the document's, else the file's. */
  capturedAt?: number | null | undefined;
};

/** Some formats know people by name only. */
export type AccountRef = { id: string } | { name: string };

/** A hashtag by its name; its id only where the platform's own is known. */
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
}

/** Takes what readers find. Methods for accounts return the id under which posts and comments may refer to it. */
export interface Collector {
  account(found: Observed<Account> | (Omit<Observed<Account>, "id"> & { id?: string | null; name: string })): string;
  post(found: Observed<Post>): void;
  comment(found: Observed<Comment> & { postId: string }): void;
  sound(found: Observed<Sound>): void;
  hashtag(found: ObservedHashtag): void;
  place(found: Observed<Place> & { name: string }): void;
  subtitles(found: ObservedSubtitles): void;
  follow(found: ObservedFollow): void;
  chartEntry(found: ObservedChartEntry): void;
  /** A record that cannot be kept, with the reason. It goes to the rejects file. */
  refuse(reason: Refusal): void;
  /** A record that is left out on purpose, such as an advertisement; counted, not kept. */
  skip(reason: string): void;
}

/** A format with a name of its own. */
export interface Importer {
  /** As reports name it, such as `yt-dlp`. */
  name: string;
  /** Whether this document is of this format. Must be quick and sure: a look at a few fields. */
  detects(document: SourceDocument, file: SourceFile): boolean;
  read(document: SourceDocument, file: SourceFile, collect: Collector): void;
}

/**
 * Looks at one object of any document. True if it is one of the platform's own objects and was collected; then the walk
 * does not go into it, unless `walk` is called for the parts that may hold more.
 */
export type Recogniser = (
  object: Record<string, unknown>,
  collect: Collector,
  walk: (part: unknown) => void,
  scene: DocumentContext,
) => boolean;

/** What surrounds an object that is looked at. */
export interface DocumentContext {
  /** The address that answered with the document, where a container kept it. */
  url: string | null;
  file: SourceFile;
}
