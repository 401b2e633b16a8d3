/** For tests of stores: records of which nothing is known but what a test says. */
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import type { Post } from "#domain/post.ts";

export const NOW = Date.parse("2026-11-15T12:00:00Z");
export const SECOND = Math.floor(NOW / 1000);
export const PLATFORM = "shortvideo";

export function account(id: string, more: Partial<Account> = {}): Account {
  return {
    id,
    name: `name.${id}`,
    displayName: null,
    bio: null,
    verified: null,
    private: null,
    createdAt: null,
    language: null,
    country: null,
    counters: {},
    native: {},
    capturedAt: NOW,
    source: "test",
    ...more,
  };
}

export function post(id: string, more: Partial<Post> = {}): Post {
  return {
    id,
    authorId: "1",
    publishedAt: SECOND,
    title: null,
    text: null,
    language: null,
    country: null,
    hashtags: [],
    soundId: null,
    taggedIds: [],
    placeId: null,
    durationS: null,
    counters: {},
    native: {},
    capturedAt: NOW,
    source: "test",
    ...more,
  };
}

export function comment(id: string, more: Partial<Comment> = {}): Comment {
  return {
    id,
    postId: "p1",
    parentId: null,
    authorId: "1",
    text: null,
    publishedAt: SECOND,
    counters: {},
    native: {},
    capturedAt: NOW,
    source: "test",
    ...more,
  };
}
