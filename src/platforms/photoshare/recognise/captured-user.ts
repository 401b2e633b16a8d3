/**
 * A captured user, in the new form (`pk`, `follower_count`) or the old ones (`edge_followed_by`, before 2018
 * `followed_by`). Only the account's own data is read, never its relation to the person who captured it.
 */
import type { Collector } from "#api/importer.ts";
import type { Counters } from "#domain/record.ts";
import {
  type Fields,
  omitUnknown,
  readFilledText,
  readFirstCount,
  readFlag,
  readId,
  readInteger,
  readList,
  readMembers,
  readObject,
  readObjectAt,
  readObjects,
  readText,
  readUrl,
} from "#import/capture/field-readers.ts";
import type { NativeBioLink, NativePost, NativeUser } from "../native.ts";
import { hasTypedNames, withPlainNames } from "./plain-names.ts";

export interface CapturedUser {
  id?: string | undefined;
  name?: string | undefined;
  displayName?: string | undefined;
  bio?: string | undefined;
  verified?: boolean | undefined;
  private?: boolean | undefined;
  counters?: Counters | undefined;
  native?: NativeUser | undefined;
}

const TEXTS = [
  "text_post_app_badge_label",
  "city_name",
  "zip",
  "address_street",
  "live_broadcast_id",
  "ai_agent_type",
  "transparency_label",
  "transparency_product",
] as const;
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

/** The account's Facebook id, which newer objects have in `id`. */
const FACEBOOK_ID = /^17841\d{12}$/;

/** Keys that tell a profile from other services' users, which also have a username. */
const PROFILE_KEYS = ["pk", "profile_pic_url", "biography", "follower_count", "edge_followed_by"];

export function isUser(object: Fields): boolean {
  const keys = PROFILE_KEYS.filter((key) => key in object).length;
  return typeof object["username"] === "string" ? keys >= 1 : readId(object["pk"]) !== undefined && keys >= 2;
}

/** Undefined without an id or a name. */
export function readUser(value: unknown): CapturedUser | undefined {
  const found = readObject(value);
  if (found === undefined) return undefined;
  const user = hasTypedNames(found) ? withPlainNames(found) : found;
  const id = readId(user["pk"]) ?? readId(user["pk_id"]) ?? readOwnId(user["id"]);
  const name = readAccountName(user["username"]);
  if (id === undefined && name === undefined) return undefined;
  return {
    id,
    name,
    displayName: readText(user["full_name"]),
    bio: readText(user["biography"]),
    verified: readFlag(user["is_verified"]),
    private: readFlag(user["is_private"]),
    counters: readCounters(user),
    native: readNative(user),
  };
}

/** Of some tools, only their names. */
export function readUsers(value: unknown): CapturedUser[] | undefined {
  return readList(value)?.flatMap((user) => readUser(typeof user === "string" ? { username: user } : user) ?? []);
}

/** Returns the id by which other records refer to the account. */
export function collectUser({ id, name, ...rest }: CapturedUser, collect: Collector): string {
  // One of id and name is always known.
  return id === undefined ? collect.account({ ...rest, name: name ?? "" }) : collect.account({ ...rest, id, name });
}

/** The part of a user that Instagram embeds in posts and comments. */
export function toEmbeddedUser(user: CapturedUser | undefined): NativePost["user"] {
  if (user === undefined) return undefined;
  return omitUnknown({
    pk: user.id,
    username: user.name,
    full_name: user.displayName,
    is_verified: user.verified,
    profile_pic_url: user.native?.profile_pic_url,
  });
}

/** Fields that `over` knows win. */
export function mergeUsers(under: CapturedUser, over: CapturedUser): CapturedUser {
  return {
    ...under,
    ...omitUnknown(over),
    counters: { ...under.counters, ...over.counters },
    native: { ...under.native, ...over.native },
  };
}

/** 4CAT writes REDACTED for all names that were taken out; names are in lower case. */
export function readAccountName(value: unknown): string | undefined {
  return typeof value === "string" && value !== "REDACTED" && /^[A-Za-z0-9._]{1,64}$/.test(value) ? value : undefined;
}

