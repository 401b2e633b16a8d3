/**
 * Every field of a response comes from the right field of its record. No two fields of these records have the same value;
 * flags are set one at a time.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Account } from "#domain/account.ts";
import { blankRecord } from "#domain/blank-record.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Place } from "#domain/place.ts";
import type { NativeHashtag, NativePlace, NativeUser } from "../native.ts";
import { toBioLink, toFullBioLink } from "./bio-link.ts";
import { toFollower } from "./follower.ts";
import { toProfileV2 } from "./profile-v2.ts";
import { toProfile } from "./profile.ts";
import { toFoundHashtag, toFoundPlace, toFoundUser, toSeeMore } from "./search-result.ts";

const CAPTURED = { capturedAt: 1_700_000_000_000, source: "test" };

const url = (name: string) => `https://media.example/${name}.jpg`;

const LINK = { link_type: "external", lynx_url: "https://l.example/1", title: "Shop", url: "https://shop.example/" };

const FULL_LINK = {
  ...LINK,
  image_url: url("link"),
  media_accent_color_hex: "#102030",
  media_type: "image",
  creation_source: "profile",
};

/** What both profiles show as it was captured, apart from flags. */
const PROFILE = {
  fbid_v2: "17841",
  text_post_app_badge_label: "luna on threads",
  profile_pic_url: url("small"),
  hd_profile_pic_url_info: { url: url("large") },
  live_broadcast_visibility: 1,
  live_broadcast_id: "18001",
  ai_agent_type: "assistant",
};

/** What profile v2 shows besides. */
const PROFILE_V2 = {
  gating: { gating_type: 2 },
  regulated_news_in_locations: ["CA"],
  linked_fb_info: { linked_fb_user: "3" },
  latest_reel_media: 4,
  profile_pic_genai_tool_info: ["painter"],
  account_type: 5,
  mutual_followers_count: 6,
  address_street: "Via Inventata 1",
  city_name: "Livorno",
  zip: "00000",
  category: "Chef",
  biography_with_entities: { entities: ["#coast"] },
  ring_creator_metadata: { profile_background_color: "#405060" },
  account_badges: ["founder"],
  external_lynx_url: "https://l.example/2",
  external_url: "https://luna.example/",
  pronouns: ["she"],
  transparency_label: "State media",
  transparency_product: "Paper",
  total_clips_count: 7,
};

const PROFILE_FLAGS = ["is_verified", "is_private", "is_unpublished", "show_text_post_app_badge"];

const PROFILE_V2_FLAGS = [
  "is_memorialized",
  "has_story_archive",
  "is_coppa_enforced",
  "is_regulated_c18",
  "has_profile_pic",
  "show_account_transparency_details",
  "is_business",
  "should_show_category",
  "is_ring_creator",
  "show_ring_award",
  "hide_creator_marketplace_badge",
  "has_chaining",
  "remove_message_entrypoint",
  "is_embeds_disabled",
  "is_cannes",
  "is_professional_account",
];

const FRIENDSHIP = {
  following: false,
  blocking: false,
  is_feed_favorite: false,
  outgoing_request: false,
  followed_by: false,
  incoming_request: false,
  is_restricted: false,
  is_bestie: false,
};

const BIO = "Kitchens, luna@kitchen.example, +39 055 0100199";

function flags(names: readonly string[], set: string): Record<string, boolean> {
  return Object.fromEntries(names.map((name) => [name, name === set]));
}

function anAccount(set: string): Account<NativeUser> {
  return {
    ...blankRecord("account"),
    ...CAPTURED,
    id: "501",
    name: "luna",
    displayName: "Luna Marchetti",
    bio: BIO,
    verified: set === "is_verified",
    private: set === "is_private",
    counters: { followers: 11_000, following: 12, posts: 13, likes: 14, saves: 15, friends: 16 },
    native: {
      ...PROFILE,
      ...PROFILE_V2,
      ...flags([...PROFILE_FLAGS, ...PROFILE_V2_FLAGS], set),
      // As captured once; the account has been renamed since.
      pk: "599",
      username: "luna.then",
      full_name: "Luna Then",
      is_verified: set !== "is_verified",
      is_private: set !== "is_private",
      bio_links: [{ ...FULL_LINK, is_pinned: set === "is_pinned" }],
      reel_expiring_at: 17,
    },
  };
}

test("profile", () => {
  for (const set of PROFILE_FLAGS) {
    assert.deepEqual(toProfile(anAccount(set)), {
      ...PROFILE,
      ...flags(PROFILE_FLAGS, set),
      follower_count: 11_000,
      following_count: 12,
      media_count: 13,
      pk: "501",
      full_name: "Luna Marchetti",
      username: "luna",
      id: "501",
      shouldRemoveMessageButtonRiskyInteraction: null,
      supervision_info: null,
      friendship_status: FRIENDSHIP,
    });
  }
});

