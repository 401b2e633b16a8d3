/** One line per official source, the most complete first. */
import type { Source } from "#api/source.ts";
import { youtubeDataApi } from "./sources/youtube-data-api.ts";
import { youtubeFeed } from "./sources/youtube-feed.ts";
import { youtubeOembed } from "./sources/youtube-oembed.ts";

export const SOURCES: readonly Source[] = [youtubeDataApi, youtubeFeed, youtubeOembed];
