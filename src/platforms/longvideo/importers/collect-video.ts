/** Collects a video, whatever its format, with its channel and hashtags. */
import type { Collector } from "#api/importer.ts";
import type { Counters } from "#domain/record.ts";
import { omitUnknown } from "#import/capture/field-readers.ts";
import type { NativeChannel, NativeThumbnail, NativeVideo } from "../native.ts";
import { categoryName } from "./category-names.ts";

export interface SeenChannel {
  id?: string | undefined;
  /** The name in its URL, without `@`. */
  handle?: string | undefined;
  title?: string | undefined;
  bio?: string | undefined;
  verified?: boolean | undefined;
  country?: string | undefined;
  language?: string | undefined;
  createdAt?: number | undefined;
  followers?: number | undefined;
  videos?: number | undefined;
  thumbnails?: NativeThumbnail[] | undefined;
  capturedAt?: number | undefined;
}

export interface SeenVideo {
  id: string;
  title?: string | undefined;
  /** The whole description; an excerpt would overwrite a whole one. */
  description?: string | undefined;
  channel?: SeenChannel;
  publishedAt?: number | undefined;
  language?: string | undefined;
  category?: string | undefined;
  durationS?: number | undefined;
  counters?: { [Name in keyof Counters]: number | undefined };
  native?: { [Key in Exclude<keyof NativeVideo, "channelTitle">]?: NativeVideo[Key] | undefined };
  /** Unix milliseconds. */
  capturedAt?: number | undefined;
}

export function collectVideo(seen: SeenVideo, collect: Collector): void {
  const authorId = collectChannel({ capturedAt: seen.capturedAt, ...seen.channel }, collect);
  const hashtags = seen.description === undefined ? undefined : findHashtags(seen.title, seen.description);
  for (const name of hashtags ?? []) collect.hashtag({ name, capturedAt: seen.capturedAt });
  const native: NativeVideo = { ...seen.native, channelTitle: seen.channel?.title };
  collect.post({
    id: seen.id,
    authorId,
    publishedAt: seen.publishedAt,
    title: seen.title,
    text: seen.description,
    language: seen.language,
    hashtags,
    category: seen.category ?? categoryName(seen.native?.categoryId),
    durationS: seen.durationS,
    counters: omitUnknown(seen.counters ?? {}),
    native: omitUnknown(native),
    capturedAt: seen.capturedAt,
  });
}

/** Returns the id to refer to the channel by; undefined where the capture has neither id nor handle. */
export function collectChannel(seen: SeenChannel, collect: Collector): string | undefined {
  const { id, handle, title } = seen;
  const customUrl = handle === undefined ? undefined : `@${handle}`;
  const native: NativeChannel = { title, customUrl, thumbnails: seen.thumbnails };
  const found = {
    displayName: title,
    bio: seen.bio,
    verified: seen.verified,
    country: seen.country,
    language: seen.language,
    createdAt: seen.createdAt,
    counters: omitUnknown({ followers: seen.followers, posts: seen.videos }),
    native: omitUnknown(native),
    capturedAt: seen.capturedAt,
  };
  if (id !== undefined) return collect.account({ ...found, id, name: handle });
  return handle === undefined ? undefined : collect.account({ ...found, name: handle });
}

const HASHTAG = /(?<![\p{L}\p{N}_&/#])#([\p{L}\p{M}\p{N}_]{1,100})/gu;

/** YouTube links the hashtags of title and description; "#1" is a number, not a hashtag. */
function findHashtags(...texts: (string | undefined)[]): string[] {
  const names = texts.flatMap((text) => [...(text ?? "").matchAll(HASHTAG)].map(([, name]) => name as string));
  return [...new Set(names.filter((name) => !/^\d+$/.test(name)))];
}
