/** A sound: what it is, how its use has grown, and the posts that use it. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Suspense } from "react";
import { api } from "../api/client.ts";
import { Page } from "../layout/page.tsx";
import { CopyAs } from "../ui/copy-as.tsx";
import { formatDuration } from "../ui/format.ts";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { Picture } from "../ui/media.tsx";
import { toItems } from "../ui/platforms.ts";
import { postsWithAsData, PostsWithList, usePostsWith } from "../ui/posts-with.tsx";
import { Loading } from "../ui/states.tsx";
import { Counters, PlatformTag } from "../ui/values.tsx";

const CounterHistory = lazyComponent(async () => (await import("../ui/counter-history.tsx")).CounterHistory);
const route = getRouteApi("/explore/$platform/sound/$id");

export function Sound() {
  const { platform, id } = route.useParams();
  const client = useQueryClient();
  const query = usePostsWith(platform, "sound", id);
  const first = query.data?.pages[0];
  const { data: info } = useQuery({
    queryKey: ["sound", id],
    enabled: platform === "shortvideo" && first !== undefined,
    queryFn: ({ signal }) => api.shortvideo.musicInfo({ musicId: id }, { signal }),
  });
  const music = info?.data.musicInfo.music;
  const artist = info?.data.musicInfo.artist;
  const title = first?.name ?? music?.title ?? `Sound ${id}`;
  return (
    <Page
      title={title}
      heading={
        <div className="profile">
          <Picture url={music?.coverLarge} shape="square" platform={platform} icon="sound" />
          <div>
            <h1 dir="auto">{title}</h1>
            <p className="card-meta">
              <PlatformTag platform={platform} />
              {artist?.uniqueId ? (
                <Link to="/explore/$platform/account/$id" params={{ platform, id: artist.uniqueId }} dir="auto">
                  {artist.nickname ?? artist.uniqueId}
                </Link>
              ) : (
                <span dir="auto">{first?.detail}</span>
              )}
              {music?.duration == null ? null : <span>{formatDuration(music.duration)}</span>}
            </p>
          </div>
        </div>
      }
      actions={<CopyAs {...postsWithAsData(client, `sound ${id}`, { platform, trait: "sound", id })} />}
    >
      <Counters items={toItems(["posts"], { posts: info?.data.musicInfo.stats.videoCount })} />
      {first?.name == null ? null : (
        <Suspense fallback={<Loading rows={2} />}>
          <CounterHistory platform={platform} kind="sound" id={id} names={["posts"]} isOptional />
        </Suspense>
      )}
      <h2>Posts with this sound</h2>
      <PostsWithList query={query} label="Posts with this sound" />
    </Page>
  );
}
