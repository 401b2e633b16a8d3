/** From the file of each format to the HTTP answers of the operations that it feeds. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fixture } from "#testing/shortvideo-fixtures.ts";
import { type ImportedServer, startImportedServer } from "#tests/import-fixtures.ts";
import { temporaryFolder } from "#tests/test-server.ts";

async function imported(context: TestContext, ...paths: string[]): Promise<ImportedServer & { api: Ask }> {
  const opened = await startImportedServer(paths.map(fixture));
  context.after(() => opened.server.close());
  const api: Ask = async (path, parameters, headers) => {
    const response = await opened.server.get(
      `/api/shortvideo/${path}?${new URLSearchParams(parameters).toString()}`,
      headers,
    );
    return { status: response.status, body: (await response.json()) as Body };
  };
  return { ...opened, api };
}

type Ask = (
  path: string,
  parameters: Record<string, string>,
  headers?: Record<string, string>,
) => Promise<{ status: number; body: Body }>;

/** As much of the answers' shapes as these tests look at. */
interface Body {
  statusCode: number;
  itemInfo: { itemStruct: Item };
  itemList: Item[];
  data: { item: Item }[] & { musicInfo: MusicInfo; list: { hashtag_name: string }[] };
  userInfo: {
    user: Record<string, unknown>;
    stats: Record<string, number | null>;
    statsV2: Record<string, string | null>;
  };
  comments: { cid: string; text: string; digg_count: number; user: Record<string, unknown> }[];
  total: number;
  play: string;
  play_watermark: string;
}

interface Item {
  id: string;
  desc: string;
  createTime: string | number;
  author: Record<string, unknown>;
  stats: Record<string, unknown>;
  statsV2: Record<string, unknown>;
  video: Record<string, unknown>;
  music: Record<string, unknown>;
  challenges: { id: string; title: string }[];
  textExtra: { hashtagName: string; userUniqueId: string }[];
}

interface MusicInfo {
  music: Record<string, unknown>;
  artist: Record<string, unknown>;
  stats: { videoCount: number };
}

const MEDIA = "https://media.example";
const UNKNOWN = { prefer: "unknown=null" };

test("zeeschuimer: posts to detail, sound, search and download; the newest capture wins", async (context) => {
  const { api, report } = await imported(
    context,
    "zeeschuimer/zeeschuimer-export-tiktok.com-2024-09-06T120000.ndjson",
    "zeeschuimer/zeeschuimer-export-tiktok-comments-2024-09-06T120500.ndjson",
    "zeeschuimer/zeeschuimer-export-elsewhere-2024-09-06T121000.ndjson",
  );
  assert.deepEqual(report.total.formats, { zeeschuimer: 9, "zeeschuimer-other": 2 });
  assert.deepEqual(report.total.refused, { post_without_id: 1 });
  assert.equal(report.total.skipped["advertisement"], 1);

  const detail = await api("post/detail", { videoId: "7411000000000000101" });
  const item = detail.body.itemInfo.itemStruct;
  assert.equal(item.desc, "Kite weather at last #kites #windyday with @tobin_ashgrove");
  assert.equal(item.createTime, "1725530400");
  assert.deepEqual(item.author, {
    id: "6911000000000000201",
    uniqueId: "mara.quillfeather",
    nickname: "Mara Quillfeather",
    avatarLarger: `${MEDIA}/a/mara.quillfeather-1080.jpg`,
    verified: true,
  });
  assert.deepEqual(item.statsV2, {
    diggCount: "143002",
    shareCount: "310",
    commentCount: "87",
    playCount: "2401553",
    collectCount: "5121",
    repostCount: "12",
  });
  assert.equal(item.video["definition"], "540p");

  const posts = await api("music/posts", { musicId: "7411000000000000301" });
  assert.deepEqual(
    posts.body.itemList.map(({ id }) => id),
    ["7411000000000000101", "7411000000000000103"],
  );
  const sound = await api("music/info", { musicId: "7411000000000000301" });
  assert.equal(sound.body.data.musicInfo.music["title"], "Paper Lanterns");
  assert.equal(sound.body.data.musicInfo.stats.videoCount, 2);

  const search = await api("search/general", { keyword: "lamps" });
  assert.deepEqual(
    search.body.data.map((hit) => hit.item.id),
    ["7411000000000000102"],
  );
  const download = await api("download/video", {
    url: "https://www.tiktok.com/@mara.quillfeather/video/7411000000000000101",
  });
  assert.deepEqual(download.body, { play: `${MEDIA}/v/101.mp4`, play_watermark: `${MEDIA}/v/101-marked.mp4` });

  assert.equal((await api("post/detail", { videoId: "7411000000000000190" })).status, 404);

  const comments = await api("post/comments", { videoId: "7411000000000000101" });
  assert.deepEqual(
    comments.body.comments.map(({ cid, text, digg_count }) => [cid, text, digg_count]),
    [
      ["7411000000000000403", "", 0],
      ["7411000000000000401", "Which string is that?", 14],
    ],
  );
  assert.deepEqual(comments.body.comments[1]?.user, {
    uid: "6911000000000000203",
    unique_id: "odalys.venn",
    nickname: "Odalys Venn",
    avatar_thumb: {
      uri: "avatars/odalys.venn",
      url_list: [`${MEDIA}/a/odalys.venn-100.webp`, `${MEDIA}/a/odalys.venn-100.jpg`],
    },
  });
  assert.equal(comments.body.total, 87);
});

