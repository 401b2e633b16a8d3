/** An account: who it is, what it has posted, where it is tagged, who follows it, how it has grown. */
import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Suspense } from "react";
import { api, type Posts } from "../api/client.ts";
import { followsQuery, postsQuery } from "../api/queries.ts";
import { useCan } from "../api/session.ts";
import { Page } from "../layout/page.tsx";
import { CopyAs, type CopyAsProps, historyAsData, listAsCsv } from "../ui/copy-as.tsx";
import { countryName, formatMoment, formatStored, formatStoredOf, languageName } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { Avatar } from "../ui/media.tsx";
import { platformLabel, toItems } from "../ui/platforms.ts";
import { postRow, PostTile } from "../ui/post-card.tsx";
import { postsWithAsData, PostsWithList, usePostsWith } from "../ui/posts-with.tsx";
import { Empty, Failed, isNotFound, Loaded, Loading, PlatformCount } from "../ui/states.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { Age, Counters, PlatformTag, Words } from "../ui/values.tsx";
import { VirtualRows } from "../ui/virtual-rows.tsx";
import { useEndInView } from "../ui/use-end-in-view.ts";

/** Charts are loaded with the first chart. */
const CounterHistory = lazyComponent(async () => (await import("../ui/counter-history.tsx")).CounterHistory);

const route = getRouteApi("/explore/$platform/account/$id");

export function Account() {
  const { platform, id } = route.useParams();
  const { tab = "posts" } = route.useSearch();
  const posts = useInfiniteQuery(postsQuery({ platform, account: id }));
  const client = useQueryClient();
  const canErase = useCan("admin");
  const first = posts.data?.pages[0];
  const account = first?.account ?? null;
  const name = account?.display_name ?? account?.name ?? id;
  const { data: details } = useQuery({
    queryKey: ["profile", platform, account?.name ?? ""],
    enabled: account?.name != null,
    queryFn: ({ signal }) => getProfile(platform, account?.name ?? "", signal),
  });
  if (isNotFound(posts.error))
    return (
      <Page title={id}>
        <Empty icon="person" title={`${id} is not stored`}>
          <p>
            No capture of {platformLabel(platform)} in this store has this account. <Link to="/explore">Search</Link>
          </p>
        </Empty>
      </Page>
    );
  const tabs = [
    { id: "posts", label: "Posts", ...(first === undefined ? {} : { count: formatStored(first) }) },
    { id: "tagged", label: "Tagged" },
    { id: "followers", label: "Followers" },
    { id: "following", label: "Following" },
    { id: "growth", label: "Growth" },
  ];
  return (
    <Page
      title={name}
      heading={
        <div className="profile">
          <Avatar url={details?.avatar ?? null} name={name} platform={platform} />
          <div>
            <h1 dir="auto">
              {name}
              {account?.verified === true ? (
                <span className="verified" title="Verified by the platform">
                  <Icon name="verified" />
                  <span className="visually-hidden">Verified</span>
                </span>
              ) : null}
            </h1>
            <p className="card-meta">
              <PlatformTag platform={platform} />
              {account?.name == null ? null : <span dir="auto">@{account.name}</span>}
              {account?.country == null ? null : <span>{countryName(account.country)}</span>}
              {account?.language == null ? null : <span>{languageName(account.language)}</span>}
              {account?.private === true ? <span>Private</span> : null}
            </p>
          </div>
        </div>
      }
      actions={
        <>
          <CopyAs {...tabAsData(client, tab, { platform, id })} />
          {canErase ? (
            <Link to="/data/erase" search={{ platform, kind: "account", id }} className="button quiet">
              Erase…
            </Link>
          ) : null}
        </>
      }
    >
      {account === null ? null : (
        <>
          {account.bio === null || account.bio === "" ? null : (
            <p className="bio" dir="auto">
              {account.bio}
            </p>
          )}
          <Links links={details?.links ?? []} />
          <Counters items={toItems(["followers", "following", "posts", "likes"], account.counters)} isWorded />
          <p className="muted provenance">
            Captured <Age when={account.captured_at} /> with <span dir="auto">{account.source}</span>
            {account.created_at === null ? null : <> · created {formatMoment(account.created_at)}</>}
          </p>
        </>
      )}
      <Tabs tabs={tabs} current={tab} label="Of this account" />
      {tab === "posts" ? <PostGrid query={posts} /> : null}
      {tab === "tagged" ? <Tagged platform={platform} account={id} /> : null}
      {tab === "followers" || tab === "following" ? (
        <FollowList key={tab} platform={platform} account={id} direction={tab} />
      ) : null}
      {tab === "growth" ? (
        <Suspense fallback={<Loading rows={3} />}>
          <CounterHistory
            platform={platform}
            kind="account"
            id={id}
            names={["followers", "following", "posts", "likes"]}
          />
        </Suspense>
      ) : null}
    </Page>
  );
}

