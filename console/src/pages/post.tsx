/** A post or video: everything known of it, its comments, what is spoken in it, its counters and ranks over time. */
import { type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, Suspense, useState } from "react";
import { api, type Post as PostResponse } from "../api/client.ts";
import { commentsQuery, ranksQuery, subtitlesQuery } from "../api/queries.ts";
import { Page } from "../layout/page.tsx";
import { CopyAs, type CopyAsProps, historyAsData, listAsCsv } from "../ui/copy-as.tsx";
import {
  countryName,
  formatDuration,
  formatExact,
  formatPublished,
  formatStored,
  formatStoredOf,
  languageName,
} from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { JsonView } from "../ui/json-view.tsx";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { Avatar, mediaUrl, Picture } from "../ui/media.tsx";
import { platformLabel, toItems } from "../ui/platforms.ts";
import { Cover, coverOf, type PostSummary, postRow, shapeOf } from "../ui/post-card.tsx";
import { ScrollBox } from "../ui/scroll-box.tsx";
import { Empty, isNotFound, Loaded, Loading, PlatformCount } from "../ui/states.tsx";
import { OWN_CURRENT, Tabs } from "../ui/tabs.tsx";
import { Age, Counters, PlatformTag, PublishedAge, Unknown } from "../ui/values.tsx";
import { VirtualRows } from "../ui/virtual-rows.tsx";
import { SubtitleLines } from "./subtitle-lines.tsx";

const CounterHistory = lazyComponent(async () => (await import("../ui/counter-history.tsx")).CounterHistory);
const ChartRanks = lazyComponent(async () => (await import("../ui/chart-ranks.tsx")).ChartRanks);

const route = getRouteApi("/explore/$platform/post/$id");
const PAGE = 50;

export function Post() {
  const { platform, id } = route.useParams();
  const { tab = "comments", lang, comment, ...search } = route.useSearch();
  const sort = search.sort === "top" ? "top" : "newest";
  const client = useQueryClient();
  const comments = useComments(platform, id, sort);
  const first = comments.data?.pages[0];
  if (isNotFound(comments.error))
    return (
      <Page title={`Post ${id}`}>
        <Empty icon="film" title="This post is not stored">
          <p>
            No capture of {platformLabel(platform)} in this store has it. <Link to="/explore">Search</Link>
          </p>
        </Empty>
      </Page>
    );
  if (first === undefined)
    return (
      <Page title={`Post ${id}`}>
        <Loaded query={comments} rows={6}>
          {() => null}
        </Loaded>
      </Page>
    );
  const { post, author } = first;
  const title = (post.title ?? post.text ?? "").slice(0, 80) || `Post ${id}`;
  const commentsTab = { id: "comments", label: "Comments", count: formatStored(first) };
  if (!isStored(post))
    return (
      <Page
        title={title}
        heading={
          <p className="card-meta">
            <PlatformTag platform={platform} />
          </p>
        }
        actions={<CopyAs {...postAsData(client, { platform, id, sort })} />}
      >
        <h1>{title}</h1>
        <p className="muted">Only comments on this post are stored; everything else about it is unknown.</p>
        <Tabs tabs={[commentsTab]} current="comments" label="Of this post" />
        {comment === undefined ? null : <FoundComment key={comment} platform={platform} post={id} comment={comment} />}
        <Comments query={comments} platform={platform} id={id} sort={sort} />
      </Page>
    );
  const tabs = [
    commentsTab,
    { id: "subtitles", label: "Spoken words" },
    { id: "history", label: "Over time" },
    ...(platform === "longvideo" ? [{ id: "ranks", label: "Ranks" }] : []),
    { id: "fields", label: "All fields" },
  ];
  return (
    <Page
      title={title}
      heading={
        <div className="card-meta">
          <PlatformTag platform={platform} />
          {author === null ? null : <AuthorLink platform={platform} author={author} />}
          <PublishedAge of={post} />
        </div>
      }
      actions={
        <CopyAs {...(tabAsData(client, tab, { platform, id, lang }) ?? postAsData(client, { platform, id, sort }))} />
      }
    >
      <div className="post-head" data-platform={platform}>
        <Media post={post} />
        <div>
          <h1 dir="auto">{post.title ?? <span className="visually-hidden">{title}</span>}</h1>
          {post.text === null || post.text === "" ? null : (
            <p className="caption" dir="auto">
              {post.text}
            </p>
          )}
          <Counters items={toItems(["views", "likes", "comments", "shares", "saves"], post.counters)} />
          <Traits post={post} />
        </div>
      </div>
      <Tabs tabs={tabs} current={tab} label="Of this post" />
      {tab === "comments" && comment !== undefined ? (
        <FoundComment key={comment} platform={platform} post={id} comment={comment} />
      ) : null}
      {tab === "comments" ? <Comments query={comments} platform={platform} id={id} sort={sort} /> : null}
      {tab === "subtitles" ? <SubtitleLines platform={platform} id={id} /> : null}
      <Suspense fallback={<Loading rows={3} />}>
        {tab === "history" ? (
          <CounterHistory
            platform={platform}
            kind="post"
            id={id}
            names={["views", "likes", "comments", "shares", "saves"]}
          />
        ) : null}
        {tab === "ranks" ? <ChartRanks platform={platform} id={id} /> : null}
      </Suspense>
      {tab === "fields" ? <Fields response={first} platform={platform} id={id} /> : null}
    </Page>
  );
}

