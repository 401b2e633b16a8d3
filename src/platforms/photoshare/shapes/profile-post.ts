/** A post below a profile: code, id and picture. */
import { type Static, Type } from "#api/schema.ts";
import { defineProjection } from "#api/define-projection.ts";
import type { Nullable } from "#api/nullable.ts";
import { Text, Url, wireObject } from "#api/wire.ts";
import type { Post } from "#domain/post.ts";
import type { NativePost } from "../native.ts";
import { listImages } from "./image-versions.ts";
import { getCode, toJoinedId } from "./media-identity.ts";

export const ProfilePost = wireObject({
  code: Text,
  id: Text,
  image_versions2: wireObject({ candidates: Type.Array(wireObject({ url: Url })) }),
});
export type ProfilePost = Static<typeof ProfilePost>;

export function toProfilePost(post: Post<NativePost>): Nullable<ProfilePost> {
  return {
    code: getCode(post),
    id: toJoinedId(post),
    image_versions2: { candidates: listImages(post.native)?.map(({ url }) => ({ url: url ?? null })) ?? null },
  };
}

export const profilePostProjection = defineProjection("profile-post", 1, ProfilePost, toProfilePost);
