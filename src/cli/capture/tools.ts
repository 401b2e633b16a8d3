/**
 * Capture programs that the operator may have installed, and the only arguments they are ever started with. A URL never
 * adds an option: it comes after `--`, was parsed by the platform's own slice, and is rebuilt from its parts.
 */
import { parseHttpUrl, type SiteTarget } from "#api/site-url.ts";
import type { Platform } from "#api/platform.ts";

export interface CaptureOptions {
  /** Posts of an account or a hashtag. */
  maxPosts: number;
  comments: boolean;
}

export interface CaptureTarget {
  platform: string;
  target: SiteTarget;
  /** https, without a fragment. */
  url: string;
}

export interface CaptureTool {
  name: string;
  platforms: readonly string[];
  /** Null if the tool cannot capture it. */
  argumentsFor(target: CaptureTarget, options: CaptureOptions): string[] | null;
  /** Whether a file that it wrote stands for a post. Posts are counted, as its own limit does not hold for every target. */
  isPost: (fileName: string) => boolean;
}

/** Null unless the URL is one of a post, an account, a hashtag or a sound of a known platform. */
export function parseCaptureTarget(text: string, platforms: readonly Platform[]): CaptureTarget | null {
  const url = parseHttpUrl(text.trim());
  if (url === null) return null;
  url.protocol = "https:";
  url.hash = "";
  for (const { name, parseSiteUrl } of platforms) {
    const target = parseSiteUrl(url.href);
    if (target !== null) return { platform: name, target, url: url.href };
  }
  return null;
}

export const CAPTURE_TOOLS: readonly CaptureTool[] = [
  {
    name: "yt-dlp",
    platforms: ["longvideo", "shortvideo"],
    argumentsFor: ({ url }, { maxPosts, comments }) => [
      // Of the operator's own configuration nothing is read: it may run commands.
      "--ignore-config",
      "--skip-download",
      "--write-info-json",
      "--no-write-playlist-metafiles",
      "--no-playlist",
      "--no-progress",
      // Of each tab of a channel.
      "--playlist-end",
      String(maxPosts),
      "--socket-timeout",
      "30",
      "--retries",
      "3",
      ...(comments ? ["--write-comments", "--extractor-args", "youtube:max_comments=500"] : []),
      "--output",
      "%(id)s [%(id)s].%(ext)s",
      "--",
      url,
    ],
    isPost: (fileName) => fileName.endsWith(".info.json"),
  },
  {
    name: "gallery-dl",
    platforms: ["photoshare", "shortvideo"],
    argumentsFor: ({ url }, { maxPosts }) => [
      "--config-ignore",
      "--no-download",
      "--write-metadata",
      // Of pictures and videos, of which a post may have several.
      "--range",
      `1-${maxPosts}`,
      "--http-timeout",
      "30",
      "--retries",
      "3",
      "--destination",
      ".",
      "--",
      url,
    ],
    isPost: (fileName) => fileName.endsWith(".json"),
  },
  {
    name: "instaloader",
    platforms: ["photoshare"],
    argumentsFor(target, { maxPosts, comments }) {
      const subject = instaloaderTarget(target);
      if (subject === null) return null;
      return [
        "--quiet",
        "--no-pictures",
        "--no-videos",
        "--no-video-thumbnails",
        "--no-captions",
        "--no-profile-pic",
        ...(comments ? ["--comments"] : []),
        // Of hashtags only.
        "--count",
        String(maxPosts),
        "--max-connection-attempts",
        "2",
        "--filename-pattern",
        "post {shortcode}",
        "--dirname-pattern",
        "{target}",
        "--",
        subject,
      ];
    },
    isPost: (fileName) => fileName.startsWith("post ") && fileName.endsWith(".json.xz"),
  },
];

const PROFILE_NAME = /^[\w.]{1,30}$/;
const SHORTCODE = /\/(?:p|reel|reels|tv)\/([\w-]{5,40})/;
const HASHTAG = /^[\p{L}\p{N}_]{1,100}$/u;

/** It takes names instead of URLs: `name`, `#tag`, `-shortcode`. */
function instaloaderTarget({ target, url }: CaptureTarget): string | null {
  if (target.kind === "post") {
    const code = SHORTCODE.exec(new URL(url).pathname)?.[1];
    return code === undefined ? null : `-${code}`;
  }
  if (target.kind === "hashtag") return HASHTAG.test(target.name) ? `#${target.name}` : null;
  return target.kind === "account" && "name" in target && PROFILE_NAME.test(target.name) ? target.name : null;
}
