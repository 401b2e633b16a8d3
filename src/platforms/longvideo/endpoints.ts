import type { Endpoint } from "#api/endpoint.ts";
import { videoSearch } from "./endpoints/search.ts";
import { trendingVideos } from "./endpoints/trending.ts";
import { videoComments } from "./endpoints/video/comments.ts";
import { videoDetails } from "./endpoints/video/details.ts";
import { videoSubtitles } from "./endpoints/video/subtitles.ts";

export const ENDPOINTS: Endpoint[] = [videoDetails, videoComments, videoSubtitles, videoSearch, trendingVideos];
