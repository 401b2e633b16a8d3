/** All stored posts with a sound, a hashtag, a place or a tagged account, newest first. */
import { type QueryClient, useInfiniteQuery } from "@tanstack/react-query";
import type { PostsWith, PostsWithInput } from "../api/client.ts";
import { postsWithQuery } from "../api/queries.ts";
import { type CopyAsProps, listAsCsv } from "./copy-as.tsx";
import { formatStoredOf } from "./format.ts";
import { PostCard, postRow, type PostSummary } from "./post-card.tsx";
import { Empty, isNotFound, Loaded, PlatformCount } from "./states.tsx";
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
    pages.flatMap(({ posts, authors }) => posts.map((post) => postRow(post, authorOf(post, authors)))),
  );
  return { request: { path: "/api/posts/with", parameters }, csv };
}

/** An account of which only the name is known has no id to find it by. */
const authorOf = ({ author_id: id }: PostSummary, authors: PostsWith["authors"]) =>
  (id === null ? undefined : authors.find((author) => author.id === id)) ?? null;

export function PostsWithList({ query, label }: { query: ReturnType<typeof usePostsWith>; label: string }) {
  if (isNotFound(query.error)) return <Empty icon="grid" title="None are stored" />;
  return (
    <Loaded query={query} rows={5}>
      {({ pages }) => {
        const posts = pages.flatMap((page) => page.posts);
        const authors = pages.flatMap((page) => page.authors);
        const [first] = pages;
        if (first === undefined || posts.length === 0)
          return (
            <Empty icon="grid" title="No posts are stored">
              <PlatformCount of={first} one="post" />
            </Empty>
          );
        return (
          <>
            <p className="muted count-line">{formatStoredOf(first, "post")}, newest first</p>
            <VirtualRows
              items={posts}
              estimate={150}
              keyOf={({ id }) => id}
              render={(post) => <PostCard post={post} author={authorOf(post, authors)} />}
              label={label}
              pager={query}
            />
          </>
        );
      }}
    </Loaded>
  );
}
