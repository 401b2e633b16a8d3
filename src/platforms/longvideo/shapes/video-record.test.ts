import assert from "node:assert/strict";
import { test } from "node:test";
import { Value } from "typebox/value";
import { compileDefaults } from "#api/nullable.ts";
import type { Post } from "#domain/post.ts";
import type { NativeVideo } from "../native.ts";
import { toVideoDetails, toVideoListing, VideoDetails, VideoListing } from "./video-record.ts";

const NOW = Date.UTC(2026, 10, 15, 12) / 1000;

const DUMPLINGS: Post<NativeVideo> = {
  id: "dumplings_1",
  authorId: "UCnightmarketkitchens001",
  publishedAt: NOW - 3 * 86_400,
  title: "Dumplings at midnight",
  text: "Four stalls, one street.",
  language: "en",
  country: "US",
  hashtags: ["streetfood"],
  soundId: null,
  taggedIds: [],
  placeId: null,
  durationS: 754,
  category: "Travel & Events",
  counters: { views: 120_345 },
  native: {
    channelTitle: "Night Market Kitchens",
    keywords: ["dumplings", "night market"],
    thumbnails: [{ url: "https://media.example/dumplings_1/small.jpg", width: 120, height: 90 }, { width: 10 }],
    isLive: false,
    wasLive: true,
    type: "NORMAL",
  },
  capturedAt: NOW * 1000,
  source: "test",
};

/** A video of which nothing but the id was ever captured. */
const BARE: Post<NativeVideo> = {
  ...DUMPLINGS,
  id: "bare_000001",
  authorId: null,
  publishedAt: null,
  title: null,
  text: null,
  durationS: null,
  category: null,
  counters: {},
  native: {},
};

const ALIKE = {
  video_id: "dumplings_1",
  title: "Dumplings at midnight",
  author: "Night Market Kitchens",
  number_of_views: 120_345,
  description: "Four stalls, one street.",
  channel_id: "UCnightmarketkitchens001",
  type: "NORMAL",
  thumbnails: [{ url: "https://media.example/dumplings_1/small.jpg", width: 120, height: 90 }],
};

const BARE_ALIKE = {
  video_id: "bare_000001",
  title: "",
  author: "",
  number_of_views: 0,
  description: "",
  published_time: "",
  channel_id: "",
  type: "NORMAL",
  keywords: [],
  thumbnails: [],
};

test("details have digits, a boolean string and a date", () => {
  assert.deepEqual(toVideoDetails(DUMPLINGS), {
    ...ALIKE,
    video_length: "754",
    is_live_content: "true",
    published_time: "2026-11-12",
    category: "Travel & Events",
    keywords: ["dumplings", "night market"],
  });
});

test("listings have clock and relative text, and omit what only details have", () => {
  assert.deepEqual(toVideoListing(DUMPLINGS, NOW, "en"), {
    ...ALIKE,
    video_length: "12:34",
    is_live_content: null,
    published_time: "Streamed 3 days ago",
    category: null,
    keywords: [],
  });
});

test("a video with only an id still has every field in its type", () => {
  const details = compileDefaults(VideoDetails)(toVideoDetails(BARE));
  assert.deepEqual(details, {
    ...BARE_ALIKE,
    video_length: "0",
    is_live_content: "false",
    category: "",
  });
  assert.ok(Value.Check(VideoDetails, details));

  const listing = compileDefaults(VideoListing)(toVideoListing(BARE, NOW, "en"));
  assert.deepEqual(listing, {
    ...BARE_ALIKE,
    video_length: "0:00",
    is_live_content: null,
    category: null,
  });
  assert.ok(Value.Check(VideoListing, listing));
});

test("live status is unknown until both flags are false", () => {
  const word = (native: NativeVideo) => toVideoDetails({ ...BARE, native })?.is_live_content;
  assert.equal(word({ isLive: true }), "true");
  assert.equal(word({ isLive: false, wasLive: false }), "false");
  assert.equal(word({ isLive: false }), null);
  assert.equal(word({ isLive: false, wasLive: false, streamed: true }), "true");
});

test("what was seen live is a past stream once it is not live any more", () => {
  const published = (native: NativeVideo) => toVideoListing({ ...DUMPLINGS, native }, NOW, "en")?.published_time;
  assert.equal(published({ streamed: true, isLive: false }), "Streamed 3 days ago");
  assert.equal(published({ streamed: true, isLive: true }), "3 days ago");
  assert.equal(published({ isLive: false }), "3 days ago");
});