function readOwnId(value: unknown): string | undefined {
  const id = readId(value);
  return id === undefined || FACEBOOK_ID.test(id) ? undefined : id;
}

function readCounters(user: Fields): Counters | undefined {
  const read = (name: string, ...edges: string[]) =>
    readFirstCount([user, ...edges.map((edge) => ({ [name]: readObjectAt(user, edge)["count"] }))], name);
  return omitUnknown({
    followers: read("follower_count", "edge_followed_by", "followed_by"),
    following: read("following_count", "edge_follow", "follows"),
    posts: read("media_count", "edge_owner_to_timeline_media", "media"),
  });
}

function readNative(user: Fields): NativeUser | undefined {
  const reel = readObjectAt(user, "reel");
  return omitUnknown<NativeUser>({
    ...readMembers(reel, ["latest_reel_media"], readInteger),
    ...readMembers(user, TEXTS, readText),
    ...readMembers(user, FLAGS, readFlag),
    ...readMembers(user, NUMBERS, readInteger),
    ...readMembers(user, LISTS, readList),
    ...readMembers(user, OBJECTS, readObject),
    ...readBusinessAddress(user["business_address_json"]),
    profile_pic_url: readUrl(user["profile_pic_url"]),
    hd_profile_pic_url_info: omitUnknown({
      url:
        readUrl(readObjectAt(user, "hd_profile_pic_url_info")["url"]) ??
        readUrl(user["profile_pic_url_hd"]) ??
        // Smallest first.
        readUrl(readObjects(user["hd_profile_pic_versions"]).at(-1)?.["url"]),
    }),
    fbid_v2: readId(user["fbid_v2"]) ?? readId(user["fbid"]) ?? readFacebookId(user["id"]),
    category:
      readFilledText(user["category"]) ??
      readFilledText(user["category_name"]) ??
      readFilledText(user["business_category_name"]) ??
      readText(user["category"]),
    is_business: readFlag(user["is_business"]) ?? readFlag(user["is_business_account"]),
    bio_links: readBioLinks(user["bio_links"]),
    external_url: readUrl(user["external_url"]),
    external_lynx_url: readUrl(user["external_lynx_url"]) ?? readUrl(user["external_url_linkshimmed"]),
    pronouns: readList(user["pronouns"])?.flatMap((pronoun) => readFilledText(pronoun) ?? []),
    biography_with_entities: omitUnknown({
      entities: readList(readObjectAt(user, "biography_with_entities")["entities"]),
    }),
    ring_creator_metadata: omitUnknown({
      profile_background_color: readFilledText(readObjectAt(user, "ring_creator_metadata")["profile_background_color"]),
    }),
    reel_expiring_at: readInteger(reel["expiring_at"]),
  });
}

export function readFacebookId(value: unknown): string | undefined {
  const id = readId(value);
  return id !== undefined && FACEBOOK_ID.test(id) ? id : undefined;
}

export function readBioLinks(value: unknown): NativeBioLink[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return readObjects(value).flatMap((link) => {
    const known = omitUnknown<NativeBioLink>({
      ...readMembers(link, ["link_type", "title"], readText),
      ...readMembers(link, ["lynx_url", "url", "image_url"], readUrl),
      ...readMembers(link, ["media_accent_color_hex", "media_type", "creation_source"], readFilledText),
      is_pinned: readFlag(link["is_pinned"]),
    });
    return known ?? [];
  });
}

/** The old form has the address as JSON in a string. */
function readBusinessAddress(value: unknown): Pick<NativeUser, "address_street" | "city_name" | "zip"> | undefined {
  const address = parseJsonObject(value) ?? {};
  return omitUnknown({
    address_street: readFilledText(address["street_address"]),
    city_name: readFilledText(address["city_name"])?.split(",")[0],
    zip: readFilledText(address["zip_code"]),
  });
}

export function parseJsonObject(value: unknown): Fields | undefined {
  if (typeof value !== "string" || value.length > 10_000) return undefined;
  try {
    return readObject(JSON.parse(value));
  } catch {
    return undefined;
  }
}
