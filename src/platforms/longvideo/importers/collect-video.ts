/** Collects a video, whatever its format, with its channel and hashtags. */
import type { Collector } from "#api/importer.ts";
import { EXCERPT } from "#domain/approximate.ts";
import { Estimates, type Measured, type MeasuredCounters } from "#import/capture/estimates.ts";
import { omitUnknown, type WithUnknown } from "#import/capture/field-readers.ts";
import type { NativeChannel, NativeThumbnail, NativeVideo } from "../native.ts";
import { categoryName } from "./category-names.ts";

export interface CapturedChannel {
  id?: string | undefined;
  /** The name in its URL, without `@`. */
  handle?: string | undefined;
  title?: string | undefined;
  /** Names the channel on its videos until a capture shows the title. */
  username?: string | undefined;
  bio?: string | undefined;
  verified?: boolean | undefined;
  country?: string | undefined;
  language?: string | undefined;
  createdAt?: number | undefined;
  followers?: Measured | undefined;
  videos?: number | undefined;
  thumbnails?: NativeThumbnail[] | undefined;
  capturedAt?: number | undefined;
}

export interface CapturedVideo {
  id: string;
  title?: string | undefined;
  description?: string | undefined;
  /** The description is not whole. */
  isExcerpt?: boolean | undefined;
  /** The description is whole, but its links are shortened. */
  hasShortLinks?: boolean;
  /** The thumbnails are the few that a list shows, or one of them. */
  hasFewThumbnails?: boolean;
  channel?: CapturedChannel;
  publishedAt?: Measured | undefined;
  language?: string | undefined;
  category?: string | undefined;
  durationS?: number | undefined;
  counters?: MeasuredCounters | undefined;
  native?: { [Key in Exclude<keyof NativeVideo, "channelTitle" | "streamed">]?: NativeVideo[Key] | undefined };
  /** Unix milliseconds. */
  capturedAt?: number | undefined;
}

export function collectVideo(
  { id, ...video }: Omit<CapturedVideo, "id"> & { id: string | undefined },
  collect: Collector,
): void {
  if (id === undefined) return collect.refuse("post_without_id");
  const authorId = collectChannel({ capturedAt: video.capturedAt, ...video.channel }, collect);
  const hashtags = video.description === undefined ? undefined : findHashtags(video.title, video.description);
  for (const name of hashtags ?? []) collect.hashtag({ name, capturedAt: video.capturedAt });
  const streamed = video.native?.isLive === true || video.native?.wasLive === true || undefined;
  const native: WithUnknown<NativeVideo> = {
    ...video.native,
    streamed,
    channelTitle: video.channel?.title ?? video.channel?.username,
  };
  const estimates = new Estimates();
  if (video.isExcerpt === true) estimates.add("text", EXCERPT + 1);
  else if (video.hasShortLinks === true) estimates.add("text", EXCERPT);
  if (video.channel?.title === undefined && native.channelTitle !== undefined)
    estimates.add("native.channelTitle", EXCERPT);
  estimates.add("native.thumbnails", thumbnailMargin(video.native?.thumbnails, video.hasFewThumbnails));
  collect.post({
    id,
    authorId,
    publishedAt: estimates.value("publishedAt", video.publishedAt),
    title: video.title,
    text: video.description,
    language: video.language,
    hashtags,
    keywords: video.native?.keywords,
    category: video.category ?? categoryName(video.native?.categoryId),
    durationS: video.durationS,
    counters: estimates.counters(video.counters ?? {}),
    approximate: estimates.margins,
    native: omitUnknown(native),
    capturedAt: video.capturedAt,
  });
}

/** Returns the id to refer to the channel by; undefined where the capture has neither id nor handle. */
export function collectChannel(channel: CapturedChannel, collect: Collector): string | undefined {
  const { id, handle, title } = channel;
  const customUrl = handle === undefined ? undefined : `@${handle}`;
  const native: WithUnknown<NativeChannel> = { title, customUrl, thumbnails: channel.thumbnails };
  const estimates = new Estimates();
  estimates.add("native.thumbnails", thumbnailMargin(channel.thumbnails));
  const found = {
    displayName: title,
    bio: channel.bio,
    verified: channel.verified,
    country: channel.country,
    language: channel.language,
    createdAt: channel.createdAt,
    counters: estimates.counters({ followers: channel.followers, posts: channel.videos }),
    approximate: estimates.margins,
    native: omitUnknown(native),
    capturedAt: channel.capturedAt,
  };
  if (id !== undefined) return collect.account({ ...found, id, name: handle });
  return handle === undefined ? undefined : collect.account({ ...found, name: handle });
}

/** Formats that have one picture instead of YouTube's list do not tell its size: a list's few are better. */
function thumbnailMargin(thumbnails: NativeThumbnail[] | undefined, areFew = false): number {
  if (thumbnails === undefined) return 0;
  if (thumbnails.every(({ width }) => width === undefined)) return EXCERPT + 1;
  return areFew ? EXCERPT : 0;
}

const HASHTAG = /(?<![\p{L}\p{N}_&/#])#([\p{L}\p{M}\p{N}_]{1,100})/gu;

/** YouTube links the hashtags of title and description; "#1" is a number, not a hashtag. */
function findHashtags(...texts: (string | undefined)[]): string[] {
  const names = texts.flatMap((text) => [...(text ?? "").matchAll(HASHTAG)].flatMap(([, name]) => name ?? []));
  return [...new Set(names.filter((name) => !/^\d+$/.test(name)))];
}
