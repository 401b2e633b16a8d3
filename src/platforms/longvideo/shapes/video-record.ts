/**
 * A video in two forms. Details have the length in digits and a date; listings (search and trending) have clock text and
 * relative text, and leave category, keywords and live status empty.
 */
import { type Static, Type } from "#api/schema.ts";
import { defineProjection } from "#api/define-projection.ts";
import type { Nullable } from "#api/nullable.ts";
import { digits, Integer, Text, wireObject } from "#api/wire.ts";
import { countOf } from "#domain/approximate.ts";
import type { Post } from "#domain/post.ts";
import { platformId } from "#domain/provisional-id.ts";
import { DAY_S } from "#domain/time.ts";
import type { NativeVideo } from "../native.ts";
import { formatDate, formatClock, formatRelativeTime, addStreamedPrefix } from "../display-text.ts";
import { Thumbnail, toThumbnails } from "./thumbnail.ts";

const Author = Type.String({ description: "Name of the channel." });
const Kind = Type.String({ default: "NORMAL", description: "Kind of video, such as `NORMAL` or `SHORT`." });

export const VideoDetails = wireObject({
  video_id: Text,
  title: Text,
  author: Author,
  number_of_views: Integer,
  video_length: Type.String({
    pattern: "^\\d+$",
    default: "0",
    description: "Length in whole seconds, as a string; `0` while it is live.",
  }),
  description: Text,
  is_live_content: Type.String({
    pattern: "^(true|false)$",
    default: "false",
    description: "The string `true` if it is live or was streamed live, otherwise `false`.",
  }),
  published_time: Type.String({ description: "Publication date, YYYY-MM-DD in UTC." }),
  channel_id: Text,
  category: Text,
  type: Kind,
  keywords: Type.Array(Text),
  thumbnails: Type.Array(Thumbnail),
});
export type VideoDetails = Static<typeof VideoDetails>;

export const VideoListing = wireObject({
  video_id: Text,
  title: Text,
  author: Author,
  number_of_views: Integer,
  video_length: Type.String({
    pattern: "^(\\d+:)?\\d{1,2}:\\d{2}$",
    default: "0:00",
    description: "Length as clock text, M:SS or H:MM:SS; `0:00` while it is live.",
  }),
  description: Text,
  is_live_content: Type.Null({ description: "Always null in listings; see video/details." }),
  published_time: Type.String({
    description: "Relative time in `lang`, such as `3 days ago`; for past live streams it starts with `Streamed `.",
  }),
  channel_id: Text,
  category: Type.Null({ description: "Always null in listings; see video/details." }),
  type: Kind,
  keywords: Type.Array(Text, { maxItems: 0, description: "Always empty in listings; see video/details." }),
  thumbnails: Type.Array(Thumbnail),
});
export type VideoListing = Static<typeof VideoListing>;

export function toVideoDetails(post: Post<NativeVideo>): Nullable<VideoDetails> {
  const { native } = post;
  return {
    ...toVideo(post),
    video_length: digits(post.durationS),
    is_live_content: toLiveText(native),
    published_time: formatDate(isKnownToTheDay(post) ? post.publishedAt : null),
    category: post.category ?? null,
    keywords: native.keywords?.slice() ?? null,
  };
}

export const videoDetailsProjection = defineProjection("video-details", 1, VideoDetails, toVideoDetails);

/** `now` in Unix seconds. */
export function toVideoListing(
  post: Post<NativeVideo>,
  now: number,
  language: string,
): NonNullable<Nullable<VideoListing>> {
  const { isLive, wasLive, streamed } = post.native;
  const published = formatRelativeTime(post.publishedAt, now, language);
  const isPastStream = wasLive === true || (streamed === true && isLive === false);
  return {
    ...toVideo(post),
    video_length: formatClock(post.durationS),
    is_live_content: null,
    published_time: isPastStream ? addStreamedPrefix(published) : published,
    category: null,
    keywords: [],
  };
}

/** What both forms share. */
function toVideo(post: Post<NativeVideo>) {
  const { native } = post;
  return {
    video_id: post.id,
    title: post.title,
    author: native.channelTitle ?? null,
    number_of_views: countOf(post, "views"),
    description: post.text,
    channel_id: platformId(post.authorId),
    type: native.type ?? null,
    thumbnails: toThumbnails(native.thumbnails),
  };
}

/** "17 hours ago" gives a date, "2 years ago" does not. */
function isKnownToTheDay({ approximate }: Post): boolean {
  return (approximate?.["publishedAt"] ?? 0) <= DAY_S;
}

/** Any flag makes it "true"; "false" needs two, since a capture often knows only one of them. */
function toLiveText({ isLive, wasLive, streamed }: NativeVideo): string | null {
  if (isLive === true || wasLive === true || streamed === true) return "true";
  return isLive === false && wasLive === false ? "false" : null;
}
