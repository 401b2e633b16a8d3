import type { Post } from "#domain/post.ts";

/** The post with every reference to one account replaced by another. */
export function replaceAccount(post: Post, from: string, to: string): Post {
  const authorId = post.authorId === from ? to : post.authorId;
  const taggedIds = [...new Set(post.taggedIds.map((id) => (id === from ? to : id)))];
  return { ...post, authorId, taggedIds };
}
