/** A post as a card: cover, caption, author, counts, sound, tags and place, as its platform's people expect it. */
import { Link } from "@tanstack/react-router";
import type { Post, Posts } from "../api/client.ts";
import { formatDuration } from "./format.ts";
import { Icon } from "./icons.tsx";
import { Picture } from "./media.tsx";
import { postCounters } from "./platforms.ts";
import { Counters, PlatformTag, PublishedAge, Words } from "./values.tsx";

export type PostSummary = Posts["posts"][number];
type Author = Post["author"];

/** The first picture; that of a video is its cover. */
export const coverOf = ({ media }: Pick<PostSummary, "media">): string | null =>
  media.find(({ kind }) => kind === "image")?.url ?? null;

export const shapeOf = (platform: string) =>
  platform === "shortvideo" ? "portrait" : platform === "longvideo" ? "landscape" : "square";

export function Cover({ post }: { post: PostSummary }) {
  const { platform } = post;
  const icon = platform === "photoshare" ? "image" : "film";
  return <Picture url={coverOf(post)} shape={shapeOf(platform)} platform={platform} icon={icon} />;
}

const SHOWN_TAGS = 6;

/** `note` stands beside the platform. */
export function PostCard({ post, author, note }: { post: PostSummary; author: Author; note?: string | undefined }) {
  const { platform, id, title, text, hashtags, sound_id: sound, place_id: place } = post;
  const name = author?.display_name ?? author?.name ?? null;
  return (
    <article className="card post-card" data-platform={platform}>
      <Link
        to="/explore/$platform/post/$id"
        params={{ platform, id }}
        className="cover"
        tabIndex={-1}
        aria-hidden="true"
      >
        <Cover post={post} />
        {post.duration_s === null ? null : <span className="duration">{formatDuration(post.duration_s)}</span>}
      </Link>
      <div className="card-body">
        <p className="card-meta">
          <PlatformTag platform={platform} />
          {author === null ? null : (
            <Link
              to="/explore/$platform/account/$id"
              params={{ platform, id: author.name ?? author.id ?? "" }}
              dir="auto"
            >
              {name}
            </Link>
          )}
          <PublishedAge of={post} />
          {note === undefined ? null : <span>{note}</span>}
        </p>
        <h3>
          <Link to="/explore/$platform/post/$id" params={{ platform, id }}>
            <Words className="clamp-2">{title ?? text ?? `Post ${id}`}</Words>
          </Link>
        </h3>
        {title === null || text === null || text === "" ? null : (
          <p className="clamp-2 muted" dir="auto">
            {text}
          </p>
        )}
        <div className="card-foot">
          <Counters items={postCounters(platform, post.counters)} />
          <ul className="tags">
            {hashtags.slice(0, SHOWN_TAGS).map((tag) => (
              <li key={tag}>
                <Link to="/explore/$platform/hashtag/$name" params={{ platform, name: tag }} dir="auto">
                  #{tag}
                </Link>
              </li>
            ))}
            {sound === null ? null : (
              <li>
                <Link to="/explore/$platform/sound/$id" params={{ platform, id: sound }}>
                  <Icon name="sound" /> Sound
                </Link>
              </li>
            )}
            {place === null ? null : (
              <li>
                <Link to="/explore/$platform/place/$id" params={{ platform, id: place }}>
                  <Icon name="place" /> Place
                </Link>
              </li>
            )}
          </ul>
        </div>
      </div>
    </article>
  );
}

/** A post among many of the same account: the cover says most. */
export function PostTile({ post }: { post: PostSummary }) {
  const { platform, id, title, text } = post;
  return (
    <Link to="/explore/$platform/post/$id" params={{ platform, id }} className="tile" data-platform={platform}>
      <Cover post={post} />
      <Words className="clamp-2">{title ?? text ?? `Post ${id}`}</Words>
      <Counters items={postCounters(platform, post.counters).slice(0, 2)} />
      <small>
        <PublishedAge of={post} />
      </small>
    </Link>
  );
}

export function postRow({ media: _media, counters, ...fields }: PostSummary, author: Author) {
  return { ...fields, author_name: author?.name, author_display_name: author?.display_name, ...counters };
}
