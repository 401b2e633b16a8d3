/** Long videos as a well-known downloader describes them, one line each. */
import { seeded, word } from "./capture.ts";
import { even, popular, publishedAt, sentence, tagsOf, views } from "./corpus-text.ts";

const VIDEOS_A_CHANNEL = 20;
const CATEGORIES = ["Music", "Gaming", "Education", "Travel & Events", "Howto & Style"];

export function* videos(count: number) {
  const random = seeded(4);
  const channels = Math.max(5, Math.round(count / VIDEOS_A_CHANNEL));
  for (let number = 0; number < count; number++) {
    const id = videoId(number);
    const channel = popular(random, channels);
    const seen = views(random);
    const tags = tagsOf(random);
    const title = sentence(random, 3, 9);
    const pictures = [
      [120, 90],
      [320, 180],
      [480, 360],
      [1280, 720],
    ] as const;
    yield {
      _type: "video",
      id,
      title,
      fulltitle: title,
      description: `${sentence(random, 20, 60)} ${tags.map((tag) => `#${tag}`).join(" ")}`,
      thumbnails: pictures.map(([width, height]) => ({
        url: `https://media.example/vi/${id}/${width}.jpg`,
        width,
        height,
      })),
      channel_id: `UC${String(channel).padStart(22, "0")}`,
      channel: `${word(channel)} ${word(channel + 5)}`,
      uploader_id: `@${word(channel)}${channel}`,
      channel_follower_count: 10 * views(random),
      channel_is_verified: channel % 13 === 0,
      duration: 40 + even(random, 5_000),
      view_count: seen,
      like_count: Math.floor(seen / 25),
      comment_count: Math.floor(seen / 300),
      categories: [CATEGORIES[channel % CATEGORIES.length]],
      tags,
      live_status: "not_live",
      media_type: "video",
      language: "en",
      timestamp: publishedAt(number, count),
      webpage_url: `https://www.youtube.com/watch?v=${id}`,
      extractor: "youtube",
      extractor_key: "Youtube",
    };
  }
}

function videoId(number: number): string {
  return `b${number.toString(36).padStart(10, "0")}`;
}
