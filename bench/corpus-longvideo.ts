/** Long videos as yt-dlp describes them, one line each. */
import { hashtags, popular, publishedAt, seeded, sentence, uniform, views, withHashtags, word } from "./random.ts";

const VIDEOS_PER_CHANNEL = 20;
const CATEGORIES = ["Music", "Gaming", "Education", "Travel & Events", "Howto & Style"];
const THUMBNAILS = ["120x90", "320x180", "480x360", "1280x720"].map((size) => size.split("x").map(Number));
const EXTRACTOR = { _type: "video", live_status: "not_live", extractor: "youtube", extractor_key: "Youtube" };

export function* videos(count: number) {
  const random = seeded(4);
  const channels = Math.max(5, Math.round(count / VIDEOS_PER_CHANNEL));
  for (let number = 0; number < count; number++) {
    const id = `b${number.toString(36).padStart(10, "0")}`;
    const channel = popular(random, channels);
    const viewCount = views(random);
    const tags = hashtags(random);
    const title = sentence(random, 3, 9);
    yield {
      id,
      title,
      fulltitle: title,
      description: withHashtags(sentence(random, 20, 60), tags),
      thumbnails: THUMBNAILS.map(([width, height]) => ({
        url: `https://media.example/vi/${id}/${width}.jpg`,
        width,
        height,
      })),
      channel_id: `UC${String(channel).padStart(22, "0")}`,
      channel: `${word(channel)} ${word(channel + 5)}`,
      uploader_id: `@${word(channel)}${channel}`,
      channel_follower_count: 10 * views(random),
      channel_is_verified: channel % 13 === 0,
      duration: 40 + uniform(random, 5_000),
      view_count: viewCount,
      like_count: Math.floor(viewCount / 25),
      comment_count: Math.floor(viewCount / 300),
      categories: [CATEGORIES[channel % CATEGORIES.length]],
      tags,
      timestamp: publishedAt(number, count),
      webpage_url: `https://www.youtube.com/watch?v=${id}`,
      ...EXTRACTOR,
    };
  }
}