/** Every stored post has the format that it was captured with. */
const isStored = ({ source }: { source: string | null }) => source !== null;

/** What the open tab shows; null if that is the post with its comments. */
function tabAsData(
  client: QueryClient,
  tab: string,
  { platform, id, lang }: { platform: string; id: string; lang: string | undefined },
): CopyAsProps | null {
  if (tab === "history") return historyAsData(client, { platform, kind: "post", id });
  if (tab === "ranks") {
    const rows = () => client.getQueryData(ranksQuery({ platform, id }).queryKey)?.ranks ?? [];
    const request = { path: "/api/charts/history", parameters: { platform, video_id: id } };
    return { request, csv: { name: `ranks of ${id}`, rows } };
  }
  if (tab === "subtitles") {
    const parameters = { platform, id, lang };
    const rows = () => client.getQueryData(subtitlesQuery(parameters).queryKey)?.lines ?? [];
    return { request: { path: "/api/subtitles", parameters }, csv: { name: `subtitles of ${id}`, rows } };
  }
  return null;
}

function postAsData(
  client: QueryClient,
  { platform, id, sort }: { platform: string; id: string; sort: "newest" | "top" },
): CopyAsProps {
  const csv = listAsCsv(client, `post ${id}`, commentsQuery({ platform, id, sort }), (pages) => [
    ...pages.slice(0, 1).map(({ post, author }) => ({ kind: "post", ...postRow(post, author) })),
    ...pages
      .flatMap((page) => page.comments)
      .map(({ counters, ...comment }) => ({ kind: "comment", ...comment, ...counters })),
  ]);
  return { request: { path: "/api/post", parameters: { platform, id, sort } }, csv };
}

type Author = NonNullable<PostResponse["author"]>;

function AuthorLink({ platform, author }: { platform: string; author: Author }) {
  const name = author.display_name ?? author.name ?? author.id ?? "";
  return (
    <Link
      to="/explore/$platform/account/$id"
      params={{ platform, id: author.name ?? author.id ?? "" }}
      className="author"
    >
      <Avatar name={name} platform={platform} />
      <span dir="auto">{name}</span>
      {author.verified === true ? <Icon name="verified" /> : null}
    </Link>
  );
}

/** The video if it may be loaded, otherwise its cover or what stands in for it. */
function Media({ post }: { post: PostSummary }) {
  const [failed, setFailed] = useState(false);
  const video = mediaUrl(post.media.find(({ kind }) => kind === "video")?.url);
  const pictures = post.media.filter(({ kind }) => kind === "image");
  const shape = shapeOf(post.platform);
  if (video !== null && !failed)
    return (
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- subtitles are in the tab beside the video
      <video
        id="post-video"
        className="picture"
        data-shape={shape}
        src={video}
        poster={mediaUrl(coverOf(post)) ?? undefined}
        controls
        preload="none"
        onError={() => setFailed(true)}
      />
    );
  if (pictures.length > 1)
    return (
      <ScrollBox className="album" label={`Album of ${pictures.length} pictures`}>
        <ul>
          {pictures.map(({ url }, index) => (
            <li key={url}>
              <Picture url={url} shape={shape} platform={post.platform} alt={`Picture ${index + 1}`} />
            </li>
          ))}
        </ul>
      </ScrollBox>
    );
  return (
    <div className="post-media">
      <Cover post={post} />
      {post.duration_s === null ? null : <span className="duration">{formatDuration(post.duration_s)}</span>}
    </div>
  );
}

