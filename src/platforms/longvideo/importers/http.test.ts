/** Every format of this slice, from a file to the answers of the operations that it feeds. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import type { Static } from "#api/schema.ts";
import { exitCodeFor } from "#import/import-files.ts";
import { zipOf } from "#testing/sample-archives.ts";
import { type ImportedServer, startImportedServer } from "#tests/import-fixtures.ts";
import { temporaryFolder } from "#tests/test-server.ts";
import type { VideoComments } from "../endpoints/video/comments.ts";
import type { VideoSubtitles } from "../endpoints/video/subtitles.ts";
import type { TrendingVideos } from "../endpoints/trending.ts";
import type { LongVideoNatives } from "../native.ts";
import type { VideoDetails, VideoListing } from "../shapes/video-record.ts";

const FIXTURES = join(import.meta.dirname, "fixtures");
const UNKNOWN = { prefer: "unknown=null" };

const open: ImportedServer[] = [];
const ownFiles = temporaryFolder();
after(async () => {
  await Promise.all(open.map(({ server }) => server.close()));
  ownFiles.remove();
});

/** A file of this test, where no fixture says enough. */
function written(name: string, value: unknown): string {
  const file = join(ownFiles.path, name);
  writeFileSync(file, JSON.stringify(value));
  return file;
}

/** The same as CSV, with a column for each name of the first row. */
function writtenTable(name: string, ...rows: Record<string, string | number>[]): string {
  const file = join(ownFiles.path, name);
  const cells = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))];
  const lines = cells.map((line) => line.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(","));
  writeFileSync(file, lines.join("\n"));
  return file;
}

async function imported(...names: string[]) {
  return importedAt(undefined, ...names);
}

/** With the time of capture that `--captured-at` gives. */
async function importedAt(capturedAt: number | undefined, ...names: string[]) {
  const opened = await startImportedServer(
    names.map((name) => resolve(FIXTURES, name)),
    capturedAt === undefined ? {} : { capturedAt },
  );
  open.push(opened);
  const { server, report } = opened;
  return {
    report,
    importMore: (capturedAtLater: number, name: string) =>
      opened.importMore([resolve(FIXTURES, name)], { capturedAt: capturedAtLater }),
    getChannel: async (id: string) => {
      const store = await server.openStore();
      return store
        .reader<LongVideoNatives>("longvideo")
        .getAccount(id)
        .finally(() => store.close());
    },
    refreshTrends: async () => {
      const store = await server.openStore();
      await store.writer.refreshTrends().finally(() => store.close());
    },
    get: server.json.bind(server),
    details: (id: string, headers: Record<string, string> = UNKNOWN) =>
      server.json<VideoDetails>(`/api/longvideo/video/details?video_id=${id}`, headers),
    comments: (id: string) =>
      server.json<Static<typeof VideoComments>>(`/api/longvideo/video/comments?video_id=${id}`, UNKNOWN),
    subtitles: (id: string, lang = "") =>
      server.json<Static<typeof VideoSubtitles>>(
        `/api/longvideo/video/subtitles?video_id=${id}${lang === "" ? "" : `&lang=${lang}`}`,
      ),
    charted: async (country: string, section: string) => {
      const path = `/api/longvideo/trending?country=${country}&section=${section}`;
      const { videos } = await server.json<Static<typeof TrendingVideos>>(path);
      return videos.map((video) => video.video_id);
    },
    search: async (query: string, headers: Record<string, string> = UNKNOWN) => {
      const path = `/api/longvideo/search?query=${encodeURIComponent(query)}`;
      return (await server.json<{ videos: VideoListing[] }>(path, headers)).videos;
    },
  };
}

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
  const { comments, importMore } = await importedAt(
    Date.UTC(2026, 2, 1),
    extraction("rope-one.info.json", [1, 2, 3]),
    extraction("rope-two.info.json", [4, 5, 6]),
  );
  const counts = async () => {
    const { total_number_of_comments: total, number_of_comments: listed } = await comments(id);
    return [total, listed];
  };
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

