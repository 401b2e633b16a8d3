/** The pictures and videos of a post: one photo, one video, or an album of both. */
import type { NativePost } from "../../src/platforms/photoshare/native.ts";
import { idToCode } from "../../src/platforms/photoshare/shortcode.ts";
import { fileUrl, photoId } from "./identifiers.ts";
import type { Scenario } from "./scenario.ts";

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

/** `at`: when it was published, Unix seconds. */
export function createMedia(scenario: Scenario, topic: string, id: string, at: number, altText: string): NativePost {
  const { random, pictureUrl } = scenario;
  const kind = random.fraction();
  if (kind < 0.5) return { ...photo(id), product_type: "feed", __typename: "XDTMediaDict" };
  if (kind < 0.75) return { ...video(id), product_type: "clips", __typename: "XDTMediaDict" };
  const parts = Array.from({ length: random.integer(2, 4) }, () => {
    const partId = photoId(random, at);
    const part = random.chance(0.85) ? photo(partId) : video(partId);
    return { code: idToCode(partId) ?? "", ...part };
  });
  return {
    ...photo(id),
    media_type: ALBUM,
    product_type: "carousel_container",
    __typename: "XDTMediaDict",
    carousel_media: parts,
    carousel_media_count: parts.length,
  };

  function photo(photoOf: string): NativePost {
    const [width, height] = random.pick(FORMATS);
    return {
      media_type: PHOTO,
      // Most photos have a description, not all.
      accessibility_caption: random.chance(0.85) ? altText : null,
      ...picture(photoOf, width, height),
      carousel_media: null,
      carousel_media_count: null,
    };
  }

  function video(videoOf: string): NativePost {
    const [width, height] = UPRIGHT;
    return {
      media_type: VIDEO,
      accessibility_caption: null,
      ...picture(videoOf, width, height),
      video_versions: [
        { type: 101, width: 720, height: 1280, url: fileUrl("photoshare", "posts", videoOf, "720.mp4") },
        { type: 102, width: 480, height: 854, url: fileUrl("photoshare", "posts", videoOf, "480.mp4") },
      ],
      carousel_media: null,
      carousel_media_count: null,
    };
  }

  function picture(pictureOf: string, width: number, height: number): NativePost {
    const candidates = [width, 640, 320].map((wide) => {
      const high = Math.round((wide * height) / width);
      return { width: wide, height: high, url: pictureUrl(topic, pictureOf, wide, high) };
    });
    return {
      image_versions2: { candidates },
      display_uri: pictureUrl(topic, pictureOf, width, height),
      original_width: width,
      original_height: height,
      thumbnail_resources: [150, 320, 640].map((size) => ({
        src: pictureUrl(topic, pictureOf, size, size),
        config_width: size,
        config_height: size,
      })),
    };
  }
}