/** What the open tab shows. */
function tabAsData(client: QueryClient, tab: string, { platform, id }: { platform: string; id: string }): CopyAsProps {
  if (tab === "tagged") return postsWithAsData(client, `posts that tag ${id}`, { platform, trait: "tagged", id });
  if (tab === "followers" || tab === "following") {
    const parameters = { platform, account: id, direction: tab } as const;
    return {
      request: { path: "/api/follows", parameters },
      csv: listAsCsv(client, `${tab} of ${id}`, followsQuery(parameters), (pages) =>
        pages.flatMap(({ accounts }) => accounts),
      ),
    };
  }
  if (tab === "growth") return historyAsData(client, { platform, kind: "account", id });
  const parameters = { platform, account: id };
  return {
    request: { path: "/api/posts", parameters },
    csv: listAsCsv(client, `posts of ${id}`, postsQuery(parameters), (pages) =>
      pages.flatMap(({ account, posts }) =>
        posts.map((post) => postRow(post, post.author_id === account?.id ? account : null)),
      ),
    ),
  };
}

interface Profile {
  avatar: string | null;
  links: { title: string; url: string }[];
}

/** What only the platform's own operations have. */
async function getProfile(platform: string, name: string, signal: AbortSignal): Promise<Profile> {
  if (platform === "shortvideo") {
    const { userInfo } = await api.shortvideo.userInfoWithRegion({ uniqueId: name }, { signal });
    const link = userInfo.user.bioLink?.link ?? "";
    return { avatar: userInfo.user.avatarLarger, links: link === "" ? [] : [{ title: link, url: link }] };
  }
  if (platform === "photoshare") {
    const [{ user_data: user }, links] = await Promise.all([
      api.photoshare.getProfile({ username_or_url: name }, { signal }),
      api.photoshare.getBioLinks({ username_or_url: name, data: "bio_links" }, { signal }),
    ]);
    return { avatar: user.profile_pic_url, links: links.map(({ title, url }) => ({ title: title || url, url })) };
  }
  return { avatar: null, links: [] };
}

/** A link only if it opens a page: an imported address may be anything, and many have no scheme. */
function Links({ links }: { links: Profile["links"] }) {
  if (links.length === 0) return null;
  return (
    <ul className="links">
      {links.map(({ title, url }) => (
        <li key={url}>
          {/^https?:$/.test(URL.parse(url ?? "")?.protocol ?? "") ? (
            <a href={url} target="_blank" rel="noreferrer nofollow" dir="auto">
              {title}
            </a>
          ) : (
            <Words>{title}</Words>
          )}
        </li>
      ))}
    </ul>
  );
}

function PostGrid({ query }: { query: UseInfiniteQueryResult<InfiniteData<Posts>> }) {
  const end = useEndInView(() => {
    if (query.hasNextPage && !query.isFetching && !query.isFetchNextPageError) void query.fetchNextPage();
  });
  return (
    <Loaded query={query} rows={4}>
      {({ pages }) => {
        const posts = pages.flatMap((page) => page.posts);
        if (posts.length === 0)
          return (
            <Empty icon="grid" title="No posts of this account are stored">
              <PlatformCount of={pages[0]} one="post" />
            </Empty>
          );
        return (
          <>
            <ul className="tiles">
              {posts.map((post) => (
                <li key={post.id}>
                  <PostTile post={post} />
                </li>
              ))}
            </ul>
            {/* Another element after every fetch: its end may still be in view. */}
            <div key={String(query.isFetching)} ref={end} />
            {query.isFetchingNextPage ? <Loading rows={1} /> : null}
            {query.isFetchNextPageError ? (
              <Failed error={query.error} retry={() => void query.fetchNextPage()} />
            ) : null}
          </>
        );
      }}
    </Loaded>
  );
}

function Tagged({ platform, account }: { platform: string; account: string }) {
  return <PostsWithList query={usePostsWith(platform, "tagged", account)} label="Posts that tag this account" />;
}

type Direction = "followers" | "following";

function FollowList({ platform, account, direction }: { platform: string; account: string; direction: Direction }) {
  const query = useInfiniteQuery(followsQuery({ platform, account, direction }));
  return (
    <Loaded query={query} rows={6}>
      {({ pages }) => {
        const accounts = pages.flatMap((page) => page.accounts);
        const [first] = pages;
        const one = direction === "followers" ? "follower" : "followed account";
        if (first === undefined || accounts.length === 0)
          return (
            <Empty icon="people" title={`No ${one}s are stored`}>
              <PlatformCount of={first} one={one} />
            </Empty>
          );
        return (
          <>
            <p className="muted count-line">{formatStoredOf(first, one)}, newest first</p>
            <VirtualRows
              items={accounts}
              estimate={52}
              keyOf={({ id, name }, index) => `${id ?? name ?? ""}/${index}`}
              label={direction}
              pager={query}
              render={({ id, name, display_name: shown, since }) => (
                <div className="person-row">
                  <Avatar name={shown ?? name} platform={platform} />
                  <span>
                    {name === null && id === null ? (
                      <Words>{shown}</Words>
                    ) : (
                      <Link to="/explore/$platform/account/$id" params={{ platform, id: name ?? id ?? "" }} dir="auto">
                        {shown ?? name ?? id}
                      </Link>
                    )}
                    {name === null ? null : (
                      <small className="muted" dir="auto">
                        {" "}
                        @{name}
                      </small>
                    )}
                  </span>
                  {since === null ? null : (
                    <small className="muted">
                      since <Age when={since} />
                    </small>
                  )}
                </div>
              )}
            />
          </>
        );
      }}
    </Loaded>
  );
}
