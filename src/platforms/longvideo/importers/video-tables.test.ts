import assert from "node:assert/strict";
import { test } from "node:test";
import { recordingCollector } from "#testing/recording-collector.ts";
import { sourceDocument, sourceFile } from "#testing/source-documents.ts";
import type { NativeVideo } from "../native.ts";
import { videoTables } from "./video-tables.ts";

function record(row: Record<string, unknown>, capturedAt: number | null = null) {
  const { collect, recording } = recordingCollector();
  const value = { video_id: "tableLoom1A", title: "Looms", channel: "Loom and Wool", ...row };
  videoTables.read(sourceDocument("row", value, { capturedAt }), sourceFile("videos.csv"), collect);
  return recording;
}

function read(row: Record<string, unknown>) {
  return record(row).posts[0];
}

test("counts as pages show them: rounded ones are approximate, with the word behind them or without", () => {
  const rounded = read({ views: "451K views", likes: "1.2K", comments: "1,234 Comments" });
  assert.deepEqual(rounded?.counters, { views: 451_000, likes: 1_200, comments: 1_234 });
  assert.deepEqual(rounded?.approximate, { "counters.views": 1_000, "counters.likes": 100 });
  assert.deepEqual(read({ views: "No views", likes: "n/a" })?.counters, {});
});

test("0 subscribers, as scripts write where the count is hidden, are unknown", () => {
  const followers = (subscriberCount: unknown) =>
    record({ channel_id: "UCloomAndWoolWorkshop001", subscriberCount }).accounts[0]?.counters?.followers;
  for (const hidden of [0, "0"]) assert.equal(followers(hidden), undefined);
  assert.equal(followers("7"), 7);
});

test("a length as a clock counts before a number, which may be milliseconds", () => {
  assert.equal(read({ duration: 199_000, duration_formatted: "3:19" })?.durationS, 199);
  assert.equal(read({ duration: 199, duration_string: "3:19", length_text: "" })?.durationS, 199);
  assert.equal(read({ duration: "", length_text: "1:03:19" })?.durationS, 3799);
  assert.equal(read({ duration: 199, duration_formatted: "a few minutes" })?.durationS, 199);
  for (const name of ["duration_formatted", "duration_string", "length_text"]) {
    assert.equal(read({ duration: "PT1H", [name]: "60" })?.durationS, 3600, name);
    assert.equal(read({ [name]: "60", length_seconds: 3600 })?.durationS, 3600, name);
    assert.equal(read({ [name]: "60" })?.durationS, 60, name);
  }
});

test("a length may be nested, in one unit or several", () => {
  const units = { years: 0, months: 0, weeks: 0, days: 0, hours: 1, minutes: 2, seconds: 3 };
  assert.equal(read({ duration: units })?.durationS, 3723);
  assert.equal(read({ duration: { hours: 0, minutes: 5, seconds: 16 } })?.durationS, 316);
  assert.equal(read({ duration: { seconds: "199", timestamp: "3:19" } })?.durationS, 199);
  assert.equal(read({ duration: { minutes: 5 } })?.durationS, 300);
});

