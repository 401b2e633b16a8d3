/** Every named format, from its fixture to what is collected. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SourceDocument, SourceFile } from "#api/importer.ts";
import { type Recording, recordingCollector } from "#testing/recording-collector.ts";
import { fixtureDocuments, fixtureNames } from "#testing/shortvideo-fixtures.ts";
import { sourceDocument } from "#testing/source-documents.ts";
import { IMPORTERS } from "../importers.ts";
import type { NativePost } from "../native.ts";
import { downloadServices } from "./download-services.ts";

const FILE: SourceFile = { name: "fixture", segments: ["fixture"], subject: null };

async function read(path: string, file: Partial<SourceFile> = {}): Promise<Recording & { formats: string[] }> {
  const { collect, recording } = recordingCollector();
  const formats: string[] = [];
  for (const document of await fixtureDocuments(path)) {
    const importer = IMPORTERS.find((candidate) => candidate.detects(document, FILE));
    formats.push(importer?.name ?? "none");
    importer?.read(document, { ...FILE, ...file }, collect);
  }
  return { ...recording, formats };
}

function readValue(value: unknown, kind: SourceDocument["kind"] = "json", subject: string | null = null) {
  const { collect, recording } = recordingCollector();
  const document = sourceDocument(kind, value);
  const importer = IMPORTERS.find((candidate) => candidate.detects(document, FILE));
  importer?.read(document, { ...FILE, subject }, collect);
  return { ...recording, format: importer?.name };
}

function nativeOf(post: Recording["posts"][number] | undefined): NativePost {
  return post?.native ?? {};
}

const idsOf = (records: readonly { id?: string | null }[]) => records.map(({ id }) => id);

test("zeeschuimer: all variants of posts, with capture time; the advertisement is skipped", async () => {
  const found = await read("zeeschuimer/zeeschuimer-export-tiktok.com-2024-09-06T120000.ndjson");
  assert.deepEqual(new Set(found.formats), new Set(["zeeschuimer"]));
  assert.deepEqual(idsOf(found.posts), [
    "7411000000000000101",
    "7411000000000000102",
    "7411000000000000103",
    "7411000000000000101",
  ]);
  assert.deepEqual(found.skipped, ["advertisement"]);
  assert.deepEqual(found.refused, ["post_without_id"]);
  const [kite, photo, embedded, later] = found.posts;
  assert.equal(kite?.capturedAt, 1725624000123);
  assert.deepEqual(kite?.counters, {
    views: 2401553,
    likes: 142877,
    comments: 87,
    shares: 310,
    saves: 5121,
    reposts: 12,
  });
  assert.equal(kite?.authorId, "6911000000000000201");
  assert.deepEqual(kite?.hashtags, ["kites", "windyday"]);
  assert.deepEqual(kite?.taggedIds, ["6911000000000000202"]);
  assert.equal(kite?.placeId, "22535000000000001");
  assert.equal(kite?.country, "IE");
  assert.equal(photo?.text, "Three lamps, one evening #lamps\nno filter");
  assert.equal(photo?.durationS, undefined);
  assert.equal(photo?.publishedAt, 1725616800);
  assert.equal(embedded?.authorId, "6911000000000000202");
  assert.equal(later?.counters?.likes, 143002);
});

test("zeeschuimer: unknown fields are absent, and the viewer's data is not collected", async () => {
  const found = await read("zeeschuimer/zeeschuimer-export-tiktok.com-2024-09-06T120000.ndjson");
  const tobin = found.accounts.filter(({ id }) => id === "6911000000000000202");
  assert.deepEqual(
    tobin.map(({ counters }) => counters?.likes),
    tobin.map(() => undefined),
  );
  const kept = JSON.stringify(found);
  for (const word of ["predicted_age_group", "digged", "relation", "msToken", "user_agent", "Mozilla"]) {
    assert.ok(!kept.includes(word), word);
  }
});

test("zeeschuimer: comments and their replies", async () => {
  const found = await read("zeeschuimer/zeeschuimer-export-tiktok-comments-2024-09-06T120500.ndjson");
  assert.deepEqual(
    found.comments.map(({ id, postId, parentId, text }) => [id, postId, parentId, text]),
    [
      ["7411000000000000401", "7411000000000000101", undefined, "Which string is that?"],
      ["7411000000000000402", "7411000000000000101", "7411000000000000401", "Braided, 80 m"],
      ["7411000000000000403", "7411000000000000101", undefined, ""],
    ],
  );
  assert.deepEqual(found.comments[1]?.counters, { likes: 3 });
});

test("zeeschuimer-other: captures of other sites are skipped by name", async () => {
  const found = await read("zeeschuimer/zeeschuimer-export-elsewhere-2024-09-06T121000.ndjson");
  assert.deepEqual(found.formats, ["zeeschuimer-other", "zeeschuimer-other"]);
  assert.match(found.skipped[0] ?? "", /twitter\.com/);
  assert.deepEqual(found.posts, []);
});

test("Instagram captures are left to the photoshare importers", () => {
  for (const value of [
    { source_platform: "instagram.com", timestamp_collected: 1725624000000, data: {} },
    { code: "x", __import_meta: { source_platform: "instagram.com" } },
  ]) {
    const document: SourceDocument = { kind: "json", value, index: 0, capturedAt: null, origin: {} };
    assert.equal(IMPORTERS.find((importer) => importer.detects(document, FILE))?.name, undefined);
  }
});

test("4cat: NDJSON with the envelope beside, and the tables", async () => {
  const lines = await read("4cat/tiktok-search-kites.ndjson");
  assert.deepEqual(lines.formats, ["4cat", "4cat", "zeeschuimer-other"]);
  assert.equal(lines.posts[0]?.capturedAt, 1725624000123);
  assert.equal(lines.comments[0]?.capturedAt, 1725624300000);

  const posts = await read("4cat/tiktok-search-kites.csv");
  assert.deepEqual(posts.skipped, ["advertisement"]);
  assert.equal(posts.posts[0]?.text, 'Second kite; "bigger"\n#kites #boxkite');
  assert.deepEqual(posts.posts[0]?.counters, { views: 9100, likes: 512, comments: 9, shares: 4 });
  assert.deepEqual(posts.accounts[0]?.counters, { followers: 88000, posts: 132, saves: 2044 });
  assert.equal(posts.posts[0]?.publishedAt, 1725703200);

  const [earlier] = (await read("4cat/earlier.csv")).posts;
  assert.deepEqual(earlier?.counters, { views: 640, likes: 77, comments: 3, shares: 1 });

  const comments = await read("4cat/tiktok-comments-kites.csv");
  assert.deepEqual(
    comments.comments.map(({ parentId, authorId }) => [parentId, authorId]),
    [
      [undefined, "name:odalys.venn"],
      ["7411000000000000411", "6911000000000000204"],
    ],
  );
});

test("yt-dlp: reposts are shares, the watermarked file is the download, embedded subtitles are read", async () => {
  const found = await read("yt-dlp/Rain on the skylight [7411000000000000121].info.json");
  const [post] = found.posts;
  assert.equal(post?.capturedAt, 1725800000000);
  assert.deepEqual(post?.counters, { views: 70412, likes: 6120, comments: 88, shares: 145, saves: 301 });
  assert.deepEqual(post?.hashtags, ["rain", "loft"]);
  assert.equal(post?.soundId, undefined);
  assert.deepEqual(nativeOf(post).video, {
    duration: 34,
    cover: "https://media.example/v/121.jpg",
    originCover: "https://media.example/v/121-o.jpg",
    dynamicCover: "https://media.example/v/121-d.jpg",
    playAddr: "https://media.example/v/121.mp4",
    downloadAddr: "https://media.example/v/121-marked.mp4",
    format: "mp4",
    bitrate: 901500,
    codecType: "h264",
    width: 576,
    height: 1024,
  });
  assert.deepEqual(nativeOf(post).music, {
    title: "original sound - ilka.brandmoor",
    authorName: "Ilka Brandmoor",
    album: "Loft Tapes",
  });
  assert.deepEqual(found.subtitles, [
    {
      postId: "7411000000000000121",
      language: "eng-US",
      automatic: false,
      capturedAt: 1725800000000,
      lines: [
        { startS: 0.5, durationS: 1.5, text: "Listen to that" },
        { startS: 2.25, durationS: 1.75, text: "all night long" },
      ],
    },
  ]);
  assert.ok(!JSON.stringify(found).includes("never-kept"));
});

test("yt-dlp: the entries of a list are of its time, also split off a large one", async () => {
  const found = await read("yt-dlp/ilka.brandmoor.json");
  assert.deepEqual([idsOf(found.posts), found.posts[0]?.capturedAt], [["7411000000000000121"], 1725890000000]);
  const [list = sourceDocument("json", {})] = await fixtureDocuments("yt-dlp/ilka.brandmoor.json");
  const { entries, ...scalars } = list.value as { entries: unknown[] };
  const { collect, recording } = recordingCollector();
  const entry = sourceDocument("json", entries[0], { location: { path: ["entries"], scalars } });
  IMPORTERS.find((importer) => importer.detects(entry, FILE))?.read(entry, FILE, collect);
  assert.equal(recording.posts[0]?.capturedAt, 1725890000000);
});

test("yt-dlp: a photo post has no video, only its sound", async () => {
  const found = await read("yt-dlp/Three lamps [7411000000000000122].info.json");
  assert.deepEqual(found.formats, ["yt-dlp"]);
  const [post] = found.posts;
  assert.equal(post?.durationS, undefined);
  assert.deepEqual(nativeOf(post).video, { cover: "https://media.example/v/122.jpg" });
  assert.equal(nativeOf(post).music?.title, "Paper Lanterns");
});

test("gallery-dl: a photo post with one file per picture is one post", async () => {
  for (const at of ["01", "02"]) {
    const found = await read(`gallery-dl/7411000000000000102_${at} Lamps.json`);
    assert.deepEqual(found.formats, ["gallery-dl"]);
    assert.deepEqual(idsOf(found.posts), ["7411000000000000102"]);
    assert.equal(nativeOf(found.posts[0]).imagePost?.images?.length, 2);
  }
});

test("tiktok-scraper: its list, its first table, and its flattened table", async () => {
  const list = await read("tiktok-scraper/wren.castellow_1609948309033.json");
  assert.deepEqual(list.formats, ["tiktok-scraper"]);
  assert.deepEqual(list.refused, ["post_without_id"]);
  const [post] = list.posts;
  assert.deepEqual(post?.counters, { views: 18800, likes: 4165, comments: 58, shares: 117 });
  assert.deepEqual(post?.taggedIds, ["name:mara.quillfeather"]);
  assert.equal(post?.soundId, "6811000000000000302");

  const spread = await read("tiktok-scraper/wren.castellow_1609948309034.csv");
  assert.deepEqual(spread.formats, ["tiktok-scraper"]);
  assert.deepEqual({ ...spread.posts[0], id: "" }, { ...post, id: "" });

  const first = await read("tiktok-scraper/hashtag_1579888101091.csv");
  assert.deepEqual(first.formats, ["tiktok-scraper"]);
  assert.equal(first.posts[0]?.authorId, "6711000000000000206");
  assert.equal(first.posts[0]?.soundId, "6740000000000000303");
  assert.deepEqual(first.posts[0]?.hashtags, ["baking"]);
});

test("tables that a spreadsheet wrote again have rounded ids, so the one in the URL counts", () => {
  const url = "https://www.tiktok.com/@wren.castellow/video/7411000000000019161";
  const rows = {
    apify: { text: "Kites", webVideoUrl: url, playCount: "3", "authorMeta.name": "wren.castellow" },
    "tiktok-scraper": { text: "Kites", webVideoUrl: url, secretID: "x", "authorMeta.name": "wren.castellow" },
    "4cat": { body: "Kites", tiktok_url: url, author: "wren.castellow" },
  };
  for (const [format, row] of Object.entries(rows)) {
    for (const id of ["7411000000000010000", "7.411E+18"]) {
      const document = sourceDocument("row", { ...row, id });
      const { collect, recording } = recordingCollector();
      const importer = IMPORTERS.find((candidate) => candidate.detects(document, FILE));
      importer?.read(document, FILE, collect);
      assert.deepEqual([importer?.name, idsOf(recording.posts)], [format, ["7411000000000019161"]]);
    }
  }
});

test("apify: posts, photo posts, comments, failures, and the flattened table", async () => {
  const found = await read("apify/dataset_tiktok-scraper.json");
  assert.deepEqual(found.formats, ["apify", "apify", "apify"]);
  assert.deepEqual(found.skipped, ["the scraper could not open the page"]);
  const [video, photo] = found.posts;
  assert.deepEqual(video?.counters, { views: 50100, likes: 2200, shares: 41, saves: 390, reposts: 2 });
  assert.deepEqual(video?.taggedIds, ["6711000000000000206"]);
  assert.equal(video?.placeId, "22535000000000002");
  assert.equal(photo?.publishedAt, 1725955200);
  assert.equal(photo?.durationS, undefined);
  assert.deepEqual(nativeOf(photo).imagePost, {
    images: [{ imageURL: { urlList: ["https://media.example/p/152-1.jpg"] } }],
  });

  const spread = await read("apify/dataset_tiktok-scraper.csv");
  assert.deepEqual(spread.formats, ["apify"]);
  assert.deepEqual({ ...spread.posts[0], id: "" }, { ...video, id: "" });

  const { comments } = await read("apify/dataset_tiktok-comments-scraper.json");
  assert.deepEqual(
    comments.map(({ postId, parentId }) => [postId, parentId]),
    [
      ["7411000000000000151", undefined],
      ["7411000000000000151", "7411000000000000451"],
    ],
  );
});

test("research-api: large ids stay exact, and people are known by name", async () => {
  const videos = await read("research-api/videos.json");
  assert.deepEqual(videos.formats, ["research-api"]);
  assert.deepEqual(videos.refused, ["post_without_id"]);
  const [post] = videos.posts;
  assert.equal(post?.id, "7411000000000000161");
  assert.equal(post?.authorId, "name:jory.veldhuis");
  assert.equal(post?.soundId, "7411000000000000305");
  assert.equal(post?.country, "NL");
  assert.deepEqual(post?.counters, { views: 8123, likes: 411, comments: 17, shares: 3, saves: 22 });

  const { comments } = await read("research-api/comments.json");
  assert.deepEqual(
    comments.map(({ id, parentId, authorId }) => [id, parentId, authorId]),
    [
      ["7411000000000000461", undefined, undefined],
      ["7411000000000000462", "7411000000000000461", undefined],
    ],
  );

  const { accounts } = await read("research-api/user.json");
  assert.deepEqual(accounts[0]?.counters, { followers: 5400, following: 210, likes: 61000, posts: 88 });

  const refused = await read("research-api/refused.json");
  assert.deepEqual(refused.skipped, ["an error response: invalid_params"]);
});

test("research-api: tiktok-research-client writes the day only, so that an exact time goes before it", () => {
  const id = "7411000000000000168";
  const video = { id, video_description: "Tram", username: "jory.veldhuis", create_time: "2025-03-03" };
  const comment = { id: "7411000000000000468", video_id: id, parent_comment_id: id, text: "Ding" };
  const { posts, comments } = readValue([video, { ...comment, create_time: "2025-03-04" }]);
  for (const record of [...posts, ...comments]) assert.deepEqual(record.approximate, { publishedAt: 86_400 });
});

test("research-api: tables of YouTube's videos and comments are none of TikTok", () => {
  const video = { video_id: "dQw4w9WgXcQ", video_description: "A kite", username: "adalume", region_code: "DE" };
  const comment = { comment_id: "Ugx1", video_id: "dQw4w9WgXcQ", parent_comment_id: "", text: "Nice" };
  const keyed = { ...video, id: "112345678901234567", view_count: "5" };
  for (const row of [video, { ...video, id: "1" }, keyed, comment])
    assert.equal(readValue(row, "row").format, undefined);
  const rounded = { id: "7.411E+18", video_description: "A kite", username: "jory.veldhuis" };
  assert.deepEqual(readValue(rounded, "row").refused, ["post_without_id"]);
  const unknown = { id: "7411000000000000169", video_id: "NA", video_description: "A kite", region_code: "NL" };
  assert.equal(readValue(unknown, "row").format, "research-api");
});

test("research-api: tables may have keys of their own in `id` beside TikTok's in `video_id`", () => {
  const video = { video_id: "7411000000000000171", video_description: "A kite", username: "jory.veldhuis" };
  for (const id of ["ra_user_0001", "3f2b8c1e-1111-4222-8333-944445555666", "17"]) {
    const { format, posts } = readValue({ id, ...video }, "row");
    assert.deepEqual([format, idsOf(posts)], ["research-api", [video.video_id]]);
  }
  const comment = { video_id: video.video_id, parent_comment_id: video.video_id, text: "Ding" };
  assert.deepEqual(readValue({ id: "ra_comment_0001", ...comment }, "row").refused, ["comment_without_id"]);
});

test("research-api: tiktok-research-client adds a user's videos to the response about the user", () => {
  const data = { display_name: "Jory", bio_description: "", follower_count: 100 };
  const videos = [{ id: "7411000000000000170", video_description: "Tram", username: "jory.veldhuis" }];
  const value = { data, error: { code: "ok", message: "", log_id: "1" }, videos };
  const { posts, accounts } = readValue(value, "json", "jory.veldhuis");
  assert.deepEqual([idsOf(posts), accounts[0]?.counters], [["7411000000000000170"], { followers: 100 }]);
});

test("research-api: a response with something else is refused, an empty one is not", () => {
  const refusedOf = (data: unknown) => readValue({ data, error: { code: "ok", message: "", log_id: "1" } }).refused;
  const paging = { has_more: false, search_id: "1" };
  for (const data of [
    { ads: [{ ad: { id: 104001 } }], ...paging },
    { playlist_id: 1, playlist_video_ids: [2] },
  ]) {
    assert.deepEqual(refusedOf(data), ["unknown_record"]);
  }
  for (const data of [{ videos: [], cursor: 0, ...paging }, paging, {}, null]) assert.deepEqual(refusedOf(data), []);
});

test("research-api: scripts save the data of a response alone, or a list of their own as data", () => {
  const video = { id: "7411000000000000171", video_description: "Tram", username: "jory.veldhuis" };
  const values = [
    { videos: [video], cursor: 100, has_more: false, search_id: "1" },
    { data: [video], cursor: 100 },
  ];
  for (const value of values) {
    const { format, posts, refused } = readValue(value);
    assert.deepEqual([format, idsOf(posts), refused], ["research-api", [video.id], []]);
  }
  const people = { user_followers: [{ username: "tobin_ashgrove", display_name: "Tobin" }], has_more: false };
  assert.equal(readValue(people, "json", "wren.castellow").follows.length, 1);
  const commented = {
    ...video,
    comments: [{ id: "1", video_id: video.id, parent_comment_id: video.id, text: "Ding" }],
  };
  assert.deepEqual(idsOf(readValue(commented).posts), [video.id]);
});

test("research-api: a list of followers or of followed accounts is refused without --of, and its accounts are stored", () => {
  const follower = { username: "tobin_ashgrove", display_name: "Tobin" };
  for (const list of ["user_followers", "user_following"]) {
    const value = { data: { [list]: [follower] }, error: { code: "ok", message: "", log_id: "1" } };
    const document: SourceDocument = { kind: "json", value, index: 0, capturedAt: null, origin: {} };
    const importer = IMPORTERS.find((candidate) => candidate.detects(document, FILE));
    const readAs = (subject: string | null) => {
      const { collect, recording } = recordingCollector();
      importer?.read(document, { ...FILE, subject }, collect);
      return [recording.accounts.length, recording.follows.length, recording.refused];
    };
    assert.deepEqual(readAs(null), [1, 0, ["followers_without_owner"]]);
    assert.deepEqual(readAs("wren.castellow"), [1, 1, []]);
  }
});

test("research-api: ResearchTikPy's tables of follows name whose they are, and their file which way", async () => {
  const readAs = async (name: string) => {
    const { accounts, follows, refused, formats } = await read("research-api/followers.csv", { segments: [name] });
    assert.deepEqual(formats, Array(3).fill("research-api"));
    assert.equal(accounts.length, 3);
    return { follows: follows.map(({ account, follower }) => [account, follower]), refused };
  };
  const [wren, tobin] = [{ name: "wren.castellow" }, { name: "tobin_ashgrove" }];
  const members = ["tobin_ashgrove", "odalys.venn", "mara.quillfeather"].map((name) => ({ id: `name:${name}` }));
  const owners = [wren, wren, tobin];
  assert.deepEqual(
    (await readAs("followers.csv")).follows,
    owners.map((owner, index) => [owner, members[index]]),
  );
  assert.deepEqual(
    (await readAs("following.csv")).follows,
    owners.map((owner, index) => [members[index], owner]),
  );
  assert.deepEqual(await readAs("people.csv"), { follows: [], refused: Array(3).fill("followers_or_following") });
  const more = { username: "a", display_name: "b", target_account: "c", instance: "kites.example" };
  assert.notEqual(readValue(more, "row").format, "research-api");
});

test("research-api: tables of traktok have another column for the name, and `NA` where nothing is known", async () => {
  const { posts, formats } = await read("research-api/traktok.csv");
  assert.deepEqual(formats, ["research-api", "research-api"]);
  assert.deepEqual(
    posts.map(({ authorId, text, country, counters }) => [authorId, text, country, counters]),
    [
      ["name:orla.tidewell", "Dune walk", "NA", { views: 304, comments: 303 }],
      ["name:orla.tidewell", undefined, undefined, undefined],
    ],
  );
});

test("research-api: the name in the URL goes before `author_name`, which other tables have for the name shown", () => {
  const { collect, recording } = recordingCollector();
  const row = {
    id: "7411000000000000167",
    video_description: "Dune walk",
    create_time: "1725530400",
    region_code: "PT",
    view_count: "304",
    like_count: "301",
    author_name: "Orla",
    share_url: "https://www.tiktok.com/@orla.tidewell/video/7411000000000000167",
  };
  const document = sourceDocument("row", row);
  IMPORTERS.find((candidate) => candidate.detects(document, FILE))?.read(document, FILE, collect);
  assert.equal(recording.posts[0]?.authorId, "name:orla.tidewell");
});

test("research-api: the Display API has the length, the picture and the name in the URL; users are one level deeper", async () => {
  const { posts, accounts } = await read("research-api/display-videos.json");
  assert.deepEqual([posts[0]?.authorId, posts[0]?.durationS], ["name:jory.veldhuis", 42]);
  assert.deepEqual(nativeOf(posts[0]).video, {
    duration: 42,
    cover: "https://media.example/c/166.jpg",
    width: 576,
    height: 1024,
  });
  assert.equal(accounts[0]?.name, "jory.veldhuis");
  const [user] = (await read("research-api/display-user.json")).accounts;
  assert.deepEqual([user?.name, user?.bio, user?.verified], ["jory.veldhuis", "Dykes and ditches", false]);
  assert.deepEqual(user?.counters, { followers: 5400, following: 210, likes: 61000, posts: 88 });
});

test("discover: users, hashtags and songs of a snapshot", async () => {
  const found = await read("discover/discover.json");
  assert.deepEqual(found.formats, ["discover"]);
  assert.deepEqual(
    found.accounts.map(({ id, name, counters }) => [id, name, counters]),
    [["6711000000000000208", "beatrix.oakum", { followers: 1200000, likes: 31000000 }]],
  );
  assert.deepEqual(
    found.hashtags.map(({ id, name, counters }) => [id, name, counters]),
    [["80001", "knotweek", { views: 4200000000 }]],
  );
  assert.deepEqual(
    found.sounds.map(({ id, title, counters }) => [id, title, counters]),
    [["6811000000000000306", "Haul Away Home", { posts: 908300 }]],
  );
});

test("tables of pyktok, traktok, minet and TikTok-Api: the same columns under other names", async () => {
  const pyktok = await read("post-tables/pyktok.csv");
  const [account] = pyktok.accounts;
  assert.deepEqual(
    [account?.name, account?.displayName, account?.verified],
    ["orla.tidewell", "Orla Tidewell", undefined],
  );
  assert.deepEqual(account?.counters, { followers: 105, following: 106, likes: 107, posts: 108, saves: 109 });
  // The time is that of an unknown zone.
  assert.deepEqual(pyktok.posts[0]?.approximate, { publishedAt: 86_400 });
  assert.equal(pyktok.posts[0]?.country, "PT");

  const traktok = await read("post-tables/traktok.csv");
  assert.deepEqual([traktok.accounts[0]?.name, traktok.accounts[0]?.displayName], ["orla.tidewell", "Orla Tidewell"]);
  assert.equal(nativeOf(traktok.posts[0]).video?.downloadAddr, "https://media.example/v/532.mp4");
  const [, unknown] = traktok.posts;
  assert.deepEqual([unknown?.text, unknown?.counters, unknown?.publishedAt], [undefined, undefined, 1725616800]);

  const hidden = await read("post-tables/traktok-videos.csv");
  const [author] = hidden.accounts;
  assert.deepEqual([author?.name, author?.displayName, author?.bio], ["orla.tidewell", "Orla Tidewell", "Tides"]);
  assert.equal(nativeOf(hidden.posts[0]).author?.secUid, "MS4wLjABAAAAorla");
  assert.equal(hidden.posts[0]?.approximate, undefined);
  assert.deepEqual(
    [hidden.posts.length, hidden.accounts.length, hidden.skipped],
    [1, 1, ["an error response: post not found (10204)"]],
  );

  const minet = await read("post-tables/minet.csv");
  assert.deepEqual([minet.accounts[0]?.id, minet.accounts[0]?.verified], ["6911000000000000221", true]);
  assert.deepEqual([minet.posts[0]?.hashtags, minet.posts[0]?.soundId], [["tides", "sea"], "7411000000000000356"]);

  const scripted = await read("post-tables/tiktok-api.csv");
  assert.equal(scripted.sounds[0]?.artistName, "Orla Tidewell");

  assert.deepEqual(
    [pyktok, traktok, minet, scripted, hidden].map(({ posts }) => {
      const { id, text, publishedAt, durationS, counters } = posts[0] ?? {};
      return [id, text, publishedAt, durationS, counters];
    }),
    [
      ["531", "Tide tables for beginners #tides", 17, 100],
      ["532", "Neap tide #tides", 18, 200],
      ["534", "Ebb", 19, 400],
      ["535", "Slack water #tides", 20, 500],
      ["536", "Spring tide #tides", 21, 600],
    ].map(([id, text, length, count]) => [
      `7411000000000000${id}`,
      text,
      1725530400,
      length,
      { views: Number(count) + 4, likes: Number(count) + 1, comments: Number(count) + 3, shares: Number(count) + 2 },
    ]),
  );
});

test("tables with TikTok's own names: flattened, with an object per cell, and pyktok's comments with their replies", async () => {
  const flat = await read("native-table/json-normalize.csv");
  const [post] = flat.posts;
  assert.deepEqual([post?.id, post?.authorId, post?.durationS], ["7411000000000000541", "6911000000000000221", 50]);
  assert.deepEqual(post?.counters, { views: 5004, likes: 5001, comments: 5003, shares: 5002 });
  assert.deepEqual(nativeOf(post).challenges, [{ id: "70541", title: "foam" }]);
  assert.deepEqual(flat.accounts[0]?.counters, { followers: 5006 });
  assert.deepEqual((await read("native-table/data-frame.csv")).posts[0], post);

  const { comments, accounts } = await read("native-table/pyktok-comments.csv");
  assert.deepEqual(
    comments.map(({ id, parentId, authorId, text }) => [id, parentId, authorId, text]),
    [
      ["7411000000000000484", undefined, "6911000000000000223", "A tidy tide"],
      ["7411000000000000485", "7411000000000000484", "6911000000000000221", "Reply here"],
    ],
  );
  assert.equal(accounts[0]?.displayName, "Bram 'the tide' Saltmarsh");
});

test("download services: a list in `data`, a sound, followers, and comments of 2021 that do not name their post", () => {
  const readAs = (data: unknown, subject: string | null = null) => {
    const document = sourceDocument("json", { code: 0, msg: "success", processed_time: 0.4, data });
    const { collect, recording } = recordingCollector();
    const importer = IMPORTERS.find((candidate) => candidate.detects(document, FILE));
    importer?.read(document, { ...FILE, subject }, collect);
    return recording;
  };
  const music = {
    id: "7411000000000000359",
    title: "Sea hum",
    play: "https://media.example/m/359.mp3",
    author: "Orla",
  };
  const counts = { play_count: 1104, digg_count: 1101 };
  const feed = readAs([{ video_id: "7411000000000000551", title: "Tide", play: "", music_info: music, ...counts }]);
  assert.deepEqual([idsOf(feed.posts), feed.sounds[0]?.artistName], [["7411000000000000551"], "Orla"]);

  const [sound] = readAs({ ...music, cover: "", original: true, duration: 26, album: "", video_count: 1206 }).sounds;
  assert.deepEqual([sound?.id, sound?.durationS, sound?.counters], ["7411000000000000359", 26, { posts: 1206 }]);

  // Other sites' videos have the number of views there.
  const video = { type: "video", id: 170001, author: "Orla", title: "A talk", play: 52311, duration: "12:05" };
  assert.equal(downloadServices.detects(sourceDocument("json", [video]), FILE), false);

  const user = { id: "6911000000000000226", unique_id: "cato.driftwood", sec_uid: "MS4", avatar: "", region: "ES" };
  const list = { followers: [{ ...user, follower_count: 1305, aweme_count: 0 }], total: 1 };
  const followers = readAs(list, "orla.tidewell");
  assert.deepEqual(
    [followers.accounts[0]?.name, followers.accounts[0]?.counters],
    ["cato.driftwood", { followers: 1305 }],
  );
  assert.deepEqual(followers.follows, [{ account: { name: "orla.tidewell" }, follower: { id: user.id } }]);
  assert.deepEqual(readAs(list).refused, ["followers_without_owner"]);

  const comments = [{ id: "7411000000000000486", text: "Old hello", create_time: 1725616800, digg_count: 14, user }];
  const found = readAs({ comments, total: 1 }, "7411000000000000551");
  assert.deepEqual(
    found.comments.map(({ postId, authorId }) => [postId, authorId]),
    [["7411000000000000551", user.id]],
  );
  assert.deepEqual(found.posts, [{ id: "7411000000000000551", counters: { comments: 1 } }]);
  const replies = comments.map((comment) => ({ ...comment, reply_id: "7411000000000000485" }));
  assert.deepEqual(readAs({ comments: replies, total: 1 }, "7411000000000000551").posts, []);
  assert.deepEqual(readAs({ comments }).refused, ["comment_without_post"]);
});

test("download services and tiktok-scraper: an empty list is skipped", () => {
  const response = { code: 0, msg: "success", processed_time: 0.1 };
  for (const empty of [
    { ...response, data: { videos: [], cursor: "0", hasMore: false } },
    { ...response, data: { comments: [], total: 0, cursor: 0, hasMore: false } },
    { ...response, data: [] },
    { headers: { "user-agent": "Mozilla/5.0" }, collector: [] },
  ]) {
    assert.deepEqual(readValue(empty).skipped, ["an empty response"], JSON.stringify(empty));
  }
  const user = { id: "6911000000000000204", uniqueId: "wren", nickname: "Wren", secUid: "MS4" };
  for (const other of [
    { ...response, data: { rows: [] } },
    { code: 0, data: { videos: [] } },
    { collector: [] },
    { ...response, data: { videos: [], user } },
    { headers: {}, collector: [], user },
  ]) {
    assert.equal(readValue(other).format, undefined, JSON.stringify(other));
  }
  const post = { id: "7411000000000000551", title: "Kites", play: "", play_count: 3, digg_count: 1, comments: [] };
  assert.equal(readValue({ ...response, data: post }).posts[0]?.id, post.id);
});

test("tiktok-api-dl: lengths in milliseconds, lists of URLs, photo posts whose author is not the sound's, comments", async () => {
  const { posts, accounts, sounds } = await read("tiktok-api-dl/video.json");
  const [post] = posts;
  assert.deepEqual([post?.id, post?.durationS, post?.hashtags], ["7411000000000000501", 24, ["tides"]]);
  assert.deepEqual(post?.counters, { views: 904, likes: 901, comments: 903, shares: 902 });
  assert.deepEqual(nativeOf(post).video, {
    duration: 24,
    cover: "https://media.example/v/501.jpg",
    playAddr: "https://media.example/v/501.mp4",
    downloadAddr: "https://media.example/v/501-marked.mp4",
    ratio: "540p",
  });
  assert.deepEqual(accounts[0]?.native, { avatarThumb: "https://media.example/a/221.jpg" });
  // The tool has rounded the sound's id.
  assert.deepEqual([sounds, post?.soundId, nativeOf(post).music?.id], [[], undefined, undefined]);
  assert.deepEqual([nativeOf(post).music?.authorName, nativeOf(post).music?.original], ["Orla Tidewell", true]);

  const photo = await read("tiktok-api-dl/pictures.json");
  assert.deepEqual(photo.posts[0]?.counters, { views: 914, likes: 911, comments: 913, shares: 912, saves: 915 });
  assert.equal(nativeOf(photo.posts[0]).imagePost?.images?.length, 2);
  assert.equal(nativeOf(photo.posts[0]).music?.authorName, "Ines Curlew");

  const { comments } = await read("tiktok-api-dl/comments.json");
  assert.deepEqual(
    comments.map(({ id, postId, parentId, authorId }) => [id, postId, parentId, authorId]),
    [
      ["7411000000000000481", "7411000000000000501", undefined, "6911000000000000223"],
      ["7411000000000000482", "7411000000000000501", "7411000000000000481", "6911000000000000221"],
    ],
  );
});

test("apidojo: posts with their channel and song, as JSON and as a table", async () => {
  const { posts, accounts, sounds, formats } = await read("apidojo/dataset_tiktok-scraper.json");
  const [post] = posts;
  assert.deepEqual(formats, ["apidojo"]);
  assert.deepEqual([post?.id, post?.text, post?.publishedAt], ["7411000000000000571", "Tide clock #tides", 1725530400]);
  assert.deepEqual(post?.counters, { views: 804, likes: 801, comments: 803, shares: 802, saves: 805 });
  assert.deepEqual([post?.durationS, post?.hashtags, post?.soundId], [23, ["tides"], "7411000000000000361"]);
  assert.deepEqual([accounts[0]?.name, accounts[0]?.displayName], ["orla.tidewell", "Orla Tidewell"]);
  assert.deepEqual(accounts[0]?.counters, { followers: 806, following: 807, posts: 808 });
  assert.equal(sounds[0]?.artistName, "Orla Tidewell");
  assert.deepEqual((await read("apidojo/dataset_tiktok-scraper.csv")).posts[0], post);
});

test("bright-data: likes that were given, and flags of the profile", () => {
  const profile = {
    account_id: "wren",
    id: "6911000000000000204",
    secu_id: "MS4",
    videos_count: 3,
    is_verified: false,
  };
  const more = { digg_count: 812, open_favorite: true, is_ad_virtual: false, is_commerce_user: true };
  const { collect, recording } = recordingCollector();
  const document: SourceDocument = {
    index: 0,
    kind: "json",
    value: { ...profile, ...more },
    capturedAt: null,
    origin: {},
  };
  IMPORTERS.find((candidate) => candidate.detects(document, FILE))?.read(document, FILE, collect);
  const [account] = recording.accounts;
  assert.deepEqual(account?.counters, { posts: 3, saves: 812 });
  const { openFavorite, isADVirtual, commerceUserInfo } = (account?.native ?? {}) as Record<string, unknown>;
  assert.deepEqual([openFavorite, isADVirtual, commerceUserInfo], [true, false, { commerceUser: true }]);
});

test("bright-data: posts and photo posts, as JSON and as a table, and comments", async () => {
  const found = await read("bright-data/posts.json");
  assert.deepEqual(found.formats, ["bright-data", "bright-data"]);
  const [post, photo] = found.posts;
  assert.deepEqual([post?.id, post?.publishedAt, post?.durationS], ["7411000000000000521", 1725530400, 21]);
  assert.deepEqual([post?.country, post?.hashtags, post?.taggedIds], ["PT", ["tides"], ["6911000000000000223"]]);
  assert.deepEqual(post?.counters, { views: 604, likes: 601, comments: 603, shares: 602, saves: 605 });
  assert.equal(nativeOf(post).video?.playAddr, "https://media.example/v/521.mp4");
  const [author] = found.accounts;
  assert.deepEqual([author?.name, author?.displayName, author?.bio], ["orla.tidewell", "Orla Tidewell", "Tides"]);
  assert.deepEqual([author?.verified, author?.counters], [true, { followers: 606 }]);
  assert.deepEqual([found.sounds[0]?.id, found.sounds[0]?.artistName], ["7411000000000000355", "Orla Tidewell"]);
  assert.deepEqual([photo?.publishedAt, photo?.durationS, photo?.counters?.shares], [undefined, undefined, undefined]);
  assert.equal(nativeOf(photo).imagePost?.images?.length, 2);
  assert.deepEqual((await read("bright-data/posts.csv")).posts[0], post);

  const { comments, accounts } = await read("bright-data/comments.json");
  assert.deepEqual(
    comments.map(({ id, postId, publishedAt, counters }) => [id, postId, publishedAt, counters]),
    [["7411000000000000483", "7411000000000000521", 1725616800, { likes: 71, replies: 1 }]],
  );
  assert.deepEqual([accounts[0]?.name, accounts[0]?.displayName], ["bram.saltmarsh", "Bram Saltmarsh"]);
});

test("a record that names no error is not one of Apify's failures", async () => {
  const [post] = await fixtureDocuments("bright-data/posts.json");
  for (const none of [null, "", false]) {
    const { posts, skipped } = readValue({ ...(post?.value as object), error: none, errorCode: none });
    assert.deepEqual([idsOf(posts), skipped], [["7411000000000000521"], []]);
  }
});

test("bright-data: the texts of a profile's posts are in a list of their own", () => {
  const profile = {
    account_id: "wren",
    id: "6911000000000000204",
    secu_id: "MS4",
    videos_count: 2,
    is_verified: false,
  };
  const value = {
    ...profile,
    duet_setting: 1,
    short_id: "0",
    top_videos: [{ video_id: "7411000000000000261", playcount: 7, video_url: "https://www.tiktok.com/@wren/video/1" }],
    top_posts_data: [{ post_id: "7411000000000000261", description: "At dawn #marsh", hashtags: ["marsh"], likes: 3 }],
  };
  const { collect, recording } = recordingCollector();
  const document = sourceDocument("json", value);
  IMPORTERS.find((candidate) => candidate.detects(document, FILE))?.read(document, FILE, collect);
  assert.deepEqual(
    recording.posts.map(({ id, text, hashtags, counters }) => [id, text, hashtags, counters]),
    [
      ["7411000000000000261", undefined, [], { views: 7 }],
      ["7411000000000000261", "At dawn #marsh", ["marsh"], { likes: 3 }],
    ],
  );
  assert.equal(nativeOf(recording.posts[0]).video, undefined);
  assert.deepEqual(recording.accounts[0]?.native, { secUid: "MS4", verified: false, shortId: "0", duetSetting: 1 });
});

test("creative-center: only totals are counted", async () => {
  const list = await read("creative-center/hashtags.json");
  const detail = await read("creative-center/hashtag-detail.json");
  assert.deepEqual(
    [...list.hashtags, ...detail.hashtags].map(({ id, name, counters }) => [id, name, counters]),
    [
      ["80011", "corkweek", undefined],
      ["80012", "knotweek", { posts: 10_200, views: 91_000_000 }],
    ],
  );
});

test("creative-center: songs, by the id of their clip", async () => {
  const { sounds } = await read("creative-center/songs.json");
  assert.deepEqual(
    sounds.map(({ id, title, artistName, durationS, counters }) => [id, title, artistName, durationS, counters]),
    [["7411000000000000360", "Sea hum", "Orla Tidewell", 30, undefined]],
  );
});

test("tiktok-content-scraper: everything but URLs, and the time of an unknown zone", async () => {
  const { formats, posts, accounts, sounds, hashtags } = await read("tiktok-content-scraper/7411000000000000591.json");
  assert.deepEqual(formats, ["tiktok-content-scraper"]);
  const [post] = posts;
  assert.deepEqual(
    [post?.id, post?.authorId, post?.soundId, post?.durationS, post?.country, post?.category],
    ["7411000000000000591", "6911000000000000271", "7411000000000000371", 12, "IE", "Home"],
  );
  assert.deepEqual(post?.counters, { views: 1304, likes: 1301, comments: 1303, shares: 1302, saves: 1305, reposts: 0 });
  assert.equal(post?.approximate?.["publishedAt"], 86_400);
  assert.deepEqual(post?.taggedIds, ["6911000000000000202"]);
  assert.deepEqual([accounts[0]?.name, accounts[0]?.createdAt], ["nessa.thornwick", undefined]);
  assert.deepEqual([sounds[0]?.title, hashtags[0]?.id], ["Lamp tune", "263143"]);
});

test("oembed: the id in the code to embed, and the name in the URL, as until 2021", async () => {
  const { posts, accounts } = await read("oembed/2021.json");
  assert.deepEqual(idsOf(posts), ["7411000000000000561"]);
  assert.deepEqual([accounts[0]?.name, accounts[0]?.displayName], ["orla.tidewell", "Orla Tidewell"]);
});

test("takeout: follows in both directions; an entry split off a large archive needs --of", async () => {
  const { follows } = await read("takeout/user_data_tiktok.json");
  assert.deepEqual(follows, [
    { account: { name: "wren.castellow" }, follower: { name: "tobin_ashgrove" }, since: 1722506400 },
    { account: { name: "odalys.venn" }, follower: { name: "wren.castellow" }, since: 1719828000 },
  ]);
  const value = { Date: "2024-08-01 10:00:00", UserName: "tobin_ashgrove" };
  const location = { path: ["Your Activity", "Follower", "FansList"], scalars: {} };
  const document: SourceDocument = { kind: "json", value, index: 3, capturedAt: null, origin: {}, location };
  const importer = IMPORTERS.find((candidate) => candidate.detects(document, FILE));
  const { collect, recording } = recordingCollector();
  importer?.read(document, FILE, collect);
  importer?.read(document, { ...FILE, subject: "wren.castellow" }, collect);
  importer?.read(document, { ...FILE, subject: "https://www.tiktok.com/@wren.castellow" }, collect);
  assert.equal(recording.refused.length, 1);
  const follow = { account: { name: "wren.castellow" }, follower: { name: "tobin_ashgrove" }, since: 1722506400 };
  assert.deepEqual(recording.follows, [follow, follow]);
});

test("takeout: an archive of chosen parts may have one known section", () => {
  const info = { "Profile Info": { ProfileMap: { userName: "wren.castellow" } } };
  const lists = { Follower: { FansList: [{ Date: "2024-08-01 10:00:00", UserName: "tobin_ashgrove" }] } };
  const parts = { Post: { Posts: { VideoList: [] } }, "Your Activity": null };
  const whole = readValue({ "Profile And Settings": { ...info, ...lists }, ...parts });
  assert.deepEqual([whole.format, whole.follows.length], ["takeout", 1]);
  const unnamed = readValue({ "Your Activity": lists });
  assert.deepEqual(unnamed.refused, ["followers_without_owner: in a takeout"]);
  assert.deepEqual(readValue({ "Profile And Settings": info }).skipped, ["the private parts of a takeout"]);
  for (const other of [{ Profile: { name: "Wren" } }, { Activity: { Following: [] } }]) {
    assert.equal(readValue(other).format, undefined);
  }
});

test("web responses are left to the recogniser, named formats to their importer", async () => {
  for (const path of fixtureNames()) {
    const folder = path.split("/")[0] ?? "";
    for (const document of await fixtureDocuments(path)) {
      const importer = IMPORTERS.find((candidate) => candidate.detects(document, FILE))?.name;
      if (folder === "web") assert.equal(importer, undefined, path);
      else if (folder === "download-services") assert.equal(importer, "download service", path);
      else if (folder === "native-table") assert.equal(importer, "tiktok table", path);
      else if (folder === "post-tables") assert.equal(importer, "tiktok post table", path);
      else if (importer !== "zeeschuimer-other") assert.equal(importer, folder, path);
    }
  }
});
