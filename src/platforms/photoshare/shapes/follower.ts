/** An account in a list of followers. */
import type { Static } from "#api/schema.ts";
import { defineProjection } from "#api/define-projection.ts";
import type { Nullable } from "#api/nullable.ts";
import { Flag, NullableInteger, Text, Timestamp, Url, wireObject } from "#api/wire.ts";
import type { Account } from "#domain/account.ts";
import { platformId } from "#domain/provisional-id.ts";
import type { NativeUser } from "../native.ts";
import { getPicture } from "./profile-picture.ts";

export const Follower = wireObject({
  id: Text,
  username: Text,
  full_name: Text,
  profile_pic_url: Url,
  is_private: Flag,
  is_verified: Flag,
  followed_by_viewer: Flag,
  requested_by_viewer: Flag,
  reel: wireObject({ expiring_at: Timestamp, latest_reel_media: NullableInteger, seen: NullableInteger }),
});
export type Follower = Static<typeof Follower>;

/** A follow may be known before the follower's account: then only the id is filled. */
export function toFollower(id: string, account: Account<NativeUser> | null): Nullable<Follower> {
  return {
    id: platformId(id),
    username: account?.name ?? null,
    full_name: account?.displayName ?? null,
    profile_pic_url: account === null ? null : getPicture(account.native),
    is_private: account?.private ?? null,
    is_verified: account?.verified ?? null,
    followed_by_viewer: false,
    requested_by_viewer: false,
    reel: {
      expiring_at: account?.native.reel_expiring_at ?? null,
      latest_reel_media: account?.native.latest_reel_media ?? null,
      seen: null,
    },
  };
}

export const followerProjection = defineProjection("follower", 1, Follower, (account: Account<NativeUser>) =>
  toFollower(account.id, account),
);