test("a stream is live, was live or is to come, as the row says, and who watches or waits is no view", () => {
  const live = (row: Record<string, unknown>) => {
    const { counters, native } = read({ views: 1204, likes: 7, ...row }) ?? {};
    const { isLive, wasLive } = native as NativeVideo;
    return { isLive, wasLive, views: counters?.views };
  };
  for (const name of ["isLive", "is_live", "isLiveNow"])
    for (const row of [{ [name]: true }, { [name]: "True", is_live_content: "True" }])
      assert.deepEqual(live(row), { isLive: true, wasLive: undefined, views: undefined }, name);
  assert.deepEqual(live({ live: true }), { isLive: true, wasLive: undefined, views: undefined });
  for (const text of ["True", "1", "yes"])
    assert.deepEqual(live({ live: text }), { isLive: undefined, wasLive: undefined, views: 1204 }, text);
  assert.equal(live({ is_live: "True", live_status: "is_live" }).views, 1204, "yt-dlp counts views");
  assert.equal(live({ is_live: "True", views: undefined, view_count: 1205 }).views, 1205, "yt-dlp counts views");
  const ended = { isLive: false, wasLive: true, views: 1204 };
  assert.deepEqual(live({ is_live_content: "True" }), ended);
  assert.deepEqual(live({ isLiveContent: true, isLiveNow: false }), ended);
  assert.deepEqual(live({ published_at: "Streamed 2 days ago", isLive: false }), ended);
  assert.deepEqual(live({ isLiveContent: false }), { ...ended, wasLive: false });
  assert.deepEqual(live({ isLive: false }), { ...ended, wasLive: undefined });
  const upcoming = { isLive: false, wasLive: undefined, views: undefined };
  assert.deepEqual(live({ isLiveContent: true, isUpcoming: true }), upcoming);
  assert.equal(live({ liveBroadcastContent: "live" }).views, 1204, "the Data API counts views");
  for (const views of ["12 watching", "1.2K waiting"]) assert.equal(live({ views }).views, undefined, views);
});

test("an age is a time where the table says when it was captured", () => {
  const captured = read({ published_at: "2 days ago", scraped_at: "2026-03-03T10:00:00Z" });
  assert.equal(captured?.publishedAt, Date.UTC(2026, 2, 1, 10) / 1000);
  assert.deepEqual(captured?.approximate, { publishedAt: 86_400 });
  assert.equal(read({ published_at: "2 days ago" })?.publishedAt, undefined);
});

test("an age is a time where the capture of the file is known", () => {
  const capturedAt = Date.UTC(2026, 2, 3, 10);
  const publishedAt = (row: Record<string, unknown>) => record(row, capturedAt).posts[0]?.publishedAt;
  const expected = Date.UTC(2026, 2, 1, 10) / 1000;
  for (const name of ["publish_time", "publishedTime", "uploadedAt", "publishedTimeText"])
    assert.equal(publishedAt({ [name]: "2 days ago" }), expected, name);
  const found = {
    date: "2 days ago",
    channelUrl: "https://www.youtube.com/@loom",
    fromYTUrl: "https://www.youtube.com/",
  };
  assert.equal(publishedAt(found), expected, "Apify's search");
  const dated = { published_at: "2 days ago", scraped_at: "2026-02-03T10:00:00Z" };
  assert.equal(publishedAt(dated), Date.UTC(2026, 1, 1, 10) / 1000, "the row's own time counts first");
});

test("a time beside the age that it was computed from is as rough as the age", () => {
  const computed = read({ publishedTimeText: "11 months ago", publishedTime: "2025-06-06T21:49:40.060Z" });
  assert.equal(computed?.publishedAt, Math.trunc(Date.parse("2025-06-06T21:49:40Z") / 1000));
  assert.deepEqual(computed?.approximate, { publishedAt: 30 * 86_400 });
  const streamed = read({ publishedTimeText: "Streamed 2 days ago", publishedTime: "2025-06-06T21:49:40Z" });
  assert.deepEqual(streamed?.approximate, { publishedAt: 86_400 });
  assert.deepEqual(streamed?.native, { isLive: false, wasLive: true, streamed: true, channelTitle: "Loom and Wool" });
  const exact = read({ publishDate: "2024-02-26T06:45:03-08:00", publishedTimeText: "Feb 26, 2024" });
  assert.equal(exact?.approximate, undefined);
  const dated = read({ uploadDate: "2021-04-05", ago: "4 years ago" });
  assert.deepEqual(dated?.approximate, { publishedAt: 86_400 }, "yt-search has the day from the video's own page");
  for (const publish_date of ["2021-04-05 00:00:00", "2021-04-05T00:00:00"]) {
    const day = read({ publish_date });
    assert.deepEqual([day?.publishedAt, day?.approximate], [1_617_580_800, { publishedAt: 86_400 }], publish_date);
  }
  for (const publishedAt of ["2021-04-05T00:00:00Z", "2021-04-05 00:00:01"])
    assert.equal(read({ publishedAt })?.approximate, undefined, publishedAt);
});

