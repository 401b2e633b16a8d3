/** Stickers, GIFs and pictures are comments without text: every format stores them with an empty one. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startImportedServer } from "./import-fixtures.ts";
import { temporaryFolder } from "./test-server.ts";

const CODE = "C4iLtETgARX";
const POST = "3324270950463046743";
const VIDEO = "7411000000000000131";
const WATCHED = "reedBeds41A";

interface Format {
  platform: string;
  post: string;
  file: string;
  content: unknown;
}

const FORMATS: Record<string, Format> = {
  "Apify, Instagram": {
    platform: "photoshare",
    post: POST,
    file: "apify.json",
    content: [
      {
        id: "18001",
        postUrl: `https://www.instagram.com/p/${CODE}/`,
        text: "",
        ownerUsername: "mira.holm",
        timestamp: "2024-06-17T10:00:00.000Z",
      },
    ],
  },
  "Bright Data, Instagram": {
    platform: "photoshare",
    post: POST,
    file: "bright-data.csv",
    content: `post_url,comment_user,comment_id,comment,comment_date,likes_number\nhttps://www.instagram.com/p/${CODE}/,mira.holm,18001,,2024-06-17T10:00:00.000Z,3`,
  },
  "Instagram's items": {
    platform: "photoshare",
    post: POST,
    file: "items.json",
    content: {
      comments: [
        { pk: "18001", media_id: POST, comment_like_count: 2, text: null, user: { pk: "5501", username: "mira.holm" } },
      ],
    },
  },
  "Instagram's graph": {
    platform: "photoshare",
    post: POST,
    file: "graph.json",
    content: {
      data: {
        shortcode_media: {
          __typename: "GraphImage",
          id: POST,
          shortcode: CODE,
          taken_at_timestamp: 1_710_500_000,
          edge_media_to_comment: {
            count: 1,
            edges: [{ node: { id: "18001", text: null, created_at: 1_710_600_000, owner: { username: "mira.holm" } } }],
          },
        },
      },
    },
  },
  "4CAT, Instagram": {
    platform: "photoshare",
    post: POST,
    file: "4cat.csv",
    content: `id,thread_id,parent_id,body,author,num_likes,num_comments,type,usertags,mentioned,subject,timestamp\n18001,${CODE},${CODE},,mira.holm,3,0,comment,,,,2020-06-17 10:00:00`,
  },
  "Apify, TikTok": {
    platform: "shortvideo",
    post: VIDEO,
    file: "apify.json",
    content: [
      { cid: "7411000000000000991", videoWebUrl: `https://www.tiktok.com/@mira/video/${VIDEO}`, uniqueId: "mira" },
    ],
  },
  "Bright Data, TikTok": {
    platform: "shortvideo",
    post: VIDEO,
    file: "bright-data.csv",
    content: `url,post_url,post_id,comment_id,comment_text,commenter_id,date_created\nhttps://www.tiktok.com/@mira/video/${VIDEO},https://www.tiktok.com/@mira/video/${VIDEO},${VIDEO},7411000000000000991,,6801000000000000001,2024-06-17T10:00:00.000Z`,
  },
  "TikTok's own": {
    platform: "shortvideo",
    post: VIDEO,
    file: "comments.json",
    content: { comments: [{ cid: "7411000000000000991", aweme_id: VIDEO, create_time: 1_718_600_000, user: {} }] },
  },
  "YouTube Data Tools": {
    platform: "longvideo",
    post: WATCHED,
    file: `videoinfo_${WATCHED}_2024_comments.csv`,
    content: `id,replyCount,likeCount,publishedAt,authorName,text,authorChannelId,isReply,isReplyTo\nUgxSticker0000000001,0,3,2024-06-17 10:00:00,Mira Holm,"",UCmarshAndMereReeds00001,0,`,
  },
  "a table of YouTube's": {
    platform: "longvideo",
    post: WATCHED,
    file: "table.csv",
    content: `comment_id,video_id,text,author,like_count\nUgxSticker0000000001,${WATCHED},"",Mira Holm,3`,
  },
};

const POSTS: Record<string, unknown> = {
  photoshare: { __typename: "GraphImage", id: POST, shortcode: CODE, taken_at_timestamp: 1_710_500_000 },
  shortvideo: {
    id: VIDEO,
    text: "Three lamps",
    playCount: 9,
    webVideoUrl: `https://www.tiktok.com/@mira/video/${VIDEO}`,
    authorMeta: { name: "mira" },
  },
  longvideo: { video_id: WATCHED, title: "Cutting reed", channel: "Marsh & Mere", views: 5 },
};

for (const [name, { platform, post, file, content }] of Object.entries(FORMATS)) {
  test(`a comment without text: ${name}`, async () => {
    const folder = temporaryFolder();
    const write = (fileName: string, value: unknown) => {
      writeFileSync(join(folder.path, fileName), typeof value === "string" ? value : JSON.stringify(value));
      return join(folder.path, fileName);
    };
    const { server, report } = await startImportedServer([write("post.json", POSTS[platform]), write(file, content)]);
    try {
      assert.deepEqual([report.total.records.comment?.new, report.total.refused], [1, {}]);
      const path = `/api/post?platform=${platform}&id=${post}`;
      const { comments } = await server.json<{ comments: { text: string | null }[] }>(path);
      assert.deepEqual(
        comments.map(({ text }) => text),
        [""],
      );
    } finally {
      await server.close();
      folder.remove();
    }
  });
}
