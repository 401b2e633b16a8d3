/** A post in the list of an account's posts. */
import { type Static, Type } from "#api/schema.ts";
import { defineProjection } from "#api/define-projection.ts";
import type { Nullable } from "#api/nullable.ts";
import { Flag, Integer, Text, Timestamp, Url, wireObject } from "#api/wire.ts";
import type { Account } from "#domain/account.ts";
import type { Post } from "#domain/post.ts";
import { platformId } from "#domain/provisional-id.ts";
import type { NativePost, NativeUser } from "../native.ts";
import { ImageVersions, toImageVersions } from "./image-versions.ts";
import { getCode, toJoinedId, MediaType, getMediaType } from "./media-identity.ts";
import { getPicture } from "./profile-picture.ts";

const media = {
  code: Text,
  pk: Text,
  id: Text,
  caption: wireObject({ text: Text, created_at: Timestamp, pk: Text }),
  taken_at: Timestamp,
  video_versions: Type.Array(wireObject({ width: Integer, height: Integer, url: Url, type: Integer })),
  image_versions2: ImageVersions,
  like_count: Integer,
  comment_count: Integer,
  media_type: MediaType,
};

const PostUser = wireObject({
  pk: Text,
  username: Text,
  full_name: Text,
  is_verified: Flag,
  profile_pic_url: Url,
});
type PostUser = Static<typeof PostUser>;

const UserPostMedia = wireObject({ ...media, user: Type.Optional(PostUser) });
type UserPostMedia = Static<typeof UserPostMedia>;

export const UserPost = wireObject({ ...media, user: PostUser });
export type UserPost = Static<typeof UserPost>;

/**
 * Without the author, who is the same for all posts of a page and better known from the account. Only posts of several
 * authors, which are in the lists of all of them, have it as it was captured with them, for the case that its account is
 * not stored.
 */
function toUserPostMedia(post: Post<NativePost>): Nullable<UserPostMedia> {
  const { native, counters } = post;
  return {
    code: getCode(post),
    pk: post.id,
    id: toJoinedId(post),
    caption: {
      text: post.text,
      created_at: native.caption?.created_at ?? post.publishedAt,
      pk: native.caption?.pk ?? null,
    },
    taken_at: post.publishedAt,
    video_versions: toVideoVersions(native),
    image_versions2: toImageVersions(native),
    like_count: counters.likes ?? null,
    comment_count: counters.comments ?? null,
    media_type: getMediaType(native),
    ...(post.coauthorIds !== undefined && native.user !== undefined && { user: toCapturedUser(native.user) }),
  };
}

function toCapturedUser({ pk, username, full_name, is_verified, profile_pic_url }: CapturedAuthor): Nullable<PostUser> {
  return {
    pk: pk ?? null,
    username: username ?? null,
    full_name: full_name ?? null,
    is_verified: is_verified ?? null,
    profile_pic_url: profile_pic_url ?? null,
  };
}

type CapturedAuthor = NonNullable<NativePost["user"]>;

export const userPostProjection = defineProjection("user-post", 1, UserPostMedia, toUserPostMedia);

function toPostUser(author: Account<NativeUser>): Nullable<PostUser> {
  return {
    pk: platformId(author.id),
    username: author.name,
    full_name: author.displayName,
    is_verified: author.verified,
    profile_pic_url: getPicture(author.native),
  };
}

export const postUserProjection = defineProjection("post-user", 1, PostUser, toPostUser);

function toVideoVersions(native: NativePost): Nullable<UserPost["video_versions"]> {
  // A photo has no video, so the list is empty; for a video captured without its URLs it is unknown.
  if (native.video_versions === undefined) return getMediaType(native) === 1 ? [] : null;
  return native.video_versions.map(({ width, height, url, type }) => ({
    width: width ?? null,
    height: height ?? null,
    url: url ?? null,
    type: type ?? null,
  }));
}