test("a table with a row for each day is captured on that day, and may put `video` before the names of its columns", () => {
  const captured = read({ trending_date: "2024-01-05", video_view_count: "300", video_publish_date: "2024-01-02" });
  assert.deepEqual([captured?.capturedAt, captured?.counters], [Date.UTC(2024, 0, 5), { views: 300 }]);
  assert.equal(captured?.publishedAt, Date.UTC(2024, 0, 2) / 1000);
  const timed = read({ snapshot_date: "2024-01-05", scraped_at: "2024-01-05T22:00:00Z", published_at: "2024-01-02" });
  assert.equal(timed?.capturedAt, Date.UTC(2024, 0, 5, 22), "the time is more exact than its day");
});

test("a category may be YouTube's number or its name, whatever its column is called", () => {
  const rows: Record<string, string>[] = [
    { category: "10" },
    { video_category_id: "10.0" },
    { category_id: "Music" },
    { category_id: "10", category: "Music" },
  ];
  for (const row of rows) assert.equal(read(row)?.category, "Music", JSON.stringify(row));
  assert.equal(read({ category: "999" })?.category, undefined);
});

test("an id of eleven characters is no video's if the URL beside it is of another site", () => {
  const detects = (row: object) => videoTables.detects(sourceDocument("row", row), sourceFile("posts.csv"));
  const post = { id: "C4iLtETgARM", title: "Looms", views: 5 };
  for (const url of ["", "https://youtu.be/C4iLtETgARM", "https://rr1.googlevideo.com/videoplayback?id=1", "looms"])
    assert.ok(detects({ ...post, url }), url);
  for (const url of ["https://www.instagram.com/p/C4iLtETgARM/", "http://news.example/4"])
    assert.ok(!detects({ ...post, url }), url);
  assert.ok(detects({ ...post, url: "https://loom.example", video_id: "tableLoom1A" }), "which says what it is");
});

test("posts of other sites that link to a video are no videos", () => {
  const detects = (row: object) => videoTables.detects(sourceDocument("row", row), sourceFile("posts.csv"));
  const post = { title: "I filmed looms", author: "tiber_oak", num_comments: 87, url: "https://youtu.be/tableLoom1A" };
  const reddit = { ...post, id: "abc12x", subreddit: "videos", score: 541, view_count: null, likes: "" };
  for (const row of [reddit, { ...post, num_points: 54 }, { ...post, id: "12579005" }]) assert.ok(!detects(row));
  const own = { id: "abc12x", score: 0.7, title: "Looms", author: "Loom and Wool", url: post.url };
  assert.ok(!detects(own));
  for (const more of [{ views: 5 }, { duration: "3:19" }, { channel: "Loom and Wool" }, { id: "tableLoom1A" }])
    assert.ok(detects({ ...own, ...more }), `a score of their own, beside ${JSON.stringify(more)}`);
  assert.ok(detects({ id: "7", title: "Looms", author: "Loom and Wool", url: post.url }), "a running number");
});

test("a row with a video's id is the video, whatever its column `type` says", () => {
  const row = { video_id: "", id: "tableLoom1A", type: "channel", channelId: "UCloomAndWoolWorkshop001" };
  const { posts, accounts } = record(row);
  assert.deepEqual([posts[0]?.id, posts[0]?.title], ["tableLoom1A", "Looms"]);
  assert.equal(accounts[0]?.displayName, "Loom and Wool");
});

