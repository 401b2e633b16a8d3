/** Profiles of the photo-sharing platform: bio, links and, for businesses, contact data. */
import { DAY_S } from "#domain/time.ts";
import type { NativeBioLink, NativeUser } from "../../src/platforms/photoshare/native.ts";
import { cityName } from "./cities.ts";
import { initials, numericId } from "./identifiers.ts";
import type { Creator, Person } from "./people.ts";
import type { Scenario } from "./scenario.ts";

export interface Profile {
  bio: string;
  native: NativeUser;
}

const CATEGORIES: Readonly<Record<string, string>> = {
  "street-food": "Food stand",
  "home-music": "Musician",
  "short-film": "Film director",
  "street-dance": "Dancer",
  "film-photography": "Photographer",
  pottery: "Artist",
  "home-coffee": "Coffee shop",
};

const LINK_TITLES: readonly string[] = [
  "My notes",
  "Shop",
  "Newsletter",
  "Workshops",
  "Portfolio",
  "Map of favourites",
];

/** The part of a profile that every account has, and that is embedded in posts and comments. */
export type SmallProfile = Required<
  Pick<NativeUser, "pk" | "username" | "full_name" | "profile_pic_url" | "is_verified" | "is_private">
>;

export function createSmallProfile(
  { pictureUrl }: Scenario,
  id: string,
  person: Person,
  verified: boolean,
  closed: boolean,
): SmallProfile {
  return {
    pk: id,
    username: person.name,
    full_name: person.displayName,
    profile_pic_url: pictureUrl("avatar", id, 150, 150, initials(person.displayName)),
    is_verified: verified,
    is_private: closed,
  };
}

export function createCreatorProfile(
  scenario: Scenario,
  small: SmallProfile,
  creator: Creator,
  latestReel: number,
): Profile {
  const { random } = scenario;
  const business = random.chance(0.3);
  const mail = business || random.chance(0.2) ? `✉️ ${creator.name}@mail.example` : null;
  const phone = business && random.chance(0.6) ? `📞 +1 555-01${numericId(random, 2)}` : null;
  const host = toHost(creator);
  const titles = random.sample(LINK_TITLES, random.integer(0, 2));
  return {
    bio: [creator.bio, mail, phone].filter((line) => line !== null).join("\n"),
    native: {
      ...createFullProfile(scenario, small, latestReel),
      bio_links: titles.map((title, index) => createBioLink(host, title, index === 0)),
      ...(titles.length > 0
        ? { external_url: `https://${host}/`, external_lynx_url: `https://l.media.example/?u=${host}` }
        : {}),
      is_business: business,
      is_professional_account: business,
      account_type: business ? 2 : 1,
      category: CATEGORIES[creator.topic.key] ?? "Digital creator",
      should_show_category: business,
      ...(business ? { city_name: cityName(creator.city, creator.language) } : {}),
    },
  };
}

/** The featured account, with every field that a profile can have. */
export function featuredProfile(
  scenario: Scenario,
  small: SmallProfile,
  creator: Creator,
  latestReel: number,
): Profile {
  const host = toHost(creator);
  return {
    bio: `Street food, smoke and paper plates 🌮\nPhotographs from ${creator.city.name} and wherever the queue is long.\n✉️ luna.marchetti@mail.example\n📞 +1 555-0142`,
    native: {
      ...createFullProfile(scenario, small, latestReel),
      bio_links: [
        createBioLink(host, "Prints and postcards", true),
        createBioLink(host, "Map of night markets", false),
        createBioLink(host, "Workshops", false),
      ],
      external_url: `https://${host}/`,
      external_lynx_url: `https://l.media.example/?u=${host}`,
      is_business: true,
      is_professional_account: true,
      account_type: 2,
      category: "Food photographer",
      should_show_category: true,
      address_street: "14 Larkfield Row",
      city_name: creator.city.name,
      zip: "BS0 0ZZ",
      pronouns: ["she", "her"],
    },
  };
}

function createFullProfile({ random, pictureUrl }: Scenario, small: SmallProfile, latestReel: number): NativeUser {
  return {
    ...small,
    hd_profile_pic_url_info: {
      url: pictureUrl("avatar", small.pk, 1080, 1080, initials(small.full_name)),
    },
    fbid_v2: `17841${numericId(random, 12)}`,
    is_unpublished: false,
    text_post_app_badge_label: small.username,
    show_text_post_app_badge: random.chance(0.5),
    is_memorialized: false,
    has_story_archive: random.chance(0.5),
    is_coppa_enforced: false,
    is_regulated_c18: false,
    latest_reel_media: latestReel,
    reel_expiring_at: latestReel + DAY_S,
    has_profile_pic: true,
    show_account_transparency_details: true,
    mutual_followers_count: 0,
    is_ring_creator: false,
    show_ring_award: false,
    hide_creator_marketplace_badge: true,
    has_chaining: true,
    remove_message_entrypoint: false,
    is_embeds_disabled: false,
    is_cannes: false,
  };
}

function createBioLink(host: string, title: string, pinned: boolean): NativeBioLink {
  const url = `https://${host}/${title.toLowerCase().replaceAll(" ", "-")}`;
  return {
    image_url: null,
    is_pinned: pinned,
    link_type: "external",
    lynx_url: `https://l.media.example/?u=${encodeURIComponent(url)}`,
    media_accent_color_hex: null,
    media_type: "none",
    title,
    url,
    creation_source: null,
  };
}

function toHost(creator: Creator): string {
  return `${creator.name.replaceAll(/[._]/g, "-")}.example`;
}
