/** Photo posts and profiles with their followers, as the platform's own objects. */
import { codeOfId } from "../src/platforms/photoshare/shortcode.ts";
import { seeded, word } from "./capture.ts";
import { even, popular, publishedAt, sentence, tagsOf, views } from "./corpus-text.ts";

const POSTS_AN_ACCOUNT = 20;
const FOLLOWERS = 60;

export function* posts(count: number) {
  const random = seeded(5);
  const accounts = accountsFor(count);
  for (let number = 0; number < count; number++) {
    const pk = String(3_000_000_000_000_000_000n + BigInt(number) * 7_919n);
    const at = publishedAt(number, count);
    const liked = Math.floor(views(random) / 9);
    const isVideo = number % 4 === 0;
    const media = `https://media.example/p/${pk}`;
    yield {
      pk,
      id: pk,
      code: codeOfId(pk),
      media_type: isVideo ? 2 : 1,
      product_type: isVideo ? "clips" : "feed",
      taken_at: at,
      caption: {
        pk: `179${String(number).padStart(14, "0")}`,
        text: `${sentence(random, 5, 18)} ${tagsOf(random)
          .map((tag) => `#${tag}`)
          .join(" ")}`,
        created_at: at,
      },
      user: account(popular(random, accounts)),
      image_versions2: {
        candidates: [1080, 640, 320].map((width) => ({
          width,
          height: (width * 5) / 4,
          url: `${media}/${width}.jpg`,
        })),
      },
      ...(isVideo
        ? {
            video_versions: [{ type: 101, width: 720, height: 1280, url: `${media}/720.mp4` }],
            video_duration: 5 + even(random, 80),
            play_count: liked * 14,
          }
        : {}),
      original_width: 1080,
      original_height: 1350,
      like_count: liked,
      comment_count: Math.floor(liked / 15),
      like_and_view_counts_disabled: false,
    };
  }
}

/** Never fewer than a list of followers needs. */
function accountsFor(count: number): number {
  return Math.max(2 * FOLLOWERS, Math.round(count / POSTS_AN_ACCOUNT));
}

function account(number: number) {
  return {
    pk: String(5_500_000_000 + number),
    username: `${word(number)}_${number}`,
    full_name: `${word(number)} ${word(number + 9)}`,
    is_private: false,
    is_verified: number % 83 === 0,
    profile_pic_url: `https://media.example/u/${number}.jpg`,
  };
}

/** The first `followed` of them with sixty followers, as a page about a person lists them. */
export function* profiles(count: number, followed: number) {
  const random = seeded(6);
  const accounts = accountsFor(count);
  for (let number = 0; number < accounts; number++) {
    const followers = number < followed ? followersOf(number, accounts, even(random, accounts)) : [];
    yield {
      ...account(number),
      id: String(5_500_000_000 + number),
      biography: sentence(random, 4, 12),
      fbid_v2: `17841${String(number).padStart(12, "0")}`,
      hd_profile_pic_url_info: { url: `https://media.example/u/${number}/large.jpg` },
      bio_links: [{ title: word(number), url: `https://pages.example/${number}`, link_type: "external" }],
      category: word(number % 40),
      is_business: number % 7 === 0,
      account_type: 1 + (number % 3),
      edge_followed_by: {
        count: followers.length === 0 ? views(random) : followers.length,
        edges: followers.map((node) => ({ node })),
      },
      edge_follow: { count: even(random, 900) },
      edge_owner_to_timeline_media: { count: POSTS_AN_ACCOUNT },
    };
  }
}

/** Neighbours from a drawn place on, so that none is there twice. */
function followersOf(number: number, accounts: number, begin: number) {
  return Array.from({ length: FOLLOWERS }, (_, place) => account((begin + place) % accounts)).filter(
    ({ pk }) => pk !== String(5_500_000_000 + number),
  );
}
