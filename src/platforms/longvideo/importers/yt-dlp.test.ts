import assert from "node:assert/strict";
import { test } from "node:test";
import { refusalText } from "#api/refusals.ts";
import { recordingCollector } from "#testing/recording-collector.ts";
import { sourceDocument, sourceFile } from "#testing/source-documents.ts";
import { ytDlp } from "./yt-dlp.ts";

const COMMENT = { id: "Ugx1", parent: "root", text: "First", like_count: 2, author_id: "UCreader", author: "@reader" };

function read(value: unknown, within?: { path: string[]; scalars: Record<string, unknown> }) {
  const { collect, recording } = recordingCollector();
  const document = sourceDocument("json", value, within === undefined ? {} : { location: within });
  const detected = ytDlp.detects(document, sourceFile("x.info.json"));
  if (detected) ytDlp.read(document, sourceFile("x.info.json"), collect);
  return { detected, ...recording };
}

test("a comment that was taken out of a large file finds its video in the scalars around it", () => {
  const { comments, posts } = read(COMMENT, {
    path: ["comments"],
    scalars: { id: "harbourW01k", epoch: 1_773_900_000 },
  });
  assert.deepEqual(posts, []);
  assert.equal(comments[0]?.postId, "harbourW01k");
  assert.equal(comments[0]?.capturedAt, 1_773_900_000_000);
  assert.deepEqual(comments[0]?.counters, { likes: 2 });
});

test("comments of other sites' files are left out, and without a video refused", () => {
  const scalars = { id: "73123", extractor_key: "TwitchVod" };
  assert.match(read(COMMENT, { path: ["comments"], scalars }).skipped[0] ?? "", /TwitchVod/);
  assert.equal(read(COMMENT, { path: ["comments"], scalars: {} }).refused.length, 1);
  assert.equal(read(COMMENT, { path: ["comments"], scalars: { extractor: "TikTok" } }).detected, false);
  assert.equal(read({ cid: "7", text: "of another kind" }, { path: ["comments"], scalars: {} }).detected, false);
});

test("youtube-dl's older files: the channel's id as the uploader's, a day without a time", () => {
  const { posts, accounts } = read({
    id: "peatBogs6U0",
    title: "Peat",
    uploader: "Bog Walker",
    uploader_id: "UCbogWalkerTravelsalone1",
    upload_date: "20150105",
    view_count: 3417,
    like_count: null,
    is_live: null,
    extractor: "youtube",
    webpage_url: "https://www.youtube.com/watch?v=peatBogs6U0",
    thumbnail: "https://media.example/vi/peatBogs6U0/max.jpg",
  });
  assert.equal(accounts[0]?.id, "UCbogWalkerTravelsalone1");
  assert.equal(posts[0]?.publishedAt, Date.UTC(2015, 0, 5) / 1000);
  assert.deepEqual(posts[0]?.approximate, { publishedAt: 86_400, "native.thumbnails": 2 });
  assert.deepEqual(posts[0]?.counters, { views: 3417 });
  assert.deepEqual(posts[0]?.native, {
    channelTitle: "Bog Walker",
    thumbnails: [{ url: "https://media.example/vi/peatBogs6U0/max.jpg" }],
  });
});

test("the title of a live stream is the one without the time that the tool adds", () => {
  const info = { id: "peatBogs6U0", title: "Bog live 2026-03-01 10:00", fulltitle: "Bog live", extractor: "youtube" };
  const title = (more: object) => read({ ...info, ...more }).posts[0]?.title;
  for (const live of [{ is_live: true }, { live_status: "is_live" }]) assert.equal(title(live), "Bog live");
  assert.equal(title({ is_live: true, fulltitle: null }), info.title);
  assert.equal(title({ is_live: false }), info.title);
});

test("a playlist without entries has no video of its own; one without a valid id is refused", () => {
  const playlist = { _type: "playlist", id: "PL1", extractor: "youtube:tab", extractor_key: "YoutubeTab" };
  assert.deepEqual(read(playlist).skipped, ["a playlist, which has no video of its own"]);
  for (const id of [undefined, "of another site"]) {
    const { refused } = read({ id, extractor_key: "Youtube", webpage_url: "x" });
    assert.deepEqual(refused.map(refusalText), ["post or video has no valid id"]);
  }
});

test("addresses with tokens and other fields of the download are not kept", () => {
  const { posts } = read({
    id: "peatBogs6U0",
    extractor_key: "Youtube",
    webpage_url: "x",
    url: "https://media.example/?token=never",
    formats: [{ url: "https://media.example/?token=never" }],
    http_headers: { cookie: "never" },
    _filename: "/home/never",
  });
  assert.doesNotMatch(JSON.stringify(posts), /never/);
});

const TAB = { _type: "playlist", extractor: "youtube:tab", extractor_key: "YoutubeTab", epoch: 1_773_900_000 };
const CHANNEL = { id: "UCloomAndWoolWeaving0001", channel_id: "UCloomAndWoolWeaving0001", channel: "Loom and Wool" };
const LISTED = { _type: "url", ie_key: "Youtube", url: "https://www.youtube.com/watch?v=x", channel_id: null };