test("zeeschuimer: hidden counts stay unknown", async (context) => {
  const { api } = await imported(context, "zeeschuimer/zeeschuimer-export-tiktok.com-2024-09-06T120000.ndjson");
  const user = await api("user/info-with-region", { uniqueId: "tobin_ashgrove" }, UNKNOWN);
  assert.equal(user.body.userInfo.stats["heartCount"], null);
  assert.equal(user.body.userInfo.stats["followerCount"], 930);
});

test("4cat: lines and tables", async (context) => {
  const { api, report } = await imported(
    context,
    "4cat/tiktok-search-kites.ndjson",
    "4cat/tiktok-search-kites.csv",
    "4cat/tiktok-comments-kites.csv",
  );
  assert.deepEqual(report.total.formats, { "4cat": 6, "zeeschuimer-other": 1 });
  const first = await api("post/detail", { videoId: "7411000000000000101" });
  assert.equal(first.body.itemInfo.itemStruct.statsV2["diggCount"], "142877");
  const row = await api("post/detail", { videoId: "7411000000000000111" });
  assert.equal(row.body.itemInfo.itemStruct.desc, 'Second kite; "bigger"\n#kites #boxkite');
  assert.equal(row.body.itemInfo.itemStruct.author["uniqueId"], "mara.quillfeather");
  const comments = await api("post/comments", { videoId: "7411000000000000111" });
  assert.deepEqual(
    comments.body.comments.map(({ text }) => text),
    ["Even better"],
  );
  const posts = await api("music/posts", { musicId: "7411000000000000301" });
  assert.equal(posts.body.itemList.length, 2);
});

test("4cat: posts of an anonymised table belong to nobody", async (context) => {
  const opened = await imported(context);
  const id = "7411000000000000113";
  const url = `https://www.tiktok.com/@wren.castellow/video/${id}`;
  const folder = temporaryFolder();
  context.after(() => folder.remove());
  const path = join(folder.path, "anonymised.csv");
  writeFileSync(
    path,
    `id,author,author_full,author_id,body,unix_timestamp,tiktok_url,likes\n${id},REDACTED,REDACTED,REDACTED,Kites,1725703200,${url},3\n`,
  );
  await opened.importMore([path]);
  const post = await opened.api("post/detail", { videoId: id });
  assert.deepEqual(
    [post.body.itemInfo.itemStruct.desc, post.body.itemInfo.itemStruct.author["uniqueId"]],
    ["Kites", ""],
  );
});

