/** One line per endpoint; each is in the file of its path. */
import type { Endpoint } from "#api/endpoint.ts";
import { downloadVideo } from "./endpoints/download/video.ts";
import { musicInfo } from "./endpoints/music/info.ts";
import { musicPosts } from "./endpoints/music/posts.ts";
import { postComments } from "./endpoints/post/comments.ts";
import { postDetail } from "./endpoints/post/detail.ts";
import { searchGeneral } from "./endpoints/search/general.ts";
import { trendingHashtag } from "./endpoints/trending/hashtag.ts";
import { trendingSongs } from "./endpoints/trending/songs.ts";
import { trendingVideos } from "./endpoints/trending/videos.ts";
import { userInfoWithRegion } from "./endpoints/user/info-with-region.ts";

export const ENDPOINTS: Endpoint[] = [
  musicPosts,
  userInfoWithRegion,
  searchGeneral,
  postDetail,
  postComments,
  musicInfo,
  downloadVideo,
  trendingHashtag,
  trendingSongs,
  trendingVideos,
];
