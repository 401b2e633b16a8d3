/** A post that tags an account: Instagram's item with all its flags. */
import { type Static, Type } from "#api/schema.ts";
import type { Nullable } from "#api/nullable.ts";
import {
  AnyList,
  Flag,
  Integer,
  NullableInteger,
  NullableObject,
  NullableText,
  nullable,
  Text,
  wireObject,
} from "#api/wire.ts";
import type { Account } from "#domain/account.ts";
import type { Post } from "#domain/post.ts";
import { platformId } from "#domain/provisional-id.ts";
import type { NativePost, NativeUser } from "../native.ts";
import { ImageVersions, listImages, findLargest, toImageVersions } from "./image-versions.ts";
import { getCode, toJoinedId, MediaType, getMediaType } from "./media-identity.ts";

export const TaggedPost = wireObject({
  pk: Text,
  media_type: MediaType,
  code: Text,
  id: Text,
  accessibility_caption: NullableText,
  caption: wireObject({ pk: Text, text: Text }),
  audience: NullableText,
  carousel_media_count: NullableInteger,
  display_uri: NullableText,
  carousel_media: nullable(AnyList),
  image_versions2: ImageVersions,
  media_cropping_info: NullableObject,
  profile_grid_thumbnail_fitting_style: NullableText,
  media_overlay_info: NullableObject,
  preview: NullableText,
  product_type: Text,
  thumbnails: NullableObject,
  timeline_pinned_user_ids: Type.Array(Text),
  upcoming_event: NullableObject,
  user: wireObject({ pk: Text, username: Text, id: Text }),
  media_notes: wireObject({ items: AnyList }),
  like_count: Integer,
  like_and_view_counts_disabled: Flag,
  boosted_status: NullableText,
  boost_unavailable_identifier: NullableText,
  boost_unavailable_reason: NullableText,
  comment_count: Integer,
  comments_disabled: nullable(Flag),
  view_count: NullableInteger,
  original_height: Integer,
  original_width: Integer,
  __typename: Text,
});
export type TaggedPost = Static<typeof TaggedPost>;

/** `author` is the stored account, if any, which has the current name. */
export function toTaggedPost(post: Post<NativePost>, author: Account<NativeUser> | null): Nullable<TaggedPost> {
  const { native, counters } = post;
  const largest = findLargest(listImages(native) ?? []);
  return {
    pk: post.id,
    media_type: getMediaType(native),
    code: getCode(post),
    id: toJoinedId(post),
    accessibility_caption: native.accessibility_caption ?? null,
    caption: { pk: native.caption?.pk ?? null, text: post.text },
    audience: native.audience ?? null,
    carousel_media_count: native.carousel_media_count ?? native.carousel_media?.length ?? null,
    display_uri: native.display_uri ?? null,
    carousel_media: native.carousel_media ?? null,
    image_versions2: toImageVersions(native),
    media_cropping_info: native.media_cropping_info ?? null,
    profile_grid_thumbnail_fitting_style: native.profile_grid_thumbnail_fitting_style ?? null,
    media_overlay_info: native.media_overlay_info ?? null,
    preview: native.preview ?? null,
    product_type: native.product_type ?? null,
    thumbnails: native.thumbnails ?? null,
    timeline_pinned_user_ids: native.timeline_pinned_user_ids ?? null,
    upcoming_event: native.upcoming_event ?? null,
    user: {
      pk: platformId(post.authorId),
      username: author?.name ?? native.user?.username ?? null,
      id: platformId(post.authorId),
    },
    media_notes: { items: native.media_notes?.items ?? null },
    like_count: counters.likes ?? null,
    like_and_view_counts_disabled: native.like_and_view_counts_disabled ?? null,
    boosted_status: null,
    boost_unavailable_identifier: null,
    boost_unavailable_reason: null,
    comment_count: counters.comments ?? null,
    comments_disabled: native.comments_disabled ?? null,
    view_count: counters.views ?? null,
    original_height: native.original_height ?? largest?.height ?? null,
    original_width: native.original_width ?? largest?.width ?? null,
    // The format of this response, whatever format the post was captured in.
    __typename: "XDTMediaDict",
  };
}
