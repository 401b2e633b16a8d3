/** All stored posts with a sound, a hashtag, a place or a tagged account, newest first. */
import { type QueryClient, useInfiniteQuery } from "@tanstack/react-query";
import type { PostsWithInput } from "../api/client.ts";
import { postsWithQuery } from "../api/queries.ts";
import { type CopyAsProps, listAsCsv } from "./copy-as.tsx";
import { formatNumberOf } from "./format.ts";
import { PostCard, postRow } from "./post-card.tsx";
import { Empty, isNotFound, Loaded } from "./states.tsx";
import { VirtualRows } from "./virtual-rows.tsx";

export function usePostsWith(platform: string, trait: PostsWithInput["trait"], id: string) {
  return useInfiniteQuery(postsWithQuery({ platform, trait, id }));
}

export function postsWithAsData(
  client: QueryClient,
  name: string,
  parameters: Pick<PostsWithInput, "platform" | "trait" | "id">,
): CopyAsProps {
  const csv = listAsCsv(client, name, postsWithQuery(parameters), (pages) =>
    pages.flatMap(({ posts }) => posts.map(postRow)),
  );
  return { request: { path: "/api/posts/with", parameters }, csv };
}

export function PostsWithList({ query, label }: { query: ReturnType<typeof usePostsWith>; label: string }) {
  if (isNotFound(query.error)) return <Empty icon="grid" title="None are stored" />;
  return (
    <Loaded query={query} rows={5}>
      {({ pages }) => {
        const posts = pages.flatMap((page) => page.posts);
        const authors = new Map(pages.flatMap((page) => page.authors).map((author) => [author.id, author]));
        if (posts.length === 0) return <Empty icon="grid" title="No posts are stored" />;
        return (
          <>
            <p className="muted count-line">{formatNumberOf(pages[0]?.total, "post")}, newest first</p>
            <VirtualRows
              items={posts}
              estimate={150}
              keyOf={({ id }) => id}
              render={(post) => (
                // An account of which only the name is known has no id to find it by.
                <PostCard post={post} author={post.author_id === null ? null : (authors.get(post.author_id) ?? null)} />
              )}
              label={label}
              pager={query}
            />
          </>
        );
      }}
    </Loaded>
  );
}