test("subtitle files: seven formats, the language from the name or the text", async () => {
  const { subtitles, report } = await imported("subtitles");
  const texts = async (lang: string) => (await subtitles("harbourW01k", lang)).subtitles.map(({ text }) => text);
  assert.deepEqual((await subtitles("harbourW01k", "en")).subtitles, [
    { id: 0, start: 0.4, duration: 1.92, text: "good morning harbour" },
    { id: 1, start: 2.32, duration: 2.69, text: "the gulls are awake" },
  ]);
  assert.deepEqual((await subtitles("harbourW01k", "de")).subtitles, [
    { id: 0, start: 0.4, duration: 1.9, text: "Guten Morgen, Hafen" },
    { id: 1, start: 2.3, duration: 2.7, text: "Die Möwen\nsind wach" },
  ]);
  assert.deepEqual(await texts("fr"), ["Bonjour, le port", "Les mouettes sont réveillées"]);
  assert.deepEqual(await texts("es"), ['Buenos días, "puerto"', "Las gaviotas despiertan"]);
  assert.deepEqual(await texts("it"), ["Buongiorno, porto", "I gabbiani sono svegli"]);
  assert.deepEqual(await texts("pt"), ["bom dia", "porto"]);
  assert.deepEqual(await texts("nl"), ["Goedemorgen,\nhaven", "De meeuwen zijn wakker"]);
  assert.deepEqual(await texts("sv"), ["God morgon, hamnen"], "the name has the id of a track");
  assert.deepEqual(report.total.refused, {
    subtitles_of_unknown_video: 1,
    subtitles_without_lines: 1,
    subtitles_without_video: 1,
  });
});

test("subtitle files: eleven characters make no video, unless they are a stored one, have its description beside, or --of says so", async () => {
  const home = temporaryFolder();
  const folder = home.path;
  const srt = (name: string) => {
    const file = join(folder, name);
    writeFileSync(file, "1\n00:00:01,000 --> 00:00:02,500\nNo language in the name\n");
    return file;
  };
  const started = await startImportedServer([srt("interview01.srt")]);
  const { server, report } = started;
  try {
    const refused = { subtitles_of_unknown_video: 1 };
    assert.deepEqual([report.total.refused, report.total.records, exitCodeFor(report)], [refused, {}, 2]);
    const { total } = await started.importMore([srt("Untitled.srt")], { subject: "https://youtu.be/lanternDk05" });
    assert.deepEqual([total.refused, total.records.subtitles?.new], [{}, 1]);
    const videos = JSON.stringify({ kind: "youtube#video", id: "interview01", snippet: { title: "Interview" } });
    writeFileSync(join(folder, "videos.json"), videos);
    for (const dryRun of [true, false]) {
      const known = await started.importMore([join(folder, "videos.json"), join(folder, "interview01.srt")], {
        dryRun,
      });
      assert.deepEqual([known.total.refused, known.total.records.subtitles?.new], [{}, 1], "a stored video");
    }
    srt("quayNight02.srt");
    writeFileSync(join(folder, "quayNight02.info.json"), "{}");
    const beside = await started.importMore([join(folder, "quayNight02.srt")]);
    assert.deepEqual([beside.total.refused, beside.total.records.post?.new], [{}, 1]);
    const track = { name: "talks/lockGates03.en.srt", data: readFileSync(join(folder, "quayNight02.srt")) };
    for (const [name, entries, refusals] of [
      ["alone.zip", [track, { name: "lockGates03.info.json", data: "{}" }], refused],
      ["beside.zip", [track, { name: "talks/lockGates03.info.json", data: "{}" }], {}],
    ] as const) {
      writeFileSync(join(folder, name), zipOf([...entries]));
      const zipped = (await started.importMore([join(folder, name)])).files.find((file) => file.name.endsWith(".srt"));
      assert.deepEqual(zipped?.refused, refusals, name);
    }
    for (const id of ["lanternDk05", "interview01", "quayNight02"]) {
      assert.deepEqual(await server.json(`/api/longvideo/video/subtitles?video_id=${id}`), {
        lang: "und",
        is_available: true,
        subtitles: [{ id: 0, start: 1, duration: 1.5, text: "No language in the name" }],
      });
    }
  } finally {
    await server.close();
    home.remove();
  }
});

