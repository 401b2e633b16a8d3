/** The viewer's relation to an account. The service has no account of its own, so there is none. */
import type { Static } from "#api/schema.ts";
import type { Nullable } from "#api/nullable.ts";
import { Flag, wireObject } from "#api/wire.ts";

export const Friendship = wireObject(
  {
    following: Flag,
    blocking: Flag,
    is_feed_favorite: Flag,
    outgoing_request: Flag,
    followed_by: Flag,
    incoming_request: Flag,
    is_restricted: Flag,
    is_bestie: Flag,
  },
  { description: "Always false: the service has no account of its own." },
);
export type Friendship = Static<typeof Friendship>;

export const FriendshipV2 = wireObject(
  { ...Friendship.properties, muting: Flag, is_muting_reel: Flag },
  { description: "Always false: the service has no account of its own." },
);
export type FriendshipV2 = Static<typeof FriendshipV2>;

export function toFriendship(): NonNullable<Nullable<Friendship>> {
  return {
    following: false,
    blocking: false,
    is_feed_favorite: false,
    outgoing_request: false,
    followed_by: false,
    incoming_request: false,
    is_restricted: false,
    is_bestie: false,
  };
}

export function toFriendshipV2(): Nullable<FriendshipV2> {
  return { ...toFriendship(), muting: false, is_muting_reel: false };
}
