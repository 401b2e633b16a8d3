/** The account of get-profile: `user_data`. */
import type { Static } from "#api/schema.ts";
import { defineProjection } from "#api/define-projection.ts";
import type { Nullable } from "#api/nullable.ts";
import { Flag, Integer, NullableInteger, NullableObject, NullableText, Text, Url, wireObject } from "#api/wire.ts";
import type { Account } from "#domain/account.ts";
import { platformId } from "#domain/provisional-id.ts";
import type { NativeUser } from "../native.ts";
import { Friendship, toFriendship } from "./friendship.ts";
import { getLargePicture, getPicture } from "./profile-picture.ts";

export const Profile = wireObject({
  follower_count: Integer,
  following_count: Integer,
  media_count: Integer,
  pk: Text,
  full_name: Text,
  username: Text,
  id: Text,
  fbid_v2: Text,
  text_post_app_badge_label: Text,
  is_verified: Flag,
  is_unpublished: Flag,
  is_private: Flag,
  show_text_post_app_badge: Flag,
  shouldRemoveMessageButtonRiskyInteraction: Flag,
  profile_pic_url: Url,
  hd_profile_pic_url_info: wireObject({ url: Url }),
  live_broadcast_visibility: NullableInteger,
  live_broadcast_id: NullableText,
  ai_agent_type: NullableText,
  supervision_info: NullableObject,
  friendship_status: Friendship,
});
export type Profile = Static<typeof Profile>;

export function toProfile(account: Account<NativeUser>): Nullable<Profile> {
  const { native, counters } = account;
  return {
    follower_count: counters.followers ?? null,
    following_count: counters.following ?? null,
    media_count: counters.posts ?? null,
    pk: platformId(account.id),
    full_name: account.displayName,
    username: account.name,
    id: platformId(account.id),
    fbid_v2: native.fbid_v2 ?? null,
    text_post_app_badge_label: native.text_post_app_badge_label ?? null,
    is_verified: account.verified,
    is_unpublished: native.is_unpublished ?? null,
    is_private: account.private,
    show_text_post_app_badge: native.show_text_post_app_badge ?? null,
    shouldRemoveMessageButtonRiskyInteraction: null,
    profile_pic_url: getPicture(native),
    hd_profile_pic_url_info: { url: getLargePicture(native) },
    live_broadcast_visibility: native.live_broadcast_visibility ?? null,
    live_broadcast_id: native.live_broadcast_id ?? null,
    ai_agent_type: native.ai_agent_type ?? null,
    supervision_info: null,
    friendship_status: toFriendship(),
  };
}

export const profileProjection = defineProjection("profile", 1, Profile, toProfile);
