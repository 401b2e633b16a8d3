/** Photo posts and profiles, as the platform's own objects. */
import { idToCode } from "../src/platforms/photoshare/shortcode.ts";
import { hashtags, popular, publishedAt, seeded, sentence, uniform, views, withHashtags, word } from "./random.ts";

const POSTS_PER_ACCOUNT = 20;
const PICTURE = { original_width: 1080, original_height: 1350, like_and_view_counts_disabled: false };

export function* posts(count: number) {
  const random = seeded(5);
  const accounts = countAccounts(count);
  for (let number = 0; number < count; number++) {
    const pk = String(3_000_000_000_000_000_000n + BigInt(number) * 7_919n);
    const at = publishedAt(number, count);
    const likes = Math.floor(views(random) / 9);
    const isVideo = number % 4 === 0;
    const media = `https://media.example/p/${pk}`;
    yield {
      pk,
      id: pk,
      code: idToCode(pk),
      media_type: isVideo ? 2 : 1,
      product_type: isVideo ? "clips" : "feed",
      taken_at: at,
      caption: {
        pk: `179${String(number).padStart(14, "0")}`,
        text: withHashtags(sentence(random, 5, 18), hashtags(random)),
        created_at: at,
      },
      user: account(popular(random, accounts)),
      image_versions2: {
        candidates: [1080, 640, 320].map((width) => ({ width, height: width * 1.25, url: `${media}/${width}.jpg` })),
      },
      ...(isVideo && {
        video_versions: [{ type: 101, width: 720, height: 1280, url: `${media}/720.mp4` }],
        video_duration: 5 + uniform(random, 80),
        play_count: likes * 14,
      }),
      like_count: likes,
      comment_count: Math.floor(likes / 15),
      ...PICTURE,
    };
  }
}

function countAccounts(count: number): number {
  return Math.max(20, Math.round(count / POSTS_PER_ACCOUNT));
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

export function* profiles(count: number) {
  const random = seeded(6);
  for (let number = 0; number < countAccounts(count); number++) {
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
      edge_followed_by: { count: views(random) },
      edge_follow: { count: uniform(random, 900) },
      edge_owner_to_timeline_media: { count: POSTS_PER_ACCOUNT },
    };
  }
}