test("4cat: a table, which has names alone, fills the lists of a post and never replaces fuller ones", async (context) => {
  const captures = ["zeeschuimer/zeeschuimer-export-tiktok.com-2024-09-06T120000.ndjson", "4cat/later.csv"];
  const full = {
    challenges: [
      { id: "70001", title: "kites" },
      { id: "70002", title: "windyday" },
    ],
    textExtra: [
      { hashtagName: "kites", userUniqueId: "" },
      { hashtagName: "windyday", userUniqueId: "" },
      { hashtagName: "", userUniqueId: "tobin_ashgrove" },
    ],
  };
  const poor = {
    challenges: [{ id: "", title: "kites" }],
    textExtra: [{ hashtagName: "kites", userUniqueId: "" }],
  };
  const listsOf = async ({ api }: { api: Ask }) => {
    const { body } = await api("music/posts", { musicId: "7411000000000000301" });
    const item = body.itemList.find(({ id }) => id === "7411000000000000101");
    return { challenges: item?.challenges, textExtra: item?.textExtra };
  };
  assert.deepEqual(await listsOf(await imported(context, ...captures)), full);
  assert.deepEqual(await listsOf(await imported(context, ...captures.toReversed())), full);
  const alone = await imported(context, "4cat/later.csv");
  assert.deepEqual(await listsOf(alone), poor);
  const search = (await alone.server.json("/api/search?q=kites&kind=post")) as { results: { approximate?: [] }[] };
  assert.deepEqual(
    search.results.map(({ approximate }) => approximate),
    [undefined],
  );
});

test("yt-dlp: detail, download, profile, search", async (context) => {
  const { api, report } = await imported(context, "yt-dlp/Rain on the skylight [7411000000000000121].info.json");
  assert.deepEqual(report.total.formats, { "yt-dlp": 1 });
  const { body } = await api("post/detail", { videoId: "7411000000000000121" });
  const item = body.itemInfo.itemStruct;
  assert.equal(item.desc, "Rain on the skylight #rain #loft");
  assert.deepEqual(item.stats, {
    diggCount: "6120",
    shareCount: "145",
    commentCount: "88",
    playCount: "70412",
    collectCount: "301",
  });
  assert.equal(item.music["title"], "original sound - ilka.brandmoor");
  const download = await api("download/video", { url: "tiktok.com/@ilka.brandmoor/video/7411000000000000121" });
  assert.deepEqual(download.body, { play: `${MEDIA}/v/121.mp4`, play_watermark: `${MEDIA}/v/121-marked.mp4` });
  const user = await api("user/info-with-region", { uniqueId: "ilka.brandmoor" });
  assert.equal(user.body.userInfo.user["nickname"], "Ilka Brandmoor");
  assert.equal(user.body.userInfo.user["id"], "6911000000000000205");
  const search = await api("search/general", { keyword: "skylight" });
  assert.equal(search.body.data.length, 1);
});

test("yt-dlp: a flat list of an account brings new counts, and its links to pages are no video files", async (context) => {
  const { api } = await imported(
    context,
    "yt-dlp/Rain on the skylight [7411000000000000121].info.json",
    "yt-dlp/ilka.brandmoor.json",
  );
  const { body } = await api("post/detail", { videoId: "7411000000000000121" });
  const { stats, video } = body.itemInfo.itemStruct;
  assert.deepEqual([stats["playCount"], video["playAddr"]], ["70900", `${MEDIA}/v/121.mp4`]);
  const download = await api("download/video", { url: "tiktok.com/@ilka.brandmoor/video/7411000000000000121" });
  assert.deepEqual(download.body, { play: `${MEDIA}/v/121.mp4`, play_watermark: `${MEDIA}/v/121-marked.mp4` });
});

test("gallery-dl: two files of one photo post become one post", async (context) => {
  const { api, report } = await imported(
    context,
    "gallery-dl/7411000000000000102_01 Lamps.json",
    "gallery-dl/7411000000000000102_02 Lamps.json",
  );
  assert.deepEqual(report.total.formats, { "gallery-dl": 2 });
  const { body } = await api("post/detail", { videoId: "7411000000000000102" });
  assert.equal(body.itemInfo.itemStruct.author["uniqueId"], "tobin_ashgrove");
  assert.equal(body.itemInfo.itemStruct.statsV2["playCount"], "1800");
  const search = await api("search/general", { keyword: "#lamps" });
  assert.equal(search.body.data.length, 1);
});

