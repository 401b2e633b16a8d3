/** A post below a profile: code, id and picture. */
import { type Static, Type } from "typebox";
import { defineProjection } from "#api/define-projection.ts";
import type { Nullable } from "#api/nullable.ts";
import { Text, Url, wireObject } from "#api/wire.ts";
import type { Post } from "#domain/post.ts";
import type { NativePost } from "../native.ts";
import { imagesOf } from "./image-versions.ts";
import { codeOf, joinedIdOf } from "./media-identity.ts";

export const ProfilePost = wireObject({
  code: Text,
  id: Text,
  image_versions2: wireObject({ candidates: Type.Array(wireObject({ url: Url })) }),
});
export type ProfilePost = Static<typeof ProfilePost>;

export function toProfilePost(post: Post<NativePost>): Nullable<ProfilePost> {
  return {
    code: codeOf(post),
    id: joinedIdOf(post),
    image_versions2: { candidates: imagesOf(post.native)?.map(({ url }) => ({ url: url ?? null })) ?? null },
  };
}

export const profilePostShape = defineProjection("profile-post", 1, ProfilePost, toProfilePost);