function Traits({ post }: { post: PostSummary }) {
  const { platform, hashtags, sound_id: sound, place_id: place } = post;
  return (
    <>
      {hashtags.length === 0 ? null : (
        <ul className="tags">
          {hashtags.map((tag) => (
            <li key={tag}>
              <Link to="/explore/$platform/hashtag/$name" params={{ platform, name: tag }} dir="auto">
                #{tag}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <dl className="traits">
        <Trait name="Published">{formatPublished(post)}</Trait>
        <Trait name="Length">{formatDuration(post.duration_s)}</Trait>
        {post.language === null ? null : <Trait name="Language">{languageName(post.language)}</Trait>}
        {post.country === null ? null : <Trait name="Country">{countryName(post.country)}</Trait>}
        {post.category === null ? null : <Trait name="Category">{post.category}</Trait>}
        {sound === null ? null : (
          <Trait name="Sound">
            <TraitLink platform={platform} trait="sound" id={sound} />
          </Trait>
        )}
        {place === null ? null : (
          <Trait name="Place">
            <TraitLink platform={platform} trait="place" id={place} />
          </Trait>
        )}
        <Trait name="Captured">
          <Age when={post.captured_at} /> with <span dir="auto">{post.source}</span>
        </Trait>
      </dl>
    </>
  );
}

function Trait({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}

/** What the post has in common with others, by its name. */
function TraitLink({ platform, trait, id }: { platform: string; trait: "sound" | "place"; id: string }) {
  const { data } = useQuery({
    queryKey: ["trait", platform, trait, id],
    queryFn: ({ signal }) => api.postsWith({ platform, trait, id, limit: 1, fields: "name" }, { signal }),
  });
  return (
    <Link to={`/explore/$platform/${trait}/$id`} params={{ platform, id }} dir="auto">
      {data?.name ?? id}
    </Link>
  );
}

function useComments(platform: string, id: string, sort: "newest" | "top") {
  return useInfiniteQuery({
    ...commentsQuery({ platform, id, sort }),
    // The post stays while its comments come in the other order.
    placeholderData: (previous, query) =>
      query?.queryKey[1] === platform && query.queryKey[2] === id ? previous : undefined,
  });
}

interface CommentsProps {
  query: ReturnType<typeof useComments>;
  platform: string;
  id: string;
  sort: string;
}

function Comments({ query, platform, id, sort }: CommentsProps) {
  const comments = query.data?.pages.flatMap((page) => page.comments) ?? [];
  const first = query.data?.pages[0];
  if (first === undefined || comments.length === 0)
    return (
      <Empty icon="comment" title="No comments are stored">
        <PlatformCount of={first} one="comment" />
      </Empty>
    );
  return (
    <>
      <p className="muted count-line">{formatStoredOf(first, "comment")}, replies included</p>
      <p className="sort-line">
        Sorted by{" "}
        {(["newest", "top"] as const).map((order) => (
          <Link
            key={order}
            to="."
            search={{ sort: order === "newest" ? undefined : order } as never}
            replace
            resetScroll={false}
            activeOptions={OWN_CURRENT}
            aria-current={sort === order ? "true" : undefined}
          >
            {order === "newest" ? "newest" : "most liked"}
          </Link>
        ))}
      </p>
      <VirtualRows
        items={comments}
        estimate={84}
        keyOf={({ id: commentId }) => commentId}
        label="Comments"
        pager={query}
        render={(comment) => <CommentRow comment={comment} platform={platform} post={id} />}
      />
    </>
  );
}

/** Channels known by their title have a displayed name only. */
type Comment = PostResponse["comments"][number] & { author_display_name?: string | null };

function useComment(platform: string, post: string, comment: string | null | undefined) {
  return useQuery({
    queryKey: ["comment", platform, post, comment],
    enabled: comment != null,
    queryFn: async ({ signal }): Promise<Comment | null> =>
      (await api.post({ platform, id: post, comment: comment ?? "" }, { signal })).comments[0] ?? null,
  });
}

/** The one that a search has led to: it may be far down the list, or a reply. */
function FoundComment({ platform, post, comment }: { platform: string; post: string; comment: string }) {
  const query = useComment(platform, post, comment);
  const parent = useComment(platform, post, query.data?.parent_id);
  return (
    <section className="card found-comment" aria-label="The comment that was found">
      <Loaded query={query} rows={1}>
        {(found) => {
          if (found === null) return <p className="muted">This comment is not stored.</p>;
          if (parent.data == null) return <CommentRow comment={found} platform={platform} post={post} />;
          return (
            <>
              <CommentRow comment={parent.data} platform={platform} post={post} />
              <ul className="replies">
                <li>
                  <Reply comment={found} platform={platform} />
                </li>
              </ul>
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

function CommentRow({ comment, platform, post }: { comment: Comment; platform: string; post: string }) {
  const [isOpen, setOpen] = useState(false);
  const replies = comment.counters.replies ?? null;
  return (
    <article className="comment">
      <CommentHead comment={comment} platform={platform} />
      <p dir="auto">{comment.text ?? <Unknown />}</p>
      <div className="comment-foot">
        <Counters items={toItems(["likes"], comment.counters)} />
        {replies === 0 ? null : (
          <button type="button" className="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? "Hide replies" : repliesText(replies)}
          </button>
        )}
      </div>
      {isOpen ? <Replies platform={platform} post={post} comment={comment.id} /> : null}
    </article>
  );
}

function repliesText(count: number | null): string {
  return count === null ? "Replies" : `${formatExact(count)} ${count === 1 ? "reply" : "replies"}`;
}

function CommentHead({ comment, platform }: { comment: Comment; platform: string }) {
  const { author_id: id, author_name: name, author_display_name: displayName } = comment;
  return (
    <p className="card-meta">
      {name === null && id === null ? (
        <span className="muted">Unknown author</span>
      ) : (
        <Link to="/explore/$platform/account/$id" params={{ platform, id: name ?? id ?? "" }} dir="auto">
          {name ?? displayName ?? id}
        </Link>
      )}
      <PublishedAge of={comment} />
    </p>
  );
}

function Reply({ comment, platform }: { comment: Comment; platform: string }) {
  return (
    <>
      <CommentHead comment={comment} platform={platform} />
      <p dir="auto">{comment.text ?? <Unknown />}</p>
    </>
  );
}

function Replies({ platform, post, comment }: { platform: string; post: string; comment: string }) {
  const query = useQuery({
    queryKey: ["replies", platform, post, comment],
    queryFn: ({ signal }) => api.post({ platform, id: post, replies_to: comment, limit: PAGE }, { signal }),
  });
  return (
    <Loaded query={query} rows={1}>
      {({ comments, continuation_token: next }) =>
        comments.length === 0 ? (
          <p className="muted">No replies are stored.</p>
        ) : (
          <ul className="replies">
            {comments.map((reply) => (
              <li key={reply.id}>
                <Reply comment={reply} platform={platform} />
              </li>
            ))}
            {next === "" ? null : <li className="muted">The first {comments.length} are shown.</li>}
          </ul>
        )
      }
    </Loaded>
  );
}

/** In our words, and in the platform's own. */
function Fields({ response, platform, id }: { response: PostResponse; platform: string; id: string }) {
  const native = useQuery({
    queryKey: ["native", platform, id],
    enabled: platform !== "photoshare",
    queryFn: ({ signal }): Promise<unknown> =>
      platform === "shortvideo"
        ? api.shortvideo.postDetail({ videoId: id }, { signal })
        : api.longvideo.videoDetails({ video_id: id }, { signal }),
  });
  const { comments: _comments, continuation_token: _next, ...fields } = response;
  return (
    <div className="two-columns">
      <section>
        <h2>In one shape for all platforms</h2>
        <JsonView value={fields} label="The post as JSON" />
      </section>
      {platform === "photoshare" ? null : (
        <section>
          <h2>As {platformLabel(platform)} has it</h2>
          <Loaded query={native} rows={4}>
            {(value) => <JsonView value={value} label="The post in the platform's shape" />}
          </Loaded>
        </section>
      )}
    </div>
  );
}
