/** What pages show: as it is loaded for them, and as a whole, to give it as CSV. */
import { infiniteQueryOptions, type QueryClient, type QueryKey, queryOptions } from "@tanstack/react-query";
import {
  api,
  type FollowsInput,
  type HistoryInput,
  type PostInput,
  type PostsInput,
  type PostsWithInput,
  type SearchInput,
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

export function subtitlesQuery({ platform, id, lang }: { platform: string; id: string; lang: string | undefined }) {
  return queryOptions({
    queryKey: ["subtitles", platform, id, lang ?? ""],
    queryFn: ({ signal }) => api.subtitles({ platform, id, ...(lang === undefined ? {} : { lang }) }, { signal }),
  });
}

interface ListPage {
  /** Empty on the last page. */
  continuation_token: string;
}

function listQuery<Page extends ListPage>(
  queryKey: QueryKey,
  load: (next: Partial<ListPage>, options: { signal: AbortSignal }) => Promise<Page>,
) {
  return infiniteQueryOptions({
    queryKey,
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => load(pageParam === "" ? {} : { continuation_token: pageParam }, { signal }),
    getNextPageParam: ({ continuation_token: next }) => (next === "" ? undefined : next),
  });
}

export type ListQuery<Page extends ListPage> = ReturnType<typeof listQuery<Page>>;

export function followsQuery(input: Pick<FollowsInput, "platform" | "account" | "direction">) {
  return listQuery(["follows", input.platform, input.account, input.direction], (next, options) =>
    api.follows({ ...input, limit: 50, ...next }, options),
  );
}

export function postsQuery(input: Pick<PostsInput, "platform" | "account">) {
  return listQuery(["posts", input.platform, input.account], (next, options) =>
    api.posts({ ...input, limit: 30, ...next }, options),
  );
}

export function postsWithQuery(input: Pick<PostsWithInput, "platform" | "trait" | "id">) {
  return listQuery(["posts with", input.platform, input.trait, input.id], (next, options) =>
    api.postsWith({ ...input, limit: 30, ...next }, options),
  );
}

export function commentsQuery(input: Pick<PostInput, "platform" | "id" | "sort">) {
  return listQuery(["post", input.platform, input.id, input.sort], (next, options) =>
    api.post({ ...input, limit: 50, ...next }, options),
  );
}

export function searchQuery(input: Pick<SearchInput, "q" | "platform" | "kind">) {
  return listQuery(["search", input], (next, options) =>
    api.search({ ...input, expand: "posts", limit: 20, ...next }, options),
  );
}

/** So that one click does not keep the service busy for hours. */
export const MAX_PAGES = 200;

/** A list to its end, or its first pages if it has very many. What the page itself has loaded stays as it is. */
export async function loadList<Page extends ListPage>(
  client: QueryClient,
  query: ListQuery<Page>,
): Promise<{ pages: Page[]; isWhole: boolean }> {
  const { pages } = await client.fetchInfiniteQuery({
    ...query,
    queryKey: [...query.queryKey, "all"],
    pages: MAX_PAGES,
    staleTime: 0,
    gcTime: 0,
  });
  return { pages, isWhole: pages.at(-1)?.continuation_token === "" };
}