test("youtube-transcript-api: a bare list, and the newer object that includes the video id", async () => {
  const { subtitles } = await imported("yt-dlp", "transcripts");
  assert.deepEqual((await subtitles("harbourW01k", "sv")).subtitles, [
    { id: 0, start: 0.4, duration: 1.9, text: "God morgon, hamn" },
    { id: 1, start: 2.3, duration: 2.7, text: "Måsarna är vakna" },
  ]);
  assert.equal((await subtitles("quayNight02", "en")).subtitles[0]?.text, "night falls");
});

test("youtube-transcript for Node.js: escaped twice, in seconds or, of early versions, in milliseconds", async () => {
  const { subtitles } = await imported(
    "transcript-tools/Ebb [nodeTide004].json",
    "transcript-tools/Flood [nodeTide008].de.json",
  );
  assert.deepEqual((await subtitles("nodeTide004", "en")).subtitles, [
    { id: 0, start: 0.08, duration: 1.54, text: "It's ebbing" },
    { id: 1, start: 1.62, duration: 2, text: "Gulls & mud" },
  ]);
  assert.deepEqual((await subtitles("nodeTide008", "de")).subtitles, [
    { id: 0, start: 0, duration: 0.96, text: "Die Flut" },
    { id: 1, start: 0.96, duration: 2, text: "kommt" },
  ]);
});

test("transcripts with segments: youtubesearchpython in milliseconds; Whisper in seconds, of a video that is stored", async () => {
  const files = ["Slack [searchTide4].en.json", "Harbour walk [harbourW01k].json"].map(
    (name) => `transcript-tools/${name}`,
  );
  const { subtitles, report } = await imported(...files);
  assert.deepEqual((await subtitles("searchTide4", "en")).subtitles, [
    { id: 0, start: 0, duration: 1.5, text: "Slack water" },
    { id: 1, start: 1.5, duration: 2.5, text: "no wind" },
  ]);
  assert.deepEqual(report.total.refused, { subtitles_of_unknown_video: 1 });
  const known = await imported("yt-dlp", ...files);
  assert.deepEqual((await known.subtitles("harbourW01k", "fo")).subtitles, [
    { id: 0, start: 0, duration: 2.4, text: "Hello harbour." },
    { id: 1, start: 2.4, duration: 2.7, text: "The boats are in." },
  ]);
  assert.deepEqual(known.report.total.refused, {});
});

