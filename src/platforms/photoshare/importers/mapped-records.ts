/** What a table of posts, accounts, comments or hashtags can say, read as Instagram's own objects are. */
import type { ImportSupport } from "#api/platform.ts";
import { withoutMargin } from "#import/capture/estimates.ts";
import { omitUnknown, readId } from "#import/capture/field-readers.ts";
import { ACCOUNT_FIELDS, COMMENT_FIELDS, defineMappable, POST_FIELDS } from "#import/capture/mapped-record.ts";
import { parseProfileName } from "../profile-url.ts";
import { collectPost } from "../recognise/captured-post.ts";
import { type CapturedUser, collectUser, readUser } from "../recognise/captured-user.ts";
import { codeInUrl, postIdFromCode } from "../recognise/enclosing-context.ts";
import { readHashtagName } from "../recognise/hashtags.ts";
import { toSingleMedia } from "../recognise/media-parts.ts";
import { profileProjection } from "../shapes/profile.ts";
import { userPostProjection } from "../shapes/user-post.ts";

/** A name, `@name` or the URL of a profile. */
function toName(text: string | undefined): string | undefined {
  const profile = parseProfileName(text ?? "");
  return "name" in profile ? profile.name : undefined;
}

function toUser(record: {
  author_id?: string;
  author_name?: string;
  author_display_name?: string;
}): CapturedUser | undefined {
  const { author_id: pk, author_display_name: full_name } = record;
  return readUser({ pk, username: toName(record.author_name), full_name });
}

const post = defineMappable({
  fields: [...POST_FIELDS, "code", "hashtags", "video"],
  idFields: ["id", "code", "url"],
  projection: userPostProjection,
  collect(record, collect) {
    const code = record.code ?? codeInUrl(record.url) ?? codeInUrl(record.id);
    const { views, likes, comments, picture, video } = record;
    collectPost(
      {
        id: postIdFromCode(code) ?? readId(record.id),
        author: toUser(record),
        publishedAt: withoutMargin(record.published_at),
        title: record.title,
        text: record.text,
        hashtags: record.hashtags?.flatMap((name) => readHashtagName(name) ?? []),
        durationS: record.duration_s,
        counters: omitUnknown({ views, likes, comments }),
        native: omitUnknown({
          ...toSingleMedia(picture, video),
          media_type: video === undefined ? undefined : 2,
          code,
        }),
      },
      collect,
    );
  },
});

const account = defineMappable({
  fields: [...ACCOUNT_FIELDS, "private", "category", "following", "url"],
  idFields: ["id", "name"],
  projection: profileProjection,
  collect(record, collect) {
    const user = readUser({
      pk: record.id,
      username: toName(record.name),
      full_name: record.display_name,
      biography: record.bio,
      is_verified: record.verified,
      is_private: record.private,
      category: record.category,
      follower_count: record.followers,
      following_count: record.following,
      media_count: record.posts,
      profile_pic_url: record.picture,
      external_url: record.url,
    });
    if (user === undefined) collect.refuse("account_without_id");
    else collectUser(user, collect);
  },
});

const comment = defineMappable({
  fields: COMMENT_FIELDS,
  idFields: ["id"],
  collect(record, collect) {
    const id = readId(record.id);
    const postId = readId(record.post_id) ?? postIdFromCode(codeInUrl(record.post_id) ?? record.post_id);
    if (id === undefined) return collect.refuse("comment_without_id");
    if (postId === undefined) return collect.refuse("comment_without_post");
    const author = toUser(record);
    const { text, likes, replies } = record;
    collect.comment({
      id,
      postId,
      parentId: readId(record.parent_id),
      authorId: author === undefined ? undefined : collectUser(author, collect),
      text,
      publishedAt: withoutMargin(record.published_at),
      counters: omitUnknown({ likes, replies }),
    });
  },
});

const hashtag = defineMappable({
  fields: ["name", "platform_id", "posts"],
  idFields: ["name"],
  collect({ name: written, platform_id: id, posts }, collect) {
    const name = readHashtagName(written);
    if (name === undefined) collect.refuse("hashtag_without_name");
    else collect.hashtag({ name, id: readId(id) ?? null, counters: omitUnknown({ posts }) });
  },
});

export const MAPPABLE: ImportSupport["mappable"] = { post, account, comment, hashtag };
