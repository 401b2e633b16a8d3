/** The pictures and videos of a post: one photo, one video, or an album of both. */
import type { NativePost } from "../src/platforms/photoshare/native.ts";
import { mediaUrl, photoId, shortcode } from "./identifiers.ts";
import type { Random } from "./random.ts";

const PHOTO = 1;
const VIDEO = 2;
const ALBUM = 8;

/** Width and height of the original. */
const FORMATS: readonly (readonly [number, number])[] = [
  [1080, 1080],
  [1080, 1350],
  [1440, 1080],
];
const UPRIGHT = [1080, 1920] as const;

export function createMedia(random: Random, id: string, age: number, altText: string): NativePost {
  const kind = random.fraction();
  if (kind < 0.5) return { ...photo(random, id, altText), product_type: "feed", __typename: "XDTMediaDict" };
  if (kind < 0.75) return { ...video(id), product_type: "clips", __typename: "XDTMediaDict" };
  return album(random, id, age, altText);
}

function photo(random: Random, id: string, altText: string): NativePost {
  const [width, height] = random.pick(FORMATS);
  return {
    media_type: PHOTO,
    // Most photos have a description, not all.
    accessibility_caption: random.chance(0.85) ? altText : null,
    ...picture(id, width, height),
    carousel_media: null,
    carousel_media_count: null,
  };
}

function video(id: string): NativePost {
  const [width, height] = UPRIGHT;
  return {
    media_type: VIDEO,
    accessibility_caption: null,
    ...picture(id, width, height),
    video_versions: [
      { type: 101, width: 720, height: 1280, url: mediaUrl("photoshare", "posts", id, "720.mp4") },
      { type: 102, width: 480, height: 854, url: mediaUrl("photoshare", "posts", id, "480.mp4") },
    ],
    carousel_media: null,
    carousel_media_count: null,
  };
}

function album(random: Random, id: string, age: number, altText: string): NativePost {
  const parts = Array.from({ length: random.integer(2, 6) }, () => {
    const partId = photoId(random, age);
    const part = random.chance(0.85) ? photo(random, partId, altText) : video(partId);
    return { code: shortcode(partId), ...part };
  });
  return {
    ...photo(random, id, altText),
    media_type: ALBUM,
    product_type: "carousel_container",
    __typename: "XDTMediaDict",
    carousel_media: parts,
    carousel_media_count: parts.length,
  };
}

function picture(id: string, width: number, height: number): NativePost {
  const candidates = [width, 640, 320].map((wide) => {
    const high = Math.round((wide * height) / width);
    return { width: wide, height: high, url: mediaUrl("photoshare", "posts", id, `${wide}x${high}.jpg`) };
  });
  return {
    image_versions2: { candidates },
    display_uri: mediaUrl("photoshare", "posts", id, "display.jpg"),
    original_width: width,
    original_height: height,
    thumbnail_resources: [150, 320, 640].map((size) => ({
      src: mediaUrl("photoshare", "posts", id, `thumb-${size}.jpg`),
      config_width: size,
      config_height: size,
    })),
  };
}