test("tiktok-scraper: list and tables", async (context) => {
  const { api, report, server } = await imported(
    context,
    "tiktok-scraper/wren.castellow_1609948309033.json",
    "tiktok-scraper/wren.castellow_1609948309034.csv",
    "tiktok-scraper/hashtag_1579888101091.csv",
  );
  assert.deepEqual(report.total.refused, { post_without_id: 1 });
  const posts = await api("music/posts", { musicId: "6811000000000000302" });
  assert.deepEqual(
    posts.body.itemList.map(({ id, stats }) => [id, stats["playCount"]]),
    [
      ["6911000000000000131", 18800],
      ["6911000000000000132", 18800],
    ],
  );
  const user = await api("user/info-with-region", { uniqueId: "wren.castellow" });
  assert.equal(user.body.userInfo.statsV2["heartCount"], "381000");
  const download = await api("download/video", {
    url: "https://www.tiktok.com/@wren.castellow/video/6911000000000000131",
  });
  assert.deepEqual(download.body, { play: `${MEDIA}/v/131.mp4`, play_watermark: `${MEDIA}/v/131-marked.mp4` });
  const url = "https://www.tiktok.com/@wren.castellow/video/6785000000000000141";
  const marked = (await api("download/video", { url })).body;
  assert.deepEqual(marked, { play: "", play_watermark: `${MEDIA}/v/141.mp4` }, "`videoUrl` is watermarked");
  const { post } = (await server.json(`/api/post?platform=shortvideo&id=${encodeURIComponent(url)}`)) as {
    post: { media: unknown[] };
  };
  assert.deepEqual(post.media, [{ kind: "video", url: `${MEDIA}/v/141.mp4`, width: null, height: null }]);
  const first = await api("post/detail", { videoId: "6785000000000000141" });
  assert.equal(first.body.itemInfo.itemStruct.author["id"], "6711000000000000206");
});

test("apify: posts, profile with region, comments, sound", async (context) => {
  const { api, report } = await imported(
    context,
    "apify/dataset_tiktok-scraper.json",
    "apify/dataset_tiktok-scraper.csv",
    "apify/dataset_tiktok-comments-scraper.json",
  );
  assert.deepEqual(report.total.refused, {});
  const detail = await api("post/detail", { videoId: "7411000000000000151" }, UNKNOWN);
  assert.equal(detail.body.itemInfo.itemStruct.stats["commentCount"], null);
  assert.equal(detail.body.itemInfo.itemStruct.stats["collectCount"], "390");
  assert.equal((await api("post/detail", { videoId: "7411000000000000153" })).status, 200);
  const user = await api("user/info-with-region", { uniqueId: "senna.kiln" });
  assert.equal(user.body.userInfo.user["region"], "PT");
  assert.equal(user.body.userInfo.user["avatarLarger"], `${MEDIA}/a/senna-original.jpg`);
  const comments = await api("post/comments", { videoId: "7411000000000000151" });
  assert.deepEqual(
    comments.body.comments.map(({ text }) => text),
    ["That blue!"],
  );
  const sound = await api("music/info", { musicId: "7411000000000000304" });
  assert.equal(sound.body.data.musicInfo.music["title"], "Clay Song");
});

test("research-api: ids beyond 2^53 stay exact", async (context) => {
  const { api, report } = await imported(
    context,
    "research-api/videos.json",
    "research-api/comments.json",
    "research-api/user.json",
    "research-api/refused.json",
  );
  assert.deepEqual(report.total.refused, { post_without_id: 1 });
  const detail = await api("post/detail", { videoId: "7411000000000000161" });
  assert.equal(detail.body.itemInfo.itemStruct.author["uniqueId"], "jory.veldhuis");
  assert.equal(detail.body.itemInfo.itemStruct.stats["playCount"], "8123");
  const comments = await api("post/comments", { videoId: "7411000000000000161" });
  assert.deepEqual(
    comments.body.comments.map(({ cid }) => cid),
    ["7411000000000000461"],
  );
  const user = await api("user/info-with-region", { uniqueId: "@jory.veldhuis" });
  assert.equal(user.body.userInfo.stats["followerCount"], 5400);
  assert.equal(user.body.userInfo.user["region"], "NL");
  assert.equal((await api("music/posts", { musicId: "7411000000000000305" })).body.itemList.length, 1);
});

