import type { Endpoint, CrossPlatformContext } from "#api/endpoint.ts";
import { chartHistory } from "./endpoints/charts/history.ts";
import { charts } from "./endpoints/charts.ts";
import { follows } from "./endpoints/follows.ts";
import { history } from "./endpoints/history.ts";
import { post } from "./endpoints/post.ts";
import { posts } from "./endpoints/posts.ts";
import { postsWith } from "./endpoints/posts/with.ts";
import { search } from "./endpoints/search.ts";
import { subtitles } from "./endpoints/subtitles.ts";

export const ENDPOINTS: Endpoint<CrossPlatformContext>[] = [
  search,
  posts,
  postsWith,
  post,
  subtitles,
  follows,
  history,
  charts,
  chartHistory,
];