test("the tabs of a whole channel are read, and their videos are the channel's", () => {
  const { posts, skipped } = read({
    ...TAB,
    ...CHANNEL,
    entries: [
      {
        ...TAB,
        ...CHANNEL,
        title: "Loom and Wool - Videos",
        entries: [{ ...LISTED, id: "loomWarp01A", title: "Warp" }],
      },
      {
        ...TAB,
        ...CHANNEL,
        title: "Loom and Wool - Shorts",
        entries: [{ ...LISTED, id: "loomPick02E", title: "Pick" }],
      },
    ],
  });
  assert.deepEqual(
    posts.map(({ id, authorId, native }) => [id, authorId, native]),
    [
      ["loomWarp01A", CHANNEL.id, { channelTitle: "Loom and Wool" }],
      ["loomPick02E", CHANNEL.id, { channelTitle: "Loom and Wool" }],
    ],
  );
  assert.deepEqual(skipped, []);
});

test("the videos of a channel's list that is too large to read whole are the channel's too", () => {
  const entry = { ...LISTED, id: "loomWarp01A", title: "Warp" };
  const split = (list: Record<string, unknown>, path = ["entries"]) => read(entry, { path, scalars: list }).posts[0];
  const { authorId, native, capturedAt } = split({ ...CHANNEL, epoch: TAB.epoch }, ["entries", "1", "entries"]) ?? {};
  assert.deepEqual([authorId, native], [CHANNEL.id, { channelTitle: "Loom and Wool" }]);
  assert.equal(capturedAt, TAB.epoch * 1000);
  assert.equal(split({ ...CHANNEL, id: "PLloomBasics" })?.authorId, undefined);
  assert.equal(split(CHANNEL, ["items"])?.authorId, undefined);
  const own = { ...entry, uploader_id: CHANNEL.id };
  assert.equal(read(own, { path: ["entries"], scalars: {} }).posts[0]?.authorId, CHANNEL.id);
});

test("a line of a channel's list names the channel as that of its list", () => {
  const line = {
    ...LISTED,
    id: "loomWarp01A",
    title: "Warp",
    playlist_id: CHANNEL.id,
    playlist_channel_id: CHANNEL.id,
    playlist_channel: CHANNEL.channel,
    playlist_uploader_id: "@loomandwool",
  };
  const { posts, accounts } = read(line);
  assert.deepEqual([posts[0]?.authorId, posts[0]?.native], [CHANNEL.id, { channelTitle: CHANNEL.channel }]);
  assert.deepEqual([accounts[0]?.id, accounts[0]?.name], [CHANNEL.id, "loomandwool"]);
  assert.equal(read({ ...line, playlist_id: "PLloomBasics" }).posts[0]?.authorId, undefined);
  assert.equal(
    read({ ...line, channel_id: "UCbogWalkerTravelsalone1" }).posts[0]?.authorId,
    "UCbogWalkerTravelsalone1",
  );
});

test("a listed video with the URL of a short is one", () => {
  const typed = (url: string) => read({ ...LISTED, id: "loomPick02E", url }).posts[0]?.native;
  assert.deepEqual(typed("https://www.youtube.com/shorts/loomPick02E"), { type: "SHORT" });
  assert.equal(typed("https://www.youtube.com/watch?v=loomPick02E"), undefined);
});

test("the videos of a playlist are not those of its owner", () => {
  const entry = { ...LISTED, id: "loomWarp01A", title: "Warp" };
  assert.equal(read({ ...TAB, ...CHANNEL, id: "PLloomBasics", entries: [entry] }).posts[0]?.authorId, undefined);
  const other = { ...entry, channel: "Bog Walker", channel_id: "UCbogWalkerTravelsalone1" };
  assert.equal(read({ ...TAB, ...CHANNEL, entries: [other] }).posts[0]?.authorId, "UCbogWalkerTravelsalone1");
});

test("playlists and channels in a playlist are no videos", () => {
  const list = {
    _type: "url",
    ie_key: "YoutubeTab",
    id: "PLloomBasics",
    url: "https://www.youtube.com/x",
    title: "Basics",
  };
  const { posts, skipped } = read({ ...TAB, ...CHANNEL, entries: [list, { ...list, id: "UCbogWalkerTravelsalone1" }] });
  assert.deepEqual(posts, []);
  assert.deepEqual(skipped, ["a playlist within a playlist", "a playlist within a playlist"]);
  assert.deepEqual(read(list).posts, []);
});

test("a listed video has the beginning of its description and perhaps rounded views", () => {
  const entry = { ...LISTED, id: "loomWarp01A", title: "Warp", description: "A first look at ..." };
  const views = (view_count: number) => read({ ...TAB, ...CHANNEL, entries: [{ ...entry, view_count }] }).posts[0];
  assert.deepEqual(views(50_000)?.approximate, { text: 2, "counters.views": 1_000 });
  assert.deepEqual(views(1_200_000)?.approximate, { text: 2, "counters.views": 100_000 });
  assert.deepEqual(views(49_876)?.approximate, { text: 2 });
  assert.deepEqual(views(500)?.counters, { views: 500 });
});

