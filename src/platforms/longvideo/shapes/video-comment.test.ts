import assert from "node:assert/strict";
import { test } from "node:test";
import { blankRecord } from "#domain/blank-record.ts";
import type { Comment } from "#domain/comment.ts";
import type { NativeComment } from "../native.ts";
import { toVideoComment } from "./video-comment.ts";

const NOW = Date.UTC(2026, 10, 15, 12) / 1000;

const PICTURE = { url: "https://media.example/wren.jpg", width: 88, height: 87 };

const OWLS: Comment<NativeComment> = {
  ...blankRecord("comment"),
  id: "UgzOwl0001",
  postId: "barnOwls10o",
  parentId: "UgzOwl0000",
  authorId: "UCwrenCastellBirds000001",
  text: "So quiet",
  publishedAt: NOW - 3 * 86_400,
  counters: { likes: 1234, replies: 5 },
  native: { authorName: "Wren Castell", authorThumbnails: [PICTURE, { width: 48 }] },
  capturedAt: NOW * 1000,
  source: "test",
};

test("a comment has its author, formatted likes and age, and its replies in digits", () => {
  assert.deepEqual(toVideoComment(OWLS, NOW, "en"), {
    id: "UgzOwl0001",
    author_name: "Wren Castell",
    author_channel_id: "UCwrenCastellBirds000001",
    like_count: "1.2K",
    published_time: "3 days ago",
    text: "So quiet",
    number_of_replies: "5",
    thumbnails: [PICTURE],
  });
});

test("a comment keeps its author's channel id when a later capture has only the handle", () => {
  const native = { ...OWLS.native, authorChannelId: "UCwrenCastellBirds000002" };
  const channelId = (more: Partial<Comment<NativeComment>>) =>
    toVideoComment({ ...OWLS, authorId: "@wren", ...more }, NOW, "en")?.author_channel_id;
  assert.equal(channelId({ native }), "UCwrenCastellBirds000002");
  assert.equal(channelId({}), null);
});
