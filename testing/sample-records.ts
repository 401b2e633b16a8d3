/** For tests: records with only the fields a test sets. */
import type { Account } from "#domain/account.ts";
import { blankRecord } from "#domain/blank-record.ts";
import type { Comment } from "#domain/comment.ts";
import type { Post } from "#domain/post.ts";

export const NOW = Date.parse("2026-11-15T12:00:00Z");
export const SECOND = Math.floor(NOW / 1000);
export const PLATFORM = "shortvideo";

export function account(id: string, fields: Partial<Account> = {}): Account {
  return {
    ...blankRecord("account"),
    id,
    name: `name.${id}`,
    native: {},
    capturedAt: NOW,
    source: "test",
    ...fields,
  };
}

export function post(id: string, fields: Partial<Post> = {}): Post {
  return {
    ...blankRecord("post"),
    id,
    authorId: "1",
    publishedAt: SECOND,
    native: {},
    capturedAt: NOW,
    source: "test",
    ...fields,
  };
}

export function comment(id: string, fields: Partial<Comment> = {}): Comment {
  return {
    ...blankRecord("comment"),
    id,
    postId: "p1",
    authorId: "1",
    publishedAt: SECOND,
    native: {},
    capturedAt: NOW,
    source: "test",
    ...fields,
  };
}
