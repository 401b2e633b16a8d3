/** The other formats of this slice, from a file to the answers of the operations that they feed. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Static } from "#api/schema.ts";
import { UNKNOWN, ownFile, written, writtenTable, imported, importedAt } from "#tests/longvideo-imports.ts";
import type { VideoComments } from "../endpoints/video/comments.ts";

test("yt-dlp: a video with its comments and embedded subtitles", async () => {
  const { details, comments, subtitles, search } = await imported("yt-dlp");
  assert.deepEqual(await details("harbourW01k"), {
    video_id: "harbourW01k",
    title: "Harbour walk at dawn",
    author: "Lantern Walks",
    number_of_views: 48_211,
    video_length: "2412",
    description: "Forty minutes along the quay. #slowtv #Harbour",
    is_live_content: "true",
    published_time: "2026-03-14",
    channel_id: "UCharbourLanternWalks001",
    category: "Travel & Events",
    type: "NORMAL",
    keywords: ["harbour", "walking", "dawn"],
    thumbnails: [{ url: "https://media.example/vi/harbourW01k/hq.jpg", width: 480, height: 360 }],
  });
  const body = await comments("harbourW01k");
  assert.equal(body.total_number_of_comments, null, "the tool's count is rough, and above the stored comments");
  assert.deepEqual(
    body.comments.map((comment) => [comment.id, comment.author_name, comment.author_channel_id, comment.like_count]),
    [
      ["UgxHarbour0002", "Tiber Oakleaf", "UCtiberOakleafStudio0001", null],
      ["UgxHarbour0001", "@mossy.pocket", "UCmossyPocketMarlow00001", "21"],
    ],
  );
  assert.deepEqual((await subtitles("harbourW01k", "da")).subtitles, [
    { id: 0, start: 1, duration: 2, text: "Godmorgen, havn" },
  ]);
  assert.equal((await search("quay night"))[0]?.video_id, "quayNight02");
});

test("yt-dlp: the comments of several extractions are all counted, until YouTube's own count is known", async () => {
  const id = "ropeWalks0A";
  const extraction = (name: string, numbers: number[]) =>
    written(name, {
      id,
      extractor_key: "Youtube",
      webpage_url: "x",
      title: "Rope walk",
      comment_count: numbers.length,
      comments: numbers.map((number) => ({ id: `UgxRope${number}`, parent: "root", text: `Knot ${number}` })),
    });
  const { comments, importMore } = await importedAt(Date.UTC(2026, 2, 1), extraction("rope-one.info.json", [1, 2, 3]));
  const counts = async () => {
    const { total_number_of_comments: total, number_of_comments: listed } = await comments(id);
    return [total, listed];
  };
  assert.deepEqual(await counts(), [3, 3]);
  await importMore(Date.UTC(2026, 2, 1), extraction("rope-two.info.json", [4, 5, 6]));
  assert.deepEqual(await counts(), [6, 6]);
  const statistics = { commentCount: "5" };
  await importMore(Date.UTC(2026, 1, 1), written("rope.json", { kind: "youtube#video", id, statistics }));
  assert.deepEqual(await counts(), [5, 6]);
});

test("yt-dlp: a rough count above the stored comments is unknown to clients that prefer null", async () => {
  const id = "ropeWalks0B";
  const file = written("rough.info.json", {
    id,
    extractor_key: "Youtube",
    webpage_url: "x",
    comment_count: 1200,
    comments: [
      { id: "UgxRope7", parent: "root", text: "Knot" },
      { id: "UgxRope7.1", parent: "UgxRope7", text: "Bend" },
    ],
  });
  const { comments, get } = await importedAt(Date.UTC(2026, 2, 1), file);
  const counts = (body: Static<typeof VideoComments>) => [
    body.total_number_of_comments,
    body.comments[0]?.number_of_replies,
  ];
  assert.deepEqual(counts(await comments(id)), [null, null]);
  assert.deepEqual(counts(await get(`/api/longvideo/video/comments?video_id=${id}`)), [1200, "1"]);
});

test("yt-dlp: likes of comments that the page rounds do not replace exact ones", async () => {
  const id = "harbourQ10y";
  const [one, two] = ["UgxQuay1", "UgxQuay2"];
  const rounded = (commentId: string, like_count: number) => ({
    id: commentId,
    parent: "root",
    text: "Bright",
    like_count,
  });
  const extracted = {
    id,
    extractor_key: "Youtube",
    webpage_url: "x",
    epoch: Date.UTC(2026, 2, 2) / 1000,
    comments: [rounded(one, 1200), rounded(two, 1234)],
  };
  const exact = { kind: "youtube#comment", id: one, snippet: { videoId: id, textOriginal: "Bright", likeCount: 1287 } };
  const { comments, importMore } = await importedAt(Date.UTC(2026, 2, 1), written("exact-likes.json", exact));
  await importMore(Date.UTC(2026, 2, 2), written("rounded-likes.json", extracted));
  assert.equal((await comments(id)).total_number_of_likes, 1287 + 1234);
});

test("yt-dlp: the replies in a file count at the comment that they reply to", async () => {
  const id = "harbourQ11y";
  const comment = (commentId: string, parent: string) => ({ id: commentId, parent, text: "Bright" });
  const file = written("replies.info.json", {
    id,
    extractor_key: "Youtube",
    webpage_url: "x",
    comments: [
      comment("UgxQuay3", "root"),
      comment("UgxQuay3.1", "UgxQuay3"),
      comment("UgxQuay3.2", "UgxQuay3"),
      comment("UgxQuay4", "root"),
    ],
  });
  const { get, importMore } = await importedAt(Date.UTC(2026, 2, 1), file);
  const replies = async () => {
    const path = `/api/longvideo/video/comments?video_id=${id}`;
    const listed = (await get<Static<typeof VideoComments>>(path)).comments;
    return listed.map(({ id: commentId, number_of_replies }) => [commentId, number_of_replies]);
  };
  const UNCOUNTED = ["UgxQuay4", "0"];
  assert.deepEqual(await replies(), [["UgxQuay3", "2"], UNCOUNTED]);
  const body = await get<{ comments: { approximate?: string[] }[] }>(`/api/post?platform=longvideo&id=${id}`);
  assert.deepEqual(body.comments[0]?.approximate, ["counters.replies"]);
  const thread = {
    kind: "youtube#commentThread",
    snippet: {
      videoId: id,
      totalReplyCount: 9,
      topLevelComment: { kind: "youtube#comment", id: "UgxQuay3", snippet: { videoId: id } },
    },
  };
  await importMore(Date.UTC(2026, 1, 1), written("thread.json", thread));
  assert.deepEqual(await replies(), [["UgxQuay3", "9"], UNCOUNTED], "the tool may have stopped earlier");
});

test("yt-dlp: files of other sites are skipped by name", async () => {
  const elsewhere = ["Instagram", "Douyin"].map((extractor) =>
    written(`${extractor}.info.json`, { id: "C4IbwUTgABl", title: "Low tide", _type: "video", extractor }),
  );
  const { report } = await imported("yt-dlp/Clip-55120.info.json", ...elsewhere);
  assert.deepEqual(report.total.skipped, {
    "a file of TwitchClips, which is not supported": 1,
    "a file of Instagram, which is not supported": 1,
    "a file of Douyin, which is not supported": 1,
  });
  assert.deepEqual(report.total.refused, {});
});

test("Data API: videos with counts as text, hidden likes, and a live one without length", async () => {
  const { details, report } = await imported("data-api");
  const video = await details("ferryBells4");
  assert.equal(video.number_of_views, 120_345);
  assert.equal(video.video_length, "3723");
  assert.equal(video.category, "Music");
  assert.equal(video.published_time, "2026-02-01");
  assert.deepEqual(video.keywords, ["brass", "ferry"]);
  const live = await details("ferryLive5A");
  assert.equal(live.video_length, null);
  assert.equal(live.is_live_content, "true");
  assert.deepEqual(report.total.refused, { post_without_id: 1 });
  assert.equal(report.total.skipped["an error response"], 1);
});

test("an empty description that the platform gave is known to be empty, in every format that has it", async () => {
  const { details } = await imported("pages/exact-video.json", "pages/empty-texts.json", "yt-dlp");
  for (const id of ["glazeDip21I", "emptyPlay5c", "emptyTool6g"]) assert.equal((await details(id)).description, "", id);
});

test("Data API: comment threads, with HTML converted to text; comments on channels skipped", async () => {
  const { comments } = await imported("data-api/comment-threads.json");
  const body = await comments("ferryBells4");
  assert.deepEqual(
    body.comments.map(({ text, author_name: name, number_of_replies: replies }) => [text, name, replies]),
    [['Loud & clear\n"Bravo" at 1:00', "Odile Varnay", "1"]],
  );
});

test("Data API: comments without their threads are listed too, though nothing else tells of their video", async () => {
  const id = "ferryBells5";
  const items = ["UgxBell1", "UgxBell2"].map((commentId, index) => ({
    kind: "youtube#comment",
    id: commentId,
    snippet: { videoId: id, textOriginal: `Loud ${index}`, publishedAt: `2026-03-0${2 - index}T10:00:00Z` },
  }));
  const { comments } = await imported(written("comments.json", { kind: "youtube#commentListResponse", items }));
  assert.deepEqual(
    (await comments(id)).comments.map(({ text }) => text),
    ["Loud 0", "Loud 1"],
  );
});

test("Data API: responses without `kind`, asked for with `fields=`", async () => {
  const channelId = "UCferryBellOrchestra0001";
  const snippet = { title: "Bells", channelId };
  const top = { id: "UgxBell9", snippet: { textDisplay: "Loud &amp; clear", authorDisplayName: "@odile" } };
  const responses = {
    videos: [{ id: "ferryBells0", snippet, contentDetails: { duration: "PT1M" }, statistics: { viewCount: "12" } }],
    results: [{ id: { videoId: "ferryBells8" }, snippet }],
    listed: [{ id: "UExBells", snippet: { title: "Bells", resourceId: { videoId: "ferryBellsA" } } }],
    threads: [{ id: "UgxBell9", snippet: { videoId: "ferryBells0", totalReplyCount: 2, topLevelComment: top } }],
    channels: [{ id: channelId, statistics: { subscriberCount: "70" } }],
  };
  const files = Object.entries(responses).map(([name, items]) => written(`no-kind-${name}.json`, { items }));
  const row = { id: "ferryBellsE", "snippet.resourceId.videoId": "ferryBellsE", "snippet.title": "Bells" };
  const { details, comments, getChannel, report } = await imported(...files, writtenTable("no-kind.csv", row));
  assert.deepEqual(report.total.refused, {});
  const video = await details("ferryBells0");
  assert.deepEqual([video.video_length, video.number_of_views, video.channel_id], ["60", 12, channelId]);
  for (const id of ["ferryBells8", "ferryBellsA", "ferryBellsE"]) assert.equal((await details(id)).title, "Bells", id);
  const [comment] = (await comments("ferryBells0")).comments;
  assert.deepEqual([comment?.text, comment?.number_of_replies], ["Loud & clear", "2"]);
  assert.equal((await getChannel(channelId))?.counters.followers, 70);
});

test("Data API: search results, with entities decoded and truncated descriptions as excerpts", async () => {
  const { search } = await imported("data-api/search.json");
  const [video] = await search("kiln survivors");
  assert.equal(video?.title, "Opening the kiln & counting 'survivors'");
  assert.equal(video?.author, "Clay & Slip");
  assert.equal(video?.description, "What came out of the long firing, and what we swept up ...");
});

test("Data API: the excerpt in a search result never replaces the whole description, even without an ellipsis", async () => {
  const id = "kilnShelf0A";
  const snippet = { title: "Kiln shelves", channelId: "UCclayAndSlipWorkshop001" };
  const whole = "Shelves for the kiln.\n\nMade at www.clay.example";
  const video = { kind: "youtube#video", id, snippet: { ...snippet, description: whole } };
  const result = {
    kind: "youtube#searchResult",
    id: { kind: "youtube#video", videoId: id },
    snippet: { ...snippet, description: "Shelves for the kiln. Made at www." },
  };
  const { details, get, importMore } = await importedAt(Date.UTC(2026, 2, 1), written("shelf-result.json", result));
  assert.equal((await details(id)).description, result.snippet.description);
  const { results } = await get<{ results: { approximate?: string[] }[] }>("/api/search?q=kiln+shelves&kinds=post");
  assert.deepEqual(results[0]?.approximate, ["text"]);
  await importMore(Date.UTC(2026, 1, 1), written("shelf.json", video));
  assert.equal((await details(id)).description, whole);
  await importMore(Date.UTC(2026, 3, 1), written("shelf-result-later.json", result));
  assert.equal((await details(id)).description, whole);
});

test("Data API: the beginning in a search result never replaces the description of a watch page", async () => {
  const id = "kilnShelf0E";
  const shown = "Shelves for the kiln, and what became of the old ones. Made at clay.example/sh...";
  const page = {
    responseContext: {},
    currentVideoEndpoint: { watchEndpoint: { videoId: id } },
    contents: { videoSecondaryInfoRenderer: { attributedDescription: { content: shown } } },
  };
  const result = {
    kind: "youtube#searchResult",
    id: { kind: "youtube#video", videoId: id },
    snippet: { title: "Kiln shelves", description: "Shelves for the kiln, and what ..." },
  };
  const { details, importMore } = await importedAt(Date.UTC(2026, 2, 1), written("shelves-result.json", result));
  await importMore(Date.UTC(2026, 1, 1), written("shelves-page.json", page));
  assert.equal((await details(id)).description, shown);
  await importMore(Date.UTC(2026, 3, 1), written("shelves-result-later.json", result));
  assert.equal((await details(id)).description, shown);
});

test("takeout: histories name videos and channels; who watched or searched what is not stored", async () => {
  const { details, report } = await imported("takeout/watch-history.json", "takeout/watch-history.html");
  const titles = async (id: string) => {
    const { title, author, channel_id: channel } = await details(id);
    return [title, author, channel];
  };
  const crank = ["Crank & Drone", "UCcrankAndDroneWorks0001"];
  assert.deepEqual(await titles("hurdyGurd1A"), ["Tuning a hurdy-gurdy", ...crank]);
  assert.deepEqual(await titles("keyBoxes07Y"), ["Key boxes & tangents", ...crank]);
  assert.equal((await details("bordunInD2E")).title, "Ein Bordun in D");
  assert.equal((await details("stringSet3I")).title, "弦を張り替える");
  assert.equal((await details("kampiLiir4M")).title, null, "words around the title in an unknown language");
  assert.deepEqual(report.total.skipped, {
    "a video that is deleted or private": 2,
    advertisement: 2,
    "an entry of a search history, which is private": 2,
  });
  assert.deepEqual(report.total.refused, {});
});

test("takeout: comments, subscriptions and playlists, in any language", async () => {
  const { details, comments, report } = await imported(
    "takeout/comments.csv",
    "takeout/Abos.csv",
    "takeout/Watch later-videos.csv",
    "takeout/Favorites.csv",
  );
  const body = await comments("hurdyGurd1A");
  assert.equal(report.total.records.comment?.new, 2);
  assert.deepEqual(
    body.comments.map(({ text, author_channel_id: author }) => [text, author]),
    [['That drone at 1:10 "sings"', "UCodileVarnayListens0001"]],
  );
  assert.equal((await details("laterReel9g")).title, null);
  assert.equal((await details("oldFavour0k")).title, null);
  assert.equal(report.total.records.account?.new, 3);
  assert.equal(report.total.records.follow, undefined);
  assert.deepEqual(report.total.refused, {});
});

test("takeout: the account's own videos if they are public, and none of its settings", async () => {
  const video = (id: string, Privacy: string) => ({
    "Video ID": id,
    "Approx Duration (ms)": "90500",
    "Video Category": "Music",
    "Video Description (Original)": "At home",
    "Channel ID": "UCcrankAndDroneWorks0001",
    "Tag 1": "crank",
    "Tag 2": "",
    "Video Title (Original)": "My own drone",
    Privacy,
    "Video Publish Timestamp": "2021-01-30T05:30:00+00:00",
  });
  const { details, report } = await imported(
    writtenTable("videos.csv", video("ownDrone00A", "Public"), video("ownDrone01E", "Unlisted")),
    writtenTable("channel.csv", {
      "Channel ID": "UCcrank",
      "Channel title (Original)": "Crank",
      "Channel visibility": "",
    }),
    writtenTable("music library songs.csv", { "Video ID": "ownDrone02I", "Song Title": "Drone", "Album Title": "D" }),
  );
  const own = await details("ownDrone00A");
  assert.deepEqual(
    [own.title, own.video_length, own.category, own.published_time, own.keywords, own.channel_id],
    ["My own drone", "91", "Music", "2021-01-30", ["crank"], "UCcrankAndDroneWorks0001"],
  );
  assert.equal(report.total.records.post?.new, 1);
  assert.deepEqual(
    [report.total.refused, report.total.skipped],
    [
      {},
      {
        "a video of the account that is not public": 1,
        "settings or songs of the account, which are private": 2,
      },
    ],
  );
});

test("a table of videos with the title of a song is not the takeout's list of songs", async () => {
  const row = { "Song Title": "Drone", video_id: "droneSong0A", title: "Drone, live", views: 7 };
  const { details, report } = await imported(writtenTable("songs.csv", row));
  assert.equal((await details("droneSong0A")).number_of_views, 7);
  assert.deepEqual(report.total.skipped, {});
});

test("takeout: messages of live chats are no comments", async () => {
  const file = ownFile("live chats.csv");
  const header = "Live Chat ID,Channel ID,Live Chat Create Timestamp,Price,Video ID,Live Chat Text";
  const message = ["ChwKGkNQdjRrUGFsLWZjQ0ZRZ0VyUVlkVWJ3", "UCodileVarnayListens0001", "2026-01-11T08:30:00.120Z", "0"];
  writeFileSync(file, `${header}\n${[...message, "hurdyGurd1A", '"{""text"":""hi""}"'].join(",")}\n`);
  const { report } = await imported(file);
  assert.deepEqual([report.total.records, report.total.refused], [{}, {}]);
  assert.deepEqual(report.total.skipped, { "a message of a live chat": 1 });
});

test("YouTube Studio: views count only if the period covers the video's whole time; figures of the owner are left out", async () => {
  const { details, get, report } = await imported("studio");
  const video = await details("hurdyGurd1A");
  assert.deepEqual(
    [video.title, video.number_of_views, video.published_time, video.video_length],
    ["Tuning a hurdy-gurdy", 38_011, "2024-06-07", "724"],
  );
  const { results } = await get<{ results: { approximate: string[] }[] }>("/api/search?q=tuning+hurdy&kinds=post");
  assert.deepEqual(results[0]?.approximate, ["published_at"], "the table has only the day");
  assert.equal((await details("wheelRosin0")).number_of_views, null);
  assert.equal(report.total.skipped["views of a period that began after the video, or that no file name tells"], 1);
});

test("Invidious: computed times are estimates, zeros unknown, descriptions in lists excerpts; channels and comments", async () => {
  const author = { author: "Marsh & Mere", authorId: "UCmarshAndMereReeds00001", authorUrl: "/@marsh" };
  const picture = { quality: "high", url: "https://media.example/vi/reeds.jpg", width: 480, height: 360 };
  const video = (videoId: string, more: object) => ({
    type: "video",
    videoId,
    title: "Reeds by proxy",
    ...author,
    videoThumbnails: [picture],
    description: "First words",
    viewCount: 0,
    lengthSeconds: 0,
    ...more,
  });
  const old = { published: Date.UTC(2024, 10, 13) / 1000, publishedText: "2 years ago" };
  const listed = video("reedProxy0A", { ...old, viewCount: 646, lengthSeconds: 811, liveNow: false });
  const now = { published: Date.UTC(2026, 10, 13) / 1000, publishedText: "0 seconds ago", liveNow: true };
  const { details, comments, get, importMore, getChannel, report } = await importedAt(
    Date.UTC(2026, 10, 13),
    written("proxy-search.json", [
      listed,
      video("reedProxy0E", now),
      video("reedProxy0I", { lengthSeconds: 60 }),
      { type: "playlist", playlistId: "PLreeds", playlistThumbnail: "", videos: [] },
    ]),
    written("proxy-channel.json", { ...author, authorThumbnails: [picture], subCount: 1230, latestVideos: [listed] }),
    written("proxy-comments.json", {
      videoId: "reedProxy0A",
      commentCount: 0,
      comments: [
        { commentId: "UgProxy1", content: "So tall", contentHtml: "So tall", likeCount: 4, ...old, ...author },
      ],
    }),
  );
  assert.deepEqual(report.total.refused, {});
  assert.deepEqual(report.total.skipped, { "a playlist, which has no video of its own": 1 });
  const { number_of_views: views, published_time: published, channel_id: channel } = await details("reedProxy0A");
  assert.deepEqual([views, published, channel], [646, null, author.authorId]);
  const live = await details("reedProxy0E");
  assert.deepEqual(
    [live.number_of_views, live.published_time, live.video_length, live.is_live_content, live.thumbnails.length],
    [null, null, null, "true", 1],
  );
  assert.equal((await details("reedProxy0I")).video_length, null, "every short has 60 s");
  assert.equal((await comments("reedProxy0A")).comments[0]?.text, "So tall");
  const { counters, name } = (await getChannel(author.authorId)) ?? {};
  assert.deepEqual([counters?.followers, name], [1230, "marsh"]);
  const whole = video("reedProxy0A", { published: Date.UTC(2024, 2, 12) / 1000, keywords: ["reeds"], genre: "Music" });
  await importMore(
    Date.UTC(2026, 9, 1),
    written("proxy-video.json", { ...whole, description: "First words and more" }),
  );
  const known = await details("reedProxy0A");
  assert.deepEqual(
    [known.published_time, known.description, known.category, known.number_of_views],
    ["2024-03-12", "First words and more", "Music", 646],
  );
  const { results } = await get<{ results: { approximate?: string[] }[] }>("/api/search?q=words+more&kinds=post");
  assert.deepEqual(results[0]?.approximate, ["published_at"], "a day");
});

test("youtube-comment-downloader: the video is in the file name; votes as the page shows them", async () => {
  const { comments, report } = await imported("comment-downloader");
  const body = await comments("hurdyGurd1A");
  assert.equal(report.total.records.comment?.new, 2);
  assert.deepEqual(
    body.comments.map(({ text, author_name: name, like_count: likes, number_of_replies: replies }) => [
      text,
      name,
      likes,
      replies,
    ]),
    [["Is that maple?", "@mossy.pocket", "1.2K", "1"]],
  );
  assert.deepEqual(report.total.refused, { comments_without_post: 1 });
});

test("youtubesearchpython: comments as the page shows them, of the video in the file's name; their texts may be cut", async () => {
  const whole = { id: "UgzDroneTwo2AaABAg", parent: "root", text: "So low \u{1F3B5} again" };
  const { comments, importMore, report } = await importedAt(
    Date.UTC(2026, 2, 3),
    "search-comments",
    written("my-remarks.json", {
      result: [{ votes: { simpleText: "7" }, content: "", author: { id: "UC" + "a".repeat(22) } }],
    }),
  );
  assert.deepEqual(report.total.refused, { comments_without_post: 1 });
  const listed = async () =>
    (await comments("hurdyGurd2E")).comments.map(({ text, author_name: name, like_count: likes, ...comment }) => [
      text,
      name,
      likes,
      comment.number_of_replies,
    ]);
  assert.deepEqual((await listed()).at(-1), ["Is that maple?", "@mossy.pocket", "1.2K", "12"]);
  await importMore(
    Date.UTC(2025, 2, 3),
    written("[hurdyGurd2E].json", [{ ...whole, author_id: `UC${"m".repeat(22)}` }]),
  );
  const texts = new Set((await listed()).map(([text]) => text));
  assert.deepEqual(texts, new Set(["Is that maple?", whole.text]));
});

test("a HAR of YouTube's pages: player, comments, search and captions; no advertisement", async () => {
  const { details, comments, subtitles, search, report } = await imported("pages/watching.har");
  const video = await details("glassSong1s");
  assert.equal(video.number_of_views, 1_234_567);
  assert.equal(video.published_time, "2026-05-02");
  assert.equal(video.category, "Music");
  assert.equal(video.is_live_content, "false");
  const body = await comments("glassSong1s");
  assert.equal(body.total_number_of_comments, 1234);
  assert.deepEqual(
    body.comments.map(({ id, like_count: likes, number_of_replies: replies }) => [id, likes, replies]),
    [["UgwGlass0001", "1.2K", "1"]],
  );
  assert.match(body.comments[0]?.published_time ?? "", /ago$/);
  assert.equal((await subtitles("glassSong1s", "cs")).subtitles[0]?.text, "dobrý večer");
  assert.equal((await subtitles("glassSong1s", "en")).subtitles[0]?.text, "Good evening");
  const [listed] = await search("bell tower");
  assert.equal(listed?.number_of_views, 87_650);
  assert.equal(listed?.video_length, "1:02:03");
  const [card] = await search("ropes spliced");
  assert.deepEqual([card?.video_length, card?.author, card?.number_of_views], ["9:05", "Tower Keepers", null]);
  assert.equal(report.total.skipped["advertisement"], 2);
  assert.deepEqual(report.total.refused, { post_without_id: 1 });
});

test("a saved page: its player data and its lists", async () => {
  const { details, search } = await imported("pages/watch.html");
  const video = await details("slateRoof4Y");
  assert.deepEqual(
    [video.number_of_views, video.author, video.description, video.published_time, video.is_live_content],
    [5019, "Slate & Lead", "Up a ladder, twice. #roofing", "2026-04-09", "true"],
  );
  assert.equal((await search("lead flashing"))[0]?.number_of_views, 812);
});

test("the watch page: day, likes and length, and the player's whole description in spite of the shortened one", async () => {
  const { details, search } = await importedAt(Date.UTC(2024, 5, 1), "pages/watch-live.html");
  const video = await details("kilnOpen24A");
  assert.equal(video.description, "Glazes: https://glazes.example/recipes/autumn-collection/list.html #pottery");
  assert.deepEqual([video.published_time, video.is_live_content], ["2024-03-03", "true"], "the player's time");
  assert.equal((await search("kettle one take"))[0]?.video_length, "12:34");
  const { get } = await importedAt(Date.UTC(2024, 5, 1), "pages/watch-live.html");
  const { results } = await get<{ results: { id: string; counters: object }[] }>(
    "/api/search?q=opening+kiln&platforms=longvideo&kinds=post",
  );
  assert.deepEqual(results[0]?.counters, { views: 26_418, likes: 1954 });
});

test("scrapetube: videos, cards, shorts and channels of pages, without the keys that name them", async () => {
  const channelId = "UCreedAndRushWorkshop001";
  const thumbnail = {
    thumbnails: [{ url: "https://i.ytimg.com/vi/reedPage01A/hqdefault.jpg", width: 168, height: 94 }],
  };
  const onTap = { innertubeCommand: { reelWatchEndpoint: { videoId: "reedPage03I" } } };
  const metadataRows = [{ metadataParts: [{ text: { content: "26K views" } }] }];
  const lockupMetadataViewModel = {
    title: { content: "Rush lights" },
    metadata: { contentMetadataViewModel: { metadataRows } },
  };
  const files = {
    "older-shorts.json": { videoId: "reedPage01A", headline: { simpleText: "Reed cutting" }, thumbnail },
    "videos.json": {
      contentId: "reedPage02E",
      contentType: "LOCKUP_CONTENT_TYPE_VIDEO",
      metadata: { lockupMetadataViewModel },
    },
    "shorts.json": { onTap, overlayMetadata: { primaryText: { content: "Reed boats" } } },
    "channels.json": {
      channelId,
      title: { simpleText: "Reed and Rush" },
      thumbnail,
      subscriberCountText: { simpleText: "1.2K subscribers" },
    },
  };
  const paths = Object.entries(files).map(([name, object]) => written(name, [object]));
  const { details, getChannel, report } = await imported(...paths);
  assert.deepEqual(report.total.refused, {});
  const titles = ["reedPage01A", "reedPage02E", "reedPage03I"].map(async (id) => (await details(id)).title);
  assert.deepEqual(await Promise.all(titles), ["Reed cutting", "Rush lights", "Reed boats"]);
  assert.equal((await details("reedPage02E", {})).number_of_views, 26_000);
  assert.deepEqual((await getChannel(channelId))?.counters.followers, 1200);
});

test("a stream that was captured live remains one after it ended", async () => {
  const id = "loomStream0";
  const resource = (name: string, liveBroadcastContent: string) => {
    const snippet = { title: "Loom stream", publishedAt: "2026-03-01T10:00:00Z", liveBroadcastContent };
    return written(name, { kind: "youtube#video", id, snippet });
  };
  const { details, search, importMore } = await importedAt(Date.UTC(2026, 2, 1, 11), resource("live.json", "live"));
  assert.equal((await details(id)).is_live_content, "true");
  await importMore(Date.UTC(2026, 2, 9), resource("ended.json", "none"));
  assert.equal((await details(id)).is_live_content, "true");
  assert.match((await search("loom stream"))[0]?.published_time ?? "", /^Streamed /);
});

test("a premiere or stream to come is not live, and who waits for it is no view", async () => {
  const page = (videoId: string, dateText: string) =>
    written(`${videoId}.json`, {
      responseContext: {},
      currentVideoEndpoint: { watchEndpoint: { videoId } },
      contents: {
        videoPrimaryInfoRenderer: {
          title: { simpleText: "Before the premiere" },
          viewCount: {
            videoViewCountRenderer: { viewCount: { runs: [{ text: "12" }, { text: " waiting" }] }, isLive: true },
          },
          dateText: { simpleText: dateText },
        },
      },
    });
  const { details } = await imported(
    page("premiere00A", "Premieres Nov 20, 2031"),
    page("premiere01E", "Scheduled for Nov 20, 2031"),
    page("premiere02I", "Started streaming 2 hours ago"),
  );
  const seen = async (id: string) => {
    const { title, number_of_views: views, is_live_content: live } = await details(id);
    return [title, views, live];
  };
  assert.deepEqual(await seen("premiere00A"), ["Before the premiere", null, null]);
  assert.deepEqual(await seen("premiere01E"), ["Before the premiere", null, null]);
  assert.deepEqual(await seen("premiere02I"), ["Before the premiere", null, "true"]);
});

test("parts of a player response that a tool saved: details and microformat, or the microformat alone", async () => {
  const { details, report } = await imported("pages/player-parts.json");
  const video = await details("clayPrep31M");
  assert.deepEqual(
    [video.title, video.number_of_views, video.video_length, video.published_time, video.category],
    ["Preparing clay", 3020, "301", "2024-05-04", "Howto & Style"],
  );
  assert.equal((await details("trimFoot32Q")).title, "Trimming a foot");
  assert.deepEqual(report.total.refused, {});
});

test("ytdl-core: what it made of the page's responses, the responses themselves, and the related videos", async () => {
  const channel = { id: "UCkilnAndKettleStudios01", name: "Kiln & Kettle" };
  const thumbnails = [{ url: "https://i.ytimg.com/vi/knotTying1A/hqdefault.jpg", width: 480, height: 360 }];
  const made = {
    videoId: "knotTying1A",
    title: "Knots",
    description: "Ten knots. #rope",
    lengthSeconds: "421",
    viewCount: "77123",
    likes: 2204,
    category: "Education",
    publishDate: "2020-10-11",
    channelId: channel.id,
    author: channel,
    isLiveContent: false,
    thumbnails,
  };
  const related = { id: "knotTying2E", title: "Splices", author: channel, view_count: "4412", length_seconds: 301 };
  const { title, author, ...others } = made;
  const details = { ...others, title: "Hitches", author: author.name, videoId: "knotTying3I" };
  const captions = { playerCaptionsTracklistRenderer: { captionTracks: [{ kind: "asr", languageCode: "nb" }] } };
  const response = { responseContext: {}, videoDetails: { ...details, shortDescription: "Three" }, captions };
  const whole = { videoDetails: { ...made, title: "Hitches", videoId: details.videoId }, player_response: response };
  const started = await imported(
    written("info.json", { page: "watch", videoDetails: made, related_videos: [related] }),
    written("whole.json", { ...whole, page: "watch", response: {}, related_videos: [] }),
  );
  assert.deepEqual([started.report.total.refused, started.report.total.skipped], [{}, {}]);
  const video = await started.details("knotTying1A");
  assert.deepEqual(
    [video.title, video.author, video.channel_id, video.description, video.published_time, video.category],
    [title, author.name, author.id, "Ten knots. #rope", "2020-10-11", "Education"],
  );
  assert.deepEqual([video.number_of_views, video.thumbnails], [77_123, thumbnails]);
  const other = await started.details("knotTying2E");
  assert.deepEqual([other.title, other.author, other.number_of_views], ["Splices", "Kiln & Kettle", 4412]);
  const { results } = await started.get<{ results: { id: string; language: string; counters: object }[] }>(
    "/api/search?q=hitches&platforms=longvideo&kinds=post",
  );
  assert.deepEqual(
    results.map(({ id, language, counters }) => [id, language, counters]),
    [["knotTying3I", "nb", { views: 77_123, likes: 2204 }]],
  );
});

test("rounded views and relative times are approximate: given by default, null on request, replaced by exact ones", async () => {
  // Listings show times as of the full hour.
  const now = Date.now() - (Date.now() % 3_600_000);
  const { details, search, get, importMore } = await importedAt(now, "pages/watch-live.html");
  const listed = async (headers: Record<string, string>) => {
    const [video] = await search("glaze dipping", headers);
    return [video?.number_of_views, video?.published_time];
  };
  const hoursAgo = () => `${17 + Math.floor((Date.now() - now) / 3_600_000)} hours ago`;
  for (const [headers, count] of [
    [{}, 26_000],
    [UNKNOWN, null],
  ] as const) {
    const earliest = hoursAgo();
    const [views, published] = await listed(headers);
    assert.equal(views, count);
    // The hour may end meanwhile.
    assert.ok(published === earliest || published === hoursAgo(), String(published));
  }
  assert.equal((await details("glazeDip21I", {})).number_of_views, 26_000);
  const day = new Date(now - 17 * 3_600_000).toISOString().slice(0, 10);
  assert.deepEqual((await details("glazeDip21I")).published_time, day, "certain to a day");
  const { results } = await get<{ results: { approximate: string[] }[] }>("/api/search?q=glaze+dipping&kinds=post");
  assert.deepEqual(results[0]?.approximate, ["counters.views", "published_at"]);
  const history = await get<{ points: unknown[] }>("/api/history?platform=longvideo&kind=post&id=glazeDip21I");
  assert.deepEqual(history.points, [], "a rounded count is no point of the history");

  await importMore(now - 864e5 * 700, "pages/exact-video.json");
  const [views, published] = await listed(UNKNOWN);
  assert.equal(views, 25_317);
  assert.match(String(published), /years? ago$/);
  await importMore(now + 864e5, "pages/watch-live.html");
  assert.deepEqual(await listed(UNKNOWN), [views, published], "exact values of any age stay");
});

test("a date that is known only as years ago is not given as a day", async () => {
  const { details, search } = await imported("pages/watching.har");
  assert.deepEqual((await details("ropesWork30", {})).published_time, "");
  const [video] = await search("ropes spliced", {});
  assert.equal(video?.number_of_views, 1_200_000);
  const years = 2 + Math.floor((Date.now() - Date.parse("2026-06-01T12:00:00Z")) / (365 * 864e5));
  assert.equal(video?.published_time, `${years} years ago`);
});

test("a day without a time of day does not replace the exact time, and is shown where nothing else is known", async () => {
  const id = "nightFerry0";
  const exact = { kind: "youtube#video", id, snippet: { title: "Night ferry", publishedAt: "2026-11-17T02:00:05Z" } };
  const dated = (name: string, upload_date: string, video = id) =>
    written(name, { id: video, extractor_key: "Youtube", webpage_url: "x", title: "Night ferry", upload_date });
  const row = { video_id: id, title: "Night ferry", channel_title: "Ferries", views: 12 };
  const microformat = { playerMicroformatRenderer: { externalVideoId: id, publishDate: "2026-11-16" } };
  const { details, get, importMore } = await importedAt(
    Date.UTC(2026, 10, 17, 12),
    written("exact.json", exact),
    dated("other.json", "20261116", "nightFerry4"),
  );
  const later = [
    dated("upload-date.json", "20261116"),
    written("row.json", [{ ...row, published_at: "2026-11-16" }]),
    written("english-row.json", [{ ...row, published_at: "Nov 16, 2026" }]),
    written("microformat.json", { microformat }),
  ];
  for (const [index, file] of later.entries()) {
    const { total } = await importMore(Date.UTC(2026, 10, 18 + index), file);
    assert.ok(total.records.post !== undefined, file);
  }
  assert.equal((await details(id)).published_time, "2026-11-17");
  assert.equal((await details("nightFerry4")).published_time, "2026-11-16");
  const { results } = await get<{ results: { id: string; published_at: number; approximate?: string[] }[] }>(
    "/api/search?q=night+ferry&kinds=post",
  );
  const published = new Map(results.map((result) => [result.id, [result.published_at, result.approximate]]));
  assert.deepEqual(published.get(id), [Date.UTC(2026, 10, 17, 2, 0, 5) / 1000, undefined]);
  assert.deepEqual(published.get("nightFerry4")?.[1], ["published_at"]);
});

test("importing twice changes nothing, and a later partial capture removes nothing", async () => {
  const harbour = join("yt-dlp", "Harbour walk [harbourW01k].info.json");
  const { details } = await imported(harbour, harbour, "subtitles/harbourW01k.es.srv1");
  const video = await details("harbourW01k");
  assert.equal(video.title, "Harbour walk at dawn");
  assert.equal(video.number_of_views, 48_211);
});

test("one picture without a size does not replace the list of sizes, and is given where there is no list", async () => {
  const channelId = "UCferryBellOrchestra0001";
  const url = "https://media.example/vi/bells/max.jpg";
  const table = ["ferryBells4", "ferryHorns0"].map((id) => ({
    video_id: id,
    title: "Bells",
    thumbnail: url,
    views: 7,
  }));
  const author = { author_id: channelId, author_thumbnail: "https://media.example/a/bells.jpg" };
  const commented = {
    id: "ferryHorns0",
    extractor_key: "Youtube",
    webpage_url: "x",
    comments: [{ id: "UgxBells1", parent: "root", text: "Loud", ...author }],
  };
  const { details, get, importMore, getChannel } = await importedAt(Date.UTC(2026, 2, 1), "data-api");
  const { thumbnails } = await details("ferryBells4");
  const { native: channel } = (await getChannel(channelId)) ?? {};
  assert.deepEqual([thumbnails.length, channel?.thumbnails?.length], [2, 2]);
  await importMore(Date.UTC(2026, 3, 1), written("bells-table.json", table));
  await importMore(Date.UTC(2026, 3, 1), written("bells.info.json", commented));
  assert.deepEqual((await details("ferryBells4")).thumbnails, thumbnails);
  assert.deepEqual((await details("ferryHorns0")).thumbnails, [{ url, width: null, height: null }]);
  assert.deepEqual((await getChannel(channelId))?.native.thumbnails, channel?.thumbnails);
  const { results } = await get<{ results: { approximate?: string[] }[] }>("/api/search?q=bells&kinds=post");
  assert.deepEqual(new Set(results.map(({ approximate }) => approximate)), new Set([undefined]));
});

test("the few pictures that a list shows do not replace the whole list of sizes, and go before one without a size", async () => {
  const id = "ferryBells4";
  const picture = { url: `https://media.example/vi/${id}/small.jpg`, width: 168, height: 94 };
  const [title, thumbnail] = [{ simpleText: "Bells" }, { thumbnails: [picture] }];
  const flat = { _type: "url", ie_key: "Youtube", id, url: "x", title: "Bells", thumbnails: [picture] };
  const snippet = { title: "Bells", thumbnails: { default: picture } };
  const lists = {
    "flat.json": flat,
    "result.json": { kind: "youtube#searchResult", id: { kind: "youtube#video", videoId: id }, snippet },
    "renderer.json": { videoRenderer: { videoId: id, title, thumbnail } },
    "card.json": {
      lockupViewModel: {
        contentId: id,
        contentType: "LOCKUP_CONTENT_TYPE_VIDEO",
        contentImage: { thumbnailViewModel: { image: { sources: [picture] } } },
      },
    },
    "short.json": {
      shortsLockupViewModel: {
        onTap: { innertubeCommand: { reelWatchEndpoint: { videoId: id } } },
        thumbnail: { sources: [picture] },
      },
    },
    "oembed.json": {
      provider_name: "YouTube",
      title: "Bells",
      thumbnail_url: picture.url,
      thumbnail_width: picture.width,
      thumbnail_height: picture.height,
    },
  };
  const files = Object.entries(lists).map(([name, list]) => written(`few-${name}`, list));
  const feed = ownFile("few-feed.xml");
  writeFileSync(
    feed,
    `<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015"><entry><yt:videoId>${id}</yt:videoId><title>Bells</title>
     <media:thumbnail url="${picture.url}" width="168" height="94"/></entry></feed>`,
  );
  const { details, importMore } = await importedAt(Date.UTC(2026, 2, 1), ...files.slice(0, 1));
  assert.deepEqual((await details(id)).thumbnails, [picture]);
  const row = { video_id: id, title: "Bells", thumbnail: "https://media.example/vi/bells/max.jpg", views: 7 };
  await importMore(Date.UTC(2026, 2, 2), written("few-row.json", [row]));
  assert.deepEqual((await details(id)).thumbnails, [picture]);
  await importMore(Date.UTC(2026, 1, 1), "data-api/videos.json");
  const { thumbnails } = await details(id);
  assert.equal(thumbnails.length, 2);
  for (const [index, file] of [...files, feed].entries()) {
    const { total } = await importMore(Date.UTC(2026, 3, 1 + index), file);
    assert.ok(total.records.post !== undefined, file);
    assert.deepEqual((await details(id)).thumbnails, thumbnails, file);
  }
});