test("profile v2", () => {
  for (const set of [...PROFILE_FLAGS, ...PROFILE_V2_FLAGS, "is_pinned"]) {
    assert.deepEqual(toProfileV2(anAccount(set), true), {
      ...PROFILE,
      ...PROFILE_V2,
      ...flags([...PROFILE_FLAGS, ...PROFILE_V2_FLAGS], set),
      friendship_status: { ...FRIENDSHIP, muting: false, is_muting_reel: false },
      supervision_info: null,
      bio_links: [{ ...FULL_LINK, is_pinned: set === "is_pinned" }],
      username: "luna",
      pk: "501",
      biography: BIO,
      full_name: "Luna Marchetti",
      follower_count: 11_000,
      profile_context_links_with_user_ids: null,
      profile_context_facepile_users: null,
      id: "501",
      following_count: 12,
      media_count: 13,
      latest_besties_reel_media: null,
      reel_media_seen_timestamp: null,
      email_from_biography: ["luna@kitchen.example"],
      phone_from_biography: ["+39 055 0100199"],
    });
  }
});

test("links of a profile that are contacts are empty without the scope read:personal", () => {
  const contacts = { external_url: "mailto:luna@kitchen.example", external_lynx_url: "tel:+390550100199" };
  const shown = (native: NativeUser, personal: boolean) => {
    const profile = toProfileV2({ ...anAccount(""), native }, personal);
    return [profile?.external_url, profile?.external_lynx_url];
  };
  assert.deepEqual(shown(contacts, true), Object.values(contacts));
  assert.deepEqual(shown(contacts, false), ["", ""]);
  assert.deepEqual(shown(PROFILE_V2, false), [PROFILE_V2.external_url, PROFILE_V2.external_lynx_url]);
});

test("bio link", () => {
  assert.deepEqual(toBioLink(FULL_LINK, true), LINK);
});

test("a profile that was captured with one link instead of a list has a list of it", () => {
  const { external_url, external_lynx_url } = PROFILE_V2;
  const links = (native: NativeUser) => toProfileV2({ ...anAccount(""), native }, true)?.bio_links;
  const link = { ...toFullBioLink({}, true), link_type: "external", url: external_url };
  assert.deepEqual(links({ external_url, external_lynx_url }), [{ ...link, lynx_url: external_lynx_url }]);
  assert.deepEqual(links({ external_url }), [link]);
  assert.deepEqual(links({ ...PROFILE_V2, bio_links: [] }), []);
  assert.equal(links({}), null);
});

test("a picture that was captured in one size stands for the other", () => {
  const { profile_pic_url, hd_profile_pic_url_info } = PROFILE;
  const pictures = (native: NativeUser) => {
    const profile = toProfile({ ...anAccount(""), native });
    return [profile?.profile_pic_url, profile?.hd_profile_pic_url_info?.url];
  };
  assert.deepEqual(pictures({ profile_pic_url }), [url("small"), url("small")]);
  assert.deepEqual(pictures({ hd_profile_pic_url_info }), [url("large"), url("large")]);
});

test("follower", () => {
  for (const set of ["is_verified", "is_private"]) {
    assert.deepEqual(toFollower("501", anAccount(set)), {
      id: "501",
      username: "luna",
      full_name: "Luna Marchetti",
      profile_pic_url: url("small"),
      ...flags(["is_verified", "is_private"], set),
      followed_by_viewer: false,
      requested_by_viewer: false,
      reel: { expiring_at: 17, latest_reel_media: 4, seen: null },
    });
  }
});

test("search results", () => {
  for (const set of ["is_verified", "is_private"]) {
    assert.deepEqual(toFoundUser(anAccount(set), 1), {
      position: 1,
      user: {
        username: "luna",
        full_name: "Luna Marchetti",
        search_social_context: "11K followers",
        pk: "501",
        profile_pic_url: url("small"),
        is_verified: set === "is_verified",
      },
    });
  }
  const hashtag: Hashtag<NativeHashtag> = {
    ...blankRecord("hashtag"),
    ...CAPTURED,
    id: "soupe",
    name: "Soupé",
    platformId: "17843",
    counters: { posts: 31, views: 32 },
    native: {},
  };
  assert.deepEqual(toFoundHashtag(hashtag, 2), {
    position: 2,
    hashtag: { name: "Soupé", media_count: 31, id: "17843" },
  });
  const location = { name: "Harbour Market", address: "Quay 1", city: "Livorno" };
  const place = (native: NativePlace): Place<NativePlace> => ({
    ...blankRecord("place"),
    ...CAPTURED,
    ...location,
    id: "21",
    latitude: 43.5,
    longitude: 10.3,
    native,
  });
  const found = { ...location, pk: "21", lat: 43.5, lng: 10.3 };
  assert.deepEqual(toFoundPlace(place({ title: "Market", subtitle: "By the sea" }), 3), {
    position: 3,
    place: { location: found, title: "Market", subtitle: "By the sea" },
  });
  assert.deepEqual(toFoundPlace(place({}), 4), {
    position: 4,
    place: { location: found, title: "Harbour Market", subtitle: "Livorno" },
  });
  assert.deepEqual(toSeeMore(["soup", "soup bowl"], 5), {
    preview_number: 2,
    list: [
      { position: 5, keyword: { name: "soup", id: "soup" } },
      { position: 6, keyword: { name: "soup bowl", id: "soup bowl" } },
    ],
  });
});
