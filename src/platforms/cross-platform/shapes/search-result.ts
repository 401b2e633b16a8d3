/** What was found, of whatever kind, in one shape. */
import { type Static, Type } from "typebox";
import type { Nullable } from "#api/nullable.ts";
import { nullable, NullableText, Text, wireObject } from "#api/wire.ts";
import type { PlatformName, SearchKind } from "#domain/record.ts";
import { platformId } from "#domain/provisional-id.ts";
import type { Hit } from "#store/store.ts";
import { CaptureTime, toCaptureTime } from "./capture-time.ts";
import { KnownCounters, toKnownCounters } from "./counters.ts";

export const SEARCH_KINDS = [
  "post",
  "account",
  "hashtag",
  "sound",
  "place",
  "comment",
  "subtitle",
] as const satisfies readonly SearchKind[];

export const SearchResult = wireObject({
  platform: Text,
  kind: Type.Enum([...SEARCH_KINDS]),
  id: nullable(
    Type.String({
      description: "As the platform writes it; of a hashtag its folded name. A subtitle has none: see `post_id`.",
    }),
  ),
  score: Type.Number({ description: "Higher is better; comparable within one answer." }),
  name: nullable(Type.String({ description: "Of an account or a hashtag: the name that other operations take." })),
  title: NullableText,
  text: nullable(
    Type.String({ description: "At most 300 characters of its beginning; of a subtitle the whole line." }),
  ),
  author_id: NullableText,
  post_id: nullable(Type.String({ description: "Of a comment or a subtitle line: the post it belongs to." })),
  language: NullableText,
  country: NullableText,
  published_at: nullable(Type.Integer({ description: "Unix seconds." })),
  start_s: nullable(Type.Number({ description: "Of a subtitle: the second at which the line is spoken." })),
  end_s: nullable(Type.Number()),
  counters: KnownCounters,
  captured_at: CaptureTime,
  source: Type.String({ description: "What it was captured with." }),
});

type SearchResult = Static<typeof SearchResult>;

const LONGEST_TEXT = 300;

type Shared = "platform" | "kind" | "score" | "captured_at" | "source";

/** What a kind has of its own; what it does not have stays away. */
type Particulars = Pick<SearchResult, "id" | "counters"> & Partial<Omit<SearchResult, Shared>>;

export function toSearchResult(platform: PlatformName, hit: Hit): Nullable<SearchResult> {
  const own = particularsOf(hit);
  return {
    platform,
    kind: hit.kind,
    id: own.id,
    score: Math.round(hit.score * 10_000) / 10_000,
    name: own.name ?? null,
    title: own.title ?? null,
    text: own.text ?? null,
    author_id: own.author_id ?? null,
    post_id: own.post_id ?? null,
    language: own.language ?? null,
    country: own.country ?? null,
    published_at: own.published_at ?? null,
    start_s: own.start_s ?? null,
    end_s: own.end_s ?? null,
    counters: own.counters,
    captured_at: toCaptureTime(hit.record.capturedAt),
    source: hit.record.source,
  };
}

function particularsOf(hit: Hit): Particulars {
  if (hit.kind === "subtitle") return subtitleLine(hit);
  const { record } = hit;
  const own = { id: record.id, counters: toKnownCounters(record.counters) };
  switch (hit.kind) {
    case "post": {
      const { title, text, authorId, language, country, publishedAt } = hit.record;
      return {
        ...own,
        title,
        text: beginning(text),
        author_id: platformId(authorId),
        language,
        country,
        published_at: publishedAt,
      };
    }
    case "account": {
      const { id, name, displayName, bio, language, country } = hit.record;
      return { ...own, id: platformId(id), name, title: displayName, text: beginning(bio), language, country };
    }
    case "comment": {
      const { text, authorId, postId, publishedAt } = hit.record;
      return {
        ...own,
        text: beginning(text),
        author_id: platformId(authorId),
        post_id: postId,
        published_at: publishedAt,
      };
    }
    case "sound":
      return {
        ...own,
        title: hit.record.title,
        text: beginning(hit.record.artistName),
        author_id: platformId(hit.record.artistId),
      };
    case "hashtag":
      return { ...own, name: hit.record.name, title: hit.record.name };
    case "place":
      // The street stays out: a place may be somebody's home.
      return { ...own, title: hit.record.name, text: beginning(hit.record.city) };
  }
}

function subtitleLine({ record, line }: Extract<Hit, { kind: "subtitle" }>): Particulars {
  return {
    id: null,
    counters: {},
    text: line.text,
    post_id: record.postId,
    language: record.language,
    start_s: line.startS,
    end_s: thousandths(line.startS + line.durationS),
  };
}

/** Sums of decimal fractions are not quite what they look like. */
function thousandths(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

function beginning(text: string | null): string | null {
  if (text === null || text.length <= LONGEST_TEXT) return text;
  // A cut between the halves of one character would leave text that is not well-formed.
  return `${text.slice(0, LONGEST_TEXT - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
