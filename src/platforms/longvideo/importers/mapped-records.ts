/** What a table of videos, channels or comments can say, collected as every other format is. */
import type { ImportSupport } from "#api/platform.ts";
import { readCountry, readLanguage } from "#import/capture/field-readers.ts";
import { ACCOUNT_FIELDS, COMMENT_FIELDS, defineMappable, POST_FIELDS } from "#import/capture/mapped-record.ts";
import { videoDetailsProjection } from "../shapes/video-record.ts";
import { collectComment } from "./collect-comment.ts";
import { collectChannel, collectVideo } from "./collect-video.ts";
import { channelIdInUrl, readHandle, readPlainId, readVideoId, videoIdInUrl } from "./id-forms.ts";
import { readSingleThumbnail } from "./thumbnails.ts";

/** A handle with or without `@`, or the URL of a channel that ends in it. */
function toHandle(name: string | undefined): string | undefined {
  return name === undefined ? undefined : (readHandle(name) ?? readHandle(`@${name}`));
}

const post = defineMappable({
  fields: [...POST_FIELDS, "language", "category", "keywords"],
  idFields: ["id", "url"],
  projection: videoDetailsProjection,
  collect(record, collect) {
    const { views, likes, comments, text: description, category, title, duration_s: durationS } = record;
    const authorId = channelIdInUrl(record.author_id) ?? readPlainId(record.author_id);
    collectVideo(
      {
        id: videoIdInUrl(record.id) ?? readVideoId(record.id) ?? videoIdInUrl(record.url),
        title,
        description,
        channel: { id: authorId, handle: toHandle(record.author_name), title: record.author_display_name },
        publishedAt: record.published_at,
        language: readLanguage(record.language),
        category,
        durationS,
        counters: { views, likes, comments },
        native: { keywords: record.keywords, thumbnails: readSingleThumbnail(record.picture) },
      },
      collect,
    );
  },
});

const account = defineMappable({
  fields: [...ACCOUNT_FIELDS, "language", "country", "created_at"],
  idFields: ["id", "name"],
  collect(record, collect) {
    const { display_name: title, bio, verified, created_at: createdAt, followers, posts: videos } = record;
    const id = collectChannel(
      {
        id: channelIdInUrl(record.id) ?? readPlainId(record.id),
        handle: toHandle(record.name),
        title,
        bio,
        verified,
        country: readCountry(record.country),
        language: readLanguage(record.language),
        createdAt,
        followers,
        videos,
        thumbnails: readSingleThumbnail(record.picture),
      },
      collect,
    );
    if (id === undefined) collect.refuse("account_without_id");
  },
});

const comment = defineMappable({
  fields: [...COMMENT_FIELDS, "picture"],
  idFields: ["id"],
  collect(record, collect) {
    const id = readPlainId(record.id);
    const videoId = videoIdInUrl(record.post_id) ?? readVideoId(record.post_id);
    if (id === undefined) return collect.refuse("comment_without_id");
    if (videoId === undefined) return collect.refuse("comment_without_post");
    collect.post({ id: videoId });
    const { text, likes, replies, author_display_name: authorName, published_at: publishedAt } = record;
    collectComment(
      {
        id,
        videoId,
        parentId: readPlainId(record.parent_id),
        text,
        publishedAt,
        likes,
        replies,
        authorName,
        authorHandle: toHandle(record.author_name),
        authorChannelId: channelIdInUrl(record.author_id) ?? readPlainId(record.author_id),
        authorThumbnails: readSingleThumbnail(record.picture),
      },
      collect,
    );
  },
});

export const MAPPABLE: ImportSupport["mappable"] = { post, account, comment };
