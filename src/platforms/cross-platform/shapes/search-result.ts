/** A search result of any kind, in one shape. */
import { type Static, Type } from "#api/schema.ts";
import type { Nullable } from "#api/nullable.ts";
import { nullable, NullableText, Text, wireObject } from "#api/wire.ts";
import { withoutContacts, withoutLikesGiven } from "#domain/account.ts";
import { SEARCH_KINDS } from "#domain/record.ts";
import { platformId } from "#domain/provisional-id.ts";
import { roundToMilliseconds } from "#domain/time.ts";
import type { Hit } from "#store/search/port.ts";
import { ApproximateFields, listApproximate } from "./approximate.ts";
import { CaptureTime, toCaptureTime } from "./capture-time.ts";
import { KnownCounters, toKnownCounters } from "./counters.ts";

export const Matched = Type.Enum(["all", "some"], {
  description: "`some` if no record has all words of the query, so that the results have some of them.",
});
export type Matched = Static<typeof Matched>;

export const SearchResult = wireObject({
  platform: Text,
  kind: Type.Enum([...SEARCH_KINDS]),
  id: nullable(
    Type.String({
      description: "The platform's own id; for a hashtag, its normalized name. Null for a subtitle: see `post_id`.",
    }),
  ),
  score: Type.Number({ description: "Higher is better; comparable only within one response." }),
  matched: Matched,
  name: nullable(Type.String({ description: "Name of an account or hashtag, as other endpoints accept it." })),
  title: NullableText,
  text: nullable(Type.String({ description: "The first 300 characters at most; for a subtitle, the whole line." })),
  author_id: NullableText,
  post_id: nullable(Type.String({ description: "The post of a comment or subtitle line." })),
  language: NullableText,
  country: NullableText,
  published_at: nullable(Type.Integer({ description: "Unix seconds." })),
  start_s: nullable(Type.Number({ description: "For a subtitle, the second at which the line is spoken." })),
  end_s: nullable(Type.Number()),
  counters: KnownCounters,
  approximate: ApproximateFields,
  captured_at: CaptureTime,
  source: Type.String({ description: "Tool or format that it was captured with." }),
});

type SearchResult = Static<typeof SearchResult>;

const MAX_TEXT_LENGTH = 300;

type CommonField = "platform" | "kind" | "score" | "matched" | "captured_at" | "source";

/** The fields that depend on the kind; those it lacks are left out. */
type KindFields = Pick<SearchResult, "id" | "counters"> & Partial<Omit<SearchResult, CommonField>>;

export function toSearchResult(
  hit: Hit,
  matched: Matched,
  { personal }: { personal: boolean },
): Nullable<SearchResult> {
  const own = toKindFields(hit, personal);
  return {
    platform: hit.platform,
    kind: hit.kind,
    id: own.id,
    score: Math.round(hit.score * 10_000) / 10_000,
    matched,
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
    ...(hit.kind === "subtitle" ? {} : listApproximate(hit.record)),
    captured_at: toCaptureTime(hit.record.capturedAt),
    source: hit.record.source,
  };
}

function toKindFields(hit: Hit, personal: boolean): KindFields {
  if (hit.kind === "subtitle") return toSubtitleFields(hit);
  const { record } = hit;
  const own = { id: record.id, counters: toKnownCounters(record.counters) };
  switch (hit.kind) {
    case "post": {
      const { title, text, authorId, language, country, publishedAt } = hit.record;
      return {
        ...own,
        title,
        text: truncate(text),
        author_id: platformId(authorId),
        language,
        country,
        published_at: publishedAt,
      };
    }
    case "account": {
      const { id, name, displayName, bio, language, country } = personal ? hit.record : withoutContacts(hit.record);
      return {
        id: platformId(id),
        name,
        title: displayName,
        text: truncate(bio),
        language,
        country,
        counters: toKnownCounters(withoutLikesGiven(record.counters)),
      };
    }
    case "comment": {
      const { text, authorId, postId, publishedAt } = hit.record;
      return {
        ...own,
        text: truncate(text),
        author_id: platformId(authorId),
        post_id: postId,
        published_at: publishedAt,
      };
    }
    case "sound":
      return {
        ...own,
        title: hit.record.title,
        text: truncate(hit.record.artistName),
        author_id: platformId(hit.record.artistId),
      };
    case "hashtag":
      return { ...own, name: hit.record.name, title: hit.record.name };
    case "place":
      // Omits the street: a place may be someone's home.
      return { ...own, title: hit.record.name, text: truncate(hit.record.city) };
  }
}

function toSubtitleFields({ record, line }: Extract<Hit, { kind: "subtitle" }>): KindFields {
  return {
    id: null,
    counters: {},
    text: line.text,
    post_id: record.postId,
    language: record.language,
    start_s: line.startS,
    end_s: roundToMilliseconds(line.startS + line.durationS),
  };
}

function truncate(text: string | null): string | null {
  if (text === null || text.length <= MAX_TEXT_LENGTH) return text;
  // Do not cut a surrogate pair in half.
  return `${text.slice(0, MAX_TEXT_LENGTH - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
