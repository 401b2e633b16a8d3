/** What the tabs of a page show. The page itself takes it from the cache, to give it as CSV. */
import { type InfiniteData, infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import {
  api,
  type FollowsInput,
  type HistoryInput,
  type PostsInput,
  type PostsWithInput,
  type SubtitlesInput,
} from "./client.ts";

export function historyQuery({ platform, kind, id }: Pick<HistoryInput, "platform" | "kind" | "id">) {
  return queryOptions({
    queryKey: ["history", platform, kind, id],
    queryFn: ({ signal }) => api.history({ platform, kind, id }, { signal }),
  });
}

export function ranksQuery({ platform, id }: { platform: string; id: string }) {
  return queryOptions({
    queryKey: ["ranks", platform, id],
    queryFn: ({ signal }) => api.chartsHistory({ video_id: id, platform }, { signal }),
  });
}

export function subtitlesQuery({ platform, id, lang }: Pick<SubtitlesInput, "platform" | "id" | "lang">) {
  return queryOptions({
    queryKey: ["subtitles", platform, id, lang ?? ""],
    queryFn: ({ signal }) => api.subtitles({ platform, id, ...(lang === undefined ? {} : { lang }) }, { signal }),
  });
}

export function followsQuery({
  platform,
  account,
  direction,
}: Pick<FollowsInput, "platform" | "account" | "direction">) {
  return infiniteQueryOptions({
    queryKey: ["follows", platform, account, direction],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      api.follows({ platform, account, direction, limit: 50, ...pageOf(pageParam) }, { signal }),
    getNextPageParam,
  });
}

export function postsQuery({ platform, account }: Pick<PostsInput, "platform" | "account">) {
  return infiniteQueryOptions({
    queryKey: ["posts", platform, account],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => api.posts({ platform, account, limit: 30, ...pageOf(pageParam) }, { signal }),
    getNextPageParam,
  });
}

export function postsWithQuery({ platform, trait, id }: Pick<PostsWithInput, "platform" | "trait" | "id">) {
  return infiniteQueryOptions({
    queryKey: ["posts with", platform, trait, id],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      api.postsWith({ platform, trait, id, limit: 30, ...pageOf(pageParam) }, { signal }),
    getNextPageParam,
  });
}

/** Of a list, as far as it is loaded. */
export function pagesOf<Page>(data: InfiniteData<Page> | undefined): Page[] {
  return data?.pages ?? [];
}

function pageOf(token: string): { continuation_token?: string } {
  return token === "" ? {} : { continuation_token: token };
}

function getNextPageParam({ continuation_token: next }: { continuation_token: string }): string | undefined {
  return next === "" ? undefined : next;
}