test("a nested author is a channel only where nothing says otherwise", () => {
  const detects = (row: object) => videoTables.detects(sourceDocument("json", row), sourceFile("posts.json"));
  const post = { title: "I filmed looms", author: { name: "tiber_oak", id: "5" }, url: "https://youtu.be/tableLoom1A" };
  for (const more of [{ subreddit: "videos", score: 4 }, { upvotes: 4 }, { id: "post-1", points: 4 }])
    assert.ok(!detects({ ...post, ...more }), JSON.stringify(more));
  assert.ok(!detects({ ...post, url: "" }), "an article without a URL");
  const found = { ...post, author: { name: "Loom and Wool", url: "https://youtube.com/@loomandwool" } };
  assert.ok(detects({ ...found, id: "loom-1" }), "a search result");
  const both = read({ author: { name: "tiber_oak", id: "UCtiberOakAndOtherOaks01" } });
  assert.deepEqual([both?.native, both?.authorId], [{ channelTitle: "Loom and Wool" }, undefined]);
  assert.deepEqual(read({ channel: "", author: { name: "Tiber Oak" } })?.native, { channelTitle: "Tiber Oak" });
});

test("rows with a link that have columns of videos are videos, whatever their cells and keys", () => {
  const count = (...rows: object[]) => {
    const file = sourceFile("videos.csv");
    return rows.filter((row) => videoTables.detects(sourceDocument("row", row), file)).length;
  };
  const url = "https://youtu.be/tableLoom1A";
  const own = { id: "loom-1", title: "Looms", author: "Loom and Wool", url };
  assert.equal(count(own), 0);
  for (const name of ["channel_id", "channel", "channel_url", "views", "likes", "duration", "publish_date"])
    assert.equal(count({ ...own, [name]: "" }), 1, name);
  assert.equal(count({ ...own, views: "1.2M views" }, { ...own, views: "No views" }, { ...own, views: "" }), 3);
  assert.equal(count({ ...own, duration: "12 minutes", points: 5 }), 1);
  for (const path of ["channel/UCloomAndWoolWorkshop001", "@loomandwool", "c/loomandwool"])
    assert.equal(count({ ...own, author_url: `https://www.youtube.com/${path}` }), 1, path);
  assert.equal(count({ ...own, author_url: "https://medium.com/@loomandwool" }), 0);
  const keys = ["1234567", 123_456_789_012, "64f0c2aa11bb22cc33dd44ee", "3f2b8c1e-1111-4222-8333-944445555666"];
  for (const id of keys) assert.equal(count({ ...own, id }), 1, String(id));
  const { id, ...unnumbered } = own;
  for (const key of [id, { $oid: "64f0c2aa11bb22cc33dd44ee" }]) assert.equal(count({ _id: key, ...unnumbered }), 1);
  assert.equal(count({ ...unnumbered, score: "0.8" }), 1, "a rating of the table's own");
  assert.equal(count({ ...unnumbered, score: 54, published_at: "2024-01-02" }), 0);
});

test("a word or a number of eleven characters in the column `id` is a video's only beside what is certainly YouTube's", () => {
  const row = (id: string, more: object = {}) => ({ id, title: "Looms", author: "Loom and Wool", views: 5, ...more });
  const count = (...rows: object[]) => {
    const file = sourceFile("rows.csv");
    return rows.filter((value) => videoTables.detects(sourceDocument("row", value), file)).length;
  };
  const uncertain = ["53012345678", "garden-logs", "top-10-logs", "Interview08", "Loom_and_Co"];
  for (const id of uncertain) {
    assert.equal(count(row(id)), 0, id);
    assert.equal(count(row(id, { url: `https://youtu.be/${id}` })), 1, "its URL");
    assert.equal(count(row(id, { channel_id: "UCloomAndWoolWorkshop001" })), 1, "its channel");
    assert.equal(count(row(`https://youtu.be/${id}`)), 1, "its URL as id");
    assert.equal(count({ ...row(id), video_id: id }), 1, "its column");
    assert.equal(count(row("tableLoom1A"), row(id)), 2, "another row");
    const within = (...photo: object[]) => sourceDocument("json", { photos: { photo }, stat: "ok" });
    assert.ok(!videoTables.detects(within(row(id), row("53012345671")), sourceFile("photos.json")));
    assert.ok(videoTables.detects(within(row(id), row("tableLoom1A")), sourceFile("videos.json")));
  }
});

