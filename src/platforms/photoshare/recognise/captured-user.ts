/**
 * A user as a capture shows it, in the new form (`pk`, `follower_count`) or the old one (`edge_followed_by`). Only what
 * belongs to the account itself is taken: how the capturing person stands to it, and what only that person sees, is not.
 */
import type { Collector } from "#contract/importer.ts";
import type { Counters } from "#domain/record.ts";
import type { NativeBioLink, NativeUser } from "../native.ts";
import {
  countOf,
  flagOf,
  idOf,
  integerOf,
  type JsonObject,
  known,
  listOf,
  membersOf,
  objectOf,
  objectsIn,
  textOf,
  webAddressOf,
  wordOf,
} from "./field-readers.ts";

export interface CapturedUser {
  id?: string | undefined;
  name?: string | undefined;
  displayName?: string | undefined;
  bio?: string | undefined;
  verified?: boolean | undefined;
  private?: boolean | undefined;
  counters: Counters;
  native: NativeUser;
}

const TEXTS = ["text_post_app_badge_label", "city_name", "zip", "address_street", "live_broadcast_id"] as const;
const NULLABLE_TEXTS = ["ai_agent_type", "transparency_label", "transparency_product"] as const;
const FLAGS = [
  "is_unpublished",
  "show_text_post_app_badge",
  "is_memorialized",
  "has_story_archive",
  "is_coppa_enforced",
  "is_regulated_c18",
  "has_profile_pic",
  "show_account_transparency_details",
  "should_show_category",
  "is_ring_creator",
  "show_ring_award",
  "hide_creator_marketplace_badge",
  "has_chaining",
  "is_embeds_disabled",
  "is_cannes",
  "is_professional_account",
] as const;
const NUMBERS = ["live_broadcast_visibility", "latest_reel_media", "account_type", "total_clips_count"] as const;
const LISTS = ["regulated_news_in_locations", "profile_pic_genai_tool_info", "account_badges"] as const;
const OBJECTS = ["gating", "linked_fb_info"] as const;

/** Ids of this form name the account on the platform's sister service; they stand in `id` of newer objects. */
const SISTER_ID = /^17841\d{12}$/;

/** Undefined for what names nobody. */
export function readUser(value: unknown): CapturedUser | undefined {
  const user = objectOf(value);
  if (user === undefined) return undefined;
  const id = idOf(user["pk"]) ?? idOf(user["pk_id"]) ?? ownId(user["id"]);
  const name = accountNameOf(user["username"]);
  if (id === undefined && name === undefined) return undefined;
  return {
    id,
    name,
    displayName: textOf(user["full_name"]),
    bio: textOf(user["biography"]),
    verified: flagOf(user["is_verified"]),
    private: flagOf(user["is_private"]),
    counters: countersOf(user),
    native: nativeOf(user),
  };
}

/** Keeps it and returns the id by which others refer to it. */
export function collectUser(user: CapturedUser, collect: Collector): string {
  const { id, name, counters, native, ...shown } = user;
  const found = { ...shown, counters, native };
  // One of the two is always known, or there would be no CapturedUser.
  return id === undefined ? collect.account({ ...found, name: name ?? "" }) : collect.account({ ...found, id, name });
}

/** What `over` knows wins. */
export function overlaidUser(under: CapturedUser, over: CapturedUser): CapturedUser {
  return {
    ...under,
    ...known(over),
    counters: { ...under.counters, ...over.counters },
    native: { ...under.native, ...over.native },
  };
}

export function accountNameOf(value: unknown): string | undefined {
  return typeof value === "string" && /^[A-Za-z0-9._]{1,64}$/.test(value) ? value : undefined;
}

function ownId(value: unknown): string | undefined {
  const id = idOf(value);
  return id === undefined || SISTER_ID.test(id) ? undefined : id;
}

function countersOf(user: JsonObject): Counters {
  const counted = (name: string, edge: string) => countOf(user[name]) ?? countOf(objectOf(user[edge])?.["count"]);
  return (
    known({
      followers: counted("follower_count", "edge_followed_by"),
      following: counted("following_count", "edge_follow"),
      posts: counted("media_count", "edge_owner_to_timeline_media"),
    }) ?? {}
  );
}

function nativeOf(user: JsonObject): NativeUser {
  const reel = objectOf(user["reel"]) ?? {};
  const address = addressIn(user["business_address_json"]);
  return (
    known<NativeUser>({
      ...membersOf(reel, ["latest_reel_media"], integerOf),
      ...membersOf(user, TEXTS, wordOf),
      ...membersOf(user, NULLABLE_TEXTS, wordOf),
      ...membersOf(user, FLAGS, flagOf),
      ...membersOf(user, NUMBERS, integerOf),
      ...membersOf(user, LISTS, listOf),
      ...membersOf(user, OBJECTS, objectOf),
      ...address,
      profile_pic_url: webAddressOf(user["profile_pic_url"]),
      hd_profile_pic_url_info: known({ url: largePictureIn(user) }),
      fbid_v2: idOf(user["fbid_v2"]) ?? idOf(user["fbid"]) ?? sisterId(user["id"]),
      category: wordOf(user["category"]) ?? wordOf(user["category_name"]) ?? wordOf(user["business_category_name"]),
      is_business: flagOf(user["is_business"]) ?? flagOf(user["is_business_account"]),
      bio_links: bioLinksIn(user["bio_links"]),
      external_url: webAddressOf(user["external_url"]),
      external_lynx_url: webAddressOf(user["external_lynx_url"]) ?? webAddressOf(user["external_url_linkshimmed"]),
      pronouns: listOf(user["pronouns"])?.flatMap((word) => wordOf(word) ?? []),
      biography_with_entities: known({ entities: listOf(objectOf(user["biography_with_entities"])?.["entities"]) }),
      ring_creator_metadata: known({
        profile_background_color: wordOf(objectOf(user["ring_creator_metadata"])?.["profile_background_color"]),
      }),
      reel_expiring_at: integerOf(reel["expiring_at"]),
    }) ?? {}
  );
}

function sisterId(value: unknown): string | undefined {
  const id = idOf(value);
  return id !== undefined && SISTER_ID.test(id) ? id : undefined;
}

function largePictureIn(user: JsonObject): string | undefined {
  return webAddressOf(objectOf(user["hd_profile_pic_url_info"])?.["url"]) ?? webAddressOf(user["profile_pic_url_hd"]);
}

export function bioLinksIn(value: unknown): NativeBioLink[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return objectsIn(value).flatMap((link) => {
    const read = known<NativeBioLink>({
      ...membersOf(link, ["link_type", "title"], textOf),
      ...membersOf(link, ["lynx_url", "url", "image_url"], webAddressOf),
      ...membersOf(link, ["media_accent_color_hex", "media_type", "creation_source"], wordOf),
      is_pinned: flagOf(link["is_pinned"]),
    });
    return read ?? [];
  });
}

/** The old form keeps the address as JSON within JSON. */
function addressIn(value: unknown): Pick<NativeUser, "address_street" | "city_name" | "zip"> {
  const address = objectInText(value) ?? {};
  return (
    known({
      address_street: wordOf(address["street_address"]),
      city_name: wordOf(address["city_name"])?.split(",")[0],
      zip: wordOf(address["zip_code"]),
    }) ?? {}
  );
}

export function objectInText(value: unknown): JsonObject | undefined {
  if (typeof value !== "string" || value.length > 10_000) return undefined;
  try {
    return objectOf(JSON.parse(value));
  } catch {
    return undefined;
  }
}
