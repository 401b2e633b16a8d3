/** Tables of charts, videos and comments, from a file to the answers of the operations that they feed. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Static } from "#api/schema.ts";
import { startImportedServer } from "#tests/import-fixtures.ts";
import { ownFile, written, writtenTable, imported, importedAt, closeAfterTest } from "#tests/longvideo-imports.ts";
import { temporaryFolder } from "#tests/test-server.ts";
import type { VideoComments } from "../endpoints/video/comments.ts";

test("daily trending tables: one chart for all videos and one per section, in the table's order", async () => {
  const { charted, details } = await imported("trending/EG");
  assert.deepEqual(await charted("EG", "Now"), ["deltaDrum1A", "paperKite2E", "spiceRoad3I"]);
  assert.deepEqual(await charted("EG", "Music"), ["deltaDrum1A"]);
  assert.deepEqual(await charted("EG", "Movies"), ["paperKite2E"]);
  const video = await details("deltaDrum1A");
  assert.equal(video.title, 'Delta drums, "live" (2026)');
  assert.deepEqual(video.keywords, ["drums", "delta", "طبلة"]);
  assert.equal(video.video_length, "316");
});

test("a chart that was captured twice on one day is that of the later capture, whatever the time of its file", async () => {
  const home = temporaryFolder();
  after(() => home.remove());
  const write = (name: string, hour: string, rows: readonly [id: string, category: string][]) => {
    const lines = rows.map(
      ([id, category]) => `${id},IS,2026-11-16T${hour}:00:00Z,${id},Clips,UCclips0000000000000001,${category},1`,
    );
    const header = "video_id,country,fetched_at,title,channel_title,channel_id,category_name,views";
    writeFileSync(join(home.path, name), [header, ...lines].join("\n"));
    return join(home.path, name);
  };
  const morning = write("morning.csv", "05", [
    ["geyser00001", "Music"],
    ["geyser00002", "Gaming"],
    ["geyser00003", "Music"],
  ]);
  const evening = write("evening.csv", "20", [
    ["geyser00002", "Gaming"],
    ["geyser00001", "Music"],
  ]);
  const { charted, importMore } = await importedAt(Date.parse("2026-11-17T09:00:00Z"), evening);
  await importMore(Date.parse("2026-11-17T10:00:00Z"), morning);
  assert.deepEqual(await charted("IS", "Now"), ["geyser00002", "geyser00001"]);
  assert.deepEqual(await charted("IS", "Music"), ["geyser00001"]);
});

test("without a chart, trending ranks videos of which no capture tells the country", async () => {
  const video = (id: string, categoryId: string, viewCount: string) => ({
    kind: "youtube#video",
    id,
    snippet: { title: "Tide", categoryId, publishedAt: new Date(Date.now() - 2 * 864e5).toISOString() },
    statistics: { viewCount },
  });
  const file = written("tides.json", [video("tideFlats1A", "10", "900"), video("tideGauge2E", "28", "4000")]);
  const { charted, refreshTrends } = await imported(file);
  await refreshTrends();
  assert.deepEqual(await charted("SE", "Now"), ["tideGauge2E", "tideFlats1A"]);
  assert.deepEqual(await charted("SE", "Music"), ["tideFlats1A"]);
  assert.deepEqual(await charted("SE", "Gaming"), []);
});

test("Kaggle 2020: country from the file name, category name from its number", async () => {
  const { charted, details } = await imported("trending/NO_youtube_trending_data.csv");
  assert.deepEqual(await charted("NO", "Now"), ["fjordGame4M", "quietLoom5Q"]);
  assert.deepEqual(await charted("NO", "Gaming"), ["fjordGame4M"]);
  assert.equal((await details("fjordGame4M")).category, "Gaming");
  assert.deepEqual((await details("quietLoom5Q")).keywords, null);
});

test("Kaggle 2023 and 2024: ranks, countries by name, and the counts of the last day, whatever the order of the rows", async () => {
  const day = (video_id: string, daily_rank: number, snapshot_date: string, view_count: number) => {
    const row = { title: "Peat", channel_name: "Bog & Fen", channel_id: "UCbog", video_id, country: "LV" };
    return {
      ...row,
      daily_rank,
      snapshot_date,
      view_count,
      publish_date: "2025-01-02 00:00:00+00:00",
      video_tags: "a, b",
    };
  };
  const named = (video_trending__date: string, video_view_count: number) => ({
    video_id: "peatCuts05Q",
    video_title: "Cutting peat",
    video_trending__date,
    video_trending_country: "Estonia",
    channel_title: "Bog & Fen",
    video_published_at: "2025-01-02T03:04:05Z",
    video_category_id: "Music",
    video_duration: "PT1H2M3S",
    video_view_count,
  });
  const { charted, details, get } = await imported(
    writtenTable(
      "trending_yt_videos_113_countries.csv",
      day("peatFire04M", 2, "2025-01-04", 200),
      day("peatFire05Q", 1, "2025-01-04", 900),
      day("peatFire04M", 1, "2025-01-03", 100),
    ),
    writtenTable("youtube_trending_videos_global.csv", named("2025.01.04", 80), named("2025.01.03", 40)),
  );
  assert.deepEqual(await charted("LV", "Now"), ["peatFire05Q", "peatFire04M"]);
  const fire = await details("peatFire04M");
  assert.deepEqual([fire.number_of_views, fire.published_time, fire.keywords], [200, "2025-01-02", ["a", "b"]]);
  const { points } = await get<{ points: unknown[] }>("/api/history?platform=longvideo&kind=post&id=peatFire04M");
  assert.equal(points.length, 2);
  assert.deepEqual(await charted("EE", "Music"), ["peatCuts05Q"]);
  const cut = await details("peatCuts05Q");
  assert.deepEqual([cut.number_of_views, cut.video_length, cut.category], [80, "3723", "Music"]);
});

test("Kaggle 2024: countries by any of their names; a row of an unknown one is in no chart, and stops nothing", async () => {
  const named = (video_id: string, video_trending_country: string) => ({
    video_id,
    video_title: "Cutting peat",
    video_trending__date: "2025.01.04",
    video_trending_country,
    video_view_count: 80,
  });
  const { charted, report } = await imported(
    writtenTable(
      "US_videos.csv",
      named("peatCuts06U", "constructor"),
      named("peatCuts07Y", "Iceland"),
      named("peatCuts08c", "Hong Kong"),
      named("peatCuts09g", "Turkey"),
      named("peatCuts10k", "Czech Republic"),
      named("peatCuts11o", "Bosnia and Herzegovina"),
      named("peatCuts12s", "Atlantis"),
      named("peatCuts13w", ""),
    ),
  );
  const charts = ["IS", "HK", "TR", "CZ", "BA", "US"].map(async (country) => (await charted(country, "Now")).join());
  const listed = ["peatCuts07Y", "peatCuts08c", "peatCuts09g", "peatCuts10k", "peatCuts11o", "peatCuts13w"];
  assert.deepEqual(await Promise.all(charts), listed);
  assert.deepEqual(report.total.skipped, { "a chart entry of a country that is not known": 2 });
  assert.equal(report.total.records.post?.new, 8);
});

test("Kaggle 2018: days by year, day and month; quoted tags", async () => {
  const { charted, details } = await imported("trending/CAvideos.csv");
  assert.deepEqual(await charted("CA", "Now"), ["maplePress1", "birchSong2c"]);
  const video = await details("maplePress1");
  assert.deepEqual(video.keywords, ["maple", "leaf press", "autumn", 'red and "gold"']);
  assert.deepEqual((await details("birchSong2c")).keywords, ["birch", "wood", "folk song"], "quotes not escaped");
  assert.equal(video.description, "First line\nSecond line");
});

test("Kaggle 2017: ids from picture URLs, days without a year, run-together rows refused", async () => {
  const { charted, details, report } = await imported("trending/IEvideos.csv");
  assert.deepEqual(await charted("IE", "Now"), ["-tinWhis7Y0", "rainCoat9k0"]);
  assert.equal((await details("-tinWhis7Y0")).category, "Music");
  assert.equal((await details("peatBogs6U0")).number_of_views, 7426);
  assert.deepEqual(report.total.refused, { chart_row_without_day: 1, too_many_cells: 1 });
});

test("YouTube Data Tools: a list of videos and the comments of one", async () => {
  const { details, comments, get, report } = await imported("data-tools");
  const video = await details("barnOwls10o");
  assert.equal(video.title, "Owls at ten");
  assert.equal(video.video_length, "601");
  assert.deepEqual(video.keywords, ["owl", "barn"]);
  const body = await comments("barnOwls10o");
  assert.equal(body.total_number_of_comments, 2);
  assert.deepEqual(
    body.comments.map(({ id, text }) => [id, text]),
    [["UgzOwl0001", 'So quiet, so "near"']],
  );
  const post = await get<{ comments: Record<string, unknown>[] }>("/api/post?platform=longvideo&id=barnOwls10o");
  assert.deepEqual(
    post.comments.map(({ author_name: name, author_display_name: displayName }) => [name, displayName]),
    [[null, "Wren Castell"]],
  );
  assert.deepEqual(report.total.refused, { comment_without_id: 1 });
});

test("YouTube Data Tools: lengths of hours, and comments of its early versions, which are HTML", async () => {
  const videoId = "owlsAsleep0";
  const video = { videoId, videoTitle: "Owls asleep", publishedAt: "2023-01-02T03:04:05Z", channelId: "UCowls" };
  const { details, comments } = await imported(
    writtenTable("videolist_search1.csv", { ...video, duration: "PT2H3M4S", durationSec: 184 }),
    writtenTable(`videoinfo_${videoId}_2017_comments.csv`, {
      id: "z12owls",
      replyCount: 0,
      likeCount: 2,
      authorName: "Wren",
      text: "It&#39;s &quot;late&quot;<br />here",
      isReplyTo: "",
    }),
  );
  assert.equal((await details(videoId)).video_length, "7384");
  assert.equal((await comments(videoId)).comments[0]?.text, 'It\'s "late"\nhere');
});

test("YouTube Data Tools, second version: comments in threads, shorts, and the chart of the day in the file name", async () => {
  const videoId = "owlsAwake04";
  const channelId = "UCbarnOwlWatchersclub001";
  const comment = (id: string, more: object) => ({
    videoId,
    id,
    totalReplyCount: "",
    likeCount: 5,
    authorName: "@wren",
    authorChannelId: channelId,
    text: "So quiet",
    isReply: 1,
    threadId: "UgzOwl0020",
    isReplyToId: "",
    ...more,
  });
  const { details, comments, charted, report } = await imported(
    writtenTable("trending_FO_videos1_2026_03_01-10_00_00.csv", {
      region: "FO",
      rank: 1,
      channelId,
      videoId,
      publishedAt: "2026-01-02T03:04:05Z",
      videoTitle: "Owls awake",
      isShort: "yes",
      liveBroadcastContent: "live",
      viewCount: 500,
    }),
    writtenTable("june.csv", {
      video_id: videoId,
      title: "Owls awake",
      published_at: "2026-01-02T03:04:05Z",
      views: 900,
      scraped_at: "2026-06-01T10:00:00Z",
    }),
    writtenTable(
      `videocomments_${videoId}_comments_2026_03_01-10_00_00.csv`,
      comment("UgzOwl0020", { totalReplyCount: 2, isReply: 0 }),
      comment("UgzOwl0020.b", { isReplyToId: "UgzOwl0020" }),
      comment("UgzOwl0020.c", { isReplyToId: "UgzOwl0020.b" }),
    ),
  );
  assert.deepEqual([report.total.refused, report.total.skipped], [{}, {}]);
  const video = await details(videoId);
  assert.deepEqual([video.type, video.is_live_content, video.number_of_views], ["SHORT", "true", 900]);
  assert.deepEqual(await charted("FO", "Now"), [videoId]);
  assert.deepEqual(
    (await comments(videoId)).comments.map(({ id, number_of_replies: replies }) => [id, replies]),
    [["UgzOwl0020", "2"]],
  );
});

test("--of names the video of comments that do not: tables of YouTube Data Tools, and lists of the Data API", async () => {
  const folder = temporaryFolder();
  const header = "id,replyCount,likeCount,publishedAt,authorName,text,isReply,isReplyTo";
  writeFileSync(join(folder.path, "comments.csv"), `${header}\nUgzOwl0009,0,14,2026-02-21 07:00:00,Wren,So quiet,0,`);
  const reply = { parentId: "UgzOwl0009", textOriginal: "Thank you", authorDisplayName: "@owls" };
  const items = [{ kind: "youtube#comment", id: "UgzOwl0009.b", snippet: reply }];
  writeFileSync(join(folder.path, "replies.json"), JSON.stringify({ kind: "youtube#commentListResponse", items }));
  const started = await startImportedServer([folder.path]);
  try {
    assert.deepEqual(started.report.total.refused, { comments_without_post: 1, comment_without_post: 1 });
    const { total } = await started.importMore([folder.path], { subject: "https://youtu.be/barnOwls10o" });
    assert.deepEqual([total.refused, total.records.comment?.new], [{}, 2]);
    const body = await started.server.json<Static<typeof VideoComments>>(
      "/api/longvideo/video/comments?video_id=barnOwls10o",
    );
    assert.deepEqual(
      body.comments.map(({ id, number_of_replies: replies }) => [id, replies]),
      [["UgzOwl0009", "0"]],
    );
  } finally {
    await started.server.close();
    folder.remove();
  }
});

test("--of names the video of comments of yt-dlp, youtube-comment-downloader and the site's pages, too", async () => {
  const channel = "UCodileVarnayListens0001";
  const properties = { commentId: "UgOwlPage1", content: { content: "So near" } };
  const commentEntityPayload = { properties, author: { channelId: channel }, toolbar: {} };
  const updates = { frameworkUpdates: { mutations: [{ payload: { commentEntityPayload } }] } };
  const files = [
    written("of-yt-dlp.json", [{ id: "UgOwlDlp1", parent: "root", text: "So quiet", author_id: channel }]),
    writtenTable("of-downloader.csv", { cid: "UgOwlCsv1", text: "So late", author: "@odile", channel, votes: "1.2K" }),
    written("of-page.json", { responseContext: {}, ...updates }),
    written("of-part.json", updates),
  ];
  const started = await startImportedServer(files);
  closeAfterTest(started);
  assert.deepEqual(started.report.total.refused, { comments_without_post: 2, comment_without_post: 2 });
  const { total } = await started.importMore(files, { subject: "barnOwls10o" });
  assert.deepEqual(total.refused, {});
  const { comments } = await started.server.json<Static<typeof VideoComments>>(
    "/api/longvideo/video/comments?video_id=barnOwls10o",
  );
  assert.deepEqual(comments.map(({ text }) => text).toSorted(), ["So late", "So near", "So quiet"]);
});

test("tables of videos made by hand: synonyms of columns, ids in URLs, rounded and hidden counts unknown", async () => {
  const { details, comments, search, report } = await imported("video-tables");
  assert.deepEqual(await details("reedBeds11A"), {
    video_id: "reedBeds11A",
    title: "Cutting the reed beds & bundling",
    author: "Marsh & Mere",
    number_of_views: 20_411,
    video_length: null,
    description: "Winter work in the marsh. #reeds",
    is_live_content: null,
    published_time: "2025-11-02",
    channel_id: "UCmarshAndMereReeds00001",
    category: null,
    type: null,
    keywords: null,
    thumbnails: null,
  });
  const excerpt = await details("eelTraps12E");
  assert.deepEqual([excerpt.number_of_views, excerpt.description], [1204, "A short look at..."]);
  assert.equal((await comments("reedBeds11A")).total_number_of_comments, 57);
  const punt = await details("puntPole13I");
  assert.deepEqual(
    [punt.title, punt.video_length, punt.number_of_views, punt.keywords],
    ["Punts, poles and patience", "3829", 1_204_881, ["punt", "boatman's pole"]],
  );
  const sluice = await details("sluice014M0");
  assert.deepEqual([sluice.number_of_views, sluice.video_length], [4512, "725"]);
  const ditch = await details("ditchBank5o");
  assert.deepEqual([ditch.number_of_views, ditch.channel_id], [null, "UCmarshAndMereReeds00001"]);
  const osier = await details("osierBed20Q");
  assert.deepEqual([osier.description, osier.number_of_views], ["Osier from the marsh", 3021]);
  assert.equal((await search("punts"))[0]?.video_id, "puntPole13I");
  assert.deepEqual(report.total.refused, { post_without_id: 1, too_many_cells: 1 });
});

test("Data API resources flattened by pandas: the video's own time and owner, threads, channels, pictures and live state", async () => {
  const keeper = { "snippet.channelId": "UClistKeepersOwnChannel1", "snippet.channelTitle": "List Keeper" };
  const owner = { id: "UCmarshAndMereReeds00001", title: "Marsh & Mere" };
  const listed = (videoId: string) => ({
    kind: "youtube#playlistItem",
    id: "UExPlaylistItem",
    "snippet.publishedAt": "2024-05-05T05:05:05Z",
    ...keeper,
    "snippet.title": "Reeds in a list",
    "snippet.resourceId.videoId": videoId,
    "snippet.videoOwnerChannelTitle": owner.title,
    "snippet.videoOwnerChannelId": owner.id,
  });
  const comment = "snippet.topLevelComment";
  const { details, comments, getChannel, get, report } = await imported(
    writtenTable("listed.csv", { ...listed("reedList00A"), "contentDetails.videoPublishedAt": "2019-01-02T03:04:05Z" }),
    writtenTable("listed-snippets.csv", listed("reedList01E")),
    writtenTable("threads.csv", {
      kind: "youtube#commentThread",
      "snippet.videoId": "reedList00A",
      [`${comment}.id`]: "UgReedThread1",
      [`${comment}.snippet.textOriginal`]: "So tall",
      [`${comment}.snippet.authorChannelId.value`]: "UCodileVarnayListens0001",
      [`${comment}.snippet.likeCount`]: "3.0",
      "snippet.totalReplyCount": "0",
    }),
    writtenTable("channels.csv", {
      kind: "youtube#channel",
      id: owner.id,
      "snippet.title": owner.title,
      "statistics.subscriberCount": "1200",
    }),
    writtenTable("results.csv", {
      kind: "youtube#searchResult",
      "id.kind": "youtube#video",
      "id.videoId": "reedList02I",
      "snippet.title": "Reeds found",
      "snippet.description": "Cut in",
      "snippet.channelId": owner.id,
      "snippet.thumbnails.default.url": "https://media.example/reeds.jpg",
      "snippet.liveBroadcastContent": "live",
    }),
  );
  assert.deepEqual(report.total.refused, {});
  const seen = async (id: string) => {
    const { author, channel_id: channelId, published_time: published } = await details(id);
    return [author, channelId, published];
  };
  assert.deepEqual(await seen("reedList00A"), [owner.title, owner.id, "2019-01-02"]);
  assert.deepEqual(await seen("reedList01E"), [owner.title, owner.id, null], "not the day of listing");
  const [thread] = (await comments("reedList00A")).comments;
  assert.deepEqual([thread?.text, thread?.like_count, thread?.number_of_replies], ["So tall", "3", "0"]);
  assert.equal((await getChannel(owner.id))?.counters.followers, 1200);
  const found = await details("reedList02I");
  assert.deepEqual([found.thumbnails.length, found.is_live_content], [1, "true"]);
  const { results } = await get<{ results: { approximate?: string[] }[] }>("/api/search?q=reeds+found&kinds=post");
  assert.deepEqual(results[0]?.approximate, ["text"]);
});

test("flattened Data API resources: titles, descriptions and comments in brackets are texts", async () => {
  const comment = "snippet.topLevelComment";
  const { details, comments } = await imported(
    writtenTable("bracketed.csv", {
      kind: "youtube#playlistItem",
      "snippet.title": "[2024]",
      "snippet.description": "{}",
      "snippet.resourceId.videoId": "reedList20A",
    }),
    writtenTable("bracketed-threads.csv", {
      kind: "youtube#commentThread",
      "snippet.videoId": "reedList20A",
      [`${comment}.id`]: "UgReedThread2",
      [`${comment}.snippet.textOriginal`]: "[12]",
    }),
  );
  const video = await details("reedList20A");
  assert.deepEqual([video.title, video.description], ["[2024]", "{}"]);
  assert.deepEqual(
    (await comments("reedList20A")).comments.map(({ text }) => text),
    ["[12]"],
  );
});

test("flattened playlist items: views, likes and lengths that a script added are the video's", async () => {
  const listed = {
    kind: "youtube#playlistItem",
    "snippet.title": "Reeds in a list",
    "snippet.publishedAt": "2024-05-05T05:05:05Z",
    "snippet.resourceId.videoId": "reedList10A",
    viewCount: 5000,
    "statistics.likeCount": 400,
    duration: "PT3M",
    scraped_at: "2026-03-01T10:00:00Z",
  };
  const { details, get } = await imported(writtenTable("uploads.csv", listed));
  const video = await details("reedList10A");
  assert.deepEqual(
    [video.title, video.number_of_views, video.video_length, video.published_time],
    ["Reeds in a list", 5000, "180", null],
  );
  const { points } = await get<{ points: object[] }>("/api/history?platform=longvideo&kind=post&id=reedList10A");
  assert.match(JSON.stringify(points), /"likes":400/);
});

test("tables of videos by Apify and Bright Data: time, description, channel, subscribers and shorts", async () => {
  const apify = {
    title: "Eel traps",
    type: "shorts",
    id: "eelTraps30Q",
    viewCount: 35_582,
    date: "2021-12-21T08:00:00.000Z",
    channelName: "Marsh & Mere",
    channelUrl: "https://www.youtube.com/@marsh.mere",
    channelId: "UCmarshAndMereReeds00001",
    numberOfSubscribers: 6930,
    commentsCount: 14,
    comments: null,
    text: "Willow and patience",
  };
  const brightData = {
    url: "https://www.youtube.com/watch?v=eelTraps31U",
    title: "Eel traps, filmed",
    youtuber: "@fen.films",
    youtuber_id: "UCfenFilmsAndOtherFens01",
    handle_name: "Fen Films",
    video_url: "https://rr1.googlevideo.com/videoplayback?id=1",
    date_posted: "2025-03-04T05:06:07.000Z",
    num_comments: 7,
    preview_image: "https://media.example/eels.jpg",
    views: 2000,
  };
  const dated = {
    video_id: "eelTraps32Y",
    title: "Eel traps by day",
    channel: "Mere",
    date: "2026-01-01",
    text: "hello",
  };
  const { details, comments, getChannel } = await imported(
    written("apify.json", [apify]),
    written("bright-data.json", [brightData]),
    written("dated.json", [dated]),
  );
  const short = await details("eelTraps30Q");
  assert.deepEqual(
    [short.published_time, short.description, short.type, short.author, short.channel_id],
    ["2021-12-21", "Willow and patience", "SHORT", "Marsh & Mere", apify.channelId],
  );
  assert.equal((await comments("eelTraps30Q")).total_number_of_comments, 14);
  const channel = await getChannel(apify.channelId);
  assert.deepEqual(
    [channel?.name, channel?.counters.followers, channel?.approximate],
    ["marsh.mere", 6930, { "counters.followers": 10 }],
  );
  const filmed = await details("eelTraps31U");
  assert.deepEqual(
    [filmed.published_time, filmed.author, filmed.channel_id, filmed.thumbnails.length],
    ["2025-03-04", "Fen Films", brightData.youtuber_id, 1],
  );
  assert.equal((await comments("eelTraps31U")).total_number_of_comments, 7);
  const other = await details("eelTraps32Y");
  assert.deepEqual([other.published_time, other.description], [null, null], "they may be something else");
});

test("Apify's youtube-scraper without channelName: description, handle, and a name until a capture shows the title", async () => {
  const row = {
    id: "eelTraps33c",
    title: "Eel traps at night",
    text: "Lanterns and patience",
    channelUsername: "marsh.mere",
    channelUrl: "https://www.youtube.com/channel/UCmarshAndMereReeds00001",
    commentsTurnedOff: "false",
    viewCount: 20,
  };
  const opened = await imported(writtenTable("scraped.csv", row));
  const scraped = await opened.details("eelTraps33c");
  assert.deepEqual(
    [scraped.description, scraped.author, scraped.channel_id],
    ["Lanterns and patience", "marsh.mere", "UCmarshAndMereReeds00001"],
  );
  assert.equal((await opened.getChannel("UCmarshAndMereReeds00001"))?.name, "marsh.mere");
  const titled = { video_id: "eelTraps33c", title: "Eel traps at night", channel: "Marsh & Mere", views: 21 };
  await opened.importMore(Date.parse("2020-01-01"), written("titled.json", [titled]));
  assert.equal((await opened.details("eelTraps33c")).author, "Marsh & Mere", "a title of any age counts more");
});

test("a bar inside the quotes of a tag is part of it", async () => {
  const kaggle = {
    video_id: "barTags001A",
    trending_date: "17.14.11",
    title: "Bars",
    channel_title: "Marsh & Mere",
    category_id: 22,
    publish_time: "2017-11-13T17:13:01.000Z",
    tags: 'reed|"punt | pole"|"eel"',
    views: 7,
    likes: 5,
    dislikes: 0,
    comment_count: 1,
    thumbnail_link: "https://i.ytimg.com/vi/barTags001A/default.jpg",
    comments_disabled: "False",
    ratings_disabled: "False",
    video_error_or_removed: "False",
    description: "Bars",
  };
  const own = { video_id: "barTags002E", title: "Bars", channel: "Mere", tags: '"punt | pole"|"eel"|reed|"one' };
  const { details } = await imported(writtenTable("GBvideos.csv", kaggle), writtenTable("own.csv", own));
  assert.deepEqual((await details("barTags001A")).keywords, ["reed", "punt | pole", "eel"]);
  assert.deepEqual((await details("barTags002E")).keywords, ["punt | pole", "eel", "reed", '"one']);
});

test("a dashboard with other lists beside its videos", async () => {
  const video = { video_id: "dashReed01A", title: "Reed", channel: "Marsh & Mere", views: 5000 };
  const { details, report } = await imported(
    written("dashboard.json", {
      generated: "2026-01-05",
      videos: [video],
      byDay: [
        { day: "2026-01-04", views: 2000 },
        { day: "2026-01-05", views: 3000 },
      ],
    }),
  );
  assert.equal((await details("dashReed01A")).number_of_views, 5000);
  assert.deepEqual(report.total.refused, {});
});

test("search results of youtubesearchpython and youtube-sr: nested channels, views, lengths and pictures", async () => {
  const channel = { name: "Marsh & Mere", id: "UCmarshAndMereReeds00001", link: "https://www.youtube.com/@marsh.mere" };
  const picture = { url: "https://media.example/reeds.jpg", width: 360, height: 202 };
  const listed = { type: "video", id: "reedCuts50A", title: "Reeds", publishedTime: "2 years ago", duration: "4:53" };
  const viewCount = { text: "1,234,567 views", short: "1.2M views" };
  const found = { type: "channel", id: "UCfenFilmsAndOtherFens01", title: "Fen Films", thumbnails: [picture] };
  const { details, getChannel, report } = await importedAt(
    Date.UTC(2026, 2, 3),
    written("search.json", {
      result: [
        { ...listed, viewCount, thumbnails: [picture], descriptionSnippet: [{ text: "Cut in" }], channel },
        { ...found, subscribers: "@fen.films", videoCount: "13.3K subscribers" },
        { type: "playlist", id: "PLreedsAndOtherFens00001", title: "Reeds", videoCount: "7", channel },
      ],
    }),
    written("info.json", {
      id: "reedCuts51E",
      title: "More reeds",
      duration: { secondsText: "199" },
      viewCount: { text: "5550" },
      channel,
    }),
    written("youtube-sr.json", [
      { id: "reedCuts52I", title: "Fewer reeds", duration: 199_000, duration_formatted: "3:19", views: 7, channel },
    ]),
    written("channels.json", { result: [{ ...found, id: "UCfenFilmsAndOtherFens02", subscribers: "7 subscribers" }] }),
  );
  const video = await details("reedCuts50A");
  assert.deepEqual(
    [video.author, video.channel_id, video.number_of_views, video.video_length, video.description],
    [channel.name, channel.id, 1_234_567, "293", null],
  );
  assert.deepEqual(video.thumbnails, [picture]);
  for (const [id, views] of [
    ["reedCuts51E", 5550],
    ["reedCuts52I", 7],
  ] as const) {
    const { author, channel_id: channelId, number_of_views: count, video_length: length } = await details(id);
    assert.deepEqual([author, channelId, count, length], [channel.name, channel.id, views, "199"]);
  }
  assert.equal((await getChannel(channel.id))?.name, "marsh.mere");
  const films = await getChannel(found.id);
  assert.deepEqual([films?.name, films?.displayName, films?.counters.followers], ["fen.films", "Fen Films", 13_300]);
  assert.equal((await getChannel("UCfenFilmsAndOtherFens02"))?.counters.followers, 7);
  assert.deepEqual([report.total.refused, Object.values(report.total.skipped)], [{}, [1]]);
});

test("youtube-search for Node.js: pictures by size, channels and playlists, as it returns them or as a list alone", async () => {
  const [channelId, channelTitle] = ["UCmarshAndMereReeds00001", "Marsh & Mere"];
  const picture = { url: "https://media.example/reeds.jpg", width: 120, height: 90 };
  const found = { publishedAt: "2024-01-02T03:04:05Z", channelId, channelTitle, thumbnails: { default: picture } };
  const rows = (id: string) => [
    { id, link: `https://www.youtube.com/watch?v=${id}`, kind: "youtube#video", title: "Reeds &amp; rush", ...found },
    { id: channelId, link: "https://www.youtube.com", kind: "youtube#channel", title: "Marsh &amp; Mere", ...found },
    { id: "PLreedsAndOtherFens00001", link: "https://www.youtube.com", kind: "youtube#playlist", ...found },
  ];
  const { details, getChannel, report } = await imported(
    written("returned.json", { results: rows("reedNode01A"), pageInfo: { totalResults: 3 } }),
    written("list.json", rows("reedNode02E")),
  );
  assert.deepEqual(report.total.refused, {});
  for (const id of ["reedNode01A", "reedNode02E"]) {
    const { title, author, thumbnails } = await details(id);
    assert.deepEqual([title, author, thumbnails], ["Reeds & rush", channelTitle, [picture]]);
  }
  const channel = await getChannel(channelId);
  assert.deepEqual([channel?.displayName, channel?.native?.thumbnails], [channelTitle, [picture]]);
});

test("SerpApi: a search with shorts and channels beside its videos, and a video that only the request names", async () => {
  const channel = { name: "Marsh & Mere", link: "https://www.youtube.com/@marsh.mere", verified: true };
  const asked = (engine: string, v?: string) => ({
    search_metadata: { id: "65f0", status: "Success" },
    search_parameters: { engine, v },
  });
  const row = (video_id: string) => ({
    video_id,
    title: video_id,
    link: `https://www.youtube.com/watch?v=${video_id}`,
  });
  const { details, report } = await importedAt(
    Date.UTC(2026, 2, 3),
    written("found.json", {
      ...asked("youtube"),
      ads_results: [{ ...row("reedSold01A"), views: 5 }],
      video_results: [
        {
          ...row("reedFind01A"),
          channel,
          published_date: "2 years ago",
          views: 22_333,
          length: "5:16",
          thumbnail: { static: "https://media.example/reeds.jpg", rich: "https://media.example/moving.webp" },
        },
      ],
      channel_results: [{ title: channel.name, link: channel.link, handle: "@marsh.mere", subscribers: 45_600 }],
      shorts_results: [{ shorts: [{ ...row("reedFind02E"), views_original: "1.2K views", views: 1200 }] }],
      playlist_results: [
        {
          title: "Reeds, all year",
          link: "https://www.youtube.com/watch?v=reedFind01A&list=PLreedsAllYear",
          channel: { name: "Reed Fans", link: "https://www.youtube.com/@reed.fans" },
          video_count: 12,
          videos: [{ title: "Reeds in June", link: row("reedFind05Q").link, length: "3:08" }],
        },
      ],
    }),
    written("watched.json", {
      ...asked("youtube_video", "reedFind03I"),
      title: "Reeds, watched",
      channel,
      views: "22,333 views",
      likes: "410",
      published_date: "Jan 2, 2024",
      description: { content: "All on #reeds", links: [] },
      related_videos: [{ ...row("reedFind04M"), channel, views: "1.2M views", length: "3:19" }],
    }),
  );
  assert.deepEqual([report.total.refused, report.total.records.post?.new], [{}, 5]);
  const found = await details("reedFind01A");
  assert.deepEqual([found.number_of_views, found.video_length, found.author], [22_333, "316", channel.name]);
  assert.equal(found.title, "reedFind01A", "not that of a playlist that begins with it");
  assert.deepEqual(found.thumbnails, [{ url: "https://media.example/reeds.jpg", width: null, height: null }]);
  assert.equal((await details("reedFind02E")).number_of_views, null, "rounded");
  assert.equal((await details("reedFind02E", {})).number_of_views, 1200);
  const watched = await details("reedFind03I");
  assert.deepEqual([watched.title, watched.number_of_views], ["Reeds, watched", 22_333]);
  assert.deepEqual([watched.description, watched.published_time], ["All on #reeds", "2024-01-02"]);
});

test("youtubei.js: what a search found, and what is known of a watched video", async () => {
  const text = (shown: string) => ({ runs: [{ text: shown }], text: shown });
  const [id, name] = ["UCmarshAndMereReeds00001", "Marsh & Mere"];
  const found = {
    type: "Video",
    video_id: "reedTube01A",
    title: text("Reeds"),
    snippets: [],
    thumbnails: [{ url: "https://media.example/reeds.jpg", width: 720, height: 404 }],
    author: { id, name, url: "https://www.youtube.com/@marsh.mere" },
    published: { text: "2 years ago" },
    view_count: { text: "12,345 views" },
    duration: { text: "5:16", seconds: 316 },
  };
  const basic_info = {
    id: "reedTube02E",
    title: "Reeds, watched",
    short_description: "All on #reeds",
    channel: { id, name, url: "https://www.youtube.com/@marsh.mere" },
    author: name,
    duration: 199,
    view_count: 22_333,
    like_count: 410,
    is_live: false,
    category: "Education",
  };
  const { details, report } = await importedAt(
    Date.UTC(2026, 2, 3),
    written("videos.json", [found]),
    written("watched.json", { basic_info, endscreen: { type: "Endscreen", elements: [{ id: "x" }] } }),
  );
  assert.deepEqual(report.total.refused, {});
  const video = await details("reedTube01A", {});
  assert.deepEqual([video.title, video.author, video.channel_id], ["Reeds", name, id]);
  assert.deepEqual([video.number_of_views, video.video_length], [12_345, "316"]);
  const watched = await details("reedTube02E");
  assert.deepEqual([watched.title, watched.description], ["Reeds, watched", "All on #reeds"]);
  assert.deepEqual([watched.number_of_views, watched.category], [22_333, "Education"]);
});

test("Piped: lists of videos and channels", async () => {
  const video = {
    url: "/watch?v=reedCuts60A",
    type: "stream",
    title: "Reeds",
    thumbnail: "https://media.example/reeds.jpg",
    uploaderName: "Marsh & Mere",
    uploaderUrl: "/channel/UCmarshAndMereReeds00001",
    uploadedDate: "3 months ago",
    duration: 199,
    views: 12_345,
    uploaded: 1_700_000_000_000,
    uploaderVerified: true,
    isShort: false,
  };
  const live = { ...video, url: "/watch?v=reedCuts61E", duration: -1, uploadedDate: null };
  const channel = { url: "/channel/UCfenFilmsAndOtherFens01", type: "channel", name: "Fen Films", videos: -1 };
  const { details, getChannel, report } = await importedAt(
    Date.UTC(2026, 2, 3),
    written("trending.json", [video]),
    written("found.json", { items: [live, { ...channel, subscribers: 13_300 }], nextpage: "x", corrected: false }),
    written("channel.json", {
      id: "UCmarshAndMereReeds00001",
      name: "Marsh & Mere",
      avatarUrl: "https://media.example/marsh.jpg",
      subscriberCount: 6930,
      verified: true,
      relatedStreams: [{ ...video, url: "/watch?v=reedCuts62I", isShort: true, duration: -1 }],
      tabs: [{ name: "shorts", data: "x" }],
    }),
  );
  assert.deepEqual(report.total.refused, {});
  const { author, channel_id: channelId, number_of_views: views, video_length: length } = await details("reedCuts60A");
  assert.deepEqual([author, channelId, views, length], ["Marsh & Mere", "UCmarshAndMereReeds00001", 12_345, "199"]);
  assert.deepEqual((await details("reedCuts61E")).number_of_views, null);
  assert.deepEqual((await details("reedCuts62I")).type, "SHORT");
  const known = await getChannel("UCmarshAndMereReeds00001");
  assert.deepEqual([known?.counters.followers, known?.verified], [6930, true]);
  const found = await getChannel("UCfenFilmsAndOtherFens01");
  assert.deepEqual([found?.displayName, found?.counters], ["Fen Films", { followers: 13_300 }]);
});

test("Piped: a watched video and its comments, whose id is in the URL of its picture or in the file's name", async () => {
  const channelId = "UCmarshAndMereReeds00001";
  const watched = {
    title: "Reeds",
    description: "Cut in winter.<br>#reeds",
    uploadDate: "2024-03-04T05:06:07Z",
    uploader: "Marsh & Mere",
    uploaderUrl: `/channel/${channelId}`,
    thumbnailUrl: "https://proxy.example/vi/reedPipe01A/hqdefault.jpg?host=i.ytimg.com",
    category: "Education",
    tags: ["reeds"],
    uploaderVerified: true,
    duration: 316,
    views: 12_345,
    likes: 410,
    dislikes: -1,
    uploaderSubscriberCount: 45_600,
    videoStreams: [],
    relatedStreams: [{ url: "/watch?v=reedPipe02E", uploaderUrl: `/channel/${channelId}`, title: "More reeds" }],
    livestream: false,
  };
  const live = { ...watched, thumbnailUrl: null, uploadDate: "2024-03-04", livestream: true, likes: -1 };
  const comment = {
    author: "@odile",
    commentId: "UgReedPipe01",
    commentText: "So &amp; so<br>green",
    commentedTime: "2 years ago",
    commentorUrl: `/channel/${channelId}`,
    likeCount: 1200,
    replyCount: -1,
  };
  const remarks = { comments: [comment], nextpage: null, disabled: false, commentCount: 14 };
  const { details, comments, report } = await importedAt(
    Date.UTC(2026, 2, 3),
    written("streams.json", watched),
    written("reedPipe03I.json", live),
    written("nameless.json", live),
    written("reedPipe01A_comments.json", remarks),
    written("nameless-comments.json", remarks),
  );
  assert.deepEqual(report.total.refused, { post_without_id: 1, comments_without_post: 1 });
  const video = await details("reedPipe01A");
  assert.deepEqual([video.title, video.author, video.number_of_views], ["Reeds", "Marsh & Mere", 12_345]);
  assert.deepEqual([video.published_time, video.video_length, video.category], ["2024-03-04", "316", "Education"]);
  assert.equal((await details("reedPipe01A", {})).description, "Cut in winter.\n#reeds");
  assert.equal((await details("reedPipe02E")).title, "More reeds");
  const stream = await details("reedPipe03I");
  assert.deepEqual([stream.number_of_views, stream.video_length, stream.is_live_content], [null, null, "true"]);
  const body = await comments("reedPipe01A");
  assert.equal(body.total_number_of_comments, 14);
  const [said] = body.comments;
  assert.deepEqual([said?.text, said?.author_name, said?.like_count], ["So & so\ngreen", "@odile", "1.2K"]);
});

test("a post of another site that links to a video changes nothing of it", async () => {
  const video = { video_id: "reedCuts40A", title: "Reeds", channel: "Marsh & Mere", comments: 1234 };
  const url = "https://youtu.be/reedCuts40A";
  const post = {
    id: "abc12x",
    title: "I cut reeds [OC]",
    author: "tiber_oak",
    subreddit: "videos",
    num_comments: 87,
    url,
  };
  const { details, comments, report } = await imported(written("reeds.json", [video]), written("reddit.json", [post]));
  const { title, author } = await details(video.video_id);
  assert.deepEqual([title, author], [video.title, video.channel]);
  assert.equal((await comments(video.video_id)).total_number_of_comments, 1234);
  assert.deepEqual(report.total.refused, { unknown_format: 1 });
});

test("a video whose own id is no text is read by its URL", async () => {
  const row = (code: string, id: unknown) => ({
    id,
    title: "Osier",
    author: "Tove Reed",
    url: `https://youtu.be/${code}`,
  });
  const { details, report } = await imported(
    written("rows.json", [row("osierObj01A", { toString: 1 }), row("osierObj02E", { kind: "video" })]),
  );
  for (const id of ["osierObj01A", "osierObj02E"]) assert.equal((await details(id)).title, "Osier");
  assert.deepEqual(report.total.refused, {});
});

test("lists of videos within an object, whatever it is called, and videos by their ids", async () => {
  const row = (video_id: string) => ({ video_id, title: "Osier", channel: "Marsh & Mere", views: 5 });
  const { report } = await imported(
    written("answer.json", { total: 2, videos: [row("osierCut00A"), { ...row("osierCut01E"), video_id: null }] }),
    written("within.json", { status: "ok", data: { next: "x", result: [row("osierCut02I")] } }),
    written("by-id.json", { osierCut03M: row("osierCut03M") }),
    written("details.json", {
      videoDetails: { videoId: "osierCut04Q", title: "Osier", lengthSeconds: "5", author: "M" },
    }),
  );
  assert.deepEqual(report.total.records.post?.new, 4);
  assert.deepEqual(report.total.refused, { post_without_id: 1 });
  assert.deepEqual(report.total.formats, { "video table": 3, "longvideo web": 1 });
});

test("an object with a list of videos and other records is left to the recognisers; other rows of that list are refused", async () => {
  const row = (video_id: string) => ({ video_id, title: "Osier", channel: "Marsh & Mere", views: 5000, likes: 400 });
  const thread = {
    kind: "youtube#commentThread",
    id: "UgOsier1",
    snippet: {
      videoId: "osierCut10A",
      topLevelComment: { kind: "youtube#comment", id: "UgOsier1", snippet: { textOriginal: "So supple" } },
    },
  };
  const channel = { kind: "youtube#channel", id: "UCmarshAndMereReeds00001", snippet: { title: "Marsh & Mere" } };
  const remark = { type: "comment", comment_id: "UgOsier2", comment_text: "So green", author: "Odile", likes: 3 };
  const { details, comments, getChannel, report } = await imported(
    written("with-comments.json", { videos: [row("osierCut10A")], comments: [thread] }),
    written("with-channel.json", { videos: [row("osierCut11E")], channel }),
    written("mixed.json", { items: [row("osierCut12I"), { ...row("osierCut12I"), ...remark }] }),
  );
  assert.deepEqual(
    (await comments("osierCut10A")).comments.map(({ text }) => text),
    ["So supple"],
  );
  assert.equal((await getChannel(channel.id))?.displayName, "Marsh & Mere");
  assert.equal((await details("osierCut12I")).author, "Marsh & Mere");
  assert.deepEqual(report.total.refused, { unknown_record: 1 });
});

test("tables of comments and of transcript lines that name their video are refused, not read as videos", async () => {
  const csv = (name: string, header: string, ...cells: string[]) => {
    const file = ownFile(name);
    writeFileSync(file, [header, cells.join(",")].join("\n"));
    return file;
  };
  const id = "reedBeds11A";
  const refused = [
    csv("a.csv", "video_id,video_title,comment_id,author,likes", id, "Reeds", "UgReed1", "Odile", "9"),
    csv(
      "b.csv",
      "video_id,title,author,comment,like_count,published_at",
      id,
      "Reeds",
      "Odile",
      "100",
      "9",
      "2024-02-03",
    ),
    csv("c.csv", "video_id,title,views,author,Comment", id, "Reeds", "7", "Odile", "So quiet"),
    csv("d.csv", "videoId,title,authorChannelId,textDisplay", id, "Reeds", "UCodileVarnayListens0001", "So quiet"),
    csv("e.csv", "video_id,title,author,text,parent_id", id, "Reeds", "Odile", "So quiet", ""),
    csv("f.csv", "video_id,title,text,start,duration", id, "Reeds", "hello", "0.0", "3.2"),
    csv("g.csv", "video_id,title,Text,Start Time,duration", id, "Reeds", "hello", "00:00:01", "3.2"),
    written("h.json", [{ video_id: id, title: "Reeds", author: "Odile", comment_text: "So quiet", likes: 9 }]),
    csv("i.csv", "video_id,title,author,text,likes,replies", id, "Reeds", "Odile", "So quiet", "9", "0"),
    csv("j.csv", "video_id,title,author,text,published_at", id, "Reeds", "Odile", "So quiet", "2024-02-03"),
    csv(
      "k.csv",
      "video_id,title,views,author,Comment",
      id,
      "Reeds",
      "7",
      "Odile",
      `So quiet\n${id},Reeds,7,Odile,2024`,
    ),
  ];
  const read = [
    csv(
      "videos-a.csv",
      "video_id,title,channel,comments,comment_count,text",
      "reedBeds12A",
      "Reeds",
      "Mere",
      "3",
      "3",
      "hi",
    ),
    csv("videos-b.csv", "video_id,title,views,likes,comment", "reedBeds13A", "Reeds", "9", "2", "3"),
    csv("videos-c.csv", "video_id,title,duration,transcript,commentCount", "reedBeds14A", "Reeds", "60", "hello", "3"),
  ];
  const { report } = await imported(...refused, ...read);
  assert.deepEqual(report.total.refused, { unknown_format: refused.length });
  const video = (video_id: string, comment: string | number) => ({ video_id, title: "Reeds", views: 9, comment });
  const rows = [video("reedBeds15A", 3), video("reedBeds16A", "see below"), video("reedBeds17A", 4)];
  const { total } = (await imported(writtenTable("notes.csv", ...rows))).report;
  assert.deepEqual([total.records.post?.new, Object.values(total.refused)], [2, [1]], "a remark is of its row only");
  assert.deepEqual(report.total.records.post, { new: read.length, updated: 0, unchanged: 0, erased: 0 });
});

test("tables of comments that name their video: minet and tuber with exact counts, Apify as the page shows them", async () => {
  const capturedAt = Date.UTC(2026, 2, 10);
  const { comments, details, get, getChannel, report } = await importedAt(capturedAt, "comment-tables");
  const shown = async (id: string) =>
    (await comments(id)).comments.map((comment) => [
      comment.text,
      comment.author_name,
      comment.author_channel_id,
      comment.like_count,
      comment.number_of_replies,
    ]);
  const author = ["@tiberoak", "UCtiberOakleafStudio0001"];
  assert.deepEqual(await shown("mossyBrook4"), [["Lovely, and wet", ...author, "12", "1"]]);
  assert.deepEqual(await shown("tuberBrook4"), [["Lovely & wet", ...author, "3", null]]);
  assert.deepEqual(
    await shown("apifyBrook4"),
    [["Lovely brook", ...author, "1.2K", "1"]],
    "the handle is that of the others",
  );
  assert.equal((await getChannel("UCtiberOakleafStudio0001"))?.name, "tiberoak");
  assert.equal((await comments("apifyBrook4")).total_number_of_comments, 171);
  assert.equal((await details("apifyBrook4")).title, "Mossy brook");
  const post = await get<{ comments: Record<string, unknown>[] }>("/api/post?platform=longvideo&id=apifyBrook4");
  assert.equal(post.comments[0]?.["published_at"], capturedAt / 1000 - 2 * 86_400);
  assert.equal(report.total.records.comment?.new, 6);
  assert.deepEqual(report.total.refused, { comment_without_id: 1 });
});

test("tables of comments that people made: likes, replies, times and authors, whatever their columns are called", async () => {
  const capturedAt = Date.UTC(2026, 2, 10);
  const author = { name: "@tiberoak", id: "UCtiberOakleafStudio0001" };
  const comment = (video_id: string) => ({ comment_id: `UgxMossyBrook${video_id}AaABAg`, video_id, text: "Wet" });
  const columns = {
    tableBrookA: ["likes", "replies", "published"],
    tableBrookE: ["Likes Count", "repliesCount", "date"],
    tableBrookI: ["num_likes", "totalReplyCount", "timestamp"],
    tableBrookM: ["number_of_likes", "reply_count", "Time"],
    tableBrookQ: ["comment_likes", "comment_replies", "comment_published_at"],
    tableBrookU: ["votes", "replies", "publish_date"],
  };
  const files = Object.entries(columns).map(([id, [likes = "", replies = "", time = ""]]) =>
    writtenTable(`${id}.csv`, {
      ...comment(id),
      author: author.name,
      author_id: author.id,
      [likes]: "1,234",
      [replies]: 2,
      [time]: "2024-01-02T03:04:05Z",
    }),
  );
  const shown = { likes: "1.2K", published_at: "2 years ago" };
  const { comments, get, report } = await importedAt(
    capturedAt,
    ...files,
    written("nested.json", [{ ...comment("tableBrookY"), author, ...shown, replies: 2, timestamp: "2026-03-09" }]),
    written("lost-author.json", [{ ...comment("tableBrookc"), author: { title: "Tiber" } }]),
    written("lost-replies.json", [{ ...comment("tableBrookg"), author: "Tiber", replies: [{ text: "So wet" }] }]),
  );
  const read = async (id: string) => {
    const [{ like_count: likes, number_of_replies: replies, author_name: name, author_channel_id: channel } = {}] = (
      await comments(id)
    ).comments;
    const post = await get<{ comments: Record<string, unknown>[] }>(`/api/post?platform=longvideo&id=${id}`);
    return [likes, replies, name, channel, post.comments[0]?.["published_at"]];
  };
  const known = ["2", author.name, author.id];
  for (const id of Object.keys(columns))
    assert.deepEqual(await read(id), ["1.2K", ...known, Date.UTC(2024, 0, 2, 3, 4, 5) / 1000], id);
  assert.deepEqual(await read("tableBrookY"), ["1.2K", ...known, capturedAt / 1000 - 2 * 365 * 86_400]);
  assert.deepEqual(report.total.refused, { unknown_format: 2 });
});

test("tables of comments of other platforms, and of no certain id, are not taken for YouTube's", async () => {
  const comment = {
    comment_id: "UgxMossyBrookMinet01AaABAg",
    video_id: "mossyBrook4",
    author: "Odile",
    text: "So quiet",
  };
  const files = [
    { ...comment, comment_id: "7312345678901234567" },
    { ...comment, comment_id: "1" },
    { ...comment, video_id: "7300000000000000001" },
    { ...comment, video_id: "my-holidayz" },
  ].map((row, at) => written(`foreign-comments-${at}.json`, [row]));
  const { report } = await imported(...files);
  assert.deepEqual(report.total.records, {});
});

test("transcripts and comments inside a video's row", async () => {
  const row = (video_id: string) => ({ video_id, title: "Osier", channel: "Marsh & Mere", views: 5000 });
  const lines = [
    { text: "Cut it low", start: 0.5, duration: 2 },
    { text: "and dry it", start: 2.5, duration: 1.5 },
  ];
  const remark = {
    comment_id: "UgOsierNested00000001",
    text: "So supple",
    author: { name: "Odile", channelId: "UCodileAndHerOsiers00001" },
    likes: 3,
    replies: [{ comment_id: "UgOsierNested00000001.a1", text: "Indeed", author: "@mere" }],
  };
  const rows = [
    {
      ...row("osierNest1A"),
      transcript: lines,
      comments: { totalCount: 73, comments: [remark, { id: "sticker-0001", author: "@mere" }] },
    },
    {
      ...row("osierNest2E"),
      captions: { language: "de", segments: [{ text: "Weide", startMs: "500", endMs: "1900" }] },
    },
    {
      ...row("osierNest3I"),
      subtitles: [
        { language: "sv", type: "auto_generated", srt: "1\n00:00:01,000 --> 00:00:02,500\nPil\n" },
        { language: "en", srt: "1\n00:00:01,000 --> 00:00:02,500\nWillow\n" },
      ],
    },
    {
      ...row("osierNest4M"),
      formatted_transcript: [{ text: "Osier", start_time: 80, end_time: 5160, duration: 5080 }],
    },
  ];
  const table = writtenTable("table.csv", { ...row("osierNest5Q"), transcript: JSON.stringify(lines), comments: 12 });
  const { comments, subtitles, report, get } = await imported(written("nested.json", rows), table);
  const texts = async (id: string, lang = "") => (await subtitles(id, lang)).subtitles.map(({ text }) => text);
  for (const id of ["osierNest1A", "osierNest5Q"]) assert.deepEqual(await texts(id), ["Cut it low", "and dry it"]);
  assert.deepEqual(await texts("osierNest2E", "de"), ["Weide"]);
  assert.deepEqual(await texts("osierNest3I", "en"), ["Willow"]);
  const [timed] = (await subtitles("osierNest4M")).subtitles;
  assert.deepEqual([timed?.text, timed?.start, timed?.duration], ["Osier", 0.08, 5.08]);
  const listed = await comments("osierNest1A");
  assert.deepEqual([listed.total_number_of_comments, listed.comments.map(({ text }) => text)], [73, ["So supple", ""]]);
  const replies = await get<{ comments: { text: string }[] }>(
    `/api/post?platform=longvideo&id=osierNest1A&replies_to=${remark.comment_id}`,
  );
  assert.deepEqual(
    replies.comments.map(({ text }) => text),
    ["Indeed"],
  );
  assert.deepEqual([report.total.refused, report.total.skipped], [{}, {}]);
});