test("discover: profile and sound of a snapshot", async (context) => {
  const { api } = await imported(context, "discover/discover.json");
  const user = await api("user/info-with-region", { uniqueId: "beatrix.oakum" });
  assert.equal(user.body.userInfo.user["verified"], true);
  assert.equal(user.body.userInfo.stats["heartCount"], 31000000);
  const sound = await api("music/info", { musicId: "6811000000000000306" });
  assert.equal(sound.body.data.musicInfo.stats.videoCount, 908300);
});

test("web responses feed every operation", async (context) => {
  const { api, report } = await imported(
    context,
    "web/item-detail.json",
    "web/user-detail.json",
    "web/music-detail.json",
    "web/challenge-detail.json",
    "web/search.json",
    "web/comment-list.json",
    "web/missing.ndjson",
  );
  assert.deepEqual(report.total.refused, {});
  const user = await api("user/info-with-region", { uniqueId: "mara.quillfeather" });
  assert.equal(user.body.userInfo.statsV2["followerCount"], "88123");
  assert.equal(user.body.userInfo.user["region"], "IE");
  assert.equal(user.body.userInfo.user["relation"], 0);
  const sound = await api("music/info", { musicId: "7411000000000000301" });
  assert.equal(sound.body.data.musicInfo.artist["uniqueId"], "harrowstreet");
  assert.equal(sound.body.data.musicInfo.music["isCopyrighted"], true);
  assert.equal(sound.body.data.musicInfo.stats.videoCount, 170700);
  const comments = await api("post/comments", { videoId: "7411000000000000101" });
  assert.equal(comments.body.comments.length, 2);
  const search = await api("search/general", { keyword: "kite weather" });
  assert.equal(search.body.data.length, 1);
  const trending = await api("trending/hashtag", { period: "120" });
  assert.equal(trending.status, 200);
});

test("a plain list of posts that names no author is the account's that --of names, by name or by URL", async (context) => {
  const folder = temporaryFolder();
  context.after(() => folder.remove());
  const opened = await imported(context);
  const { api } = opened;
  const post = (id: string, author?: object) => ({
    id,
    desc: "Waggle",
    createTime: 1728576259,
    stats: { diggCount: 3 },
    author,
  });
  const list = (name: string, ...posts: object[]) => {
    const file = join(folder.path, name);
    writeFileSync(file, JSON.stringify(posts));
    return file;
  };
  const authorOf = async (videoId: string) =>
    (await api("post/detail", { videoId })).body.itemInfo.itemStruct.author["uniqueId"];
  const [bare, own, byUrl, byPost] = [
    "7424178477000000103",
    "7424178477000000104",
    "7424178477000000105",
    "7424178477000000106",
  ];
  await opened.importMore(
    [list("a.json", post(bare), post(own, { id: "6811000000000000999", uniqueId: "odalys.venn" }))],
    {
      subject: "@bee.lab",
    },
  );
  await opened.importMore([list("b.json", post(byUrl))], { subject: "https://www.tiktok.com/@bee.lab" });
  await opened.importMore([list("c.json", post(byPost))], { subject: byPost });
  assert.deepEqual(await Promise.all([bare, own, byUrl, byPost].map(authorOf)), [
    "bee.lab",
    "odalys.venn",
    "bee.lab",
    "",
  ]);
  assert.equal((await api("user/info-with-region", { uniqueId: "bee.lab" })).status, 200);
});

test("a HAR recording: posts, comments assigned by URL, and no secrets", async (context) => {
  const { api, server, report } = await imported(context, "web/browsing.har");
  assert.deepEqual(report.total.refused, {});
  const detail = await server.get("/api/shortvideo/post/detail?videoId=7411000000000000101");
  assert.equal(detail.headers.get("last-modified"), "Fri, 06 Sep 2024 12:20:00 GMT");
  const comments = await api("post/comments", { videoId: "7411000000000000102" });
  assert.deepEqual(
    comments.body.comments.map(({ text }) => text),
    ["Lovely lamps"],
  );
  assert.equal((await api("post/detail", { videoId: "7411000000000000199" })).status, 404);
});

test("research-api: ResearchTikPy's table of followers", async (context) => {
  const { api, report } = await imported(context, "research-api/followers.csv");
  assert.deepEqual([report.total.records.follow?.new, report.total.refused], [3, {}]);
  const tobin = await api("user/info-with-region", { uniqueId: "tobin_ashgrove" });
  assert.equal(tobin.body.userInfo.user["nickname"], "Tobin Ashgrove");
});

