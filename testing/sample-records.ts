/** For tests of stores: records of which nothing is known but what a test says. */
import type { Account } from "#domain/account.ts";
import { blankRecord } from "#domain/blank-record.ts";
import type { Comment } from "#domain/comment.ts";
import type { Post } from "#domain/post.ts";

export const NOW = Date.parse("2026-11-15T12:00:00Z");
export const SECOND = Math.floor(NOW / 1000);
export const PLATFORM = "shortvideo";

export function account(id: string, more: Partial<Account> = {}): Account {
  return {
    ...blankRecord("account"),
    id,
    name: `name.${id}`,
    native: {},
    capturedAt: NOW,
    source: "test",
    ...more,
  };
}

export function post(id: string, more: Partial<Post> = {}): Post {
  return {
    ...blankRecord("post"),
    id,
    authorId: "1",
    publishedAt: SECOND,
    native: {},
    capturedAt: NOW,
    source: "test",
    ...more,
  };
}

export function comment(id: string, more: Partial<Comment> = {}): Comment {
  return {
    ...blankRecord("comment"),
    id,
    postId: "p1",
    authorId: "1",
    publishedAt: SECOND,
    native: {},
    capturedAt: NOW,
    source: "test",
    ...more,
  };
}
