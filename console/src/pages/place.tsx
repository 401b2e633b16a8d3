/** A place, and the posts that are at it. */
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Page } from "../layout/page.tsx";
import { CopyAs } from "../ui/copy-as.tsx";
import { postsWithAsData, PostsWithList, usePostsWith } from "../ui/posts-with.tsx";
import { PlatformTag, Words } from "../ui/values.tsx";

const route = getRouteApi("/explore/$platform/place/$id");

export function Place() {
  const { platform, id } = route.useParams();
  const client = useQueryClient();
  const posts = usePostsWith(platform, "place", id);
  const first = posts.data?.pages[0];
  return (
    <Page
      title={first?.name ?? `Place ${id}`}
      actions={<CopyAs {...postsWithAsData(client, `place ${id}`, { platform, trait: "place", id })} />}
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
