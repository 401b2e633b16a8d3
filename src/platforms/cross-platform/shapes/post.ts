/** A post of any platform, in one shape. */
import { type Static, Type } from "#api/schema.ts";
import type { PostMedia } from "#api/endpoint.ts";
import type { Nullable } from "#api/nullable.ts";
import { nullable, NullableInteger, NullableText, Text, wireObject } from "#api/wire.ts";
import { blankRecord } from "#domain/blank-record.ts";
import type { Post } from "#domain/post.ts";
import { platformId } from "#domain/provisional-id.ts";
import type { PlatformName } from "#domain/record.ts";
import { ApproximateFields, listApproximate } from "./approximate.ts";
import { CaptureTime, toCaptureTime } from "./capture-time.ts";
import { KnownCounters, toKnownCounters } from "./counters.ts";

export const PostSummary = wireObject({
  platform: Text,
  id: Text,
  author_id: NullableText,
  title: NullableText,
  text: NullableText,
  published_at: nullable(Type.Integer({ description: "Unix seconds." })),
  duration_s: nullable(Type.Number()),
  language: NullableText,
  country: NullableText,
  category: NullableText,
  hashtags: Type.Array(Text, { description: "Without `#`, as written." }),
  tagged_ids: Type.Array(Text, { description: "Ids of the accounts tagged in it." }),
  sound_id: NullableText,
  place_id: NullableText,
  counters: KnownCounters,
  media: Type.Array(
    wireObject({ kind: Type.Enum(["image", "video"]), url: Text, width: NullableInteger, height: NullableInteger }),
    { description: "Pictures and videos, each in its largest size. URLs are as captured." },
  ),
  approximate: ApproximateFields,
  captured_at: CaptureTime,
  source: Type.String({ description: "Tool or format that it was captured with." }),
});
type PostSummary = Static<typeof PostSummary>;

export function toPostSummary(
  platform: PlatformName,
  post: Post,
  media: readonly PostMedia[],
): NonNullable<Nullable<PostSummary>> {
  return {
    platform,
    id: post.id,
    author_id: platformId(post.authorId),
    title: post.title,
    text: post.text,
    published_at: post.publishedAt,
    duration_s: post.durationS,
    language: post.language,
    country: post.country,
    category: post.category ?? null,
    hashtags: [...post.hashtags],
    tagged_ids: post.taggedIds.flatMap((id) => platformId(id) ?? []),
    sound_id: post.soundId,
    place_id: post.placeId,
    counters: toKnownCounters(post.counters),
    media: media.map((file) => ({ ...file })),
    ...listApproximate(post),
    captured_at: toCaptureTime(post.capturedAt),
    source: post.source,
  };
}

/** A post of which only comments are stored. */
export function toUnknownPost(platform: PlatformName, id: string): NonNullable<Nullable<PostSummary>> {
  const blank = { ...blankRecord("post"), id, native: {}, capturedAt: 0, source: "" };
  return { ...toPostSummary(platform, blank, []), hashtags: null, tagged_ids: null, media: null, source: null };
}