test("a column that is empty or has something else hides no other of the same meaning", () => {
  assert.deepEqual(read({ comments: null, commentsCount: 14 })?.counters, { comments: 14 });
  assert.deepEqual(read({ comments: [{ text: "Warp" }], commentsCount: 14 })?.counters, { comments: 14 });
  const file = "https://rr1.googlevideo.com/videoplayback?id=1";
  const row = { video_id: "7", video_url: file, url: "https://youtu.be/tableLoom2E", channel_title: "" };
  const { id, native } = read(row) ?? {};
  assert.deepEqual([id, native], ["tableLoom2E", { channelTitle: "Loom and Wool" }]);
  assert.ok(videoTables.detects(sourceDocument("row", { ...row, title: "Looms" }), sourceFile("videos.csv")));
});

test("channels, figures and lengths as tools nest and name them", () => {
  const [id, name, handle] = ["UCloomAndWoolWorkshop001", "Loom and Wool", "loomandwool"];
  const nested: Record<string, Record<string, unknown>> = {
    TubeArchivist: {
      channel: { channel_id: id, channel_name: name },
      category: ["Music"],
      player: { duration: 199, duration_str: "3:19", watched: false },
      stats: { view_count: 22_333, like_count: 410, dislike_count: 0 },
      comment_count: 12,
    },
    youtube138: {
      channel: undefined,
      author: { channelId: id, title: name, canonicalBaseUrl: `/@${handle}`, stats: { subscribers: 5 } },
      stats: { views: 22_333, likes: 410, comments: 12 },
      lengthSeconds: 199,
      category: "Music",
    },
    ScrapeCreators: {
      channel: { id, title: name, handle },
      viewCountText: "22,333 views",
      viewCountInt: 22_333,
      likeCountText: "410",
      likeCountInt: 410,
      commentCountInt: 12,
      durationMs: 199_000,
      durationFormatted: "00:03:19",
      genre: "Music",
    },
  };
  for (const [tool, row] of Object.entries(nested)) {
    const { posts, accounts } = record(row);
    const { counters, durationS, category } = posts[0] ?? {};
    assert.deepEqual(counters, { views: 22_333, likes: 410, comments: 12 }, tool);
    assert.deepEqual([durationS, category, posts[0]?.authorId], [199, "Music", id], tool);
    assert.deepEqual([accounts[0]?.id, accounts[0]?.displayName], [id, name], tool);
    if (tool !== "TubeArchivist") assert.equal(accounts[0]?.name, handle, tool);
  }
  assert.equal(read({ genre: "Jazz" })?.category, undefined, "that of a song");
  const rounded = read({ commentCountText: "1.2K", commentCountInt: 1200, viewCountText: "1.5M views" });
  assert.deepEqual(rounded?.counters, { views: 1_500_000, comments: 1200 });
  assert.deepEqual(rounded?.approximate, { "counters.views": 100_000, "counters.comments": 100 });
  assert.equal(record({ channelHandle: `@${handle}` }).accounts[0]?.name, handle, "TranscriptAPI");
  assert.equal(read({ durationInSec: 331, durationRaw: "5:31" })?.durationS, 331, "play-dl");
});

test("the id of a search is no other record beside its videos", () => {
  const found = { title: "Looms", link: "https://www.youtube.com/watch?v=tableLoom1A", views: 5, length: "3:19" };
  const detects = (name: string) =>
    videoTables.detects(
      sourceDocument("json", { [name]: { id: "65a", status: "Success" }, video_results: [found] }),
      sourceFile("search.json"),
    );
  assert.ok(detects("search_metadata"));
  assert.ok(!detects("playlist"));
});