test("--of names the video of transcripts that do not; without it, such lists and segments may be anything", async () => {
  const files = [
    written("lines.json", [{ text: "Low water", duration: 1.5, offset: 0, lang: "en" }]),
    written("whispered.json", { text: "", segments: [{ start: 0, end: 1.5, text: " Low water" }], language: "fo" }),
    written("searched.json", { segments: [{ startMs: "0", endMs: "1500", text: "Low water", startTime: "0:00" }] }),
  ];
  const foreign = [
    written("7312345678901234567.json", [{ text: "Low water", duration: 1.5, offset: 0 }]),
    written("731234567890123.json", { segments: [{ start: 0, end: 1.5, text: "Low water" }] }),
    written("ride.json", {
      segments: [
        { start: 0, end: 1.5, name: "Hill" },
        { start: 2, end: 3, text: "x" },
      ],
    }),
    written("notes.json", [{ text: "Low water", duration: 1.5, offset: 0, speaker: "Odile" }]),
  ];
  const started = await startImportedServer([...files, ...foreign]);
  open.push(started);
  assert.deepEqual(started.report.total.refused, { unknown_format: files.length + foreign.length });
  const { total } = await started.importMore([...files, ...foreign], { subject: "https://youtu.be/tideTable04" });
  assert.deepEqual(total.refused, { unknown_format: foreign.length });
  for (const language of ["en", "fo", "und"]) {
    const path = `/api/longvideo/video/subtitles?video_id=tideTable04&lang=${language}`;
    const { subtitles } = await started.server.json<Static<typeof VideoSubtitles>>(path);
    assert.deepEqual(subtitles, [{ id: 0, start: 0, duration: 1.5, text: "Low water" }], language);
  }
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

test("Data API: search results, with entities decoded and truncated descriptions ignored", async () => {
  const { search } = await imported("data-api/search.json");
  const [video] = await search("kiln survivors");
  assert.equal(video?.title, "Opening the kiln & counting 'survivors'");
  assert.equal(video?.author, "Clay & Slip");
  assert.equal(video?.description, null);
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
  open.push(started);
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
  assert.deepEqual([excerpt.number_of_views, excerpt.description], [1204, null]);
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

test("Piped: lists of videos and channels; of a watched video nothing, since its answer has no id", async () => {
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
    written("streams.json", { title: "Reeds", uploaderUrl: "/channel/x", videoStreams: [], relatedStreams: [video] }),
  );
  assert.deepEqual(report.total.refused, { unknown_format: 1 });
  const { author, channel_id: channelId, number_of_views: views, video_length: length } = await details("reedCuts60A");
  assert.deepEqual([author, channelId, views, length], ["Marsh & Mere", "UCmarshAndMereReeds00001", 12_345, "199"]);
  assert.deepEqual((await details("reedCuts61E")).number_of_views, null);
  assert.deepEqual((await details("reedCuts62I")).type, "SHORT");
  const known = await getChannel("UCmarshAndMereReeds00001");
  assert.deepEqual([known?.counters.followers, known?.verified], [6930, true]);
  const found = await getChannel("UCfenFilmsAndOtherFens01");
  assert.deepEqual([found?.displayName, found?.counters], ["Fen Films", { followers: 13_300 }]);
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
    const file = join(ownFiles.path, name);
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
  const file = join(ownFiles.path, "live chats.csv");
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

test("the transcript beside a video: its lines name the video and the track", async () => {
  const panel = (targetId: string) => {
    const line = { startMs: "1000", endMs: "4500", snippet: { runs: [{ text: "Good evening" }] }, targetId };
    const initialSegments = [{ transcriptSectionHeaderRenderer: {} }, { transcriptSegmentRenderer: line }];
    const body = { transcriptSegmentListRenderer: { initialSegments } };
    const content = { transcriptRenderer: { content: { transcriptSearchPanelRenderer: { body } } } };
    return { responseContext: {}, actions: [{ updateEngagementPanelAction: { content } }] };
  };
  const response = (targetId: string) => ({
    startedDateTime: "2026-03-01T10:00:00.000Z",
    request: { url: "https://www.youtube.com/youtubei/v1/get_transcript" },
    response: { content: { mimeType: "application/json", text: JSON.stringify(panel(targetId)) } },
  });
  const entries = ["panelSong0A.CgNhc3ISAmVuGgA%3D.1000.4500", "panelSong1E.CgASAmRlGgA%3D.1000.4500"].map(response);
  const { subtitles, report } = await imported(
    written("panel.har", { log: { version: "1.2", entries } }),
    written("unnamed-panel.json", panel("")),
  );
  assert.deepEqual((await subtitles("panelSong0A", "en")).subtitles, [
    { id: 0, start: 1, duration: 3.5, text: "Good evening" },
  ]);
  assert.equal((await subtitles("panelSong1E", "de")).is_available, true);
  assert.deepEqual(report.total.refused, { subtitles_without_video: 1 });
});

test("the transcript panel of 2026: the request names the video, or the file, or --of; a line ends with the next", async () => {
  const { subtitles, report } = await imported("pages/transcript-panel.har", "pages/Low water [panelSaved8].en.json");
  assert.deepEqual((await subtitles("panelBrook4")).subtitles, [
    { id: 0, start: 0, duration: 4, text: "Good evening" },
    { id: 1, start: 4, duration: 3719, text: "The tide is out" },
    { id: 2, start: 3723, duration: 0, text: "Good night" },
  ]);
  assert.deepEqual(
    (await subtitles("panelSaved8", "en")).subtitles.map(({ start, text }) => [start, text]),
    [
      [2, "Mud and gulls"],
      [5, "Boots on"],
    ],
  );
  assert.deepEqual([report.total.refused, report.total.skipped], [{}, {}]);
  const saved = readFileSync(join(FIXTURES, "pages/Low water [panelSaved8].en.json"), "utf8");
  const unnamed = written("panel.json", JSON.parse(saved));
  const started = await startImportedServer([unnamed]);
  open.push(started);
  assert.deepEqual(started.report.total.refused, { subtitles_without_video: 1 });
  const { total } = await started.importMore([unnamed], { subject: "https://youtu.be/panelSaved8" });
  assert.deepEqual([total.refused, total.records.subtitles?.new], [{}, 1]);
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
  const feed = join(ownFiles.path, "few-feed.xml");
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
