/**
 * What of a record is searched: its strong text (title, name, hashtags) and its weak text (caption, description), as
 * tokens, beside the numbers that ranking needs.
 */
import type { Account } from "#domain/account.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Place } from "#domain/place.ts";
import type { Post } from "#domain/post.ts";
import type { Sound } from "#domain/sound.ts";
import { tokenize } from "./tokens.ts";

export type SearchableKind = "account" | "post" | "sound" | "hashtag" | "place";

export interface SearchDocument {
  strong: string[];
  weak: string[];
  /** Unix seconds; 0 when not known. */
  at: number;
  /** Logarithmic: how much attention it drew. */
  engagement: number;
  language: string | null;
  country: string | null;
}

export function documentOf(kind: SearchableKind, record: object): SearchDocument {
  switch (kind) {
    case "post":
      return postDocument(record as Post);
    case "account": {
      const { name, displayName, bio, counters, language, country } = record as Account;
      return document([name === null ? null : `@${name}`, displayName], [bio], counters.followers, {
        language,
        country,
      });
    }
    case "hashtag": {
      const { name, counters } = record as Hashtag;
      return document([`#${name}`], [], counters.posts ?? counters.views);
    }
    case "sound": {
      const { title, artistName, counters } = record as Sound;
      return document([title, artistName], [], counters.posts);
    }
    case "place": {
      const { name, city, address, counters } = record as Place;
      return document([name, city], [address], counters.posts);
    }
  }
}

function postDocument({ title, text, hashtags, counters, publishedAt, language, country }: Post): SearchDocument {
  const attention = (counters.likes ?? 0) + 3 * (counters.comments ?? 0) + (counters.views ?? 0) / 20;
  const tags = hashtags.map((tag) => `#${tag}`);
  return document([title, ...tags], [text], attention, { at: publishedAt ?? 0, language, country });
}

function document(
  strong: (string | null)[],
  weak: (string | null)[],
  attention: number | undefined,
  more: { at?: number; language?: string | null; country?: string | null } = {},
): SearchDocument {
  return {
    strong: tokensOf(strong),
    weak: tokensOf(weak),
    at: more.at ?? 0,
    engagement: Math.log10(1 + Math.max(0, attention ?? 0)),
    language: more.language ?? null,
    country: more.country ?? null,
  };
}

function tokensOf(texts: (string | null)[]): string[] {
  return texts.flatMap((text) => (text === null ? [] : tokenize(text)));
}