test("a HAR recording: lists of followers are of the account whose profile was shown, or of the one in --of", async (context) => {
  const folder = temporaryFolder();
  context.after(() => folder.remove());
  const opened = await imported(context);
  const user = (number: number) => ({
    id: `691100000000000030${number}`,
    uniqueId: `lapwing.${number}`,
    secUid: `MS4w${number}`,
  });
  const response = (path: string, body: object) => ({
    startedDateTime: "2024-09-06T12:20:00.000Z",
    request: { method: "GET", url: `https://www.tiktok.com/${path}`, headers: [] },
    response: { status: 200, content: { mimeType: "application/json", text: JSON.stringify(body) } },
  });
  const followers = (owner: number, follower: number) =>
    response(`api/user/list/?scene=67&secUid=${user(owner).secUid}`, { userList: [{ user: user(follower) }] });
  const importHar = async (name: string, subject: string | null, ...entries: object[]) => {
    const path = join(folder.path, name);
    writeFileSync(path, JSON.stringify({ log: { version: "1.2", entries } }));
    const { records, refused } = (await opened.importMore([path], { subject })).total;
    return [records.follow?.new, refused];
  };
  const profile = response("api/user/detail/", { userInfo: { user: user(1), stats: { followerCount: 1 } } });
  assert.deepEqual(await importHar("a.har", null, profile, followers(1, 2), followers(1, 3)), [2, {}]);
  assert.deepEqual(await importHar("b.har", "lapwing.4", followers(4, 5), followers(6, 7), followers(4, 8)), [
    2,
    { followers_without_owner: 1 },
  ]);
});

test("lists of followers that are too large to read whole", async (context) => {
  const folder = temporaryFolder();
  context.after(() => folder.remove());
  const opened = await imported(context);
  const signature = "x".repeat(3 * 1024 * 1024);
  const ids = [1, 2, 3].map((number) => `691100000000000031${number}`);
  const mobile = ids.map((uid) => ({
    uid,
    unique_id: `m${uid}`,
    sec_uid: `MS4w${uid}`,
    signature_language: signature,
  }));
  const web = ids.map((id) => ({ user: { id, uniqueId: `m${id}`, secUid: `MS4w${id}`, language: signature } }));
  const importList = async (name: string, response: object, subject: string | null) => {
    const path = join(folder.path, name);
    writeFileSync(path, JSON.stringify(response));
    const { records, refused } = (await opened.importMore([path], { subject })).total;
    return [records.account?.new, records.follow?.new, refused];
  };
  const unowned = await importList("a.json", { status_code: 0, followers: mobile }, null);
  assert.deepEqual(unowned, [3, undefined, { followers_without_owner: 1 }]);
  assert.deepEqual(await importList("b.json", { status_code: 0, followers: mobile }, "wren"), [1, 3, {}]);
  assert.deepEqual(await importList("following.json", { statusCode: 0, userList: web }, "wren"), [0, 3, {}]);
});

test("pages with embedded state: their content, not the viewer", async (context) => {
  const { api } = await imported(context, "web/profile-page.html", "web/older-page.html");
  const newer = await api("post/detail", { videoId: "7411000000000000102" });
  assert.equal(newer.body.itemInfo.itemStruct.author["nickname"], "Tobin Ashgrove");
  const older = await api("post/detail", { videoId: "7411000000000000103" });
  assert.equal(older.body.itemInfo.itemStruct.author["uniqueId"], "tobin_ashgrove");
  const user = await api("user/info-with-region", { uniqueId: "tobin_ashgrove" });
  assert.equal(user.body.userInfo.user["signature"], "Ropes and boats");
  assert.equal((await api("user/info-with-region", { uniqueId: "whoever.looks" })).status, 404);
  const comments = await api("post/comments", { videoId: "7411000000000000103" });
  assert.equal(comments.body.comments[0]?.text, "Saved my picnic");
});

