/**
 * Every field of a response comes from the right field of its record. No two fields of these records have the same value;
 * flags are set one at a time.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { withField } from "#api/define-projection.ts";
import type { Account } from "#domain/account.ts";
import { blankRecord } from "#domain/blank-record.ts";
import type { Post } from "#domain/post.ts";
import type { NativePost, NativeUser } from "../native.ts";
import { toHashtagPost } from "./hashtag-post.ts";
import { toProfilePost } from "./profile-post.ts";
import { toTaggedPost } from "./tagged-post.ts";
import { postUserProjection, userPostProjection } from "./user-post.ts";

const CAPTURED = { capturedAt: 1_700_000_000_000, source: "test" };

const url = (name: string) => `https://media.example/${name}.jpg`;

const CANDIDATES = [
  { url: url("wide"), width: 1080, height: 1350 },
  { url: url("narrow"), width: 640, height: 800 },
];

const VERSIONS = [{ width: 720, height: 900, url: "https://media.example/clip.mp4", type: 101 }];

/** What tagged posts show as it was captured. */
const TAGGED = {
  accessibility_caption: "A bowl of soup",
  audience: "besties",
  carousel_media_count: 3,
  display_uri: url("display"),
  carousel_media: [{ pk: "611" }, { pk: "612" }],
  image_versions2: { candidates: CANDIDATES },
  media_cropping_info: { square_crop: 0.5 },
  profile_grid_thumbnail_fitting_style: "UNSET",
  media_overlay_info: { overlay_type: 1 },
  preview: "ACoq",
  product_type: "carousel_container",
  thumbnails: { sprite_height: 2 },
  timeline_pinned_user_ids: ["502"],
  upcoming_event: { id: "18002" },
  media_notes: { items: ["18003"] },
  original_height: 1349,
  original_width: 1079,
};

const THUMBNAILS = [
  { src: url("thumbnail-150"), config_width: 150, config_height: 188 },
  { src: url("thumbnail-240"), config_width: 240, config_height: 300 },
];

const TAGGED_FLAGS = ["like_and_view_counts_disabled", "comments_disabled"];

const CAPTURED_AUTHOR = { pk: "504", username: "noor.then", full_name: "Noor Then", profile_pic_url: url("then") };

function flags(names: readonly string[], set: string): Record<string, boolean> {
  return Object.fromEntries(names.map((name) => [name, name === set]));
}

function anAuthor(set: string): Account<NativeUser> {
  return {
    ...blankRecord("account"),
    ...CAPTURED,
    id: "503",
    name: "noor.now",
    displayName: "Noor Now",
    verified: set === "is_verified",
    private: set !== "is_verified",
    native: { profile_pic_url: url("now"), hd_profile_pic_url_info: { url: url("now-large") } },
  };
}

function aPost(set = ""): Post<NativePost> {
  return {
    ...blankRecord("post"),
    ...CAPTURED,
    id: "601",
    authorId: "503",
    publishedAt: 1_600_000_001,
    title: "Menu",
    text: "Soup of the day",
    counters: { likes: 21, comments: 22, views: 23, shares: 24, saves: 25, reposts: 26 },
    native: {
      ...TAGGED,
      ...flags(TAGGED_FLAGS, set),
      pk: "602",
      code: "Soup_01",
      media_type: 8,
      __typename: "GraphImage",
      caption: { pk: "17901", created_at: 1_600_000_002 },
      user: { ...CAPTURED_AUTHOR, is_verified: set === "is_verified" },
      video_versions: VERSIONS,
      thumbnail_src: url("thumbnail"),
      thumbnail_resources: THUMBNAILS.toReversed(),
    },
  };
}

test("post below a profile", () => {
  assert.deepEqual(toProfilePost(aPost()), {
    code: "Soup_01",
    id: "601_503",
    image_versions2: { candidates: [{ url: url("wide") }, { url: url("narrow") }] },
  });
});

