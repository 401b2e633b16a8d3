/** A place, and the posts that are at it. */
import { getRouteApi } from "@tanstack/react-router";
import { Page } from "../layout/page.tsx";
import { CopyAs } from "../ui/copy-as.tsx";
import { postRow } from "../ui/post-card.tsx";
import { PostsWithList, usePostsWith } from "../ui/posts-with.tsx";
import { PlatformTag, Words } from "../ui/values.tsx";

const route = getRouteApi("/explore/$platform/place/$id");

export function Place() {
  const { platform, id } = route.useParams();
  const posts = usePostsWith(platform, "place", id);
  const first = posts.data?.pages[0];
  return (
    <Page
      title={first?.name ?? `Place ${id}`}
      actions={
        <CopyAs
          request={{ path: "/api/posts/with", parameters: { platform, trait: "place", id } }}
          csv={{ name: `place ${id}`, rows: () => posts.data?.pages.flatMap((page) => page.posts).map(postRow) ?? [] }}
        />
      }
    >
      <p className="card-meta">
        <PlatformTag platform={platform} />
        {first?.detail == null ? null : <Words>{first.detail}</Words>}
      </p>
      <h2>Posts at this place</h2>
      <PostsWithList query={posts} label="Posts at this place" />
    </Page>
  );
}
