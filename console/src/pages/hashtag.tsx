/** A hashtag of one platform: its counters over time and its posts. */
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Suspense } from "react";
import { useCan } from "../api/session.ts";
import { Page } from "../layout/page.tsx";
import { CopyAs, urlOf } from "../ui/copy-as.tsx";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { platformLabel, PLATFORMS } from "../ui/platforms.ts";
import { postsWithAsData, PostsWithList, usePostsWith } from "../ui/posts-with.tsx";
import { Loading } from "../ui/states.tsx";
import { PlatformTag } from "../ui/values.tsx";

const CounterHistory = lazyComponent(async () => (await import("../ui/counter-history.tsx")).CounterHistory);
const route = getRouteApi("/explore/$platform/hashtag/$name");

export function Hashtag() {
  const { platform, name } = route.useParams();
  const canExport = useCan("export");
  const posts = usePostsWith(platform, "hashtag", name);
  const listed = postsWithAsData(useQueryClient(), `hashtag ${name}`, { platform, trait: "hashtag", id: name });
  const complete = { path: "/api/export/posts", parameters: { where: `#${name}`, platform, format: "csv" } };
  const written = posts.data?.pages[0]?.name ?? null;
  return (
    <Page
      title={`#${written ?? name}`}
      actions={<CopyAs {...listed} {...(canExport ? { csv: { href: urlOf(complete) } } : {})} />}
    >
      <p className="card-meta">
        <PlatformTag platform={platform} />
        {PLATFORMS.filter((other) => other !== platform).map((other) => (
          <Link key={other} to="/explore/$platform/hashtag/$name" params={{ platform: other, name }}>
            on {platformLabel(other)}
          </Link>
        ))}
      </p>
      {/* A hashtag that is known only from posts has no record, and no counters. */}
      {written === null ? null : (
        <Suspense fallback={<Loading rows={2} />}>
          <CounterHistory platform={platform} kind="hashtag" id={name} names={["posts", "views"]} isOptional />
        </Suspense>
      )}
      <h2>Posts</h2>
      <PostsWithList query={posts} label="Posts with this hashtag" />
    </Page>
  );
}