test("post of an account", () => {
  const node = {
    code: "Soup_01",
    pk: "601",
    id: "601_503",
    // Later than the post: its caption was edited.
    caption: { text: "Soup of the day", created_at: 1_600_000_002, pk: "17901" },
    taken_at: 1_600_000_001,
    video_versions: VERSIONS,
    image_versions2: { candidates: CANDIDATES },
    like_count: 21,
    comment_count: 22,
    media_type: 8,
  };
  for (const set of ["is_verified", ""]) {
    const is_verified = set === "is_verified";
    const body = userPostProjection.project(aPost(set));
    assert.deepEqual(body, node);
    assert.deepEqual(withField(body, "user", postUserProjection, anAuthor(set)), {
      ...node,
      user: { pk: "503", username: "noor.now", full_name: "Noor Now", is_verified, profile_pic_url: url("now") },
    });
    assert.deepEqual(userPostProjection.project({ ...aPost(set), coauthorIds: ["505"] }), {
      ...node,
      user: { ...CAPTURED_AUTHOR, is_verified },
    });
  }
});

test("a caption without a time of its own is as old as its post", () => {
  const post = { ...aPost(), native: { ...aPost().native, caption: { pk: "17901" } } };
  assert.equal(userPostProjection.project(post)?.caption?.created_at, 1_600_000_001);
});

test("a photo has no video; whether other posts without one have any is unknown", () => {
  const versions = (native: NativePost) => userPostProjection.project({ ...aPost(), native })?.video_versions;
  assert.deepEqual(versions({ media_type: 1 }), []);
  assert.deepEqual(versions({ __typename: "GraphImage" }), []);
  assert.equal(versions({ media_type: 2 }), null);
  assert.equal(versions({ media_type: 8 }), null);
  assert.equal(versions({}), null);
});

test("tagged post", () => {
  for (const set of TAGGED_FLAGS) {
    assert.deepEqual(toTaggedPost(aPost(set), null), {
      ...TAGGED,
      ...flags(TAGGED_FLAGS, set),
      pk: "601",
      media_type: 8,
      code: "Soup_01",
      id: "601_503",
      caption: { pk: "17901", text: "Soup of the day" },
      user: { pk: "503", username: "noor.then", id: "503" },
      like_count: 21,
      boosted_status: null,
      boost_unavailable_identifier: null,
      boost_unavailable_reason: null,
      comment_count: 22,
      view_count: 23,
      __typename: "XDTMediaDict",
    });
  }
});

test("a tagged post has its author's current name", () => {
  assert.equal(toTaggedPost(aPost(), anAuthor(""))?.user?.username, "noor.now");
  assert.equal(toTaggedPost(aPost(), { ...anAuthor(""), name: null })?.user?.username, "noor.then");
});

test("a tagged post without a number of parts or a size has those of its parts and pictures", () => {
  const { carousel_media, image_versions2 } = TAGGED;
  const shown = toTaggedPost({ ...aPost(), native: { carousel_media, image_versions2 } }, null);
  assert.deepEqual(
    [shown?.carousel_media_count, shown?.original_width, shown?.original_height, shown?.media_type],
    [2, 1080, 1350, 8],
  );
});

test("hashtag post", () => {
  for (const set of ["comments_disabled", ""]) {
    const post = aPost(set);
    const node = {
      comments_disabled: set === "comments_disabled",
      __typename: "GraphSidecar",
      id: "601",
      edge_media_to_caption: { edges: [{ node: { text: "Soup of the day" } }] },
      shortcode: "Soup_01",
      edge_media_to_comment: { count: 22 },
      taken_at_timestamp: 1_600_000_001,
      dimensions: { height: 1349, width: 1079 },
      display_url: url("display"),
      edge_liked_by: { count: 21 },
      edge_media_preview_like: { count: 21 },
      owner: { id: "503" },
      thumbnail_src: url("thumbnail"),
      thumbnail_resources: THUMBNAILS,
      is_video: false,
      accessibility_caption: "A bowl of soup",
    };
    assert.deepEqual(toHashtagPost(post), node);
    const video = { ...post, native: { ...post.native, media_type: 2 } };
    assert.deepEqual(toHashtagPost(video), { ...node, __typename: "GraphVideo", is_video: true });
  }
});

test("a hashtag post without thumbnails has its pictures of up to 640 pixels", () => {
  const shown = toHashtagPost({ ...aPost(), native: { image_versions2: { candidates: CANDIDATES } } });
  assert.deepEqual(shown?.thumbnail_resources, [{ src: url("narrow"), config_width: 640, config_height: 800 }]);
  assert.deepEqual([shown?.thumbnail_src, shown?.display_url], [url("narrow"), url("wide")]);
});