test("the time of a listed video is computed from its age, so it is only as fine as the page writes that", () => {
  const margin = (daysAgo: number, more: object = LISTED) => {
    const entry = { ...more, id: "loomWarp01A", timestamp: TAB.epoch - daysAgo * 86_400 };
    return read({ ...TAB, ...CHANNEL, entries: [entry] }).posts[0]?.approximate?.["publishedAt"];
  };
  const [day, week, month, year] = [86_400, 7 * 86_400, 30 * 86_400, 365 * 86_400];
  assert.deepEqual(
    [0, 1, 6, 7, 21].map((days) => margin(days)),
    [day, day, day, week, week],
  );
  assert.deepEqual(
    [28, 31, 335, 365, 731].map((days) => margin(days)),
    [month, month, month, year, year],
  );
  assert.equal(margin(731, { extractor_key: "Youtube" }), undefined, "a video that was extracted itself");
});

test("numbers of comments and subscribers are rounded as the page shows them", () => {
  const video = { id: "loomWarp01A", channel_id: CHANNEL.id, extractor_key: "Youtube", webpage_url: "x" };
  const comments = (comment_count: number) => read({ ...video, comment_count }).posts[0]?.approximate;
  assert.deepEqual(comments(1_700), { "counters.comments": 100 });
  assert.deepEqual(comments(23_000), { "counters.comments": 1_000 });
  assert.deepEqual([comments(999), comments(1_734)], [undefined, undefined]);
  const followers = (channel_follower_count: number) =>
    read({ ...video, channel_follower_count }).accounts[0]?.approximate;
  assert.deepEqual(followers(12_400), { "counters.followers": 100 });
  assert.deepEqual(followers(1_230_000), { "counters.followers": 10_000 });
  assert.deepEqual(followers(456_000), { "counters.followers": 1_000 });
  assert.deepEqual([followers(870), followers(12_437)], [undefined, undefined]);
});

test("the videos of a playlist come with their comments and subtitles", () => {
  const subtitles = { en: { ext: "vtt", data: "WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n" } };
  const video = { id: "loomWarp01A", extractor_key: "Youtube", comments: [COMMENT], requested_subtitles: subtitles };
  const list = { ...TAB, ...CHANNEL, id: "PLloomBasics", epoch: 1_773_900_000, entries: [video] };
  const { comments, posts, subtitles: tracks } = read(list);
  assert.equal(comments[0]?.postId, "loomWarp01A");
  assert.equal(tracks[0]?.lines[0]?.text, "Hello");
  assert.deepEqual(
    [...comments, ...posts, ...tracks].map(({ capturedAt }) => capturedAt),
    Array.from({ length: 4 }, () => 1_773_900_000_000),
  );
});

test("the number of comments in the file gives way to YouTube's own count", () => {
  const video = { id: "loomWarp01A", extractor_key: "Youtube", webpage_url: "x", comments: [COMMENT] };
  const count = (comment_count: number, more = {}) => read({ ...video, comment_count, ...more }).posts[0];
  assert.deepEqual([count(1)?.counters, count(1)?.approximate], [{ comments: 1 }, { "counters.comments": 1 }]);
  assert.deepEqual([count(45)?.counters, count(45)?.approximate], [{ comments: 45 }, undefined]);
  assert.deepEqual(count(45, { comments: [] })?.approximate, { "counters.comments": 45 }, "split off a large file");
  assert.equal(count(0, { comments: [] })?.approximate, undefined);
});

test("a deleted or private video in a list has no title of its own", () => {
  const titled = (title: string) => ({ ...LISTED, id: "loomWarp01A", title });
  const gone = ["[Deleted video]", "[Private video]"].map(titled);
  const { posts, skipped } = read({ ...TAB, ...CHANNEL, id: "PLloomBasics", entries: gone });
  assert.deepEqual(posts, []);
  assert.deepEqual(skipped, ["a video that is deleted or private", "a video that is deleted or private"]);
  const own = { id: "loomWarp01A", title: "[Private video]", extractor_key: "Youtube", webpage_url: "x" };
  assert.equal(read(own).posts[0]?.title, "[Private video]", "a video that was extracted itself is called so");
});

test("chapters and the heatmap, which no operation returns, are not stored", () => {
  const { posts } = read({
    id: "peatBogs6U0",
    extractor: "youtube",
    extractor_key: "Youtube",
    webpage_url: "https://www.youtube.com/watch?v=peatBogs6U0",
    title: "Peat",
    chapters: [{ title: "Cutting", start_time: 0, end_time: 60 }],
    heatmap: [{ start_time: 0, end_time: 10, value: 0.5 }],
  });
  assert.equal(posts[0]?.title, "Peat");
  assert.doesNotMatch(JSON.stringify(posts), /Cutting|chapters|heatmap/);
});

test("a type that yt-dlp does not have is unknown", () => {
  const info = { id: "harbourW01k", title: "Harbour", extractor_key: "Youtube", webpage_url: "x" };
  const { posts } = read({ ...info, media_type: "constructor" });
  assert.equal(posts.length, 1);
  assert.doesNotThrow(() => structuredClone(posts));
});
