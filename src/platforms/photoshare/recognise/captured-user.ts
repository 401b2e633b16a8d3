/**
 * A user as a capture shows it, in the new form (`pk`, `follower_count`) or the old one (`edge_followed_by`). Only what
 * belongs to the account itself is taken: how the capturing person stands to it, and what only that person sees, is not.
 */
import type { Collector } from "#api/importer.ts";
import type { Counters } from "#domain/record.ts";
import {
  type Fields,
  omitUnknown,
  readCount,
  readFilledText,
  readFlag,
  readId,
  readInteger,
  readList,
  readMembers,
  readObject,
  readObjects,
  readText,
  readUrl,
} from "#import/capture/field-readers.ts";
import type { NativeBioLink, NativeUser } from "../native.ts";

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
  const user = readObject(value);
  if (user === undefined) return undefined;
  const id = readId(user["pk"]) ?? readId(user["pk_id"]) ?? ownId(user["id"]);
  const name = accountNameOf(user["username"]);
  if (id === undefined && name === undefined) return undefined;
  return {
    id,
    name,
    displayName: readText(user["full_name"]),
    bio: readText(user["biography"]),
    verified: readFlag(user["is_verified"]),
    private: readFlag(user["is_private"]),
    counters: countersOf(user),
    native: nativeOf(user),
  };
}

/** Keeps it and returns the id by which others refer to it. */
export function collectUser(user: CapturedUser, collect: Collector): string {
  const { id, name, counters, native, ...shown } = user;
  const found = { ...shown, counters, native };
  // One of the two is always omitUnknown, or there would be no CapturedUser.
  return id === undefined ? collect.account({ ...found, name: name ?? "" }) : collect.account({ ...found, id, name });
}

/** What `over` knows wins. */
export function overlaidUser(under: CapturedUser, over: CapturedUser): CapturedUser {
  return {
    ...under,
    ...omitUnknown(over),
    counters: { ...under.counters, ...over.counters },
    native: { ...under.native, ...over.native },
  };
}

export function accountNameOf(value: unknown): string | undefined {
  return typeof value === "string" && /^[A-Za-z0-9._]{1,64}$/.test(value) ? value : undefined;
}

function ownId(value: unknown): string | undefined {
  const id = readId(value);
  return id === undefined || SISTER_ID.test(id) ? undefined : id;
}

function countersOf(user: Fields): Counters {
  const counted = (name: string, edge: string) => readCount(user[name]) ?? readCount(readObject(user[edge])?.["count"]);
  return (
    omitUnknown({
      followers: counted("follower_count", "edge_followed_by"),
      following: counted("following_count", "edge_follow"),
      posts: counted("media_count", "edge_owner_to_timeline_media"),
    }) ?? {}
  );
}

function nativeOf(user: Fields): NativeUser {
  const reel = readObject(user["reel"]) ?? {};
  const address = addressIn(user["business_address_json"]);
  return (
    omitUnknown<NativeUser>({
      ...readMembers(reel, ["latest_reel_media"], readInteger),
      ...readMembers(user, TEXTS, readFilledText),
      ...readMembers(user, NULLABLE_TEXTS, readFilledText),
      ...readMembers(user, FLAGS, readFlag),
      ...readMembers(user, NUMBERS, readInteger),
      ...readMembers(user, LISTS, readList),
      ...readMembers(user, OBJECTS, readObject),
      ...address,
      profile_pic_url: readUrl(user["profile_pic_url"]),
      hd_profile_pic_url_info: omitUnknown({ url: largePictureIn(user) }),
      fbid_v2: readId(user["fbid_v2"]) ?? readId(user["fbid"]) ?? sisterId(user["id"]),
      category:
        readFilledText(user["category"]) ??
        readFilledText(user["category_name"]) ??
        readFilledText(user["business_category_name"]),
      is_business: readFlag(user["is_business"]) ?? readFlag(user["is_business_account"]),
      bio_links: bioLinksIn(user["bio_links"]),
      external_url: readUrl(user["external_url"]),
      external_lynx_url: readUrl(user["external_lynx_url"]) ?? readUrl(user["external_url_linkshimmed"]),
      pronouns: readList(user["pronouns"])?.flatMap((word) => readFilledText(word) ?? []),
      biography_with_entities: omitUnknown({
        entities: readList(readObject(user["biography_with_entities"])?.["entities"]),
      }),
      ring_creator_metadata: omitUnknown({
        profile_background_color: readFilledText(
          readObject(user["ring_creator_metadata"])?.["profile_background_color"],
        ),
      }),
      reel_expiring_at: readInteger(reel["expiring_at"]),
    }) ?? {}
  );
}

function sisterId(value: unknown): string | undefined {
  const id = readId(value);
  return id !== undefined && SISTER_ID.test(id) ? id : undefined;
}

function largePictureIn(user: Fields): string | undefined {
  return readUrl(readObject(user["hd_profile_pic_url_info"])?.["url"]) ?? readUrl(user["profile_pic_url_hd"]);
}

export function bioLinksIn(value: unknown): NativeBioLink[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return readObjects(value).flatMap((link) => {
    const read = omitUnknown<NativeBioLink>({
      ...readMembers(link, ["link_type", "title"], readText),
      ...readMembers(link, ["lynx_url", "url", "image_url"], readUrl),
      ...readMembers(link, ["media_accent_color_hex", "media_type", "creation_source"], readFilledText),
      is_pinned: readFlag(link["is_pinned"]),
    });
    return read ?? [];
  });
}

/** The old form keeps the address as JSON within JSON. */
function addressIn(value: unknown): Pick<NativeUser, "address_street" | "city_name" | "zip"> {
  const address = objectInText(value) ?? {};
  return (
    omitUnknown({
      address_street: readFilledText(address["street_address"]),
      city_name: readFilledText(address["city_name"])?.split(",")[0],
      zip: readFilledText(address["zip_code"]),
    }) ?? {}
  );
}

export function objectInText(value: unknown): Fields | undefined {
  if (typeof value !== "string" || value.length > 10_000) return undefined;
  try {
    return readObject(JSON.parse(value));
  } catch {
    return undefined;
  }
}
