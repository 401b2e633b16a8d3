/** A search, page after page. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { api, type SearchInput } from "./client.ts";

const PAGE = 20;

export function useSearch(input: Pick<SearchInput, "q" | "platform" | "kind">) {
  return useInfiniteQuery({
    queryKey: ["search", input],
    enabled: input.q !== "",
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      api.search(
        { ...input, expand: "posts", limit: PAGE, ...(pageParam === "" ? {} : { continuation_token: pageParam }) },
        { signal },
      ),
    getNextPageParam: ({ continuation_token: next }) => (next === "" ? undefined : next),
  });
}