test("download services: posts, photo posts and comments; clean and marked files", async (context) => {
  const { api, report } = await imported(
    context,
    "download-services/video.json",
    "download-services/posts.json",
    "download-services/comments.json",
    "download-services/failed.json",
  );
  const item = (await api("post/detail", { videoId: "7411000000000000171" }, UNKNOWN)).body.itemInfo.itemStruct;
  assert.equal(item.desc, "Cork, from bark to bottle #cork #workshop");
  assert.deepEqual(item.stats, {
    diggCount: "4100",
    shareCount: "12",
    commentCount: "38",
    playCount: "51200",
    collectCount: "222",
  });
  assert.equal(item.author["uniqueId"], "corkfolk");
  const files = await api("download/video", { url: "https://www.tiktok.com/@corkfolk/video/7411000000000000171" });
  assert.deepEqual([files.body.play, files.body.play_watermark], [`${MEDIA}/v/171.mp4`, `${MEDIA}/v/171-marked.mp4`]);
  const photo = (await api("post/detail", { videoId: "7411000000000000172" }, UNKNOWN)).body.itemInfo.itemStruct;
  assert.deepEqual([photo.video["playAddr"], photo.video["duration"]], [null, null]);
  const { body } = await api("post/comments", { videoId: "7411000000000000171" });
  assert.deepEqual(
    body.comments.map(({ cid, digg_count: likes, user }) => [cid, likes, user["unique_id"]]),
    [["7411000000000000471", 5, "tobin_ashgrove"]],
  );
  assert.equal((await api("music/posts", { musicId: "7411000000000000317" })).body.itemList.length, 1);
  assert.deepEqual(report.total.refused, { post_without_id: 1 });
  assert.deepEqual(report.total.skipped, { "an error response": 1 });
});

test("takeout: follows with their times, and nothing private", async (context) => {
  const { api, report } = await imported(context, "takeout/user_data_tiktok.json");
  assert.equal(report.total.records.follow?.new, 2);
  assert.equal(report.total.records.post, undefined);
  const { user } = (await api("user/info-with-region", { uniqueId: "odalys.venn" })).body.userInfo;
  assert.equal(user["uniqueId"], "odalys.venn");
  assert.deepEqual(report.total.skipped, { "an account that was deleted": 1, "the private parts of a takeout": 1 });
});

test("bright-data: profiles with their top videos, as a table and as JSON", async (context) => {
  const { api } = await imported(context, "bright-data/profiles.csv", "bright-data/profiles.json");
  const { user, stats } = (await api("user/info-with-region", { uniqueId: "corkfolk" }, UNKNOWN)).body.userInfo;
  assert.deepEqual([user["id"], user["secUid"], user["verified"]], ["6911000000000000217", "MS4wLjABcorkfolk", true]);
  assert.deepEqual([stats["followerCount"], stats["heartCount"], stats["videoCount"]], [88_100, 910_000, 301]);
  const tobin = (await api("user/info-with-region", { uniqueId: "tobin_ashgrove" }, UNKNOWN)).body.userInfo;
  assert.deepEqual([tobin.stats["followerCount"], tobin.stats["heartCount"]], [12, 0]);
  const item = (await api("post/detail", { videoId: "7411000000000000173" })).body.itemInfo.itemStruct;
  assert.deepEqual([item.stats["playCount"], item.createTime], ["120400", "1725192000"]);
});

test("creative-center: videos, whose URLs do not name their authors", async (context) => {
  const { api, report } = await imported(context, "creative-center/videos.json");
  const { body } = await api("post/detail", { videoId: "7411000000000000571" });
  const { desc, author, video } = body.itemInfo.itemStruct;
  assert.deepEqual(
    [desc, author["uniqueId"], video["duration"], video["cover"]],
    ["Cork boats #corkweek", "", 31, "https://media.example/v/571.jpg"],
  );
  assert.deepEqual(
    [report.total.records.post?.new, report.total.records.account, report.total.refused],
    [2, undefined, {}],
  );
});

test("creative-center: totals of hashtags; counts of a period are not taken for totals", async (context) => {
  const { report } = await imported(context, "creative-center/hashtags.json", "creative-center/hashtag-detail.json");
  assert.equal(report.total.records.hashtag?.new, 2);
  assert.deepEqual(report.total.skipped, { "counts of a period, which are not the hashtag's totals": 1 });
});
