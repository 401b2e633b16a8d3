/** Search results: accounts, hashtags, places and keywords, each with its position. */
import { type Static, Type } from "#api/schema.ts";
import type { Nullable } from "#api/nullable.ts";
import { Flag, Integer, nullable, Text, Url, wireObject } from "#api/wire.ts";
import type { Account } from "#domain/account.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Place } from "#domain/place.ts";
import { platformId } from "#domain/provisional-id.ts";
import type { NativeHashtag, NativePlace, NativeUser } from "../native.ts";
import { getPicture } from "./profile-picture.ts";

const Rank = Type.Integer({
  description: "Rank among all accounts, hashtags, places and keywords of the response; 0 is best.",
});

export const FoundUser = wireObject({
  position: Rank,
  user: wireObject({
    username: Text,
    full_name: Text,
    search_social_context: Type.String({ description: "Such as `12.3K followers`." }),
    pk: Text,
    profile_pic_url: Url,
    is_verified: Flag,
  }),
});
export type FoundUser = Static<typeof FoundUser>;

export const FoundHashtag = wireObject({
  position: Rank,
  hashtag: wireObject({ name: Text, media_count: Integer, id: Text }),
});
export type FoundHashtag = Static<typeof FoundHashtag>;

export const FoundPlace = wireObject({
  position: Rank,
  place: wireObject({
    location: wireObject({
      pk: Text,
      name: Text,
      lat: nullable(Type.Number()),
      lng: nullable(Type.Number()),
      address: Text,
      city: Text,
    }),
    title: Text,
    subtitle: Text,
  }),
});
export type FoundPlace = Static<typeof FoundPlace>;

export const SeeMore = wireObject({
  preview_number: Type.Integer({ description: "Number of keywords to show initially." }),
  list: Type.Array(wireObject({ position: Rank, keyword: wireObject({ name: Text, id: Text }) })),
});
export type SeeMore = Static<typeof SeeMore>;

const PREVIEW = 3;
/** Created when it is first used: that takes 15 ms, which every start would pay. */
let compact: Intl.NumberFormat | undefined;

export function toFoundUser(account: Account<NativeUser>, position: number): Nullable<FoundUser> {
  return {
    position,
    user: {
      username: account.name,
      full_name: account.displayName,
      search_social_context: formatFollowers(account.counters.followers),
      pk: platformId(account.id),
      profile_pic_url: getPicture(account.native),
      is_verified: account.verified,
    },
  };
}

export function toFoundHashtag(hashtag: Hashtag<NativeHashtag>, position: number): Nullable<FoundHashtag> {
  return {
    position,
    hashtag: { name: hashtag.name, media_count: hashtag.counters.posts ?? null, id: hashtag.platformId },
  };
}

export function toFoundPlace(place: Place<NativePlace>, position: number): Nullable<FoundPlace> {
  return {
    position,
    place: {
      location: {
        pk: place.id,
        name: place.name,
        lat: place.latitude,
        lng: place.longitude,
        address: place.address,
        city: place.city,
      },
      title: place.native.title ?? place.name,
      subtitle: place.native.subtitle ?? place.city ?? place.address,
    },
  };
}

/** Keywords rank after all results. */
export function toSeeMore(keywords: readonly string[], found: number): Nullable<SeeMore> {
  return {
    preview_number: Math.min(PREVIEW, keywords.length),
    list: keywords.map((name, index) => ({ position: found + index, keyword: { name, id: name } })),
  };
}

function formatFollowers(followers: number | undefined): string | null {
  if (followers === undefined) return null;
  compact ??= new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
  return `${compact.format(followers)} ${followers === 1 ? "follower" : "followers"}`;
}
